"""Frames of a study by plans: a few that represent all frames of a twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.run import characterize
from tilegpu.tools.sampling.plan import WARM_UP, Plan, Source
from tilegpu.tools.sampling.planning import PlanLimits, planned
from tilegpu.tools.sampling.vectors import vectors

from .declare import StudyError
from .materials import Workload, trace_of
from .selection import Selection

COUNTS = "counts"
"""Folder of a study that holds counts of frames."""
MOST_CLUSTERS, VECTOR = 30, "rich"


def counts_of(workload: Workload, times: Sequence[int], output: Path) -> Characterization:
    """Counts of the frames of a workload, made if they are not in the folder of the study."""
    trace = trace_of(workload, times)
    folder = output / COUNTS / f"{workload.folder}-{len(times)}"
    if not folder.exists():
        characterize(trace, folder)
    return Characterization(folder)


def with_plans(selection: Selection, frames: int, output: Path, report: Callable[[str], None]) -> Selection:
    """The same with plans for its twins, each of all frames that the twin has.

    Parameters
    ----------
    selection
        What is run.
    frames
        Most frames of a twin that are replayed, with those that warm up.
    output
        Folder of the study.
    report
        Gets the name of each workload that is counted.

    Raises
    ------
    StudyError
        If the study chooses frames by plans itself, or the frames are too few.
    """
    if selection.study.moments:
        raise StudyError(f"study {selection.study.name}: it chooses its frames itself; leave --plan out")
    warm_up = selection.study.frames.before or WARM_UP
    if frames < 1 + warm_up:
        raise StudyError(f"--plan {frames}: a frame and {warm_up} that warm up are more; choose {1 + warm_up} at least")
    plans = {}
    for name, workload in selection.workloads.items():
        if workload.twin is not None:
            report(name)
            plans[name] = _plan(workload, range(workload.twin.frames), frames // (1 + warm_up), output)
    return replace(selection, plans=plans, warm_up=warm_up)


def _plan(workload: Workload, times: Sequence[int], frames: int, output: Path) -> Plan:
    counts = counts_of(workload, times, output)
    source = Source(name=counts.manifest.source_name, sha256=counts.manifest.source_sha256)
    wanted = PlanLimits(MOST_CLUSTERS, 1, frames, 0)
    return planned(counts, vectors(counts, VECTOR), wanted, versions={}, source=source, vector=VECTOR)
