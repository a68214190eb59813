"""Clearing attachments (OpenGL ES 2.0, 4.2.3)."""

from __future__ import annotations

import numpy as np

from ..activity.kernels.depth import quantize_depth
from .command import Target


def clear(
    target: Target,
    box: tuple[int, int, int, int],
    color: tuple[float, float, float, float],
    color_mask: tuple[bool, ...],
    depth: float | None,
    stencil: int,
    stencil_mask: int,
) -> None:
    """Fill a box of the attachments.

    Parameters
    ----------
    target
        Attachments.
    box
        x0, y0, x1, y1 in pixels.
    color, color_mask
        Value 0…1 per channel, and which channels are written.
    depth
        Value 0…1, or None to leave depth alone.
    stencil, stencil_mask
        Value, and which bits are written.
    """
    x0, y0, x1, y1 = box
    if target.color is not None:
        for channel in range(4):
            bits = target.color_bits[channel]
            if color_mask[channel] and bits:
                top = (1 << bits) - 1
                target.color[y0:y1, x0:x1, channel] = (int(np.floor(color[channel] * top + 0.5)) * 510 + top) // (
                    2 * top
                )
    if target.depth is not None and depth is not None:
        target.depth[y0:y1, x0:x1] = quantize_depth(depth, target.depth_format)
    if target.stencil is not None and stencil_mask:
        part = target.stencil[y0:y1, x0:x1]
        part[...] = (part & ~np.uint8(stencil_mask)) | np.uint8(stencil & stencil_mask)
