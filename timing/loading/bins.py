"""Bins of a hierarchical tiler: a primitive is listed in those of the size that fits it, so that a large one takes few
pointers. Every tile of a bin reads them.

After Mesa's panfrost (`pan_tiler.c`): bins of 16 x 16 to 2048 x 2048 pixels, each with a list. Which size the hardware
takes for a primitive is not public.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class BinLists(NamedTuple):
    """Lists of a pass. For each entry of a tile's list: `bin`, which lists it, and `position` in that list. `bins`: how
    many there are, `pointers`: entries that are written."""

    bin: Array
    position: Array
    bins: int
    pointers: int


def listed(primitive: Array, x: Array, y: Array, levels: int) -> BinLists:
    """Bins that list the primitives of a pass.

    Parameters
    ----------
    primitive
        int, (n,): primitive of each entry of the tiles' lists, in any order.
    x, y
        int, (n,): column and row of its tile.
    levels
        Sizes of bins; 1: tiles only.
    """
    level = level_of(primitive, x, y, levels)
    columns, rows = (-(-(1 + axis.max(initial=0)) // (1 << np.arange(levels))) for axis in (x, y))
    first = np.cumsum(columns * rows) - columns * rows
    number = first[level] + (y >> level) * columns[level] + (x >> level)
    pair = number * (1 + primitive.max(initial=0)) + primitive
    unique, inverse = np.unique(pair, return_inverse=True)
    owner = unique // (1 + primitive.max(initial=0))
    position = np.arange(len(unique)) - np.searchsorted(owner, owner)
    return BinLists(number, position[inverse], int((columns * rows).sum()), len(unique))


def level_of(primitive: Array, x: Array, y: Array, levels: int) -> Array:
    """Level of each entry's primitive: that of the smallest bins whose side is no shorter than the primitive's."""
    _, which = np.unique(primitive, return_inverse=True)
    count = int(which.max(initial=-1)) + 1
    side = np.zeros(count, np.int64)
    for axis in (x, y):
        low, high = np.full(count, np.iinfo(np.int64).max), np.zeros(count, np.int64)
        np.minimum.at(low, which, axis)
        np.maximum.at(high, which, axis)
        side = np.maximum(side, high - low + 1)
    fits = np.ceil(np.log2(np.maximum(1, side))).astype(np.int64)
    return np.minimum(fits, levels - 1)[which]
