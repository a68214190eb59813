"""Frames as image files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .activity.output import whole_file
from .jit import kernel


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
    if color.shape[0] * color.shape[1] % 4 or sys.byteorder != "little":
        out[:] = color[::-1, :, :3]
        return out
    # If rows of three bytes per pixel are not whole words, the image is packed as one row.
    rows = len(out) if color.shape[1] % 4 == 0 else 1
    pixels = np.ascontiguousarray(color if rows > 1 else color[::-1]).view(np.uint32)
    pack_rows(pixels.reshape(rows, -1), out.reshape(rows, -1).view(np.uint32))
    return out


@kernel
def pack_rows(color: Any, out: Any) -> None:
    """Copy red, green and blue, last row first: words of one pixel, (height, width), to three words per four pixels."""
    height = len(color)
    for row in range(np.uint64(height)):
        below = np.uint64(height - 1) - row
        for i in range(np.uint64(color.shape[1] // 4)):
            first, place = np.uint64(4) * i, np.uint64(3) * i
            a, b = color[row, first], color[row, first + np.uint64(1)]
            c, d = color[row, first + np.uint64(2)], color[row, first + np.uint64(3)]
            out[below, place] = a & 0xFFFFFF | b << 24
            out[below, place + np.uint64(1)] = b >> 8 & 0xFFFF | c << 16
            out[below, place + np.uint64(2)] = c >> 16 & 0xFF | d << 8


def write_png(pixels: NDArray[np.uint8], path: Path) -> None:
    """Write an image losslessly; see `whole_file`."""
    with whole_file(path) as partial:
        Image.fromarray(pixels).save(partial, "png", compress_level=3)
