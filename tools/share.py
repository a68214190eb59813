"""`tilegpu share`: several applications on one GPU."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pyarrow.parquet as pq
import typer
from rich.table import Table

from tilegpu.functional.activity.output import naming, whole_folder
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.claim import claimed
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.chosen_frames import frames_in
from tilegpu.timing.results.results import Results, check_folder
from tilegpu.timing.sharing import Application, Shared
from tilegpu.timing.sharing import share as share_gpu

from .console import print_table, say
from .options import Frames, parse_frames
from .replay_single import replaying

SUMMARY = "sharing.json"
TURNS = "turns.parquet"


def share(
    activities: Annotated[
        list[Path], typer.Argument(metavar="DIR DIR...", help="Folders that `tilegpu trace` wrote, two to four.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="RESULTS", help="Folder to write results to.")
    ] = None,
    config: Annotated[str, typer.Option(metavar="NAME|FILE", help="Preset, or a TOML file.")] = "ptr-2022",
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
    ] = None,
    frames: Frames = "",
    quantum: Annotated[int, typer.Option(metavar="N", min=1, help="Frames of a turn.")] = 1,
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", min=0, help="First frames of each application, which do not count.")
    ] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace results that are already there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let applications share a GPU: their frames take turns, and each is compared with having it for itself.

    Slowdown is the time until the frames of an application are done, waiting included, over that alone; interference
    counts the cycles of its own frames only, so that it shows what the others do to its caches. RESULTS gets
    sharing.json, turns.parquet, and results of each application together and alone, as of `tilegpu replay`.

    Example: tilegpu share game browser --quantum 2 --set context_switch_cycles=5000 -o shared
    """
    configuration = load_configuration(config, overrides or [])
    applications = [Application(folder, _chosen(folder, frames)) for folder in activities]
    began = time.perf_counter()
    with nullcontext() if output is None else claimed(output):
        if output is not None:
            check_folder(output, force, SUMMARY)
        with replaying(configuration) as on_progress:
            shared = share_gpu(applications, configuration, quantum, warm_up, on_progress)
        names = [f"{k}-{folder.resolve().name}" for k, folder in enumerate(activities)]
        found = _summary(shared, names)
        if output is not None:
            _write(output, shared, names, found)
    if as_json:
        typer.echo(json.dumps(found, indent=1))
        return
    _print(found)
    say(f"fairness {found['fairness']:.3f}, throughput {found['throughput']:.3f} of one application's alone")
    say(f"{len(shared.turns)} frames counted; took {time.perf_counter() - began:.1f} s")


def _chosen(folder: Path, frames: str) -> list[int] | None:
    return frames_in(parse_frames(frames), Activity(folder).frames, f"--frames {frames}") if frames else None


def _figures(results: Results) -> dict[str, float]:
    totals = results.totals()
    return {
        "cycles": totals["gpu.cycles"],
        "l2_misses": totals["memory.l2_cache.misses"],
        "dram_bytes": totals["memory.dram.read_bytes"] + totals["memory.dram.write_bytes"],
        "energy_pj": results.energy().total_pj,
    }


def _summary(shared: Shared, names: list[str]) -> dict[str, Any]:
    """Contents of sharing.json."""
    return {
        "format": "tilegpu-sharing",
        "configuration": shared.alone[0].configuration.name,
        "fairness": shared.fairness,
        "throughput": shared.throughput,
        "applications": [
            {
                "name": name,
                "frames": len(shared.together[k].frames),
                "slowdown": shared.slowdown(k),
                "interference": shared.interference(k),
                "end_cycle": shared.end_cycle(k),
                "switch_cycles": shared.together[k].totals()["gpu.switch_cycles"],
                "alone": _figures(shared.alone[k]),
                "together": _figures(shared.together[k]),
            }
            for k, name in enumerate(names)
        ],
    }


def _write(output: Path, shared: Shared, names: list[str], found: dict[str, Any]) -> None:
    rows = [asdict(turn) | {"application": names[turn.application]} for turn in shared.turns]
    with whole_folder(output) as partial:
        for name, together, alone in zip(names, shared.together, shared.alone, strict=True):
            together.write(partial / name)
            alone.write(partial / f"{name}-alone")
        with naming(partial / TURNS):
            pq.write_table(pa.Table.from_pylist(rows), partial / TURNS, compression="zstd")
        with naming(partial / SUMMARY):
            (partial / SUMMARY).write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _print(found: dict[str, Any]) -> None:
    table = Table(
        "application",
        "frames",
        "cycles alone",
        "together",
        "interference",
        "slowdown",
        "L2 misses",
        "DRAM MB",
        box=None,
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for row in found["applications"]:
        alone, together = row["alone"], row["together"]
        table.add_row(
            row["name"],
            str(row["frames"]),
            f"{alone['cycles']:,.0f}",
            f"{together['cycles']:,.0f}",
            f"{row['interference']:.3f}",
            f"{row['slowdown']:.3f}",
            f"{alone['l2_misses']:,.0f} → {together['l2_misses']:,.0f}",
            f"{alone['dram_bytes'] / 1e6:,.2f} → {together['dram_bytes'] / 1e6:,.2f}",
        )
    print_table(table)
