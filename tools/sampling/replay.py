"""`tilegpu replay --plan`: totals of a whole capture from its chosen frames."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from rich.table import Table

from tilegpu.functional.activity.output import naming
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.claim import claimed
from tilegpu.timing import Configuration, ConfigurationError, ResultsError
from tilegpu.timing.results.results import check_folder
from tilegpu.timing.runs import Run, is_finished

from ..console import print_table, say
from ..replay_runs import Where, finished
from ..replay_single import Single
from .frames import frames_to_replay
from .plan import Plan, read_plan
from .totals import UNITS, Total, first_fills_in, measures, measures_in, totals

TOTALS = "totals.json"


def replay_sampled(
    folder: Path,
    path: Path,
    configuration: Configuration,
    warm_up: int,
    compiled: bool,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Replay the frames of a plan, each after a number of frames that warm up; write and print totals."""
    plan = read_plan(path)
    frames = frames_to_replay(plan, Activity(folder), warm_up)
    began = time.perf_counter()
    with nullcontext() if output is None else claimed(output):
        if output is not None:
            check_folder(output, force)
        every, _ = Single(folder, configuration, frames, 0, compiled).execute()
        results = every.of(plan.chosen)
        found = totals(plan, {frame: measures(results, frame) for frame in plan.chosen}, results.first_fills)
        if output is not None:
            results.write(output, force)
            with naming(output / TOTALS):
                (output / TOTALS).write_text(json.dumps(_json(plan, found), indent=1) + "\n", "utf-8")
    if as_json:
        typer.echo(json.dumps(_json(plan, found), indent=1))
        return
    _print(plan, found)
    say(f"{len(frames)} frames replayed, {len(plan.chosen)} counted; took {time.perf_counter() - began:.1f} s")


def _unfinished(where: Where, runs: Sequence[Run], sampled: Sampled, folder: Path, force: bool) -> list[Run]:
    """Runs that the folder lacks."""
    if (folder / "stats.json").is_file():
        raise ResultsError(f"{folder}: holds the results of a single run; choose another folder")
    manifest = Activity(where.activity.folder()).manifest
    source = {"name": manifest.source_name, "sha256": manifest.source_sha256}
    known = source, sampled.plan.chosen, len(sampled.frames) - len(sampled.plan.chosen)
    left = [run for run in runs if force or not is_finished(folder / run.name, run, *known)]
    for run in left:
        if not force and (folder / run.name).exists():
            raise ResultsError(f"{folder / run.name}: holds other results; choose another folder or pass --force")
    return left


def _measured(folder: Path) -> tuple[dict[int, dict[str, float]], dict[int, float]]:
    return measures_in(folder), first_fills_in(folder)


@dataclass(frozen=True)
class Sampled:
    """A plan, and the frames that it needs, with those that warm up."""

    plan: Plan
    frames: list[int]


def replay_sampled_runs(
    where: Where,
    path: Path,
    runs: Sequence[Run],
    warm_up: int,
    output: Path | None,
    baseline: str,
    force: bool,
    as_json: bool,
) -> None:
    """The same for several runs, each in a folder of its own; those that are there already are not run again."""
    first = baseline or runs[0].name
    if first not in {run.name for run in runs}:
        raise ConfigurationError(f"--baseline {first}: no such run; there are {', '.join(r.name for r in runs[:20])}")
    plan = read_plan(path)
    sampled = Sampled(plan, frames_to_replay(plan, Activity(where.activity.folder()), warm_up))
    with TemporaryDirectory() as scratch, claimed(output or Path(scratch) / "runs"):
        folder = output or Path(scratch)
        left = _unfinished(where, runs, sampled, folder, force)
        for number, results in finished(where, left, sampled.frames, 0):
            results.of(plan.chosen).write(folder / left[number].name, replace=True)
        found = {r.name: totals(plan, *_measured(folder / r.name)) for r in runs}
        for name, one in found.items():
            with naming(folder / name / TOTALS):
                (folder / name / TOTALS).write_text(json.dumps(_json(plan, one), indent=1) + "\n", "utf-8")
    if as_json:
        typer.echo(json.dumps({name: _json(plan, one) for name, one in found.items()}, indent=1))
        return
    _print_runs(found, first)
    say(f"all {len(plan.cluster_of_frame):,} frames of {plan.source.name}, from {len(plan.chosen)}")


def _print_runs(found: dict[str, list[Total]], first: str) -> None:
    names = [total.name for total in found[first]]
    table = Table("run", *(f"{name.replace('_', ' ')}/{UNITS[name]}" for name in names), "speed-up", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    cycles = {name: next(t.value for t in one if t.name == "cycles") for name, one in found.items()}
    for name, one in found.items():
        table.add_row(name, *(f"{total.value:,.0f}" for total in one), f"{cycles[first] / cycles[name]:.3f}")
    print_table(table)
    say(f"[dim]the speed-up is over {first}[/dim]")


def _json(plan: Plan, found: list[Total]) -> dict[str, Any]:
    return {
        "format": "tilegpu-totals",
        "source": plan.source.model_dump(),
        "frames": len(plan.cluster_of_frame),
        "simulated": list(plan.chosen),
        "totals": {t.name: {"unit": t.unit, "value": t.value, "interval": t.interval} for t in found},
    }


def _print(plan: Plan, found: list[Total]) -> None:
    table = Table("total", "value", "95 % from", "to", "unit", box=None)
    for column in table.columns[1:4]:
        column.justify = "right"
    for total in found:
        ends = [f"{end:,.0f}" for end in total.interval] if total.interval else ["-", "-"]
        table.add_row(total.name.replace("_", " "), f"{total.value:,.0f}", *ends, total.unit)
    print_table(table)
    say(f"all {len(plan.cluster_of_frame):,} frames of {plan.source.name}, from {len(plan.chosen)}")
