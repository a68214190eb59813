"""Conversion between sRGB and linear light (OpenGL ES 3.0, 3.8.16 and 4.1.8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]


def decode_srgb(texels: NDArray[Any]) -> NDArray[np.float32]:
    """sRGB texels converted to linear light, float32 0…1, flat (OpenGL ES 3.0, 3.8.16)."""
    values = texels.reshape(-1, 4).astype(np.float64) / 255
    color = values[:, :3]
    values[:, :3] = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return values.astype(np.float32).reshape(-1)


def encode_srgb(texels: Image) -> Image:
    """Linear texels as sRGB, uint8 (OpenGL ES 3.0, 4.1.8)."""
    values = np.clip(texels.astype(np.float64), 0, 1)
    color = values[..., :3]
    values[..., :3] = np.where(color <= 0.0031308, color * 12.92, 1.055 * color ** (1 / 2.4) - 0.055)
    return np.floor(values * 255 + 0.5).astype(np.uint8)
