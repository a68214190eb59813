"""Main figures of several runs as a table: where their time goes, and what bounds their speed-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
from rich.table import Table

from tilegpu.timing.results.cycle_parts import cycle_parts, seen_parts, unchanged
from tilegpu.timing.runs import Run

from .console import out, print_table, say

Json = dict[str, Any]
WIDE = 120
"""Columns of a terminal that has room for the parts of the time beside the figures."""
AS_BEFORE = (
    "as before: the largest part that did not shrink, its share of the run, and the speed-ups that it allows with all "
    "else so many times as fast, and at most"
)


def sweep_rows(runs: Sequence[Run], totals: Mapping[str, Json], first: str, table: pa.Table) -> list[Json]:
    """Main figures of each run over all frames.

    Parameters
    ----------
    runs, totals
        Runs, and their statistics by name.
    first
        Name of the run that the others are compared with.
    table
        Row per run and frame, as `runs.parquet` has it.
    """
    energy: dict[str, float] = {}
    for name, value in zip(table["run"].to_pylist(), table["energy_pj"].to_pylist(), strict=True):
        energy[name] = energy.get(name, 0.0) + (value or 0.0)
    return [_row(run.name, totals[run.name], totals[first], energy[run.name]) for run in runs]


def _row(name: str, own: Json, baseline: Json, energy_pj: float) -> Json:
    cycles = own["gpu.cycles"]
    bound = unchanged(own, baseline) if own is not baseline else None
    return {
        "run": name,
        "cycles": cycles,
        "raster_cycles": own["gpu.raster_cycles"],
        "cycles_by_part": cycle_parts(own),
        "l2_hit_rate": own["memory.l2_cache.hit_rate"],
        "dram_bytes": own["memory.dram.read_bytes"] + own["memory.dram.write_bytes"],
        "energy_pj": energy_pj,
        "speed_up": baseline["gpu.cycles"] / cycles if cycles else None,
        "as_before": None if bound is None else asdict(bound),
    }


def print_sweep(rows: Sequence[Json], first: str) -> None:
    """Print the rows of a sweep; on narrow terminals the parts of the time in a table of their own."""
    parts = seen_parts([row["cycles_by_part"] for row in rows])
    cycles = {"cycles": _millions([row["cycles"] for row in rows])}
    by_part = {part: _millions([row["cycles_by_part"].get(part, 0.0) for row in rows]) for part in parts}
    figures = {
        "L2 hits": [f"{row['l2_hit_rate']:.1%}" for row in rows],
        "DRAM/MB": [f"{row['dram_bytes'] / 1e6:,.2f}" for row in rows],
        "energy/µJ": [f"{row['energy_pj'] / 1e6:,.1f}" for row in rows],
        "speed-up": [f"{row['speed_up']:.3f}" if row["speed_up"] else "" for row in rows],
    }
    bounds = {"as before": [as_before_text(row["as_before"]) for row in rows]}
    names = [row["run"] for row in rows]
    if out.is_terminal and out.width < WIDE:
        _print(names, cycles | figures)
        _print(names, by_part | bounds)
    else:
        _print(names, cycles | by_part | figures | bounds)
    say(f"[dim]all frames together, cycles in millions; the speed-up is over {first}[/dim]")
    if any(row["as_before"] for row in rows):
        say(f"[dim]{AS_BEFORE}[/dim]")


def _millions(values: Sequence[float]) -> list[str]:
    return [f"{value / 1e6:,.3f}" for value in values]


def _print(names: Sequence[str], columns: Mapping[str, Sequence[str]]) -> None:
    printed = Table("run", *columns, box=None)
    for column in printed.columns[1:]:
        column.justify = "right"
    for name, *values in zip(names, *columns.values(), strict=True):
        printed.add_row(name, *values)
    print_table(printed)


def as_before_text(bound: Json | None) -> str:
    """Part that did not shrink, its share, and both bounds, such as "transfers 29%: 1.70 at 2x, 5.69"."""
    if bound is None:
        return ""
    scaled = f"{bound['bound_at_factor']:.2f} at {bound['factor']}x"
    return f"{bound['part']} {bound['share']:.0%}: {scaled}, {bound['bound']:.2f}"
