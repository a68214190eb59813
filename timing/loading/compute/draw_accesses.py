"""Accesses of vertex and fragment programs to buffers and images, for machines whose cores execute them: the lines that
each instruction touches for a quad, or for a vertex. A warp puts together what its quads touch when it executes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...engine import frame as f
from ...engine.dispatch_tables import Compute, MemoryOperation
from ..code import Code
from ..draws import Draws
from ..passes import Passes
from ..resources import Resources
from ..source import ActivityError, RecordedFrame, numbers
from .access_lines import Touched
from .bound_memory import Bound, bound_by, in_order, lines_of, written_by
from .lane_accesses import LANES, ExecutedAccesses, elements_of_lanes
from .warp_accesses import NO_LANE, Kind, Shape, accesses_memory, warp_shape

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
Instructions = dict[tuple[int, str], dict[int, dict[str, Any]]]
"""Rows of the activity's instructions, by program and stage, and by pc."""


def accessing_instructions(instructions: pa.Table) -> Instructions:
    """Instructions of vertex and fragment programs that access buffers or images."""
    chosen = pc.and_(pc.is_valid(instructions["memory"]), pc.not_equal(instructions["stage"], "compute"))
    by_program: Instructions = {}
    for row in instructions.filter(chosen).to_pylist():
        if accesses_memory(row):
            by_program.setdefault((row["program"], row["stage"]), {})[row["pc"]] = row
    return by_program


class Owners(NamedTuple):
    """Quads or vertices, which execute a stage.

    Attributes
    ----------
    stage
        Of the programs.
    name
        Name of their column in the activity.
    number
        Number of each in the activity, (owners,).
    draw
        Row of its draw, (owners,).
    paths
        Paths of its lanes, (owners, lanes); -1 for what is not shaded.
    """

    stage: str
    name: str
    number: Array
    draw: Array
    paths: Array


class Accesses(NamedTuple):
    """Accesses of owners: the first one of each of these; all of them; their lines."""

    first: Array
    operation: Array
    line: Array


class _Executed(NamedTuple):
    """Accesses one by one: owner, number of its kind in `kinds`, and what the activity is asked for."""

    owner: Array
    kind: Array
    kinds: list[Kind]
    asked: ExecutedAccesses


