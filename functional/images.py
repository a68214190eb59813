"""Frames as image files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


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
    return np.ascontiguousarray(color[::-1, :, : 4 if alpha else 3])


def write_png(pixels: NDArray[np.uint8], path: Path) -> None:
    """Write an image losslessly; the file appears under its name only when it is whole."""
    partial = path.with_name(f".{path.name}.partial")
    Image.fromarray(pixels).save(partial, "png", compress_level=3)
    os.replace(partial, path)
