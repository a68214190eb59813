"""Several applications on one GPU: their frames, or their tiles, take turns on the same machine.

TEAPOT profiles applications that access the GPU at the same time (thesis of 2018, 3.1.1). By frame, the Command
Processor switches between contexts at the end of a frame, and what techniques remember of an application's frames, such
as signatures, belongs to its context. By tile, frames of all applications are on the GPU together. Caches, DRAM rows
and queues are shared, addresses are apart. A compositor may draw a frame with the windows of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..assembly.loader import Loader
from ..config.schema import Configuration
from ..memory.address_map import SHARED_BYTES, AddressSpace
from ..replay import Progress, replay
from ..results.results import Results
from ..units.command_processor import CommandProcessorParameters
from ..units.tile_fetcher import TileFetcherParameters
from .by_frame import run_by_frame
from .by_tile import run_by_tile
from .checks import check, chosen
from .contexts import Overall
from .order import Place, even_turns, turns, warmed_up
from .outcome import Application, By, SharingOutcome, Turn
from .run import Run
from .windows import Composition, Window, window_of

__all__ = ["Application", "By", "SharingOutcome", "Turn", "Window", "run_alone", "share", "turns", "window_of"]


def share(
    applications: Sequence[Application],
    configuration: Configuration,
    by: By = "frame",
    warm_up: int = 0,
    progress: Callable[[Progress], None] | None = None,
    compositor: Path | None = None,
    alone: Sequence[Results] | None = None,
) -> SharingOutcome:
    """Run applications on one GPU, whose frames or tiles take turns, and each of them alone.

    Parameters
    ----------
    applications
        In the order of their turns; the same activity may come several times.
    configuration
        Hardware, with the length of a turn (`command_processor.quantum_frames`, `tile_fetcher.quantum_tiles`) and the
        cost of a switch (`context_switch_cycles` of both).
    by
        Whether frames or tiles take turns.
    warm_up
        Frames of each application, from its first, that count in no statistic.
    progress
        Called from time to time, with numbers of all frames of all runs.
    compositor
        Activity of a compositor, whose first frame is drawn at the end of each round of turns. It has a 2D texture for
        each application, in their order and of the size of its window, which stands for the window.
    alone
        Results of each application alone, if they are known (`run_alone`).

    Returns
    -------
    Shared
        Statistics of each application together and alone.

    Raises
    ------
    ActivityError
        If an activity cannot be read or has not enough frames, or the configuration works for one application only.
    """
    check(applications, configuration, by, compositor is not None)
    loaders = _loaders(applications, configuration)
    frames = [chosen(application, loader, warm_up) for application, loader in zip(applications, loaders, strict=True)]
    composition = None
    if compositor is not None:
        space = AddressSpace(len(applications), SHARED_BYTES)
        composition = Composition(Loader(compositor, configuration, space=space), loaders)
    quantum = configuration.of(CommandProcessorParameters).quantum_frames if by == "frame" else 1
    counts = [len(each) for each in frames]
    run = Run(loaders, frames, *_rounds(counts, quantum, warm_up), composition, progress or _nothing)
    overall = Overall(progress, run.total_frames + (sum(counts) if alone is None else 0))
    shared = SharingOutcome(by)
    if alone is None:
        # Carried constants and saved depths begin anew.
        for loader, each in zip(_loaders(applications, configuration), frames, strict=True):
            shared.alone.append(replay(loader, configuration, each, warm_up, overall.of_run(len(each))))
    else:
        shared.alone = list(alone)
    if by == "tile" and configuration.of(TileFetcherParameters).turns == "time":
        per_round, quanta = even_turns(shared.alone, configuration.of(TileFetcherParameters).quantum_tiles)
        rounds, _, warm_up_rounds = _rounds(counts, per_round, warm_up)
        run = replace(run, rounds=rounds, warm_up_rounds=warm_up_rounds, quanta=quanta)
    run = replace(run, progress=overall.of_run(run.total_frames))
    (run_by_frame if by == "frame" else run_by_tile)(shared, run)
    return shared


def run_alone(application: Application, configuration: Configuration, number: int, warm_up: int = 0) -> Results:
    """Results of an application that has the GPU for itself.

    Parameters
    ----------
    application
        Its activity and frames.
    configuration
        Hardware.
    number
        Its place among those that will share the GPU, which decides on its addresses.
    warm_up
        As of `share`.

    Raises
    ------
    ActivityError
        As of `share`.
    """
    loader = Loader(application.activity, configuration, space=AddressSpace(number, SHARED_BYTES))
    return replay(loader, configuration, chosen(application, loader, warm_up), warm_up)


def _loaders(applications: Sequence[Application], configuration: Configuration) -> list[Loader]:
    """A loader for each application, with addresses of its own."""
    return [
        Loader(application.activity, configuration, space=AddressSpace(k, SHARED_BYTES))
        for k, application in enumerate(applications)
    ]


def _rounds(counts: Sequence[int], quantum: int | Sequence[int], warm_up: int) -> tuple[list[list[Place]], int, int]:
    """Rounds, frames that warm up, and rounds that these take."""
    rounds, warm_up_rounds = warmed_up(counts, quantum, warm_up)
    return rounds, warm_up, warm_up_rounds


def _nothing(progress: Progress) -> None:
    """Progress that no one asks for."""
