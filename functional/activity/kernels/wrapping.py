"""Wrapping of texture coordinates (OpenGL ES 3.0, 3.8.10)."""

from __future__ import annotations

from typing import Any

from ...compile import inlined

WRAPS = ("REPEAT", "CLAMP_TO_EDGE", "MIRRORED_REPEAT", "CLAMP_TO_BORDER")
"""Modes by code, with their names in an activity."""
REPEAT, CLAMP_TO_EDGE, MIRRORED_REPEAT, CLAMP_TO_BORDER = range(4)


@inlined
def wrapped(texel: int, size: int, mode: int) -> Any:
    """Texel of an image of `size` for a texel coordinate under one of WRAPS; for the border the nearest edge."""
    if mode == REPEAT:
        # Most images have power-of-two sizes, and a division is slow.
        return texel & size - 1 if size & size - 1 == 0 else texel % size
    if mode == MIRRORED_REPEAT:
        folded = texel % (2 * size)
        return folded if folded < size else 2 * size - 1 - folded
    return min(max(texel, 0), size - 1)


@inlined
def on_border(texel: int, size: int, mode: int) -> Any:
    """Whether a texel coordinate is on the border, which has a colour of its own (EXT_texture_border_clamp)."""
    return mode == CLAMP_TO_BORDER and (texel < 0 or texel >= size)