@dataclass
class DrawAccesses:
    """Reader of the accesses of the draws of a frame.

    Parameters
    ----------
    recorded
        The frame.
    instructions
        Those of all programs that access memory.
    code, resources, draws
        As loaded.
    configuration
        Hardware.
    """

    recorded: RecordedFrame
    instructions: Instructions
    code: Code
    resources: Resources
    draws: Draws
    configuration: Hardware

    def behind(self, compute: Compute, order: Array, draw_of_quad: Array, vertices: pa.Table) -> Compute:
        """The tables of dispatches with accesses of draws behind them.

        Parameters
        ----------
        compute
            Dispatches of the frame.
        order, draw_of_quad
            Row of each quad in the activity, and row of its draw.
        vertices
            Table of the activity.

        Raises
        ------
        ActivityError
            If accesses of a quad or vertex are missing.
        """
        paths = [numbers(self.recorded.quads, f"path_{lane}").astype(np.int64)[order] for lane in range(LANES)]
        quads = self._accesses(Owners("fragment", "quad", order, draw_of_quad, np.stack(paths, 1)))
        shaded = self._accesses(self._vertices(vertices))
        before = len(compute.memory_operation)
        quads.operation["first_line"] += len(compute.memory_line)
        shaded.operation["first_line"] += len(compute.memory_line) + len(quads.line)
        return compute._replace(
            memory_operation=np.concatenate([compute.memory_operation, quads.operation, shaded.operation]),
            memory_line=np.concatenate([compute.memory_line, quads.line, shaded.line]),
            quad_access=(before + quads.first).astype(np.int32),
            stream_access=(before + len(quads.operation) + shaded.first[self.draws.stream["vertex"]]).astype(np.int32),
        )

    @cached_property
    def _bound(self) -> dict[tuple[int, str], Bound]:
        """Memory of each stage that accesses some, by the row of the draw."""
        row_of = {row["draw"]: i for i, row in enumerate(self.draws.rows)}
        rows = self.recorded.activity.frame("draw_memory", self.recorded.frame).to_pylist()
        bound = {
            (row_of[row["draw"]], stage): bound_by(row, stage)
            for row in rows
            for stage in ("vertex", "fragment")
            if row["draw"] in row_of
        }
        for i, row in enumerate(self.draws.rows):
            for stage in ("vertex", "fragment"):
                if (row["program"], stage) in self.instructions and (i, stage) not in bound:
                    raise ActivityError(f"draw_memory: there is no row of draw {row['draw']}")
        return bound

    def written(self, passes: Passes) -> Array:
        """Ranges that draws may write, by pass, each once; fills in the range of rows of each pass."""
        of_pass: dict[int, set[tuple[int, int]]] = {}
        for (draw, stage), memory in self._bound.items():
            row = self.draws.rows[draw]
            instructions = self.instructions.get((row["program"], stage), {})
            of_pass.setdefault(row["pass"], set()).update(written_by(instructions.values(), memory, self.resources))
        ranges = [sorted(of_pass.get(row["pass"], ())) for row in passes.rows]
        ends = np.cumsum([len(own) for own in ranges])
        passes.render_pass["last_written"] = ends
        passes.render_pass["first_written"] = ends - [len(own) for own in ranges]
        return np.array([each for own in ranges for each in own], f.Written.dtype)

    def _vertices(self, vertices: pa.Table) -> Owners:
        """Vertices; those that clipping makes are not shaded."""
        draw = np.searchsorted([row["draw"] for row in self.draws.rows], numbers(vertices, "draw")).astype(np.int64)
        path, shaded = np.full(len(vertices), -1, np.int64), self.draws.stream["vertex"]
        path[shaded] = numbers(vertices, "path").astype(np.int64)[shaded]
        return Owners("vertex", "vertex", np.arange(len(vertices)), draw, path[:, None])

    def _accesses(self, owners: Owners) -> Accesses:
        """Accesses of all owners."""
        shapes, which = self._shapes(owners)
        count = np.array([*(len(shape.pc) for shape in shapes), 0], np.int64)[which]
        first = np.cumsum(count) - count
        executed = self._executed(owners, shapes, which, first, int(count.sum()))
        table = self.recorded.activity.frame(f"{owners.name}_memory_accesses", self.recorded.frame)
        elements = elements_of_lanes(table, owners.name, executed.asked)
        operation, parts = np.zeros(len(elements), MemoryOperation.dtype), list[tuple[Array, Touched]]()
        draw = owners.draw[executed.owner]
        key = draw * max(1, len(executed.kinds)) + executed.kind
        by_key = np.argsort(key, kind="stable")
        for rows in np.split(by_key, np.flatnonzero(np.diff(key[by_key])) + 1) if len(key) else ():
            kind, memory = executed.kinds[executed.kind[rows[0]]], self._bound[int(draw[rows[0]]), owners.stage]
            lines = lines_of(kind, elements[rows], memory, self.resources, self.configuration)
            operation["lines"][rows] = lines.counts
            operation["cycles"][rows] = (elements[rows] >= 0).sum(1) if kind.atomic else 0
            parts.append((rows, lines))
        return Accesses(first, operation, in_order(operation, parts))

    def _shapes(self, owners: Owners) -> tuple[list[Shape], Array]:
        """Different orders of accesses, and which of them each owner has; -1 for none."""
        programs = np.array([row["program"] for row in self.draws.rows], np.int64)
        accessing = [program for program, stage in self.instructions if stage == owners.stage]
        some = np.flatnonzero((owners.paths >= 0).any(1))
        some = some[np.isin(programs[owners.draw[some]], accessing)]
        keys = np.concatenate([programs[owners.draw[some], None], owners.paths[some]], 1)
        different, inverse = np.unique(keys, axis=0, return_inverse=True)
        which = np.full(len(owners.number), -1, np.int64)
        which[some] = inverse.reshape(-1)
        return [self._shape(owners.stage, program, paths) for program, *paths in different.tolist()], which

    def _shape(self, stage: str, program: int, paths: list[int]) -> Shape:
        """Accesses of lanes with some paths."""
        length = len(self.code.program_rows[program, stage][1])
        shaded = [lane for lane, path in enumerate(paths) if path >= 0]
        blocks = {paths[lane]: self.code.blocks(program, stage, paths[lane], length) for lane in shaded}
        shape = warp_shape(self.instructions[program, stage], blocks, tuple(paths[lane] for lane in shaded))
        execution = np.full((len(shape.pc), len(paths)), NO_LANE, np.int64)
        execution[:, shaded] = shape.execution
        return shape._replace(execution=execution)

    def _executed(self, owners: Owners, shapes: list[Shape], which: Array, first: Array, total: int) -> _Executed:
        """All accesses, in the order of owners and then of execution."""
        loads = {
            (program, at): row["opcode"] == "LOAD"
            for (program, stage), rows in self.instructions.items()
            for at, row in rows.items()
            if stage == owners.stage
        }
        kinds = sorted({kind for shape in shapes for kind in shape.kinds})
        lanes = owners.paths.shape[1]
        owner, kind, number, at_pc = (np.zeros(total, np.int64) for _ in range(4))
        asked = ExecutedAccesses(number, at_pc, np.zeros(total, np.bool_), np.zeros((total, lanes), np.int64))
        for i, shape in enumerate(shapes):
            own = np.flatnonzero(which == i)
            program = self.draws.rows[owners.draw[own[0]]]["program"]
            rows = first[own][:, None] + np.arange(len(shape.pc))
            owner[rows], asked.number[rows] = own[:, None], owners.number[own][:, None]
            asked.pc[rows], asked.execution[rows] = shape.pc, shape.execution
            asked.loads[rows] = [loads[program, at] for at in shape.pc.tolist()]
            for of, places in shape.kinds.items():
                kind[rows[:, places]] = kinds.index(of)
        return _Executed(owner, kind, kinds, asked)
