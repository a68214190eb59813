"""Images of the results of passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..gles.framebuffers import Attachment
from ..images import frame_image, write_png
from ..pipeline.fragments.multisampling import resolve


def no_picture(number: int, attachment: Attachment) -> None:
    """Do not write an image of a pass."""


def pass_picture(folder: Path, number: int, attachment: Attachment) -> str | None:
    """Write the first colour attachment of a finished pass as an image; the name of the file. None, and no file, for
    pixels that cannot be shown as an image."""
    pixels = attachment.color()
    if pixels is None or pixels.dtype != np.uint8:
        return None
    name = f"pass_{number:04d}.png"
    image = np.asarray(resolve(pixels) if pixels.ndim == 4 else pixels)
    opaque = attachment.format is not None and attachment.format.bits[3] == 0
    write_png(frame_image(image, not opaque), folder / name)
    return name
