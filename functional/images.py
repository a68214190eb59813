"""Frames as image files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from .activity.output import whole_file
from .compile import COMPILED, address, kernel
from .compile.native import PACKED, pack_pixels


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
    pack_rows(np.ascontiguousarray(color), out)
    return out


@kernel
def pack_rows(color: Any, out: Any) -> None:
    """Copy red, green and blue, last row first: (height, width, 4) to (height, width, 3)."""
    height, width, _ = color.shape
    several = width // PACKED * PACKED if COMPILED else 0
    for row in range(height):
        pixels, packed = color[row], out[height - 1 - row]
        for i in range(0, several, PACKED):
            pack_pixels(address(pixels[i:]), address(packed[i:]))
        for i in range(several, width):
            for channel in range(3):
                packed[i, channel] = pixels[i, channel]


def png_bytes(pixels: NDArray[np.uint8], made_by: str = "") -> bytes:
    """An image as a PNG file's bytes, with a note of what made it if wanted."""
    note, file = PngInfo(), BytesIO()
    if made_by:
        note.add_text("Software", made_by)
    Image.fromarray(pixels).save(file, "png", compress_level=3, pnginfo=note)
    return file.getvalue()


def write_png(pixels: NDArray[np.uint8], path: Path, made_by: str = "") -> None:
    """Write an image losslessly, with a note of what made it if wanted; see `whole_file`."""
    with whole_file(path) as partial:
        partial.write_bytes(png_bytes(pixels, made_by))
