"""Several replays in one call, and what is asked of a whole capture; `tilegpu` exports the functions here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

from . import timing
from .functional.characterize import run as counting
from .functional.characterize.count import Options
from .functional.characterize.files import Characterization
from .functional.characterize.run import Characterized
from .functional.frame_ranges import FrameRange
from .interface import Frames, Results, chosen_frames, load_config, override
from .timing import sharing
from .timing.config.schema import Configuration
from .timing.runs import Progress as RunsProgress
from .timing.runs import execute, power
from .timing.runs import plan as plan_runs
from .timing.runs.power import PowerCurve
from .timing.sharing import Application, By, SharingOutcome
from .tools.sampling.plan import Plan, write_plan
from .tools.sampling.request import PlanRequest, plan_of


def characterize(
    trace: str | Path,
    folder: str | Path,
    frames: FrameRange | str | int | None = None,
    *,
    size: tuple[int, int] | None = None,
    replace: bool = False,
    jobs: int = 1,
    on_frame: Callable[[int, float], None] | None = None,
) -> Characterized:
    """Count what each frame of a capture does, for little more than the cost of rendering it.

    Parameters
    ----------
    trace, folder
        apitrace file, and the folder to make.
    frames
        Frames to count, all by default.
    size
        As of `render`.
    replace
        Whether counts that are in the folder already may be replaced.
    jobs
        Processes that share the frames; counts do not depend on it.
    on_frame
        Called with the number of frames done and the fraction of the capture that has been read.

    Raises
    ------
    UserError
        The capture cannot be read, or the folder holds something already.

    Examples
    --------
    >>> tilegpu.characterize("game.trace", "counted", "0:4").manifest.frames
    4
    """
    chosen = frames if isinstance(frames, FrameRange) else FrameRange.parse("0:" if frames is None else str(frames))
    options = Options(frames=chosen, size=size)
    report = on_frame or (lambda done, share: None)
    return counting.characterize(Path(trace), Path(folder), options, replace, report, jobs)


def plan(
    counts: str | Path,
    output: str | Path = "plan.json",
    *,
    vector: str = "paper",
    max_clusters: int = 30,
    per_cluster: int = 0,
    budget: int = 0,
    warm_up: int = 1,
    seed: int = 0,
) -> Plan:
    """Choose frames that represent a long capture, as `tilegpu sample` does (docs/sampling.md).

    Parameters
    ----------
    counts
        Folder that `characterize` made.
    output
        Plan file to write; one that is there is replaced.
    vector
        Counts by which frames are compared: "paper", "rich" or "reuse".
    max_clusters
        Most clusters, at least 1.
    per_cluster
        Frames to simulate of each cluster; 0 for two, or what a budget allows.
    budget
        Most frames to simulate, with those that warm up; 0 for as many as the clusters ask for.
    warm_up
        Frames before each, which a budget counts.
    seed
        Of everything left to chance: the same seed gives the same plan.

    Returns
    -------
    Plan
        `chosen` are the frames to simulate, `clusters` those that they represent.

    Raises
    ------
    UserError
        The counts cannot be read, an option makes no sense, or scikit-learn is not installed.

    Examples
    --------
    >>> tilegpu.plan("counted", "plan.json", max_clusters=2).chosen[0] < 4
    True
    """
    wanted = PlanRequest(vector, max_clusters, per_cluster, budget, warm_up, seed)
    wanted.check()
    folder, file = Path(counts), Path(output)
    sampling_plan = plan_of(Characterization(folder), wanted, relpath(folder.absolute(), file.absolute().parent))
    write_plan(sampling_plan, file)
    return sampling_plan


def power_curve(
    activity: str | Path,
    config: str | Path | Configuration,
    fps: float = 60.0,
    share: float = 1.0,
    *,
    points: Sequence[tuple[int, int]] | None = None,
    frames: Frames | Sequence[int] = None,
    warm_up: int = 0,
    jobs: int | None = None,
) -> PowerCurve:
    """Replay an activity at each operating point of a GPU, as `tilegpu power` does (docs/model/power.md).

    Parameters
    ----------
    activity
        Folder that `record` made.
    config
        Preset with operating points, TOML file, or what `load_config` returned.
    fps
        Frames per second that are asked for.
    share
        Share of the frames that must be done in time, above 0 and at most 1.
    points
        Clocks in MHz, ascending, and their voltages in mV, instead of the configuration's.
    frames, warm_up
        As of `replay`.
    jobs
        Processes; as many as there are cores by default.

    Returns
    -------
    PowerCurve
        `lowest` is the point of the lowest clock that keeps the rate, `points` has all.

    Raises
    ------
    UserError
        If there are no operating points, or something asked for makes no sense.

    Examples
    --------
    >>> curve = tilegpu.power_curve("activity", "ptr-2022", 60, points=[(400, 700), (800, 900)])
    >>> curve.lowest.gpu_mhz
    400
    """
    configuration = _configuration(config)
    chosen = chosen_frames(Path(activity), frames)
    return power.power_curve(Path(activity), configuration, fps, share, points, chosen, warm_up, jobs)


def sweep(
    activity: str | Path,
    configs: Sequence[str] = ("ptr-2022",),
    frames: Frames | Sequence[int] = None,
    warm_up: int = 0,
    *,
    jobs: int | None = None,
    progress: Callable[[RunsProgress], None] | None = None,
    **settings: Any,
) -> dict[str, Results]:
    """Replay an activity through every combination of configurations and values of fields, several at a time.

    Parameters
    ----------
    activity
        Folder that `record` made.
    configs
        Presets or TOML files.
    frames, warm_up
        As of `replay`.
    jobs
        Processes; as many as there are cores by default.
    progress
        Called from time to time.
    settings
        Fields as of `load_config`, each with a list of its values.

    Returns
    -------
    dict of str to Results
        By the name of the run, in the order of the combinations, the last field changing fastest.

    Raises
    ------
    UserError
        If the activity cannot be read, a field or value does not fit, or two runs would be the same.

    Examples
    --------
    >>> runs = tilegpu.sweep("activity", raster_units=[1, 2], jobs=1)
    >>> list(runs)
    ['raster_units=1', 'raster_units=2']
    """
    runs = plan_runs(configs, [override(field, *values) for field, values in settings.items()])
    chosen = chosen_frames(Path(activity), frames)
    measured = dict(execute(Path(activity), runs, chosen, warm_up, jobs, progress))
    return {run.name: Results(measured[number]) for number, run in enumerate(runs)}


def share(
    activities: Sequence[str | Path],
    config: str | Path | Configuration = "ptr-2022",
    by: By = "frame",
    warm_up: int = 0,
    *,
    progress: Callable[[timing.Progress], None] | None = None,
) -> SharingOutcome:
    """Run applications on one GPU, whose frames or tiles take turns, and each of them alone (docs/sharing.md).

    Parameters
    ----------
    activities
        Folders that `record` made, in the order of their turns; one may come several times.
    config
        Preset, TOML file, or what `load_config` returned.
    by
        Whether frames or tiles take turns.
    warm_up
        Frames of each application, from its first, that count in no statistic.
    progress
        Called from time to time.

    Returns
    -------
    SharingOutcome
        Statistics of each application together and alone.

    Raises
    ------
    UserError
        If an activity cannot be read, or the configuration works for one application only.

    Examples
    --------
    >>> shared = tilegpu.share(["activity", "activity"], "ptr-2022")
    >>> len(shared.alone)
    2
    """
    applications = [Application(Path(activity)) for activity in activities]
    return sharing.share(applications, _configuration(config), by, warm_up, progress)


def _configuration(config: str | Path | Configuration) -> Configuration:
    return config if isinstance(config, Configuration) else load_config(config)
