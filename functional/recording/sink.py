"""What the pipeline tells of one draw, turned into rows: vertices, primitives, quads, texture reads, counts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..pipeline.command import DrawCommand
from ..pipeline.draw import covered_lanes
from ..pipeline.fragment_shading import ShadedQuads
from ..pipeline.geometry import CULL_REASONS, Geometry
from ..pipeline.rasterization import Quads
from ..pipeline.vertex_fetch import FetchedVertices
from ..pipeline.vertex_shading import ShadedVertices
from .reads import quad_rows, vertex_rows
from .resources import Resources
from .rows import Rows
from .summary import Summary


@dataclass
class FrameRows:
    """Rows of the frame in the making; vertices, primitives and quads are numbered within it."""

    tables: dict[str, Rows] = field(
        default_factory=lambda: {
            name: Rows()
            for name in (
                "events",
                "draws",
                "vertices",
                "primitives",
                "quads",
                "texture_reads",
                "vertex_texture_reads",
            )
        }
    )
    summary: Summary = field(default_factory=Summary)


@dataclass
class DrawSink:
    """Sink of one draw."""

    frame: FrameRows
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
        vertices, primitives = self.frame.tables["vertices"], self.frame.tables["primitives"]
        self._first_vertex, self._first_primitive = vertices.count, primitives.count
        self.frame.summary.geometry(self.program, shaded, geometry, self.paths(self.command.program, "vertex"))
        if not self.detailed:
            return
        count, made = len(fetched.indices), len(geometry.weight)
        total, base = count + made, self._first_vertex

        def whole(of_shaded: NDArray[np.generic], of_made: NDArray[np.generic] | int) -> NDArray[np.generic]:
            filler = (
                np.full(made, of_made, of_shaded.dtype) if isinstance(of_made, int) else of_made.astype(of_shaded.dtype)
            )
            return np.concatenate([of_shaded, filler])

        none = np.full(count, -1, np.int32)
        inputs = None
        if self.inputs:
            fetched_rows = np.ascontiguousarray(fetched.inputs.transpose(2, 0, 1)).reshape(count, -1)
            inputs = [*fetched_rows.tolist(), *[None] * made]
        vertices.add(
            total,
            vertex=np.arange(base, base + total, dtype=np.int32),
            draw=self.draw,
            instance=instance,
            index=whole(fetched.indices, -1),
            path=whole(shaded.paths, -1),
            clip_x=geometry.clip[:, 0],
            clip_y=geometry.clip[:, 1],
            clip_z=geometry.clip[:, 2],
            clip_w=geometry.clip[:, 3],
            outputs=geometry.outputs,
            parent_0=whole(none, geometry.parents[:, 0] + base),
            parent_1=whole(none, geometry.parents[:, 1] + base),
            weight=whole(np.zeros(count, np.float32), geometry.weight),
            inputs=inputs,
        )
        for start, reads in shaded.reads:
            rows = vertex_rows(reads)
            self.frame.tables["vertex_texture_reads"].add(
                len(rows),
                vertex=rows[:, 0] + base + start,
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
        self.frame.summary.quads(
            self.program,
            self.command.early_depth,
            quads,
            passed,
            discarded,
            shaded,
            self.paths(self.command.program, "fragment"),
        )
        if not self.detailed:
            return
        table = self.frame.tables["quads"]
        base, count = table.count, len(quads)
        paths = np.full((count, 4), -1, np.int32)
        for chunk in shaded:
            paths[chunk.quads] = chunk.paths.reshape(-1, 4)
        table.add(
            count,
            primitive=quads.primitive + self._first_primitive,
            # The memory of a batch is written again for the next one.
            x=quads.x.copy(),
            y=quads.y.copy(),
            coverage=quads.coverage.copy(),
            depth_pass=passed,
            discarded=discarded,
            path_0=paths[:, 0],
            path_1=paths[:, 1],
            path_2=paths[:, 2],
            path_3=paths[:, 3],
            shader_depth=_per_quad(count, [(c.quads, c.depth) for c in shaded if c.depth is not None], 1),
            colors=_per_quad(count, [(c.quads, c.colors[0][:, : 4 * len(c.quads)]) for c in shaded if 0 in c.colors], 4)
            if self.colors
            else None,
        )
        for chunk in shaded:
            self._reads(chunk, base, quads)

    def _reads(self, chunk: ShadedQuads, base: int, quads: Quads) -> None:
        if not chunk.reads:
            return
        coverage = covered_lanes(quads.coverage[chunk.quads])
        parts, operations = [], []
        for reads in chunk.reads:
            rows = quad_rows(reads, coverage)
            parts.append(rows)
            operations.append(np.broadcast_to(np.array([reads.pc, reads.sampler, reads.probe]), (len(rows), 3)))
        rows, operation = np.concatenate(parts), np.concatenate(operations)
        order = np.argsort(rows[:, 0], kind="stable")
        rows, operation = rows[order], operation[order]
        self.frame.tables["texture_reads"].add(
            len(rows),
            quad=(chunk.quads[rows[:, 0]] + base).astype(np.int32),
            pc=operation[:, 0],
            sampler=operation[:, 1],
            probe=operation[:, 2],
            linear=rows[:, 1] != 0,
            level=rows[:, 2],
            layer=rows[:, 3],
            lanes=rows[:, 4],
            x=rows[:, 5],
            y=rows[:, 6],
            dx_1=rows[:, 7],
            dy_1=rows[:, 8],
            dx_2=rows[:, 9],
            dy_2=rows[:, 10],
            dx_3=rows[:, 11],
            dy_3=rows[:, 12],
        )

    def end_instance(self) -> None:
        """All quads of the instance were told: its primitives' fate is known."""
        geometry = self._geometry
        assert geometry is not None
        self.frame.summary.primitives(self.program, geometry)
        if not self.detailed:
            return
        count, base = len(geometry.corners), self._first_vertex
        corners = np.where(geometry.corners >= 0, geometry.corners + base, -1)
        place = np.arange(self._first_primitive, self._first_primitive + count, dtype=np.int32)
        usable = (geometry.corners >= 0) & (geometry.clip[geometry.corners, 3] > 0) & self.snapped
        snapped = {
            f"{axis}_{i}": _nullable(values[:, i], usable[:, i])
            for i in range(3)
            for axis, values in (("x", geometry.x), ("y", geometry.y))
        }
        self.frame.tables["primitives"].add(
            count,
            primitive=place,
            draw=self.draw,
            instance=self._instance,
            source=geometry.source,
            vertex_0=corners[:, 0],
            vertex_1=corners[:, 1],
            vertex_2=corners[:, 2],
            depth=geometry.planes[:, 0],
            depth_dx=geometry.planes[:, 1],
            depth_dy=geometry.planes[:, 2],
            front_facing=geometry.front,
            culled=[CULL_REASONS[c] for c in geometry.culled],
            point_size=geometry.extent if geometry.size == 1 else 0.0,
            line_width=geometry.extent if geometry.size == 2 else 0.0,
            **snapped,
        )


def _nullable(values: NDArray[np.int64], valid: NDArray[np.bool_]) -> np.ma.MaskedArray[tuple[int], np.dtype[np.int32]]:
    return np.ma.MaskedArray(values.astype(np.int32), ~valid)


def _per_quad(
    count: int, chunks: list[tuple[NDArray[np.int64], NDArray[np.float32]]], components: int
) -> list[list[float] | None] | None:
    """Values per lane of the shaded quads as list rows: components of lane 0, then of lane 1 …; None for the others."""
    if not chunks:
        return None
    rows: list[list[float] | None] = [None] * count
    for which, values in chunks:
        by_quad = values.reshape(components, -1, 4).transpose(1, 2, 0).reshape(len(which), 4 * components)
        for quad, row in zip(which.tolist(), by_quad.tolist(), strict=True):
            rows[quad] = row
    return rows
