"""Notifications of the pipeline about a draw, for recording."""

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
    """Whether occluded quads are shaded, too (without effect on the image)."""

    colors: bool
    """Whether shaded colours are recorded."""

    inputs: bool
    """Whether attributes are recorded as fetched; otherwise `FetchedVertices.inputs` may be empty."""

    def paths(self, program: LinkedProgram, stage: str) -> PathTable:
        """The table that numbers the executed paths of a stage."""

    def quads(
        self,
        quads: Quads,
        passed: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        shaded: Iterable[ShadedQuads],
    ) -> None:
        """A batch of covered quads of an instance, the lanes that pass the tests, the discarded lanes, and the shaded
        parts. Shading may progress only as the parts are iterated: the arrays of lanes are valid after the last part,
        and the reads of a part are valid until the next part. The next batch may use the same arrays."""

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Vertices and primitives of an instance, after all its quads: only then are all culled primitives
        known."""
