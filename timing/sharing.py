"""Several applications on one GPU: their frames take turns on the same machine.

TEAPOT profiles applications that access the GPU at the same time (thesis of 2018, 3.1.1). The Command Processor
switches between contexts at the end of a frame; caches, DRAM rows and queues are shared, addresses are apart. What
techniques remember of an application's frames, such as signatures, belongs to its context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .assembly.build import Chip, build
from .assembly.loader import Loader
from .assembly.variants import compiling, engine_of
from .config.schema import Configuration
from .loading.chosen_frames import check_frames
from .loading.source import ActivityError
from .memory.address_map import MOST_APPLICATIONS, SHARED_BYTES, AddressSpace
from .registry import components
from .replay import Progress, replay, run_frame
from .results.meter import Meter
from .results.results import Results
from .units.command_processor import CommandProcessorParameters


@dataclass(frozen=True)
class Application:
    """Activity of an application, and its frames that are run, all where None."""

    activity: Path
    frames: Sequence[int] | None = None


@dataclass(frozen=True)
class Turn:
    """A frame on the shared GPU.

    Attributes
    ----------
    application, frame
        Number of the application, from 0, and of its frame.
    begin_cycle, end_cycle
        Of the GPU, from when counting began; the switch to the application included.
    """

    application: int
    frame: int
    begin_cycle: int
    end_cycle: int


@dataclass
class Shared:
    """Outcome of applications that shared a GPU.

    Attributes
    ----------
    together, alone
        Results of each application, with the others and with the GPU for itself.
    turns
        Counted frames in the order in which they ran.
    """

    together: list[Results] = field(default_factory=list)
    alone: list[Results] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)

    def end_cycle(self, application: int) -> int:
        """Cycle in which the last frame of an application was done."""
        return max(turn.end_cycle for turn in self.turns if turn.application == application)

    def slowdown(self, application: int) -> float:
        """Time until the frames of an application were done, waiting included, over that with the GPU for itself."""
        return float(self.end_cycle(application) / self.alone[application].totals()["gpu.cycles"])

    def interference(self, application: int) -> float:
        """Cycles of the frames of an application, without waiting, over those with the GPU for itself."""
        cycles = (results[application].totals()["gpu.cycles"] for results in (self.together, self.alone))
        return float(next(cycles) / next(cycles))

    @property
    def fairness(self) -> float:
        """Least slowdown over the greatest: 1 if all wait alike."""
        slowdowns = [self.slowdown(k) for k in range(len(self.alone))]
        return min(slowdowns) / max(slowdowns)

    @property
    def throughput(self) -> float:
        """Sum of the inverse slowdowns: applications' worth of work that the GPU does at a time."""
        return sum(1 / self.slowdown(k) for k in range(len(self.alone)))


def share(
    applications: Sequence[Application],
    configuration: Configuration,
    quantum: int = 1,
    warm_up: int = 0,
    progress: Callable[[Progress], None] | None = None,
) -> Shared:
    """Run applications on one GPU, whose frames take turns, and each of them alone.

    Parameters
    ----------
    applications
        In the order of their turns; the same activity may come several times.
    configuration
        Hardware; `command_processor.context_switch_cycles` is the cost of a switch.
    quantum
        Frames of a turn.
    warm_up
        Frames of each application, from its first, that count in no statistic.
    progress
        Called from time to time, with numbers of all frames of all runs.

    Returns
    -------
    Shared
        Statistics of each application together and alone.

    Raises
    ------
    ActivityError
        If an activity cannot be read or has not enough frames, or the configuration works for one application only.
    """
    _check(applications, configuration, quantum)
    loaders = _loaders(applications, configuration)
    chosen = [_chosen(application, loader, warm_up) for application, loader in zip(applications, loaders, strict=True)]
    overall = _Progress(progress, 2 * sum(map(len, chosen)))
    shared = Shared()
    for loader, frames in zip(loaders, chosen, strict=True):
        shared.alone.append(replay(loader, configuration, frames, warm_up, overall.of_run(len(frames))))
    # Carried constants and saved depths begin anew.
    _run_together(shared, _loaders(applications, configuration), chosen, (quantum, warm_up), overall)
    return shared


