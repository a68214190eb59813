"""Frames as image files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .activity.compiled import kernel


def frame_image(color: NDArray[np.uint8], alpha: bool) -> NDArray[np.uint8]:
    """Pixels of a colour buffer as an image.

    Parameters
    ----------
    color
        uint8, (height, width, 4), row 0 at the bottom.
    alpha
        Whether the buffer has an alpha channel.

    Returns
    -------
    uint8, (height, width, 3 or 4)
        Row 0 at the top.
    """
    if alpha:
        return np.ascontiguousarray(color[::-1])
    out = np.empty((*color.shape[:2], 3), np.uint8)
    drop_alpha(np.ascontiguousarray(color), out)
    return out


@kernel
def drop_alpha(color: Any, out: Any) -> None:
    """Copy red, green and blue, uint8 (height, width, 4) to (height, width, 3), last row first."""
    height, width = out.shape[:2]
    for row in range(height):
        for column in range(width):
            for channel in range(3):
                out[height - 1 - row, column, channel] = color[row, column, channel]


def write_png(pixels: NDArray[np.uint8], path: Path) -> None:
    """Write an image losslessly; the file appears under its name only when it is whole."""
    partial = path.with_name(f".{path.name}.partial")
    Image.fromarray(pixels).save(partial, "png", compress_level=3)
    os.replace(partial, path)
