"""Running a study: what is missing is made and replayed; what is there from before is taken as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tilegpu.functional.activity.errors import ActivityError
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import CaptureError
from tilegpu.timing.runs import Place, Progress, is_finished

from ..replay_runs import Where
from .declare import Frames, StudyError
from .materials import Workload, activity_of
from .selection import Selection

RUNS = "runs"


@dataclass(frozen=True)
class Resources:
    """What a study is run with: so many processes of this machine, and a scheduler's workers if there is one."""

    jobs: int = 1
    cluster: str = ""


@dataclass(frozen=True)
class Step:
    """How far a study has come: a share from 0 to 1, and what is being done."""

    share: float
    doing: str


def run(selection: Selection, output: Path, resources: Resources, told: Callable[[Step], None]) -> dict[str, str]:
    """Make what a study needs, and replay what has not been.

    Parameters
    ----------
    selection
        What is run.
    output
        Folder of the study; results of runs go to runs/WORKLOAD/MACHINE.
    resources
        Who executes.
    told
        Told how far it has come.

    Returns
    -------
    dict of str to str
        Captures that cannot be recorded, and why: the study goes on without them.

    Raises
    ------
    CaptureError, ActivityError, SimulationError, ClusterError
        As of recording a twin, and of replaying.
    StudyError
        If none of the captures can be recorded.
    """
    unusable: dict[str, str] = {}
    weights = {name: w.pixels * (1 + len(selection.runs_of(name))) for name, w in selection.workloads.items()}
    done, everything = 0.0, float(sum(weights.values()))
    for name, workload in selection.workloads.items():

        def share(part: float, doing: str, base: float = done, weight: float = weights[name]) -> None:
            told(Step((base + part * weight) / everything, doing))

        share(0.0, f"{name}: recording")
        done += weights[name]
        try:
            recorded = _record(selection, workload, resources)
        except (CaptureError, ActivityError, StudyError) as error:
            if workload.trace is None:
                raise
            unusable[name] = str(error)
            continue
        _replay(selection, workload, recorded, output / RUNS / workload.folder, resources, share)
    if len(unusable) == len(selection.workloads):
        name, reason = next(iter(unusable.items()))
        raise StudyError(f"study {selection.study.name}: none of its workloads can be recorded ({name}: {reason})")
    return unusable


class Recorded(NamedTuple):
    """A workload's activity and its frames."""

    activity: Path
    frames: Frames


def _record(selection: Selection, workload: Workload, resources: Resources) -> Recorded:
    activity = activity_of(workload, selection.study, selection.frames.times, resources.jobs)
    frames = split(Activity(activity).frames, len(selection.frames.warm_up))
    if not frames.counted:
        raise StudyError("it has no frames")
    return Recorded(activity, frames)


def _replay(
    selection: Selection,
    workload: Workload,
    recorded: Recorded,
    folder: Path,
    resources: Resources,
    share: Callable[[float, str], None],
) -> None:
    activity, frames = recorded
    opened = Activity(activity)
    source = {"name": opened.manifest.source_name, "sha256": opened.manifest.source_sha256}
    runs, warm_up = selection.runs_of(workload.name), len(frames.warm_up)
    left = [run for run in runs if not is_finished(folder / run.name, run, source, frames.times, warm_up)]
    there = len(runs) - len(left)

    def on_progress(p: Progress) -> None:
        share((1 + there + p.share * len(left)) / (1 + len(runs)), f"{workload.name}: {p.finished} of {p.runs} runs")

    if left:
        where = Where(Place(str(activity)), resources.cluster, resources.jobs)
        options = frames.times, warm_up, on_progress, selection.study.check_images
        for number, results in where.execute(left, *options):
            results.write(folder / left[number].name, replace=True)


def split(frames: Sequence[int], warm_up: int) -> Frames:
    """Frames of an activity: so many warm up, but for the last one; an application may have fewer than it should."""
    first = max(0, min(warm_up, len(frames) - 1))
    return Frames(tuple(frames[:first]), tuple(frames[first:]))
