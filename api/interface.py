"""Functions of `import tilegpu`: rendering, recording, replaying and comparing from Python."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from . import timing
from .functional import record as recording
from .functional.comparison import TOLERANCE, Comparison, compare_images, read_image
from .functional.dependencies.operations import Operations
from .functional.errors import UserError
from .functional.execute.backend import Backend
from .functional.execute.choice import choose_backend
from .functional.frame_ranges import FrameRange, FrameSet
from .functional.gles.frame_ends import FramesAt
from .functional.player import Frame, Player
from .functional.recording.listener import Level
from .functional.stage_clock import SilentClock
from .functional.work import DEFAULT_MAX_WORK
from .timing.config.schema import Configuration
from .timing.instruments import instrument_of
from .timing.loading.chosen_frames import frames_in
from .timing.loading.source import Activity
from .timing.results import units
from .timing.results.counters import CounterInputs, counter_table
from .timing.results.draws import DRAWS, PROGRAMS
from .timing.results.lines import LINES
from .timing.results.resources import RESOURCES
from .timing.results.results import Results as Measured
from .timing.results.timeline import Timeline

Frames = str | int | FrameRange | FrameSet | None
"""Frames of a capture: all (None), one, "A:B" for A to B-1, "A:" to the end."""
Image = str | Path | NDArray[np.uint8]


class Rendering:
    """Frames of a capture, rendered one by one as they are asked for.

    Attributes
    ----------
    warnings
        What was skipped or wrong, one line per kind; complete after the last frame.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._frames = player.run()

    def __repr__(self) -> str:
        return f"<Rendering {self._player.path.name}: {self.fraction:.0%} read>"

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        return next(self._frames)

    @property
    def warnings(self) -> list[str]:
        """Lines about what was skipped or wrong."""
        return self._player.warnings

    @property
    def fraction(self) -> float:
        """Share of the capture that has been read, 0 to 1."""
        return self._player.fraction


def render(
    trace: str | Path,
    frames: Frames = None,
    *,
    size: tuple[int, int] | None = None,
    snap: Literal["8", "none"] = "8",
    backend: str | Backend = "",
    jobs: int = 1,
    clock: SilentClock | None = None,
    alpha: bool = False,
    frames_at: FramesAt | None = None,
    from_start: bool = False,
    max_work: int = DEFAULT_MAX_WORK,
    allow_truncated: bool = True,
) -> Rendering:
    """Render a capture.

    Parameters
    ----------
    trace
        apitrace file.
    frames
        Frames to yield. Of others, what these depend on is rendered, too.
    size
        Size of the window in pixels, where the stream's own is wrong or unknown.
    snap
        "8": window coordinates have 8 subpixel bits, as in hardware; "none": float32, as in Mesa's softpipe.
    backend
        "llvm" or "numpy", or a back end itself; the fastest that loads by default.
    jobs
        Threads that share the fragments of large draws; images do not depend on it.
    clock
        Notified of the stages.
    alpha
        Whether frames keep the window's alpha; a display shows them opaque.
    frames_at
        Calls that end frames, "swap", "flush" or "read"; found out by default.
    from_start
        Whether all frames before the chosen ones are rendered, whatever depends on them; images are the same.
    max_work
        Most work that one call may ask for: invocations for vertices or of compute shaders, or texels.
    allow_truncated
        Whether the file may break off before the last of the frames.

    Returns
    -------
    Rendering
        Iterator of frames: `number`, `pixels` (uint8, (height, width, 3 or 4), row 0 at the top), `cpu_seconds`.

    Raises
    ------
    UserError
        While iterating: the file cannot be read, or has none of the frames.

    Examples
    --------
    >>> [frame.pixels.shape for frame in tilegpu.render("game.trace", "0:2")]
    [(192, 320, 3), (192, 320, 3)]
    """
    player = Player(Path(trace), frame_range(frames), size, snap, _back_end(backend), jobs, clock or SilentClock())
    player.alpha, player.frames_at, player.from_start = alpha, frames_at, from_start
    player.max_work, player.allow_truncated = max_work, allow_truncated
    return Rendering(player)


