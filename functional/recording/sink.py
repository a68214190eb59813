"""What the pipeline tells of one draw, turned into rows: vertices, primitives, quads, texture reads, counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..pipeline.command import DrawCommand
from ..pipeline.fragments.fragment_shading import ShadedQuads
from ..pipeline.fragments.rasterization import Quads
from ..pipeline.fused.geometry_block import geometry_fields
from ..pipeline.geometry.set_up import Geometry
from ..pipeline.geometry.vertex_fetch import FetchedVertices
from ..pipeline.geometry.vertex_shading import ShadedVertices
from .geometry_rows import record_geometry
from .quad_rows import record_quads
from .reads import add_reads, vertex_rows
from .resources import Resources
from .row_group import ListParts, MaskParts, RowGroup

_NO_QUADS: NDArray[np.int64] = np.zeros(0, np.int64)
_NO_PATHS: NDArray[np.int32] = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Detail:
    """What is recorded of draws.

    Attributes
    ----------
    rows
        Rows of the large tables, not counts alone.
    shade_occluded
        Occluded quads too.
    inputs, colors
        Attributes as they were fetched; shaded colours.
    snapped
        Whether window coordinates are snapped.
    """

    rows: bool
    shade_occluded: bool
    inputs: bool
    colors: bool
    snapped: bool


class DrawSink:
    """Sink of one draw.

    Parameters
    ----------
    rows, resources
        Where it is recorded.
    detail
        What is recorded.
    command, draw, program
        The draw, its number, and that of its program.
    """

    def __init__(
        self, rows: RowGroup, resources: Resources, detail: Detail, command: DrawCommand, draw: int, program: int
    ) -> None:
        self.rows, self.resources, self.detail = rows, resources, detail
        self.command, self.draw, self.program = command, draw, program
        self.shade_occluded, self.inputs, self.colors = detail.shade_occluded, detail.inputs, detail.colors
        self._told: tuple[int, FetchedVertices, ShadedVertices, Geometry] | None = None
        self._first_vertex = self._first_primitive = 0

    def paths(self, program: LinkedProgram, stage: str) -> PathTable:
        """Where the executed paths of a stage are numbered."""
        return self.resources.paths(program, stage)

    def _summary(self, stage: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Counts of the program, and what its paths execute."""
        summary = self.rows.summary
        return summary.of(self.program), summary.work(self.paths(self.command.state.program, stage))

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Vertices and primitives of an instance; their rows follow when it ends and their fate is known."""
        self._told = instance, fetched, shaded, geometry
        vertices, primitives = self.rows.vertices, self.rows.primitives
        self._first_vertex = vertices.count - vertices.first
        self._first_primitive = primitives.count - primitives.first

    def quads(
        self,
        quads: Quads,
        passed: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        shaded: list[ShadedQuads],
    ) -> None:
        """A batch of covered quads, the lanes that pass the tests, the lanes discarded, and what was shaded."""
        rows, table, detailed, count = self.rows, self.rows.quads, self.detail.rows, len(quads)
        base = table.grow(count) if detailed else -1
        record_quads(
            self._summary("fragment"),
            table.blocks,
            (base, self._first_primitive, self.command.state.early_depth),
            (quads.primitive, quads.x, quads.y, quads.coverage, passed, discarded),
            _paths(shaded),
        )
        if not detailed:
            return
        rows.shader_depth += _per_quad(
            count, [(c.quads, None if c.depth is None else c.depth[None]) for c in shaded], 1
        )
        if self.colors:
            rows.colors += _per_quad(count, [(c.quads, _all_buffers(c.colors)) for c in shaded], 4)
        rows.alpha_coverage += _masks(count, [(c.quads, c.alpha_coverage) for c in shaded])
        for chunk in shaded:
            if chunk.reads:
                add_reads(rows.texture_reads, chunk.reads, quads.coverage, chunk.quads, base - table.first)

    def end_instance(self) -> None:
        """All quads of the instance were told: its primitives' fate is known."""
        assert self._told is not None
        instance, fetched, shaded, geometry = self._told
        vertices, primitives, detailed = self.rows.vertices, self.rows.primitives, self.detail.rows
        # Where tables grow, they lie elsewhere afterwards.
        vertex_row = vertices.grow(len(geometry.clip)) if detailed else -1
        primitive_row = primitives.grow(len(geometry.corners)) if detailed else -1
        numbers = self.draw, instance, self._first_vertex, self._first_primitive
        record_geometry(
            self._summary("vertex"),
            (vertices.blocks, primitives.blocks),
            (*numbers, vertex_row, primitive_row, self.detail.snapped),
            (fetched.indices, shaded.paths),
            geometry_fields(geometry),
        )
        if detailed:
            self._add_lists(fetched, shaded, geometry)

    def _add_lists(self, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """What vertices have of any length: varyings, attributes, texture reads."""
        count, made = len(fetched.indices), len(geometry.weight)
        self.rows.outputs.append((count + made, geometry.outputs))
        if self.inputs:
            fetched_rows = np.ascontiguousarray(fetched.inputs.transpose(2, 0, 1)).reshape(count, -1)
            self.rows.inputs += [(count, fetched_rows), (made, None)]
        for start, reads in shaded.reads:
            rows = vertex_rows(reads)
            self.rows.vertex_texture_reads.add(
                len(rows),
                vertex=rows[:, 0] + self._first_vertex + start,
                pc=reads.pc,
                sampler=reads.sampler,
                probe=0,
                linear=rows[:, 1] != 0,
                level=rows[:, 2],
                layer=rows[:, 3],
                x=rows[:, 4],
                y=rows[:, 5],
            )


def _paths(shaded: list[ShadedQuads]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Quads of a batch that were shaded, and paths of their lanes."""
    if len(shaded) == 1:
        return shaded[0].quads, shaded[0].paths
    if not shaded:
        return _NO_QUADS, _NO_PATHS
    return np.concatenate([c.quads for c in shaded]), np.concatenate([c.paths for c in shaded])


def _all_buffers(colors: dict[int, NDArray[np.float32]]) -> NDArray[np.float32] | None:
    """Colours of all draw buffers up to the last that is written, one below the other; None where there are none."""
    if not colors:
        return None
    none = np.zeros_like(next(iter(colors.values())))
    return np.concatenate([colors.get(number, none) for number in range(max(colors) + 1)])


def _masks(count: int, chunks: list[tuple[NDArray[np.int64], NDArray[np.uint16] | None]]) -> MaskParts:
    """A mask for each quad of a batch, or none at all."""
    if all(values is None for _, values in chunks):
        return [(count, None)]
    rows = np.zeros(count, np.uint16)
    for which, values in chunks:
        if values is not None:
            rows[which] = values
    return [(count, rows)]


def _per_quad(
    count: int, chunks: list[tuple[NDArray[np.int64], NDArray[np.float32] | None]], components: int
) -> ListParts:
    """Values per lane of the shaded quads of a batch: components of lane 0, then of lane 1 …, for each draw buffer;
    None for the others."""
    if all(values is None for _, values in chunks):
        return [(count, None)]
    buffers = max(len(values) // components for _, values in chunks if values is not None)
    rows = np.zeros((count, 4 * components * buffers), np.float32)
    known = np.zeros(count, np.bool_)
    for which, values in chunks:
        if values is not None:
            lanes = values.reshape(buffers, components, -1)[..., : 4 * len(which)]
            lanes = lanes.reshape(buffers, components, len(which), 4)
            rows[which] = lanes.transpose(2, 0, 3, 1).reshape(len(which), -1)
            known[which] = True
    # Runs of quads with and without values, in their order.
    starts = [0, *(np.flatnonzero(known[1:] != known[:-1]) + 1).tolist(), count]
    return [
        (end - start, rows[start:end] if known[start] else None)
        for start, end in zip(starts[:-1], starts[1:], strict=True)
    ]
