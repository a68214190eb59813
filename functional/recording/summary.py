"""Counts per frame and program, at every level of detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compile.blocks import WordRows, Words, places, words_in
from ..execute.memory import Access
from ..execute.paths import PathTable
from ..glsl.ir import analysis
from ..glsl.ir.opcodes import ACCESSING
from ..glsl.ir.program import Instruction
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


class WorkOfPaths:
    """The `PathWork` of the paths through a shader, of which there may come more.

    Parameters
    ----------
    table
        The paths.
    """

    def __init__(self, table: PathTable) -> None:
        self.table, shader = table, table.shader
        self._sizes = {b.first: _work_of(shader.instructions[b.first : b.last + 1]) for b in analysis.blocks(shader)}
        self._of_nodes = [(0,) * words_in(PathWork)]
        self._of_paths = np.zeros((0, words_in(PathWork)), np.int64)

    def rows(self) -> NDArray[np.int64]:
        """That of each path; int64, (paths, fields)."""
        count = len(self._of_paths)
        if count == len(self.table):
            return self._of_paths
        for parent, pc, times in self.table.nodes[len(self._of_nodes) :]:
            before = self._of_nodes[parent]
            self._of_nodes.append(tuple(a + times * b for a, b in zip(before, self._sizes[pc], strict=True)))
        added = [self._of_nodes[node] for node in self.table.ends[count:]]
        self._of_paths = np.concatenate([self._of_paths, np.array(added, np.int64)])
        return self._of_paths


def _work_of(block: Sequence[Instruction]) -> PathWork:
    lookups = sum(instruction.info.operation_class == "tex" for instruction in block)
    return PathWork(len(block), lookups, sum(instruction.info.shape in ACCESSING for instruction in block))


@dataclass
class Summary:
    """Counts of the current frame.

    Attributes
    ----------
    counts
        int64, `Counts` of each program; the arrays stay where they are.
    """

    counts: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    _draws: Counter[int] = field(default_factory=Counter)
    _work: dict[int, WorkOfPaths] = field(default_factory=dict)

    def work(self, paths: PathTable) -> NDArray[np.int64]:
        """The `PathWork` of each path; int64, (paths, fields)."""
        work = self._work.get(id(paths))
        if work is None or work.table is not paths:
            work = self._work[id(paths)] = WorkOfPaths(paths)
        return work.rows()

    def of(self, program: int) -> NDArray[np.int64]:
        """Counts of a program, to add to."""
        counts = self.counts.get(program)
        if counts is None:
            counts = self.counts[program] = np.zeros(words_in(Counts), np.int64)
        return counts

    def draw(self, program: int, draws: int = 1) -> None:
        """Count draws."""
        self._draws[program] += draws

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
        for counts in self.counts.values():
            counts[:] = 0
        self._draws.clear()
