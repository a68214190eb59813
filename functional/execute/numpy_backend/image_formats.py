"""Texels of images as shaders see them, and back (OpenGL ES 3.1, 8.22)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..memory import ImageMemory

_ONE_FLOAT = np.float32(1).view(np.int32)


def loaded_texels(image: ImageMemory, texels: NDArray[Any]) -> NDArray[np.int32]:
    """Texels, (n, 4), as bits of the shader's components, (4, n)."""
    if image.kind == "unorm":
        values = (texels.astype(np.float32) / np.float32(255)).view(np.int32)
    else:
        values = np.ascontiguousarray(texels).view(np.int32)
    channels = values.T.copy()
    if image.channels == 1:
        channels[1:3] = 0
        channels[3] = 1 if image.kind in ("int", "uint") else _ONE_FLOAT
    return channels


def stored_texels(image: ImageMemory, values: NDArray[np.int32]) -> NDArray[Any]:
    """Bits of the shader's components, (4, n), as texels of the image, (n, 4); converted to the format's range."""
    kind, bits, limit = image.kind, image.bits, 2 ** (image.bits - 1)
    texels: NDArray[Any] = np.ascontiguousarray(values.T)
    if kind == "int" and bits < 32:
        texels = np.clip(texels, -limit, limit - 1)
    elif kind == "uint" and bits < 32:
        texels = np.minimum(texels.view(np.uint32), np.uint32(2 * limit - 1)).view(np.int32)
    elif kind not in ("int", "uint"):
        floats = texels.view(np.float32)
        with np.errstate(all="ignore"):
            if kind == "unorm":
                texels = np.rint(np.clip(np.nan_to_num(floats, nan=0.0), 0, 1) * np.float32(255)).astype(np.uint8)
            elif kind == "snorm":
                scaled = np.rint(np.clip(np.nan_to_num(floats, nan=0.0), -1, 1) * np.float32(limit - 1))
                texels = scaled.astype(np.float32) / np.float32(limit - 1)
            else:
                texels = floats.astype(np.float16).astype(np.float32) if bits == 16 else floats
    if image.channels == 1:
        texels = texels.copy()
        texels[:, 1:3], texels[:, 3] = 0, 1
    return texels
