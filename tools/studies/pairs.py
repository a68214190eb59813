"""Runs of a study in which workloads share a GPU."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.activity.reader import Activity
from tilegpu.timing.config import load_configuration
from tilegpu.timing.results.results import Results
from tilegpu.timing.sharing import Application, run_alone, share

from ..composition import composed
from ..sharing_summary import SUMMARY, summary
from .declare import Pairs, Sharing
from .materials import activity_of
from .selection import RUNS, Selection
from .steps import Step

KEY = "key"
"""In sharing.json of a study: its inputs."""


def share_pairs(selection: Selection, output: Path, report: Callable[[Step], None]) -> None:
    """Let each pair of workloads share the GPU in each way; what is there from before is taken as it is.

    Parameters
    ----------
    selection
        What is run.
    output
        Folder of the study; outcomes go to runs/PAIR/SHARING.
    report
        Called with how far it has come.
    """
    pairs = selection.study.pairs
    if pairs is None:
        return
    there = {name: names for name, names in pairs.pairs.items() if set(names) <= set(selection.workloads)}
    for place, (pair, names) in enumerate(there.items()):
        report(Step(place / len(there), f"{pair}: sharing"))
        _share_pair(selection, pairs, names, output / RUNS / pair)


def _share_pair(selection: Selection, pairs: Pairs, names: tuple[str, ...], folder: Path) -> None:
    """All ways in which a pair shares the GPU; each application runs alone once."""
    frames = [selection.frames_of(name) for name in names]
    activities = [
        activity_of(selection.workloads[name], selection.study, each.times, 1)
        for name, each in zip(names, frames, strict=True)
    ]
    warm_up = len(frames[0].warm_up)
    alone: list[Results] = []
    for name, sharing in pairs.sharings.items():
        path, key = folder / name / SUMMARY, _key(pairs, sharing, activities)
        if path.is_file() and json.loads(path.read_text("utf-8")).get(KEY) == key:
            continue
        applications = [Application(activity) for activity in activities]
        if not alone:
            usual = load_configuration(pairs.preset)
            alone = [run_alone(each, usual, k, warm_up) for k, each in enumerate(applications)]
        configuration = load_configuration(pairs.preset, sharing.settings)
        showing = composed(activities, sharing.compositor) if sharing.compositor else nullcontext()
        with showing as compositor:
            shared = share(applications, configuration, sharing.by, warm_up, None, compositor, alone)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as partial:
            partial.write_text(json.dumps(summary(shared, names) | {KEY: key}, indent=1) + "\n", "utf-8")


def _key(pairs: Pairs, sharing: Sharing, activities: list[Path]) -> list[Any]:
    """Inputs of an outcome."""
    fields = load_configuration(pairs.preset, sharing.settings).model_dump(mode="json")
    manifests = [Activity(activity).manifest for activity in activities]
    sources = [[manifest.source_sha256, list(manifest.frames)] for manifest in manifests]
    return [fields, sharing.by, sharing.compositor, sources]
