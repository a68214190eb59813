"""Memory for the results that a draw's stages pass on, kept from draw to draw.

New memory costs a page fault per 4 KiB, which takes longer than most stages need to fill it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.compiled import helper
from ...execute.native_calls import carray, pointer

MAX_BYTES = 1 << 26
_LINE = 8
"""Words of a cache line."""


class Arena:
    """Memory in words of 64 bits; the first word is the index of the next free one."""

    def __init__(self) -> None:
        self.words = np.zeros(1 << 13, np.int64)

    def grown(self, size: int) -> NDArray[np.int64]:
        """The memory, with room for a number of bytes unless that is too much to keep."""
        if size > 8 * len(self.words) and size <= MAX_BYTES:
            self.words = np.zeros(size // 4, np.int64)
        return self.words


@helper
def clear(arena: Any) -> None:
    """Free all of an arena."""
    arena[0] = _LINE


@helper
def taken(arena: Any, shape: Any, dtype: Any, size: Any) -> Any:
    """An uninitialized array of elements of ``size`` bytes, from an arena or, if that is full, newly allocated."""
    count = size
    for side in shape:
        count *= side
    start = arena[0]
    following = start + (count + 8 * _LINE - 1) // (8 * _LINE) * _LINE
    if following > len(arena):
        return np.empty(shape, dtype)
    arena[0] = following
    return carray(pointer(arena.ctypes.data + 8 * start), shape, dtype)
