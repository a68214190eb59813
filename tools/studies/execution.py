"""Running a study: what is missing is made and replayed; what is there from before is taken as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilegpu.functional.activity.errors import ActivityError
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import CaptureError
from tilegpu.timing.runs import Place, Progress, is_finished

from ..replay_runs import Where
from .declare import Frames, StudyError
from .materials import Workload, activity_of
from .pairs import share_pairs
from .selection import RUNS, Selection
from .steps import Step


@dataclass(frozen=True)
class Resources:
    """Resources of a study: a number of processes of this machine, and a scheduler's workers if there is one."""

    jobs: int = 1
    cluster: str = ""


def run(selection: Selection, output: Path, resources: Resources, report: Callable[[Step], None]) -> dict[str, str]:
    """Make what a study needs, and replay what has not been.

    Parameters
    ----------
    selection
        What is run.
    output
        Folder of the study; results of runs go to runs/WORKLOAD/MACHINE.
    resources
        Who executes.
    report
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
            report(Step((base + part * weight) / everything, doing))

        share(0.0, f"{name}: recording")
        done += weights[name]
        try:
            activity = _record(selection, workload, resources)
        except (CaptureError, ActivityError, StudyError) as error:
            if workload.trace is None or workload.numbers is not None:
                raise
            unusable[name] = str(error)
            continue
        _replay(selection, workload, activity, output / RUNS / workload.folder, resources, share)
    share_pairs(selection, output, report)
    if len(unusable) == len(selection.workloads):
        name, reason = next(iter(unusable.items()))
        raise StudyError(f"study {selection.study.name}: none of its workloads can be recorded ({name}: {reason})")
    return unusable


def _record(selection: Selection, workload: Workload, resources: Resources) -> Path:
    frames = selection.frames_of(workload.name)
    activity = activity_of(workload, selection.study, frames.times, resources.jobs)
    if not Activity(activity).frames:
        raise StudyError("it has no frames")
    return activity


def _replay(
    selection: Selection,
    workload: Workload,
    activity: Path,
    folder: Path,
    resources: Resources,
    share: Callable[[float, str], None],
) -> None:
    opened = Activity(activity)
    source = {"name": opened.manifest.source_name, "sha256": opened.manifest.source_sha256}
    batches = selection.batches_of(workload.name)
    everything = sum(len(batch.runs) for batch in batches)
    there = 0
    for batch in batches:
        drawn, counted = split(opened.frames, selection.frames_of(workload.name), batch.frames)
        others = len(drawn) - len(counted)
        unfinished = [run for run in batch.runs if not is_finished(folder / run.name, run, source, counted, others)]
        there += len(batch.runs) - len(unfinished)

        def on_progress(p: Progress, there: int = there, unfinished: int = len(unfinished)) -> None:
            share((1 + there + p.share * unfinished) / (1 + everything), f"{workload.name}: {there + p.finished} runs")

        if unfinished:
            where = Where(Place(str(activity)), resources.cluster, resources.jobs)
            for number, results in where.execute(unfinished, drawn, 0, on_progress, selection.study.check_images):
                results.of(counted).write(folder / unfinished[number].name, replace=True)
        there += len(unfinished)


def split(there: Sequence[int], recorded: Frames, chosen: Frames) -> tuple[list[int], list[int]]:
    """Frames of an activity that are drawn, and those of them that count.

    Parameters
    ----------
    there
        Frames of the activity; an application may have fewer than it should.
    recorded, chosen
        Moments that were recorded, and those of them that are wanted.
    """
    places = [recorded.times.index(time) for time in chosen.times]
    counted = chosen.places_in(recorded)
    drawn = [place for place in places if place < len(there)]
    # At least the last one counts.
    counting = [place for place in drawn if place in counted] or drawn[-1:]
    return [there[place] for place in drawn], [there[place] for place in counting]
