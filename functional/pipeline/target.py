"""Attachments that draws write to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ColorTarget:
    """One colour attachment.

    Attributes
    ----------
    pixels
        (height, width, 4), row 0 at the bottom: uint8 for channels of at most 8 bits, float32, or int32.
    bits
        Bits kept per channel; 0 where a channel is absent.
    kind
        unorm, srgb, snorm, float, int or uint.
    """

    pixels: NDArray[Any]
    bits: tuple[int, int, int, int]
    kind: str = "unorm"


@dataclass(frozen=True, eq=False)
class Target:
    """Attachments drawn to; the same object for a framebuffer as long as its memory stays.

    Attributes
    ----------
    colors
        Colour attachment per draw buffer; None if there is none.
    depth
        uint32 (height, width), as returned by `quantize_depth`; None without a depth attachment.
    depth_format
        Code of `DEPTH_FORMATS`.
    stencil
        uint8 (height, width) or None.
    flipped
        The window system counts rows from the top (default framebuffer).
    samples
        Samples per pixel; with more than one, the arrays have a leading axis of samples.
    """

    width: int
    height: int
    colors: tuple[ColorTarget | None, ...]
    depth: NDArray[np.uint32] | None
    depth_format: int
    stencil: NDArray[np.uint8] | None
    flipped: bool
    samples: int = 1
