"""`tilegpu replay --plan`: totals of a whole capture from its chosen frames."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import typer
from rich.table import Table

from tilegpu.functional.activity.output import naming
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.claim import claimed
from tilegpu.timing import Configuration
from tilegpu.timing.results.results import check_folder

from ..console import print_table, say
from ..replay_single import Single
from .frames import frames_to_replay
from .plan import Plan, read_plan
from .totals import Total, measures, totals

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
        found = totals(plan, {frame: measures(results, frame) for frame in plan.chosen})
        if output is not None:
            results.write(output, force)
            with naming(output / TOTALS):
                (output / TOTALS).write_text(json.dumps(_json(plan, found), indent=1) + "\n", "utf-8")
    if as_json:
        typer.echo(json.dumps(_json(plan, found), indent=1))
        return
    _print(plan, found)
    say(f"{len(frames)} frames replayed, {len(plan.chosen)} counted; took {time.perf_counter() - began:.1f} s")


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
