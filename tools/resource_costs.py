"""The resources that cost most, of a replay that counted what each costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from tilegpu.timing.results.resources import RESOURCES
from tilegpu.timing.results.results import Results

from .console import say
from .cost_table import Cost, print_costs

SHOWN = 16
"""Rows printed."""
NOTED = 8
"""Resources whose notes are printed."""
BYTES = "memory.dram.bytes"


COSTS = (
    Cost("DRAM / kB", BYTES, 1e-3),
    Cost("read / kB", "memory.dram.read_bytes", 1e-3),
    Cost("written / kB", "memory.dram.write_bytes", 1e-3),
    Cost("L2 accesses", "memory.l2_cache.accesses"),
    Cost("L2 misses", "memory.l2_cache.misses"),
    Cost("waiting cycles", "waiting_cycles"),
)
"""Costs that tables for people show."""


def known_costs(names: Any) -> list[Cost]:
    """Costs that a table with columns of these names has."""
    return [cost for cost in COSTS if cost.statistic in names]


def title_of(row: Mapping[str, Any]) -> str:
    """Name of a resource, and the one that the application gave it, if any."""
    return f"{row['name']} “{row['label']}”" if row["label"] else str(row["name"])


def size_of(row: Mapping[str, Any]) -> str:
    """Size and format of a resource, as far as it has any."""
    if row["width"]:
        samples = f", {row['samples']} samples" if (row["samples"] or 1) > 1 else ""
        return f"{row['width']}x{row['height']} {row['format']}{samples}"
    return "" if row["size_bytes"] is None else f"{row['size_bytes']:,} B"


def print_resources(results: Results) -> None:
    """Print the resources that took most of main memory's traffic in all counted frames, and the sums of all."""
    table = pa.concat_tables(results.own[RESOURCES])
    order = [(BYTES, "descending"), ("waiting_cycles", "descending"), ("frame", "ascending"), ("name", "ascending")]
    ordered = table.sort_by(order)
    texts = {"cost of": title_of, "size": size_of}
    print_costs(ordered, BYTES, texts, known_costs(table.schema.names), SHOWN, "resources")
    noted = notes_of(ordered.to_pylist())
    for name, notes in noted[:NOTED]:
        say(f"{name}: {'; '.join(notes)}")
    if len(noted) > NOTED:
        say(f"[dim]{len(noted) - NOTED} further resources have notes: {RESOURCES}.parquet[/dim]")


def notes_of(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    """Notes by the names of resources, in the order of the rows; of several frames those of the first."""
    notes: dict[str, list[str]] = {}
    for row in rows:
        if row["notes"]:
            notes.setdefault(title_of(row), row["notes"])
    return list(notes.items())
