"""Counts per frame and program, at every level of detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..execute.memory import Access
from ..execute.paths import PathTable
from ..glsl.ir import analysis
from ..glsl.ir.opcodes import ACCESSING
from ..glsl.ir.program import Instruction
from ..jit.blocks import WordRows, Words, places, words_in
from .rows import Rows


class Counts(NamedTuple):
    """Counts of a program in a frame; columns of the table have these names."""

    draws: int
    vertices: int
    primitives: int
    primitives_kept: int
    quads: int
    quads_shaded: int
    fragments: int
    fragments_shaded: int
    fragments_discarded: int
    fragments_written: int
    vertex_instructions: int
    fragment_instructions: int
    texture_lookups: int
    dispatches: int
    invocations: int
    compute_instructions: int
    memory_accesses: int


class PathWork(NamedTuple):
    """Instructions, texture operations and accesses to memory that a path executes."""

    instructions: int
    lookups: int
    accesses: int


COUNT, WORK = places(Counts), places(PathWork)
"""Words of their fields."""


class Tally(NamedTuple):
    """Counters of a stage and the work of its paths, as kernels take them.

    Attributes
    ----------
    counts
        `Counts` of a program, to add to.
    work
        int64, (paths, fields): the `PathWork` of each path of a stage.
    """

    counts: Words
    work: WordRows


def work_per_path(table: PathTable) -> NDArray[np.int64]:
    """The `PathWork` of each path; int64, (paths, fields)."""
    shader, fields = table.shader, words_in(PathWork)
    sizes = {b.first: _work_of(shader.instructions[b.first : b.last + 1]) for b in analysis.blocks(shader)}
    work = [[sum(sizes[pc][i] * times for pc, times in runs) for i in range(fields)] for runs in table.all_runs()]
    return np.array(work, np.int64).reshape(-1, fields)


def _work_of(block: Sequence[Instruction]) -> PathWork:
    lookups = sum(instruction.info.operation_class == "tex" for instruction in block)
    return PathWork(len(block), lookups, sum(instruction.info.shape in ACCESSING for instruction in block))


@dataclass
class Summary:
    """Counts of the current frame.

    Attributes
    ----------
    counts
        int64, `Counts` of each program.
    """

    counts: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    _draws: Counter[int] = field(default_factory=Counter)
    _work: dict[int, tuple[PathTable, NDArray[np.int64]]] = field(default_factory=dict)

    def work(self, paths: PathTable) -> NDArray[np.int64]:
        """`work_per_path`, updated only if there are new paths."""
        known = self._work.get(id(paths))
        if known is None or len(known[1]) != len(paths):
            known = self._work[id(paths)] = paths, work_per_path(paths)
        return known[1]

    def of(self, program: int) -> NDArray[np.int64]:
        """Counts of a program, to add to."""
        found = self.counts.get(program)
        if found is None:
            found = self.counts[program] = np.zeros(words_in(Counts), np.int64)
        return found

    def draw(self, program: int) -> None:
        """Count a draw."""
        self._draws[program] += 1

    def dispatch(self, program: int) -> None:
        """Count a dispatch."""
        self.of(program)[COUNT.dispatches] += 1
        self._draws[program] += 0

    def invocations(self, program: int, table: PathTable, paths: NDArray[np.int64], accesses: Sequence[Access]) -> None:
        """Count invocations by their paths, (invocations,), and their accesses to memory."""
        counts, work = self.of(program), self.work(table)
        counts[COUNT.invocations] += len(paths)
        counts[COUNT.compute_instructions] += work[paths, WORK.instructions].sum()
        counts[COUNT.texture_lookups] += work[paths, WORK.lookups].sum()
        for access in accesses:
            executing = len(paths) if access.executing is None else np.count_nonzero(access.executing)
            counts[COUNT.memory_accesses] += executing

    def end_frame(self, rows: Rows) -> None:
        """Append the frame's rows of the summary table, and begin another frame."""
        for program, draws in sorted(self._draws.items()):
            counts = self.of(program)
            counts[COUNT.draws] = draws
            rows.add(program=program, **Counts(*counts.tolist())._asdict())
        self.counts.clear()
        self._draws.clear()
