"""`tilegpu replay --plan`: totals of a whole capture from its chosen frames."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from rich.table import Table

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.claim import claimed
from tilegpu.timing import Configuration
from tilegpu.timing.results.results import check_folder
from tilegpu.timing.runs import Run
from tilegpu.timing.runs.table import read_results

from ..console import print_table, say, several
from ..replay_runs import RunRequest, Where, check_absent, check_runs, compared_with, finished, unfinished
from ..replay_single import Single
from .first_uses import Fills
from .frames import frames_to_replay
from .plan import Plan, read_plan
from .speedups import skips, speedup
from .totals import UNITS, Total, measures, measures_in, totals

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
        estimates = totals(plan, {frame: measures(results, frame) for frame in plan.chosen}, Fills.of(results))
        if output is not None:
            results.write(output, force)
            _write(output, plan, estimates)
    if as_json:
        typer.echo(json.dumps(_json(plan, estimates), indent=1))
        return
    _print(plan, estimates)
    replayed = several(len(frames), "frame")
    say(f"{replayed} replayed, {len(plan.chosen)} counted; took {time.perf_counter() - began:.1f} s")


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
    first = compared_with(runs, baseline)
    plan, activity = read_plan(path), Activity(where.activity.folder())
    frames = frames_to_replay(plan, activity, warm_up)
    with TemporaryDirectory() as scratch, claimed(output or Path(scratch) / "runs"):
        folder = output or Path(scratch)
        check_runs(folder)
        pending = runs
        if not force:
            warm = RunRequest(warm_up=len(frames) - len(plan.chosen))
            pending = unfinished(folder, runs, activity, plan.chosen, warm)
            check_absent(folder, pending)
        for number, results in finished(where, pending, frames, 0):
            results.of(plan.chosen).write(folder / pending[number].name, replace=True)
        places = {run.name: folder / run.name for run in runs}
        measured = {name: measures_in(place) for name, place in places.items()}
        estimates = {
            name: totals(plan, measured[name], Fills.written(read_results(place))) for name, place in places.items()
        }
        for name, one in estimates.items():
            _write(places[name], plan, one)
    if as_json:
        typer.echo(json.dumps({name: _json(plan, one) for name, one in estimates.items()}, indent=1))
        return
    cycles = {name: {frame: one["cycles"] for frame, one in by_frame.items()} for name, by_frame in measured.items()}
    hardware = {run.name: run.configuration for run in runs}
    faster = {
        name: speedup(plan, cycles[first], some, skips(hardware[first], hardware[name]))
        for name, some in cycles.items()
    }
    _print_runs(estimates, faster, first)
    say(f"all {len(plan.cluster_of_frame):,} frames of {plan.source.name}, from {len(plan.chosen)}")


def _print_runs(estimates: dict[str, list[Total]], faster: dict[str, float], first: str) -> None:
    names = [total.name for total in estimates[first]]
    table = Table("run", *(f"{name.replace('_', ' ')}/{UNITS[name]}" for name in names), "speed-up", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, one in estimates.items():
        table.add_row(name, *(f"{total.value:,.0f}" for total in one), f"{faster[name]:.3f}")
    print_table(table)
    say(f"[dim]the speed-up is over {first}[/dim]")


def _write(folder: Path, plan: Plan, estimates: list[Total]) -> None:
    with whole_file(folder / TOTALS) as partial:
        partial.write_text(json.dumps(_json(plan, estimates), indent=1) + "\n", "utf-8")


def _json(plan: Plan, estimates: list[Total]) -> dict[str, Any]:
    return {
        "format": "tilegpu-totals",
        "source": plan.source.model_dump(),
        "frames": len(plan.cluster_of_frame),
        "simulated": list(plan.chosen),
        "totals": {t.name: {"unit": t.unit, "value": t.value, "interval": t.interval} for t in estimates},
    }


def _print(plan: Plan, estimates: list[Total]) -> None:
    table = Table("total", "value", "95 % from", "to", "unit", box=None)
    for column in table.columns[1:4]:
        column.justify = "right"
    for total in estimates:
        ends = [f"{end:,.0f}" for end in total.interval]
        table.add_row(total.name.replace("_", " "), f"{total.value:,.0f}", *ends, total.unit)
    print_table(table)
    say(f"all {len(plan.cluster_of_frame):,} frames of {plan.source.name}, from {len(plan.chosen)}")
