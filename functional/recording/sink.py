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
from ..pipeline.geometry.set_up import Geometry
from ..pipeline.geometry.vertex_fetch import FetchedVertices
from ..pipeline.geometry.vertex_shading import ShadedVertices
from .reads import add_reads, vertex_rows
from .resources import Resources
from .row_group import ListParts, MaskParts, RowGroup
from .row_kernels import record_primitives, record_quads, record_shaded, record_vertices


@dataclass
class DrawSink:
    """Sink of one draw."""

    rows: RowGroup
    resources: Resources
    command: DrawCommand
    draw: int
    program: int
    detailed: bool
    shade_occluded: bool
    inputs: bool
    colors: bool
    snapped: bool
    _geometry: Geometry | None = None
    _instance: int = 0
    _first_vertex: int = 0
    _first_primitive: int = 0

    def paths(self, program: LinkedProgram, stage: str) -> PathTable:
        """Where the executed paths of a stage are numbered."""
        return self.resources.paths(program, stage)

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Vertices of an instance; primitives follow when it ends and their fate is known."""
        self._geometry, self._instance = geometry, instance
        vertices, primitives = self.rows.vertices, self.rows.primitives
        self._first_vertex = vertices.count - vertices.first
        self._first_primitive = primitives.count - primitives.first
        count, made = len(fetched.indices), len(geometry.weight)
        record_vertices(
            self.rows.summary.of(self.program),
            self.rows.summary.work(self.paths(self.command.state.program, "vertex")),
            geometry.source,
            self.detailed,
            vertices.grow(count + made) if self.detailed else 0,
            self._first_vertex,
            self.draw,
            instance,
            fetched.indices,
            shaded.paths,
            geometry.clip,
            geometry.parents,
            geometry.weight,
            vertices["numbers"],
            vertices["index"],
            vertices["floats"],
        )
        if not self.detailed:
            return
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

    def quads(
        self,
        quads: Quads,
        passed: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        shaded: list[ShadedQuads],
    ) -> None:
        """A batch of covered quads, the lanes that pass the tests, the lanes discarded, and what was shaded."""
        early, table, summary = self.command.state.early_depth, self.rows.quads, self.rows.summary
        counts, work = summary.of(self.program), summary.work(self.paths(self.command.state.program, "fragment"))
        base = table.grow(len(quads)) if self.detailed else 0
        record_quads(
            counts,
            early,
            self.detailed,
            base,
            self._first_primitive,
            quads.primitive,
            quads.x,
            quads.y,
            quads.coverage,
            passed,
            discarded,
            table["numbers"],
            table["masks"],
            table["lanes"],
        )
        alive = passed if early else quads.coverage
        for chunk in shaded:
            record_shaded(counts, work, alive, self.detailed, base, chunk.quads, chunk.paths, table["numbers"])
        if not self.detailed:
            return
        self.rows.shader_depth += _per_quad(
            len(quads), [(c.quads, None if c.depth is None else c.depth[None]) for c in shaded], 1
        )
        if self.colors:
            self.rows.colors += _per_quad(len(quads), [(c.quads, _all_buffers(c.colors)) for c in shaded], 4)
        self.rows.alpha_coverage += _masks(len(quads), [(c.quads, c.alpha_coverage) for c in shaded])
        for chunk in shaded:
            if chunk.reads:
                add_reads(self.rows.texture_reads, chunk.reads, quads.coverage, chunk.quads, base - table.first)

    def end_instance(self) -> None:
        """All quads of the instance were told: its primitives' fate is known."""
        geometry = self._geometry
        assert geometry is not None
        table = self.rows.primitives
        record_primitives(
            self.rows.summary.of(self.program),
            self.detailed,
            table.grow(len(geometry.corners)) if self.detailed else 0,
            self._first_primitive,
            self._first_vertex,
            self.draw,
            self._instance,
            self.snapped,
            geometry.size,
            geometry.corners,
            geometry.source,
            geometry.clip,
            geometry.x,
            geometry.y,
            geometry.planes,
            geometry.front,
            geometry.culled,
            geometry.extent,
            table["numbers"],
            table["usable"],
            table["depths"],
            table["flags"],
            table["reasons"],
            table["extents"],
        )


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
