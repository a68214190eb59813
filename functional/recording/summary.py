"""Counts per frame and program, at every level of detail."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum, auto

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl.ir import analysis
from .rows import Rows


class Count(IntEnum):
    """Position of each count of a program; the column of the table has its name in lower case."""

    DRAWS = 0
    VERTICES = auto()
    PRIMITIVES = auto()
    PRIMITIVES_KEPT = auto()
    QUADS = auto()
    QUADS_SHADED = auto()
    FRAGMENTS = auto()
    FRAGMENTS_SHADED = auto()
    FRAGMENTS_DISCARDED = auto()
    FRAGMENTS_WRITTEN = auto()
    VERTEX_INSTRUCTIONS = auto()
    FRAGMENT_INSTRUCTIONS = auto()
    TEXTURE_LOOKUPS = auto()


def instructions_per_path(table: PathTable) -> NDArray[np.int64]:
    """Instructions and texture operations that each path executes; int64, (paths, 2)."""
    shader = table.shader
    sizes = {
        b.first: (
            b.last - b.first + 1,
            sum(shader.instructions[pc].info.operation_class == "tex" for pc in range(b.first, b.last + 1)),
        )
        for b in analysis.blocks(shader)
    }
    return np.array(
        [[sum(sizes[pc][i] * times for pc, times in runs) for i in range(2)] for runs in table.all_runs()],
        np.int64,
    ).reshape(-1, 2)


@dataclass
class Summary:
    """Counts of the current frame.

    Attributes
    ----------
    counts
        int64, as in `Count`, by program.
    """

    counts: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    _draws: Counter[int] = field(default_factory=Counter)
    _work: dict[int, tuple[PathTable, NDArray[np.int64]]] = field(default_factory=dict)

    def work(self, paths: PathTable) -> NDArray[np.int64]:
        """`instructions_per_path`, updated only if there are new paths."""
        known = self._work.get(id(paths))
        if known is None or len(known[1]) != len(paths):
            known = self._work[id(paths)] = paths, instructions_per_path(paths)
        return known[1]

    def of(self, program: int) -> NDArray[np.int64]:
        """Counts of a program, to add to."""
        found = self.counts.get(program)
        if found is None:
            found = self.counts[program] = np.zeros(len(Count), np.int64)
        return found

    def draw(self, program: int) -> None:
        """Count a draw."""
        self._draws[program] += 1

    def end_frame(self, rows: Rows) -> None:
        """Append the frame's rows of the summary table, and begin another frame."""
        for program, draws in sorted(self._draws.items()):
            counts = self.of(program)
            counts[Count.DRAWS] = draws
            rows.add(program=program, **{count.name.lower(): int(counts[count]) for count in Count})
        self.counts.clear()
        self._draws.clear()
