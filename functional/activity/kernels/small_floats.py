"""Rounding to floats of fewer bits: halves, and the unsigned ones of R11F_G11F_B10F (OpenGL ES 3.0, 2.1.2 to 2.1.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import helper, kernel

HALF, UNSIGNED_11, UNSIGNED_10 = 16, 11, 10
"""Bits of each kind of float."""


@helper
def half(value: np.float32) -> Any:
    """A float32 as a float of 16 bits, cut off towards zero as Mesa does it for colours that are drawn."""
    size = abs(value)
    if size != size or size == np.float32(np.inf):
        return value
    if size < np.float32(2.0**-14):
        size = np.float32(np.floor(size * np.float32(2.0**24))) * np.float32(2.0**-24)
    else:
        bits = np.float32(min(size, np.float32(65504))).view(np.int32) & np.int32(~0x1FFF)
        size = np.int32(bits).view(np.float32)
    return -size if value < 0 else size


@helper
def unsigned_float(value: np.float32, bits: int) -> Any:
    """A float32 as an unsigned float of 11 or 10 bits, cut off towards zero and without denormals, as Mesa does it."""
    if value != value or value == np.float32(np.inf):
        return value
    if value < np.float32(2.0**-14):
        return np.float32(0)
    largest = np.float32(65024) if bits == UNSIGNED_11 else np.float32(64512)
    dropped = 17 if bits == UNSIGNED_11 else 18
    kept = np.float32(min(value, largest)).view(np.int32) >> dropped << dropped
    return np.int32(kept).view(np.float32)


@helper
def small_float(value: np.float32, bits: int) -> Any:
    """A float32 rounded to a float of some bits, 32 at most."""
    if bits == HALF:
        return half(value)
    if bits in (UNSIGNED_11, UNSIGNED_10):
        return unsigned_float(value, bits)
    return value


@kernel
def round_floats(values: Any, bits: Any) -> None:
    """Round channels in place.

    Parameters
    ----------
    values
        float32, (n, 4).
    bits
        int64, (4,): bits of each channel; 0 for one that stays as it is.
    """
    for i in range(len(values)):
        for channel in range(4):
            values[i, channel] = small_float(values[i, channel], bits[channel])
