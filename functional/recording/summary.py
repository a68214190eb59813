"""Counts per frame and program, at every level of detail."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl.ir import analysis
from ..pipeline.draw import covered_lanes
from ..pipeline.fragment_shading import ShadedQuads
from ..pipeline.geometry import Geometry
from ..pipeline.rasterization import Quads
from ..pipeline.setup_kernels import NOT_CULLED
from ..pipeline.vertex_shading import ShadedVertices
from .rows import Rows

COUNTS = (
    "draws",
    "vertices",
    "primitives",
    "primitives_kept",
    "quads",
    "quads_shaded",
    "fragments",
    "fragments_shaded",
    "fragments_discarded",
    "fragments_written",
    "vertex_instructions",
    "fragment_instructions",
    "texture_lookups",
)


def lane_count(masks: NDArray[np.uint16]) -> int:
    """Number of lanes with a sample set, in masks of quads."""
    return int((covered_lanes(masks)[:, None].astype(np.int64) >> np.arange(4) & 1).sum())


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
    """Counts of the frame in the making, by program."""

    counts: dict[int, dict[str, int]] = field(default_factory=dict)

    def _of(self, program: int) -> dict[str, int]:
        return self.counts.setdefault(program, dict.fromkeys(COUNTS, 0))

    def draw(self, program: int) -> None:
        """A draw."""
        self._of(program)["draws"] += 1

    def geometry(self, program: int, shaded: ShadedVertices, geometry: Geometry, paths: PathTable) -> None:
        """Vertices and assembled primitives of an instance."""
        counts = self._of(program)
        counts["vertices"] += len(shaded.paths)
        counts["primitives"] += len(np.unique(geometry.source))
        counts["vertex_instructions"] += (
            int(instructions_per_path(paths)[shaded.paths, 0].sum()) if len(shaded.paths) else 0
        )

    def quads(
        self,
        program: int,
        early: bool,
        quads: Quads,
        passed: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        shaded: list[ShadedQuads],
        paths: PathTable,
    ) -> None:
        """A batch of quads."""
        counts = self._of(program)
        alive = passed if early else quads.coverage
        counts["quads"] += len(quads)
        counts["quads_shaded"] += int((alive != 0).sum())
        counts["fragments"] += lane_count(quads.coverage)
        counts["fragments_shaded"] += lane_count(alive)
        counts["fragments_discarded"] += lane_count(discarded.astype(np.uint16))
        counts["fragments_written"] += lane_count(passed)
        work = instructions_per_path(paths)
        for chunk in shaded:
            lanes = (covered_lanes(alive[chunk.quads])[:, None] >> np.arange(4) & 1).astype(bool).reshape(-1)
            done = work[chunk.paths[lanes]].sum(0)
            counts["fragment_instructions"] += int(done[0])
            counts["texture_lookups"] += int(done[1])

    def primitives(self, program: int, geometry: Geometry) -> None:
        """Primitives of an instance, once their fate is known."""
        self._of(program)["primitives_kept"] += int((geometry.culled == NOT_CULLED).sum())

    def rows(self) -> Rows:
        """Rows of the summary table, without the frame."""
        rows = Rows()
        for program, counts in sorted(self.counts.items()):
            rows.add(1, program=program, **counts)
        return rows
