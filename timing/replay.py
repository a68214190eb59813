"""Replay: the frames of an activity through a configured GPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .assembly.build import build
from .assembly.dump import progress_marks, waiting_units
from .assembly.frame_starts import begin_frame, look_ahead, wants_next_frame
from .assembly.loader import Loader
from .assembly.variants import Engine, compiling, engine_of
from .config.schema import Configuration
from .engine.chip import Chip
from .engine.frame import Frame, overlapped
from .engine.plain import plain, write_back
from .instruments import draw_costs, line_costs, resource_costs
from .loading.chosen_frames import check_frames
from .loading.loaded import Pictures
from .loading.resource_ranges import resource_ranges
from .loading.source import Activity, ActivityError
from .loading.work import Accounts
from .results.draws import DrawMeter, check_room
from .results.lines import LineMeter
from .results.meter import CostMeter, Meter
from .results.own_pictures import OwnPictures
from .results.resource_notes import RecordedUse
from .results.resources import ResourceMeter
from .results.results import Results
from .results.statistics import statistics
from .results.timeline import Timeline
from .units.command_processor import CommandProcessorParameters


class FrameLoader(Protocol):
    """Source of a replay's frames: an activity, and the numbers of its frames."""

    @property
    def source(self) -> Activity:
        """The activity."""

    @property
    def frames(self) -> list[int]:
        """Numbers of the recorded frames."""

    def load(self, frame: int) -> Frame:
        """Tables of one frame."""


class SimulationError(RuntimeError):
    """The machine stalls before the frame is finished; lines after the first say which unit waits for what."""


@dataclass(frozen=True)
class Progress:
    """Progress of a replay: frames done of all, the frame at work, and the cycles it has taken."""

    done: int
    frames: int
    frame: int
    cycles: int


def run_frame(
    engine: Engine,
    chip: Chip,
    frame: Frame,
    watchdog_cycles: int,
    report: Callable[[int], None] | None = None,
    timeline: Timeline | None = None,
    following: Frame | None = None,
    switches: bool = False,
) -> None:
    """Run one loaded frame to its end, of another application than the one before if it `switches`; `report` gets the
    cycles so far from time to time, `timeline` looks.

    With `command_processor.overlap`, the geometry of the first pass of the `following` one runs in parallel with its
    last pass.

    Raises
    ------
    SimulationError
        If the machine cannot go on, or nothing has moved for `watchdog_cycles`.
    """
    gpu = chip.gpu
    begin_frame(chip, switches)
    frame.depth.blended["order"] = 0
    began = gpu.cycle
    tables: Any = frame if engine.compiled else plain(frame)
    before, checked = progress_marks(chip), began
    slice_cycles = watchdog_cycles if timeline is None else min(watchdog_cycles, timeline.step_cycles)
    while not engine.run(gpu, tables, False, slice_cycles) or wants_next_frame(chip):
        if wants_next_frame(chip):
            tables = hand_over(chip, tables, following)
            continue
        if timeline is not None:
            chip.settle()
            timeline.look(chip, frame)
        if not gpu.stuck and gpu.cycle - checked < watchdog_cycles:
            continue
        checked = gpu.cycle
        marks = progress_marks(chip)
        if gpu.stuck or marks == before:
            raise SimulationError(
                f"the machine stands still in cycle {gpu.cycle}; please report this with the configuration:\n"
                + "\n".join(waiting_units(chip))
            )
        before = marks
        if report is not None:
            report(int(gpu.cycle - began))
    if not engine.compiled:
        write_back(frame, tables)
    chip.settle()
    if timeline is not None:
        timeline.look(chip, frame)
        timeline.end(frame)


def hand_over(chip: Chip, tables: Any, following: Frame | None) -> Any:
    """Let a machine with overlap go on with the next frame's geometry, if there is one; tables for what follows."""
    look_ahead(chip, following is not None)
    if following is None:
        return tables
    return overlapped(tables, following if isinstance(tables, Frame) else plain(following))


