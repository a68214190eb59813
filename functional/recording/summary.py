"""Counts per frame and program, at every level of detail."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl.ir import analysis
from ..pipeline.fragment_shading import ShadedQuads
from ..pipeline.geometry import Geometry
from ..pipeline.rasterization import Quads
from ..pipeline.vertex_shading import ShadedVertices
from .kernels import count_kept, count_quads, count_vertices, count_work
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
    _work: dict[int, tuple[PathTable, NDArray[np.int64]]] = field(default_factory=dict)

    def work(self, paths: PathTable) -> NDArray[np.int64]:
        """`instructions_per_path`, made again only when there are more paths."""
        known = self._work.get(id(paths))
        if known is None or len(known[1]) != len(paths):
            known = self._work[id(paths)] = paths, instructions_per_path(paths)
        return known[1]

    def _of(self, program: int) -> dict[str, int]:
        return self.counts.setdefault(program, dict.fromkeys(COUNTS, 0))

    def draw(self, program: int) -> None:
        """A draw."""
        self._of(program)["draws"] += 1

    def geometry(self, program: int, shaded: ShadedVertices, geometry: Geometry, paths: PathTable) -> None:
        """Vertices and assembled primitives of an instance."""
        counts = self._of(program)
        primitives, instructions = count_vertices(geometry.source, shaded.paths, self.work(paths))
        counts["vertices"] += len(shaded.paths)
        counts["primitives"] += primitives
        counts["vertex_instructions"] += instructions

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
        shaded_quads, fragments, covered, gone, written = count_quads(early, quads.coverage, passed, discarded)
        counts["quads"] += len(quads)
        counts["quads_shaded"] += shaded_quads
        counts["fragments"] += covered
        counts["fragments_shaded"] += fragments
        counts["fragments_discarded"] += gone
        counts["fragments_written"] += written
        alive, work = passed if early else quads.coverage, self.work(paths)
        for chunk in shaded:
            instructions, operations = count_work(alive, chunk.quads, chunk.paths, work)
            counts["fragment_instructions"] += instructions
            counts["texture_lookups"] += operations

    def primitives(self, program: int, geometry: Geometry) -> None:
        """Primitives of an instance, once their fate is known."""
        self._of(program)["primitives_kept"] += count_kept(geometry.culled)

    def end_frame(self, rows: Rows) -> None:
        """Append the frame's rows of the summary table, and begin another frame."""
        for program, counts in sorted(self.counts.items()):
            rows.add(1, program=program, **counts)
        self.counts.clear()
