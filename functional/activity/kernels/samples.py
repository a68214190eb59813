"""Positions of the samples in a multisampled pixel, and the depth plane relative to them."""

from __future__ import annotations

from typing import Any

from ...compile import helper

SAMPLES = 4
ALL_SAMPLES = (1 << SAMPLES) - 1
"""A bit for each of them."""
POSITIONS = ((0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875))
"""Positions of the four samples, in pixels from the pixel's corner: the rotated grid of Mesa's llvmpipe."""
OFFSET_X = tuple(x - 0.5 for x, _ in POSITIONS)
OFFSET_Y = tuple(y - 0.5 for _, y in POSITIONS)


@helper
def plane_at_sample(depth: float, depth_dx: float, depth_dy: float, sample: int) -> Any:
    """Depth at the window's origin of the plane, shifted so that a sample is at pixel centres."""
    return depth + (depth_dx * OFFSET_X[sample] + depth_dy * OFFSET_Y[sample])
