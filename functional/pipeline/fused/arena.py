"""Memory for the results that a draw's stages pass on, kept from draw to draw.

New memory costs a page fault per 4 KiB, which takes longer than most stages need to fill it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compile import address, helper
from ...compile.blocks import Address, Words, places
from ...compile.native import allocate, carray, release

MAX_BYTES = 1 << 26
_LINE = 8
"""Words of a cache line."""


class _Head(NamedTuple):
    """First words of an arena: the next one that is free, and the address of memory taken when none was."""

    following: int
    spilled: Address


_HEAD = places(_Head)


class Arena:
    """Memory in words of 64 bits, for one draw after the other."""

    def __init__(self) -> None:
        self.words = np.zeros(1 << 13, np.int64)

    def grown(self, size: int) -> NDArray[np.int64]:
        """The memory, with room for a number of bytes unless that is too much to keep."""
        if size > 8 * len(self.words) and size <= MAX_BYTES:
            self.words = np.zeros(size // 4, np.int64)
        return self.words


@helper
def clear(arena: Words) -> None:
    """Free all of an arena."""
    arena[_HEAD.following] = _LINE
    while arena[_HEAD.spilled]:
        spilled = arena[_HEAD.spilled]
        arena[_HEAD.spilled] = carray(spilled, 1, np.int64)[0]
        release(spilled)


@helper
def room(arena: Words, size: int) -> Any:
    """Address of so many bytes that last until the arena is cleared; nothing is in them."""
    start = arena[_HEAD.following]
    following = start + (size + 8 * _LINE - 1) // (8 * _LINE) * _LINE
    if following <= len(arena):
        arena[_HEAD.following] = following
        return address(arena) + 8 * start
    spilled = allocate(size + 8 * _LINE)
    if spilled == 0:
        raise MemoryError
    # A list of what is to be freed.
    carray(spilled, 1, np.int64)[0] = arena[_HEAD.spilled]
    arena[_HEAD.spilled] = spilled
    return spilled + 8 * _LINE
