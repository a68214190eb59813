"""What the pipeline tells of a draw, to whoever records it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from .fragments.fragment_shading import ShadedQuads
from .fragments.rasterization import Quads
from .geometry.set_up import Geometry
from .geometry.vertex_fetch import FetchedVertices
from .geometry.vertex_shading import ShadedVertices


class Sink(Protocol):
    """Records the activity of one draw."""

    shade_occluded: bool
    """Whether occluded quads are shaded too (they change nothing)."""

    colors: bool
    """Whether shaded colours are recorded."""

    inputs: bool
    """Whether attributes are recorded as they were fetched; else `FetchedVertices.inputs` may be empty."""

    def paths(self, program: LinkedProgram, stage: str) -> PathTable:
        """Where the executed paths of a stage are numbered."""

    def quads(
        self,
        quads: Quads,
        passed: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        shaded: Iterable[ShadedQuads],
    ) -> None:
        """A batch of covered quads of an instance, the lanes that pass the tests, the lanes discarded, and what is
        shaded. Shading may go on only as its parts are asked for: all of them must be, before the arrays of lanes mean
        anything; and what a part has read is there until the next one. The next batch may lie in the same arrays."""

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Vertices and primitives of an instance, all quads of which were told: only then all that are culled are
        known."""
