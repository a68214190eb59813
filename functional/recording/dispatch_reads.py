"""Rows of texels that dispatches sample: those of quads, for four invocations in a row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..pipeline.texturing.reads import Reads
from .reads import add_reads, read_columns

LANES = 4


class DispatchReads:
    """Rows of the table `compute_texture_reads`."""

    def __init__(self) -> None:
        self._reads = read_columns()
        self._ends: list[tuple[int, int]] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return self._reads.count

    def add(self, dispatch: int, first_group: int, reads: list[Reads], invocations: int) -> None:
        """Add what some work groups sampled.

        Parameters
        ----------
        dispatch
            Number of the dispatch.
        first_group
            The first work group; the others follow.
        reads
            Texture operations in order of execution; lanes are the invocations of the groups.
        invocations
            Number of them in a group.
        """
        fours = -(-invocations // LANES)
        padded = [_in_fours(r, invocations) for r in reads]
        number = padded[0].levels.shape[1] // LANES
        every = np.full(number, 0xF, np.uint16)
        add_reads(self._reads, padded, every, np.arange(number), first_group * fours)
        self._ends.append((dispatch, self.count))

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        columns = self._reads.columns()
        columns["four"] = columns.pop("quad")
        dispatches, ends = np.array(self._ends, np.int64).reshape(-1, 2).T
        columns["dispatch"] = np.repeat(dispatches, np.diff(ends, prepend=0))
        return columns


def _in_fours(reads: Reads, invocations: int) -> Reads:
    """The operation with lanes that do nothing behind those of each group, if these are not a multiple of four."""
    missing = -invocations % LANES
    if missing == 0:
        return reads

    def padded(lanes: NDArray[Any]) -> NDArray[Any]:
        groups = lanes.reshape(*lanes.shape[:-1], -1, invocations)
        widths = [(0, 0)] * (groups.ndim - 1) + [(0, missing)]
        return np.pad(groups, widths).reshape(*lanes.shape[:-1], -1)

    active = np.ones(reads.levels.shape[1], np.bool_) if reads.active is None else reads.active
    return replace(
        reads,
        levels=padded(reads.levels),
        x=padded(reads.x),
        y=padded(reads.y),
        face=padded(reads.face),
        linear=padded(reads.linear),
        active=padded(active),
    )
