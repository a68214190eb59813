"""The shader lines that cost most, of a replay that counted what each costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.results.lines import LINES
from tilegpu.timing.results.results import Results

from .cost_table import Cost, print_costs

SHOWN = 16
"""Rows printed."""
TEXT_CHARACTERS = 60
"""Of a line that is printed."""
CORE_CYCLES = "core_cycles"
"""Cycles of programmable processors: `issue_cycles` and `stall_cycles`."""
COSTS = (
    Cost("issue cycles", "issue_cycles"),
    Cost("stall cycles", "stall_cycles"),
    Cost("texture misses", "texture_misses"),
    Cost("executed", "executed"),
)
"""Costs that tables for people show."""


def with_core_cycles(table: pa.Table) -> pa.Table:
    """A table of the costs of lines with a column of the cycles that processors spent on each."""
    return table.append_column(CORE_CYCLES, pc.add(table["issue_cycles"], table["stall_cycles"]))


def place_of(row: Mapping[str, Any]) -> str:
    """Program, stage and line of a row, or the name of what belongs to no line."""
    if row["program"] is None:
        return str(row["name"])
    calls = "".join(f" < {line}" for line in row["calls"] or ())
    return f"program {row['program']} {row['stage']}:{row['line'] or 'end'}{calls}"


def print_lines(results: Results) -> None:
    """Print the lines that took most cycles of processors in all counted frames, and the sums of all."""
    table = with_core_cycles(pa.concat_tables(results.own[LINES]))
    order = [(CORE_CYCLES, "descending"), ("frame", "ascending"), ("program", "ascending"), ("line", "ascending")]
    texts = {"cost of": place_of, "line": lambda row: (row["text"] or "").strip()[:TEXT_CHARACTERS]}
    print_costs(table.sort_by(order), CORE_CYCLES, texts, COSTS, SHOWN, "lines")