def turns(frames: Sequence[int], quantum: int) -> list[tuple[int, int]]:
    """Application and place of each frame in the order in which they run: `quantum` of one, then of the next; one
    without frames left is passed over.

    Parameters
    ----------
    frames
        How many each application has.
    quantum
        Frames of a turn.
    """
    rounds = -(-max(frames) // quantum)
    return [
        (k, i)
        for number in range(rounds)
        for k, count in enumerate(frames)
        for i in range(number * quantum, min((number + 1) * quantum, count))
    ]


def _check(applications: Sequence[Application], configuration: Configuration, quantum: int) -> None:
    if not 2 <= len(applications) <= MOST_APPLICATIONS:
        raise ActivityError(f"{len(applications)} applications: 2 to {MOST_APPLICATIONS} can share a GPU")
    if quantum < 1:
        raise ActivityError(f"a turn of {quantum} frames: it has one at least")
    for technique in components(configuration)[1]:
        if technique.one_application:
            raise ActivityError(f"{technique.name} is modelled for one application: share the GPU without it")
    if configuration.of(CommandProcessorParameters).overlap != "none":
        raise ActivityError("applications that share a GPU need command_processor.overlap = none")


def _loaders(applications: Sequence[Application], configuration: Configuration) -> list[Loader]:
    """A loader for each application, with addresses of its own."""
    return [
        Loader(application.activity, configuration, space=AddressSpace(k, SHARED_BYTES))
        for k, application in enumerate(applications)
    ]


def _chosen(application: Application, loader: Loader, warm_up: int) -> list[int]:
    frames = list(loader.frames if application.frames is None else application.frames)
    check_frames(frames, loader.frames)
    if not 0 <= warm_up < len(frames):
        raise ActivityError(
            f"{loader.source.folder}: {len(frames)} frames, {warm_up} of them to warm up, leave none to count"
        )
    return frames


class _Progress:
    """Progress over several runs."""

    def __init__(self, progress: Callable[[Progress], None] | None, frames: int) -> None:
        self._progress, self._frames, self._done = progress, frames, 0

    def of_run(self, frames: int) -> Callable[[Progress], None]:
        """Function that a run of some frames notifies."""
        before, self._done = self._done, self._done + frames

        def on_progress(run: Progress) -> None:
            if self._progress is not None:
                self._progress(Progress(before + run.done, self._frames, run.frame, run.cycles))

        return on_progress


def _run_together(
    shared: Shared, loaders: list[Loader], chosen: list[list[int]], rule: tuple[int, int], overall: _Progress
) -> None:
    """The run of all applications; `rule`: frames of a turn, and of each application those that warm up."""
    configuration, (quantum, warm_up) = loaders[0].configuration, rule
    engine, chip = engine_of(configuration, True), build(configuration)
    contexts = [_Context.of(chip) for _ in loaders]
    manifests = [loader.source.manifest for loader in loaders]
    shared.together = [
        Results(configuration, {"name": m.source_name, "sha256": m.source_sha256}, warm_up=warm_up) for m in manifests
    ]
    order = turns([warm_up] * len(loaders), quantum)
    order += [(k, warm_up + place) for k, place in turns([len(frames) - warm_up for frames in chosen], quantum)]
    on_progress, latest, began = overall.of_run(len(order)), order[0][0], 0
    for done, (k, place) in enumerate(order):
        number, counts = chosen[k][place], done >= len(loaders) * warm_up
        frame = loaders[k].load(number)
        contexts[k].enter(chip)
        meter, first_cycle = Meter(chip), int(chip.gpu.cycle)
        began = first_cycle if done == len(loaders) * warm_up else began

        def report(cycles: int, at: tuple[int, int] = (done, number)) -> None:
            on_progress(Progress(at[0], len(order), at[1], cycles))

        report(0)
        with compiling(engine):
            watchdog_cycles = configuration.simulation.watchdog_cycles
            run_frame(engine, chip, frame, watchdog_cycles, report, switches=k != latest)
        meter.end_frame(shared.together[k], number, frame, counts)
        contexts[k].leave(chip)
        latest = k
        if counts:
            shared.turns.append(Turn(k, number, first_cycle - began, int(chip.gpu.cycle) - began))


@dataclass
class _Context:
    """State that techniques keep of an application while another one is at work."""

    registers: Any
    kept: dict[str, Any]

    @classmethod
    def of(cls, chip: Chip) -> _Context:
        """That of an application which has not begun."""
        return cls(chip.gpu.technique.copy() if chip.techniques else None, {})

    def enter(self, chip: Chip) -> None:
        """Restore it."""
        if self.registers is not None:
            chip.gpu["technique"] = self.registers
        chip.kept = self.kept

    def leave(self, chip: Chip) -> None:
        """Save it."""
        if self.registers is not None:
            self.registers = chip.gpu.technique.copy()