def replay(
    activity: Path | FrameLoader,
    configuration: Configuration,
    frames: Sequence[int] | None = None,
    warm_up: int = 0,
    progress: Callable[[Progress], None] | None = None,
    compiled: bool = True,
    timeline: Timeline | None = None,
    check_images: bool = False,
    instrument: str = "",
) -> Results:
    """Replay frames of an activity; caches, DRAM rows and technique state survive from frame to frame.

    Parameters
    ----------
    activity
        Folder that the functional pass wrote, of level `visible` or `all`; or frames that were loaded before.
    configuration
        Hardware.
    frames
        Frames to run, in this order; all by default.
    warm_up
        How many of them, from the first, count in no statistic.
    progress
        Called from time to time.
    compiled
        False runs the machine as plain Python: some thousand times slower, for debuggers.
    timeline
        Takes down what happens when, in the frames that it watches.
    check_images
        Compare the pictures of tiles that techniques leave out; the activity needs the group `pass_images`. With the
        group `colors` the machine's own pictures are compared too.
    instrument
        Module of `timing.instruments` that counts costs, too, on an engine of its own: `draw_costs` what each draw and
        dispatch costs, `resource_costs` what each texture, buffer and attachment does, `line_costs` what each line of
        the shaders costs. `activity` is a folder then.

    Returns
    -------
    Results
        Statistics of the counted frames.

    Raises
    ------
    ActivityError
        If the activity cannot be read, or there are not enough frames.
    """
    loader = Loader(activity, configuration) if isinstance(activity, Path) else activity
    watched = timeline.frames if timeline is not None else ()
    chosen = list(loader.frames if frames is None else frames)
    check_frames(chosen, loader.frames)
    check_frames(watched, chosen)
    if not 0 <= warm_up < max(1, len(chosen)):
        raise ActivityError(
            f"{loader.source.folder}: {len(chosen)} frames, {warm_up} of them to warm up, leave none to count"
        )
    engine = engine_of(configuration, compiled, instrument)
    chip = build(configuration, instrument) if compiled else build(configuration, instrument).plain()
    manifest = loader.source.manifest
    pictures = Pictures(loader.source) if check_images else None
    own = OwnPictures(loader.source, chip) if check_images and "colors" in manifest.groups else None
    source = {"name": manifest.source_name, "sha256": manifest.source_sha256}
    results = Results(configuration, source, warm_up=warm_up, checked=check_images, timeline=timeline)
    meter = Meter(chip, cost_meter(instrument, chip, loader))
    ahead = configuration.of(CommandProcessorParameters).overlap != "none"
    following, opened = None, list[Accounts]()
    for done, number in enumerate(chosen):
        frame = following or _load(loader, number, opened, instrument)
        following = _load(loader, chosen[done + 1], opened, instrument) if ahead and done + 1 < len(chosen) else None

        def report(cycles: int, done: int = done, number: int = number) -> None:
            if progress is not None:
                progress(Progress(done, len(chosen), number, cycles))

        report(0)
        watching = timeline if number in watched else None
        if watching is not None:
            watching.begin(chip, number)
        with compiling(engine):
            run_frame(engine, chip, frame, configuration.simulation.watchdog_cycles, report, watching, following)
        drawn = own.check(number, frame) if own is not None else {}
        checked = pictures if done >= warm_up else None
        meter.end_frame(results, number, frame, done >= warm_up, drawn, checked, opened)
        del opened[:1]
    return results


def cost_meter(instrument: str, chip: Chip, loader: FrameLoader) -> CostMeter | None:
    """Meter of what an instrument counts, if one is named."""
    stats = statistics(chip.configuration)
    if instrument == draw_costs.NAME:
        return DrawMeter(chip, stats)
    if instrument == resource_costs.NAME and isinstance(loader, Loader):
        use = RecordedUse(loader.source, chip.configuration.memory.line_bytes)
        return ResourceMeter(chip, stats, resource_ranges(loader.source, loader.resources), use)
    if instrument == line_costs.NAME and isinstance(loader, Loader):
        return LineMeter(chip, stats, loader.source)
    return None


def _load(loader: FrameLoader, frame: int, opened: list[Accounts], instrument: str) -> Frame:
    """Tables of one frame, whose accounts join those that are open."""
    tables = loader.load(frame)
    if instrument == draw_costs.NAME and isinstance(loader, Loader) and loader.accounts is not None:
        check_room(loader.accounts)
        opened.append(loader.accounts)
    return tables
