"""The draws that cost most, of a replay that counted what each costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa

from tilegpu.timing.results.draws import DRAWS
from tilegpu.timing.results.results import Results

from .cost_table import Cost, print_costs
from .draw_reasons import in_words

SHOWN = 12
"""Rows printed."""


class DrawCost(NamedTuple):
    """Column that is shown of a table of draws: what it is called there, its statistics, the first of which a machine
    has, and its scale."""

    title: str
    statistics: tuple[str, ...]
    scale: float = 1.0


COSTS = (
    DrawCost("cycles", ("cycles",)),
    DrawCost("energy / µJ", ("dynamic_pj",), 1e-6),
    DrawCost("vertices", ("geometry.vertex_processor.vertices", "simt.core.vertices")),
    DrawCost("quads shaded", ("fragment.processor.quads", "simt.core.quads")),
    DrawCost("instructions", ("fragment.processor.instructions", "simt.core.instructions")),
    DrawCost("lines of texels", ("fragment.texture_unit.lines",)),
    DrawCost("lines loaded and stored", ("simt.load_store.lines",)),
    DrawCost("L2 misses", ("memory.l2_cache.misses",)),
    DrawCost("DRAM / kB", ("memory.dram.bytes",), 1e-3),
)
"""Costs that tables for people show."""


def known_costs(names: Any) -> list[tuple[DrawCost, str]]:
    """Costs that a table with columns of these names has, with their columns."""
    named = ((cost, next((name for name in cost.statistics if name in names), None)) for cost in COSTS)
    return [(cost, name) for cost, name in named if name is not None]


def name_of(row: Mapping[str, Any]) -> str:
    """Name of a row: a draw or dispatch by its number, call and label, a unit by its name."""
    call = "" if row["call"] is None else f" (call {row['call']})"
    return f"{row['name']}{call} {row['label'] or ''}".rstrip()


def print_draws(results: Results) -> None:
    """Print the draws that took most of the time of all counted frames, and the sums of all."""
    draws = pa.concat_tables(results.own[DRAWS])
    costs = [Cost(cost.title, name, cost.scale) for cost, name in known_costs(draws.schema.names)]
    ordered = draws.sort_by([("cycles", "descending"), ("frame", "ascending"), ("name", "ascending")])
    print_costs(ordered, "cycles", {"cost of": name_of, "why": in_words}, costs, SHOWN, "draws, dispatches and units")