def record(
    trace: str | Path,
    folder: str | Path,
    frames: Frames = None,
    level: Level = "visible",
    groups: Collection[str] = (),
    *,
    size: tuple[int, int] | None = None,
    snap: Literal["8", "none"] = "8",
    replace: bool = False,
    backend: str | Backend = "",
    jobs: int = 1,
    on_frame: Callable[[Frame, float], None] | None = None,
    clock: SilentClock | None = None,
    collisionable: Sequence[str] = (),
    frames_at: FramesAt | None = None,
    from_start: bool = False,
    operations: Operations | None = None,
    max_work: int = DEFAULT_MAX_WORK,
    allow_truncated: bool = False,
) -> recording.Recorded:
    """Record the activity of a capture into a folder of Parquet tables.

    Parameters
    ----------
    trace, folder
        apitrace file, and the folder to make.
    frames
        Frames to record.
    level
        "summary", "visible" or "all", as of `tilegpu trace`.
    groups
        Optional groups of columns: "inputs", "colors", "pass_images".
    size, snap, backend, clock, frames_at, from_start, max_work, allow_truncated
        As of `render`.
    operations
        Operations of the capture, where an earlier run has them.
    replace
        Whether an activity that is in the folder already may be replaced.
    jobs
        Threads; the activity does not depend on it.
    on_frame
        Called with each frame and the fraction of the capture that has been read.
    collisionable
        Shell patterns for the debug labels of objects that take part in collision detection.

    Returns
    -------
    Recorded
        Numbers of frames and rows, and warnings.

    Raises
    ------
    UserError
        The capture cannot be read, or the folder holds something already.

    Examples
    --------
    >>> recorded = tilegpu.record("game.trace", "activity", "0:2")
    >>> recorded.rows["draws"]
    24
    """
    return recording.record(
        Path(trace),
        Path(folder),
        frame_range(frames),
        level,
        frozenset(groups),
        size=size,
        snap=snap,
        replace=replace,
        backend=_back_end(backend),
        jobs=jobs,
        on_frame=on_frame or (lambda frame, fraction: None),
        clock=clock,
        collisionable=collisionable,
        frames_at=frames_at,
        from_start=from_start,
        operations=operations,
        max_work=max_work,
        allow_truncated=allow_truncated,
    )


def _back_end(backend: str | Backend) -> Backend:
    return choose_backend(backend)[0] if isinstance(backend, str) else backend


def load_config(name: str | Path = "ptr-2022", **settings: Any) -> Configuration:
    """A hardware configuration: a preset or a TOML file, with fields changed.

    Parameters
    ----------
    name
        Name of a preset, or a TOML file.
    settings
        Fields by name where one section has it, such as raster_units=2; two underscores stand for the dot of a full
        name, as in texture_cache__size_bytes=16384. Techniques are a list of names.

    Raises
    ------
    UserError
        If there is no such configuration or field, or a value does not fit.

    Examples
    --------
    >>> tilegpu.load_config("ptr-2022", raster_units=2, texture_cache__size_bytes=16384).texture_cache.size_bytes
    16384
    """
    return timing.load_configuration(name, [override(field, value) for field, value in settings.items()])


@dataclass(frozen=True)
class ReplayOptions:
    """Settings of a run of the simulator; none of them changes what is simulated.

    Parameters
    ----------
    compiled
        False runs the machine as plain Python: some thousand times slower, for debuggers.
    timeline, timeline_frames
        Takes down what happens when in these frames.
    check_images
        Compare pictures, as of `tilegpu replay --check-images`.
    by_draw
        Count what each draw and dispatch costs, too, on an engine of its own (`Results.draws`).
    by_resource
        Count what each texture, buffer and attachment costs instead (`Results.resources`).
    by_line
        Count what each line of the shaders costs instead (`Results.lines`).
    """

    compiled: bool = True
    timeline: Timeline | None = None
    timeline_frames: Sequence[int] = ()
    check_images: bool = False
    by_draw: bool = False
    by_resource: bool = False
    by_line: bool = False

    @property
    def instrument(self) -> str:
        """Name of the instrument that counts costs; "" for none."""
        return instrument_of(by_draw=self.by_draw, by_resource=self.by_resource, by_line=self.by_line)


