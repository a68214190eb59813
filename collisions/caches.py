"""Data cache and L2 of the CPU: least recently used, by lines, from frame to frame.

Accesses come as runs of lines: within a line only the first access of a scan can miss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilegpu.timing.loading.compiled import helper, kernel

from .cpu import Memory

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Misses:
    """Lines that were missed in the data cache, and those among them that the L2 missed, too."""

    l1: int = 0
    l2: int = 0

    def __add__(self, other: Misses) -> Misses:
        return Misses(self.l1 + other.l1, self.l2 + other.l2)


class Caches:
    """The caches of the core that detects collisions.

    Parameters
    ----------
    memory
        Sizes.
    """

    def __init__(self, memory: Memory) -> None:
        self._l1 = _empty(memory.l1_bytes, memory.l1_ways, memory.line_bytes)
        self._l2 = _empty(memory.l2_bytes, memory.l2_ways, memory.line_bytes)
        self._clock = np.zeros(1, np.int64)

    def scan(self, runs: Array) -> Misses:
        """Read, or write, runs of lines in order.

        Parameters
        ----------
        runs
            int64, shape (n, 2): first line and number of lines of each.
        """
        l1, l2 = _scan(*self._l1, *self._l2, self._clock, np.ascontiguousarray(runs, np.int64))
        return Misses(int(l1), int(l2))


def _empty(size_bytes: int, ways: int, line_bytes: int) -> tuple[Array, Array]:
    """Line in each way of each set, -1 for none; and when it was last used."""
    shape = (size_bytes // (ways * line_bytes), ways)
    return np.full(shape, -1, np.int64), np.zeros(shape, np.int64)


@helper
def _missed(lines: Any, used: Any, line: int, now: int) -> bool:
    """Look a line up; if it is not there, it takes the place of the one that was not used for longest."""
    place = line & (len(lines) - 1)
    oldest = 0
    for way in range(lines.shape[1]):
        if lines[place, way] == line:
            used[place, way] = now
            return False
        if used[place, way] < used[place, oldest]:
            oldest = way
    lines[place, oldest] = line
    used[place, oldest] = now
    return True


@kernel
def _scan(l1_lines: Any, l1_used: Any, l2_lines: Any, l2_used: Any, clock: Any, runs: Any) -> tuple[int, int]:
    l1_misses = l2_misses = 0
    now = clock[0]
    for i in range(len(runs)):
        for line in range(runs[i, 0], runs[i, 0] + runs[i, 1]):
            now += 1
            if _missed(l1_lines, l1_used, line, now):
                l1_misses += 1
                if _missed(l2_lines, l2_used, line, now):
                    l2_misses += 1
    clock[0] = now
    return l1_misses, l2_misses


class Places:
    """Places of arrays: each is given lines of its own, one array after the other.

    Parameters
    ----------
    memory
        Size of a line.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._next = 0
        self._known: dict[object, tuple[int, int]] = {}

    def of(self, key: object, size_bytes: int) -> tuple[int, int]:
        """First line and number of lines of an array; one that has outgrown its place gets another."""
        lines = self._memory.lines(size_bytes)
        first, room = self._known.get(key, (0, -1))
        if room < lines:
            first, self._next = self._next, self._next + lines
            self._known[key] = first, lines
        return first, lines

    def fresh(self, size_bytes: int) -> tuple[int, int]:
        """First line and number of lines of an array that was never used before."""
        lines = self._memory.lines(size_bytes)
        first, self._next = self._next, self._next + lines
        return first, lines
