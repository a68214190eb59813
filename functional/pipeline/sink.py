"""Notifications of the pipeline about a draw, for recording."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..glsl.ir.program import Stage
from .command import Vertices
from .fragments.fragment_shading import ShadedQuads
from .fragments.rasterization import Quads
from .geometry.set_up import Geometry
from .geometry.vertex_fetch import FetchedVertices
from .geometry.vertex_shading import ShadedVertices


class Observer(NamedTuple):
    """Observes draws that one call executes.

    Attributes
    ----------
    raster
        Address of the kernel that executes everything from coverage on, as `batch_kernels.raster` for a
        `DrawnGeometry`.
    address
        Of its block, which begins as `ObserverHeader`.
    """

    raster: int
    address: int


NO_OBSERVER = Observer(0, 0)


class Joining(Protocol):
    """Takes draws that are executed together."""

    def join(self, others: list[tuple[Vertices, int]]) -> None:
        """Other draws of the same state, each of a call, are executed with the first one."""

    def of(self, number: int) -> Sink:
        """Records one of the draws, counted from 0, as if it were alone."""


class Sink(Protocol):
    """Records the activity of one draw."""

    shade_occluded: bool
    """Whether occluded quads are shaded, too (without effect on the image)."""

    colors: bool
    """Whether shaded colours are recorded."""

    @property
    def joining(self) -> Joining | None:
        """Takes draws of the same state that follow and are executed with it; None if it has to be executed now."""

    def observer(self) -> Observer | None:
        """Observes the draw if it is executed in one call; None to be notified of its stages. There may be no call."""

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the executed paths of a stage."""

    def begin_batch(self, quads: Quads) -> None:
        """Begin a batch of covered quads of an instance. The next batch may use the same arrays."""

    def add_part(self, part: ShadedQuads) -> None:
        """Take quads of the batch that were shaded. Their reads are valid until the next call, the rest until the batch
        ends."""

    def end_batch(self, passed: NDArray[np.uint16], discarded: NDArray[np.uint8]) -> None:
        """End the batch: the samples of each quad that pass the tests, and its discarded lanes."""

    def drop_batch(self) -> None:
        """Forget the batch, whose shading failed."""

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Vertices and primitives of an instance, after all its quads: only then are all culled primitives
        known. Kernels fetch attributes without keeping them, so `FetchedVertices.inputs` may be empty."""
