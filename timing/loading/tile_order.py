"""Orders in which the tiles of a pass are processed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..declare.quad_mappings import morton

Array = np.ndarray[Any, np.dtype[np.int64]]


def hilbert(x: Array, y: Array) -> Array:
    """Numbers along a Hilbert curve over a square of 65,536 places a side: each is a neighbour of the one before."""
    x, y = x.copy(), y.copy()
    code = np.zeros(x.shape, np.int64)
    for bit in range(15, -1, -1):
        right, down = x >> bit & 1, y >> bit & 1
        code += (3 * right ^ down) << 2 * bit
        # Turn the quadrant so that the curve inside it begins where the last one ended.
        flipped = (down == 0) & (right == 1)
        low = (1 << bit) - 1
        x, y = np.where(flipped, low - (x & low), x & low), np.where(flipped, low - (y & low), y & low)
        x, y = np.where(down == 0, y, x), np.where(down == 0, x, y)
    return code


def tile_order(name: str, across: int, down: int) -> Array:
    """Tiles in the order of processing.

    Parameters
    ----------
    name
        `tile_order` of a configuration.
    across, down
        Tiles side by side and one above the other.

    Returns
    -------
    numpy.ndarray
        Shape (across * down,): row * across + column of each tile, rows counted from the top.
    """
    y, x = np.divmod(np.arange(across * down), across)
    if name == "morton":
        key = morton(x, y)
    elif name == "hilbert":
        key = hilbert(x, y)
    elif name == "boustrophedon":
        key = y * across + np.where(y % 2 == 1, across - 1 - x, x)
    else:
        key = y * across + x
    return np.argsort(key, kind="stable")
