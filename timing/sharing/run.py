"""A run of several applications on one GPU: loaders, frames, and the order of rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..assembly.loader import Loader
from ..replay import Progress
from ..results.results import Results
from .order import Place
from .windows import Composition


@dataclass(frozen=True)
class Run:
    """A run of several applications on one GPU.

    Parameters
    ----------
    loaders, frames
        Of each application: its loader, and numbers of its frames.
    rounds
        Frames of each round, in order.
    quanta
        By tile, tiles of a turn of each application.
    warm_up
        Frames of each application that count in no statistic.
    warm_up_rounds
        Rounds that they take.
    composition
        Of the compositor that follows each round, if there is one.
    progress
        Called from time to time.
    """

    loaders: list[Loader]
    frames: list[list[int]]
    rounds: list[list[Place]]
    warm_up: int
    warm_up_rounds: int
    composition: Composition | None
    progress: Callable[[Progress], None]
    quanta: tuple[int, ...] = ()

    @property
    def all_loaders(self) -> list[Loader]:
        """Those of the applications, and of the compositor if there is one."""
        return self.loaders if self.composition is None else [*self.loaders, self.composition.loader]

    @property
    def total_frames(self) -> int:
        """Number of frames that are run, those of the compositor included."""
        return sum(map(len, self.frames)) + (len(self.rounds) if self.composition is not None else 0)


def results_of(loader: Loader, warm_up: int) -> Results:
    """Results of an application, without frames."""
    manifest = loader.source.manifest
    source = {"name": manifest.source_name, "sha256": manifest.source_sha256}
    return Results(loader.configuration, source, warm_up=warm_up)
