"""The draws that cost most, of a replay that counted what each costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from rich.table import Table

from tilegpu.timing.results.draws import DRAWS
from tilegpu.timing.results.results import Results

from .console import print_table, say

SHOWN = 12
"""Rows printed."""


class Cost(NamedTuple):
    """Column that is shown of a table of draws: what it is called there, its statistics, the first of which a machine
    has, and its scale."""

    title: str
    statistics: tuple[str, ...]
    scale: float = 1.0


COSTS = (
    Cost("cycles", ("cycles",)),
    Cost("energy / µJ", ("dynamic_pj",), 1e-6),
    Cost("vertices", ("geometry.vertex_processor.vertices", "simt.core.vertices")),
    Cost("quads shaded", ("fragment.processor.quads", "simt.core.quads")),
    Cost("instructions", ("fragment.processor.instructions", "simt.core.instructions")),
    Cost("lines of texels", ("fragment.texture_unit.lines",)),
    Cost("lines loaded and stored", ("simt.load_store.lines",)),
    Cost("L2 misses", ("memory.l2_cache.misses",)),
    Cost("DRAM / kB", ("memory.dram.bytes",), 1e-3),
)
"""Costs that tables for people show."""


def known_costs(names: Any) -> list[tuple[Cost, str]]:
    """Costs that a table with columns of these names has, with their columns."""
    found = ((cost, next((name for name in cost.statistics if name in names), None)) for cost in COSTS)
    return [(cost, name) for cost, name in found if name is not None]


def name_of(row: Mapping[str, Any]) -> str:
    """Name of a row: a draw or dispatch by its number, call and label, a unit by its name."""
    call = "" if row["call"] is None else f" (call {row['call']})"
    return f"{row['name']}{call} {row['label'] or ''}".rstrip()


def print_draws(results: Results) -> None:
    """Print the draws that took most of the time of all counted frames, and the sums of all."""
    draws = pa.concat_tables(results.own[DRAWS])
    several = len(results.frames) > 1
    columns = known_costs(draws.schema.names)
    printed = Table(*(["frame"] if several else []), "cost of", "share", *(cost.title for cost, _ in columns), box=None)
    for column in printed.columns[1 + several :]:
        column.justify = "right"
    total = float(pc.sum(draws["cycles"]).as_py() or 0.0)
    ordered = draws.sort_by([("cycles", "descending"), ("frame", "ascending"), ("name", "ascending")])
    for row in ordered.slice(0, SHOWN).to_pylist():
        values = (f"{(row[name] or 0) * cost.scale:,.0f}" for cost, name in columns)
        share = f"{row['cycles'] / total:.1%}" if total else ""
        printed.add_row(*([str(row["frame"])] if several else []), name_of(row), share, *values)
    sums = (f"{(pc.sum(draws[name]).as_py() or 0) * cost.scale:,.0f}" for cost, name in columns)
    printed.add_row(*([""] if several else []), "all", "100.0%", *sums)
    print_table(printed)
    left = len(ordered) - SHOWN
    if left > 0:
        say(f"[dim]{left} further draws, dispatches and units cost less[/dim]")