def replay(
    activity: str | Path,
    config: str | Path | Configuration = "ptr-2022",
    frames: Frames | Sequence[int] = None,
    warm_up: int = 0,
    *,
    progress: Callable[[timing.Progress], None] | None = None,
    options: ReplayOptions = ReplayOptions(),  # noqa: B008
    **settings: Any,
) -> Results:
    """Replay an activity, cycle by cycle, through the model of a GPU.

    Parameters
    ----------
    activity
        Folder that `record` made.
    config
        Preset, TOML file, or what `load_config` returned.
    frames
        Frames to run, with the numbers of the capture; all by default.
    warm_up
        How many of them, from the first, count in no statistic.
    progress
        Called from time to time.
    options
        How it runs.
    settings
        Fields to change, as of `load_config`; not with a configuration that is loaded already.

    Raises
    ------
    UserError
        If the activity cannot be read, has no such frames, or the configuration makes no sense.
    SimulationError
        If the machine stands still.

    Examples
    --------
    >>> results = tilegpu.replay("activity", "ptr-2022", raster_units=2)
    >>> int(results.totals["fragment.processor.quads"]) == int(results.frames["fragment.processor.quads"].sum())
    True
    """
    if isinstance(config, Configuration) and settings:
        raise TypeError("fields are changed where a configuration is loaded: load_config(name, field=value)")
    configuration = config if isinstance(config, Configuration) else load_config(config, **settings)
    chosen = chosen_frames(Path(activity), frames)
    if options.timeline is not None:
        options.timeline.frames = options.timeline_frames
    return Results(
        timing.replay(
            Path(activity),
            configuration,
            chosen,
            warm_up,
            progress,
            options.compiled,
            timeline=options.timeline,
            check_images=options.check_images,
            instrument=options.instrument,
        )
    )


