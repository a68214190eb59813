"""Paths that the lanes of a shader took, counted by kernels."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_void_p, cast

import numpy as np
from numpy.typing import NDArray

from ...execute.paths import PathTable
from ...jit.blocks import Block, words_in, write
from .counting_state import Visits

_GROW, _WORDS = CFUNCTYPE(c_int64, c_int64), words_in(Visits)


class StageVisits:
    """Lanes of a shader by the path that they took.

    Parameters
    ----------
    paths
        Numbers the paths.

    Attributes
    ----------
    block
        `Visits`, whose address stays the same.
    """

    def __init__(self, paths: PathTable) -> None:
        self.paths = paths
        # The function is called by kernels, from which no exception may come.
        self._grow = _GROW(self._grown)
        self._lanes: NDArray[np.int64] = np.zeros(0, np.int64)
        self.block = Block(np.zeros(_WORDS, np.int64), None, self)
        self._describe()

    def _describe(self) -> None:
        """Give kernels as many counters as there is room for nodes."""
        decisions, lanes = self.paths.decisions, self._lanes
        self._lanes = np.zeros(len(decisions.parents), np.int64)
        self._lanes[: len(lanes)] = lanes
        grow = cast(self._grow, c_void_p).value or 0
        write(self.block.words, Visits(decisions.block, self._lanes, grow))

    def _grown(self, _: int) -> int:
        try:
            self.paths.decisions.grow()
            self._describe()
        except MemoryError:
            return 0
        return 1

    def take(self) -> NDArray[np.int64]:
        """Lanes by path since this was called last, int64 (paths,)."""
        if len(self._lanes) != len(self.paths.decisions.parents):
            # Someone else has made room for nodes.
            self._describe()
        nodes = np.flatnonzero(self._lanes).astype(np.int32)
        numbers = self.paths.decisions.numbered(nodes, self.paths)
        taken = np.bincount(numbers, self._lanes[nodes], len(self.paths)).astype(np.int64)
        self._lanes[:] = 0
        return taken
