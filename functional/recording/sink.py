"""Turns the pipeline's notifications about a draw into rows: vertices, primitives, quads, texture reads, counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..glsl.ir.program import Stage
from ..pipeline.command import DrawCommand, Vertices
from ..pipeline.fragments.fragment_shading import ShadedQuads
from ..pipeline.fragments.rasterization import Quads
from ..pipeline.fused.attribute_table import attribute_table
from ..pipeline.fused.geometry_block import geometry_block
from ..pipeline.geometry.set_up import Geometry
from ..pipeline.geometry.vertex_fetch import FetchedVertices
from ..pipeline.geometry.vertex_shading import ShadedVertices
from ..pipeline.sink import Observer
from .geometry_rows import record_geometry
from .lists import Lists, record_inputs, record_outputs
from .quad_rows import record_quads
from .reads import add_reads, add_vertex_reads
from .recorded_state import RecordedStates
from .row_group import RowGroup

_NO_QUADS: NDArray[np.int64] = np.zeros(0, np.int64)
_NO_PATHS: NDArray[np.int32] = np.zeros(0, np.int32)


class _Batch(NamedTuple):
    """The batch that is shaded: its first row, or -1; the reads and parts with accesses recorded before it."""

    quads: Quads
    row: int
    parts: list[ShadedQuads]
    reads_before: int
    accesses_before: int


class DrawSink:
    """Sink of one draw.

    Parameters
    ----------
    rows, states
        Destination of the recording.
    command, draw, program
        The draw, its number, and that of its program.
    add
        Adds the rows of other draws of the same state, by their calls; None if there are none.
    """

    def __init__(
        self,
        rows: RowGroup,
        states: RecordedStates,
        command: DrawCommand,
        draw: int,
        program: int,
        add: Callable[[list[tuple[Vertices, int]]], object] | None = None,
    ) -> None:
        self.rows, self.states, self.detail = rows, states, states.detail
        self.command, self.draw, self.program, self._add = command, draw, program, add
        _, self.shade_occluded, _, self.colors = states.detail
        self._batch: _Batch

    @property
    def joining(self) -> DrawSink | None:
        """Takes draws of the same state that follow."""
        return self if self._add is not None else None

    def join(self, others: list[tuple[Vertices, int]]) -> None:
        """Record the rows of other draws of the same state, which are executed with this one."""
        assert self._add is not None
        self._add(others)

    def of(self, number: int) -> DrawSink:
        """Sink of one of these draws."""
        return DrawSink(self.rows, self.states, self.command, self.draw + number, self.program)

    def observer(self) -> Observer:
        """Observes the draw if it is executed in one call."""
        return self.states.of(self.command).observer(self.draw, self.rows)

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the executed paths of a stage."""
        return self.states.resources.paths(program, stage)

    def _summary(self, stage: Stage) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A `Tally`, which Python passes faster as a plain tuple."""
        summary = self.rows.summary
        return summary.of(self.program), summary.work(self.paths(self.command.state.program, stage))

    def begin_batch(self, quads: Quads) -> None:
        """Begin a batch of covered quads."""
        row = self.rows.quads.reserve(quads.number) if self.detail.rows else -1
        self._batch = _Batch(quads, row, [], self.rows.texture_reads.count, self.rows.draw_memory.quads.parts)

    def add_part(self, part: ShadedQuads) -> None:
        """Record the texture reads of a shaded part of the batch; the rest follows when the batch ends."""
        batch = self._batch
        if self.detail.rows and part.reads:
            first = batch.row - self.rows.quads.first
            add_reads(self.rows.texture_reads, part.reads, batch.quads.coverage, part.quads, first)
        if self.detail.rows and part.accesses:
            self.rows.draw_memory.quads.add(batch.row - self.rows.quads.first + part.quads, part.accesses)
        batch.parts.append(part)

    def end_batch(self, passed: NDArray[np.uint16], discarded: NDArray[np.uint8]) -> None:
        """Record the batch: its samples that pass the tests, its discarded lanes, and the shaded parts."""
        (quads, row, parts, *_), table = self._batch, self.rows.quads
        record_quads(
            self._summary("fragment"),
            table.address,
            (row, self.rows.primitives.following, self.command.state.early_depth),
            (quads.primitive, quads.x, quads.y, quads.coverage, passed, discarded),
            paths_of(parts),
        )
        if self.detail.rows:
            table.grow(quads.number)
            for part in parts:
                self._add_values(part, row)

    def drop_batch(self) -> None:
        """Record nothing of a batch that is not shaded completely."""
        self.rows.texture_reads.count = self._batch.reads_before
        self.rows.draw_memory.quads.drop(self._batch.accesses_before)

    def _add_values(self, part: ShadedQuads, base: int) -> None:
        """Record optional values of a batch from a row on: depths, colours, masks."""
        rows = self.rows
        if part.depth is not None:
            _add_outputs(rows.shader_depth, part.quads, base, {0: part.depth.reshape(1, -1)})
        if self.colors and part.colors:
            _add_outputs(rows.colors, part.quads, base, part.colors)
        if part.alpha_coverage is not None:
            first = rows.alpha_coverage.grow(len(part.quads))
            having, masks = (array[first:] for array in rows.alpha_coverage.arrays)
            having[: len(part.quads)], masks[: len(part.quads)] = base + part.quads, part.alpha_coverage

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Vertices and primitives of an instance, after its quads."""
        vertices, outputs, primitives = self.rows.vertices, self.rows.outputs, self.rows.primitives
        detailed = self.detail.rows
        first_vertex, first_primitive = vertices.following, primitives.following
        # Growing tables move to other addresses.
        vertex_row = vertices.grow(len(geometry.clip)) if detailed else -1
        output_row = outputs.grow(geometry.outputs.size) if detailed else -1
        primitive_row = primitives.grow(len(geometry.corners)) if detailed else -1
        numbers = self.draw, instance, first_vertex, first_primitive
        record_geometry(
            self._summary("vertex"),
            (vertices.address, outputs.address, primitives.address),
            (*numbers, vertex_row, primitive_row, output_row),
            (fetched.indices, shaded.paths),
            geometry_block(geometry, self.command.raster_state.box).address,
        )
        if detailed:
            self._add_lists(vertex_row, instance, fetched, shaded)

    def _add_lists(self, row: int, instance: int, fetched: FetchedVertices, shaded: ShadedVertices) -> None:
        """Record values of variable length of the vertices from a row on: attributes, texture reads."""
        if self.detail.inputs:
            attributes = attribute_table(self.command).words
            record_inputs(tuple(self.rows.inputs.tables), attributes, fetched.indices, instance, row)
        first = row - self.rows.vertices.first
        for start, reads in shaded.reads:
            add_vertex_reads(self.rows.vertex_texture_reads, reads, first + start)
        for start, number, accesses in shaded.accesses:
            self.rows.draw_memory.vertices.add(first + start + np.arange(number), accesses)


def paths_of(shaded: list[ShadedQuads]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Shaded quads of a batch, and paths of their lanes."""
    if len(shaded) == 1:
        return shaded[0].quads, shaded[0].paths
    if not shaded:
        return _NO_QUADS, _NO_PATHS
    return np.concatenate([c.quads for c in shaded]), np.concatenate([c.paths for c in shaded])


def _add_outputs(lists: Lists, quads: NDArray[np.int64], base: int, outputs: dict[int, NDArray[np.float32]]) -> None:
    """Add the values of outputs, by number, as a list for each of the quads of a batch whose first row is ``base``."""
    widths, numbers = [len(output) for output in outputs.values()], list(outputs)
    rows = [widths[0] * numbers.index(n) if n in outputs else -1 for n in range(max(numbers) + 1)]
    lanes = quads, base, np.concatenate(list(outputs.values()))
    record_outputs(tuple(lists.tables), lanes, np.array(rows, np.int64), widths[0])