class Results:
    """Results of a replay. Tables are pandas' where pandas is installed, otherwise pyarrow's.

    Attributes
    ----------
    measured
        The same as the engine gives it.
    """

    def __init__(self, measured: Measured) -> None:
        self.measured = measured

    def __repr__(self) -> str:
        return repr(self.measured)

    def _repr_html_(self) -> str:
        """Table for a notebook."""
        return self.measured._repr_html_()

    @property
    def configuration(self) -> Configuration:
        """Hardware."""
        return self.measured.configuration

    @cached_property
    def totals(self) -> Mapping[str, float]:
        """Every statistic over all counted frames: sums, and what derives from sums."""
        return self.measured.totals()

    @cached_property
    def frames(self) -> Any:
        """Table with a row per counted frame: its number, and a column per statistic."""
        return table_of(pa.Table.from_pylist(self.measured.by_frame()))

    @cached_property
    def units(self) -> Any:
        """Table of the cycles of each unit by cause: frame, unit, raster_unit, index, cause, cycles."""
        return table_of(units.table(self.measured.frames, self.measured.spent))

    @cached_property
    def tiles(self) -> Any:
        """Table with a row per tile and frame, as tiles.parquet has it."""
        return table_of(pa.concat_tables(self.measured.tiles))

    @cached_property
    def energy(self) -> Any:
        """Table of energies in pJ: frame, structure, unit, dynamic_pj, static_pj."""
        return table_of(self.measured.energy_table())

    @cached_property
    def draws(self) -> Any:
        """Table with a row per frame and draw, dispatch, or what belongs to none, as draws.parquet has it
        (docs/draw_costs.md).

        Raises
        ------
        UserError
            If the replay did not count it (`ReplayOptions(by_draw=True)`).
        """
        return table_of(self._costs(DRAWS))

    @cached_property
    def programs(self) -> Any:
        """The same by program, as programs.parquet has it.

        Raises
        ------
        UserError
            As of `draws`.
        """
        return table_of(self._costs(PROGRAMS))

    @cached_property
    def resources(self) -> Any:
        """Table with a row per frame and texture level, attachment, buffer or region, as resources.parquet has it
        (docs/resource_costs.md).

        Raises
        ------
        UserError
            If the replay did not count it (`ReplayOptions(by_resource=True)`).
        """
        return table_of(self._costs(RESOURCES, "by_resource"))

    @cached_property
    def lines(self) -> Any:
        """Table with a row per frame and line of a shader, as lines.parquet has it (docs/line_costs.md).

        Raises
        ------
        UserError
            If the replay did not count it (`ReplayOptions(by_line=True)`).
        """
        return table_of(self._costs(LINES, "by_line"))

    def _costs(self, name: str, option: str = "by_draw") -> pa.Table:
        tables = self.measured.own.get(name)
        if not tables:
            raise UserError(f"the replay counted no costs of {name}: pass options=ReplayOptions({option}=True)")
        return pa.concat_tables(tables)

    @cached_property
    def counters(self) -> Any:
        """Table with a row per counted frame, its columns named as Arm's public counters (docs/arm_counters.md)."""
        counted = CounterInputs(self.configuration, self.measured.by_frame(), self.measured.tile_table())
        return table_of(counter_table(counted))

    def write(self, folder: str | Path, replace: bool = False) -> None:
        """Write everything into a folder, as `tilegpu replay -o` does.

        Raises
        ------
        UserError
            If the folder is there already and is not to be replaced, or holds something else.
        """
        self.measured.write(Path(folder), replace)


def compare(a: Image, b: Image, tolerance: int = TOLERANCE) -> Comparison:
    """Compare two images.

    Parameters
    ----------
    a, b
        Files, or uint8 arrays (height, width, 3 or 4).
    tolerance
        Difference of a channel, of 255, that counts as equal.

    Returns
    -------
    Comparison
        maximum, over_tolerance_percent, mse, psnr_db, ssim.

    Raises
    ------
    UserError
        If one is no image, or their sizes differ.

    Examples
    --------
    >>> first, second = (frame.pixels for frame in tilegpu.render("game.trace", "0:2"))
    >>> tilegpu.compare(first, second).maximum > tilegpu.compare(first, first).maximum == 0
    True
    """
    one, other = (read_image(Path(image)) if isinstance(image, str | Path) else image for image in (a, b))
    return compare_images(one, other, tolerance)


def frame_range(frames: Frames) -> FrameRange | FrameSet:
    """Frames of a capture as its numbers; UserError where they are not written so."""
    if frames is None:
        return FrameRange()
    return frames if isinstance(frames, FrameRange | FrameSet) else FrameRange.parse(str(frames))


def chosen_frames(activity: Path, frames: Frames | Sequence[int]) -> list[int] | None:
    """Numbers of recorded frames, None for all; ActivityError where some are not there."""
    if frames is None:
        return None
    if isinstance(frames, str | int | FrameRange | FrameSet):
        return frames_in(frame_range(frames), Activity(activity).frames, f"frames {frames}")
    return list(frames)


def override(field: str, *values: Any) -> str:
    """Setting of a field as on the command line; its dot is two underscores, and techniques are a list."""
    texts = ["+".join(value) if isinstance(value, list | tuple) else str(value) for value in values]
    return f"{field.replace('__', '.')}={','.join(texts)}"


def table_of(table: pa.Table) -> Any:
    """A data frame where pandas is installed, the table otherwise."""
    try:
        import_module("pandas")
    except ImportError:
        return table
    return table.to_pandas()
