"""Section of a report about what resources cost, run by run, those with most traffic of main memory first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.results.resources import IDENTITY, RESOURCES

from ..resource_costs import BYTES, known_costs, notes_of, size_of, title_of
from .page import Section
from .runs import Run, read_table
from .sweep import few
from .tables import Cell, Entry, percent_cell, sortable_table

MAX_ROWS = 300
MAX_RUNS = 4
"""Side by side."""
MAX_NOTES = 20
SAME = ("frame", "kind", "name")
"""Columns by which rows of several runs belong together."""
WAITING = "waiting_cycles"
ABOUT = (
    "An access belongs to the texture level, attachment, buffer or region at its address; a unit that waits for memory "
    "waits for the resource of its oldest read. Units named here did it for no address. See docs/resource_costs.md."
)

Key = tuple[Any, ...]
Found = Sequence[dict[str, Any] | None]


def resources_section(runs: Sequence[Run], frames: Sequence[int]) -> Section | None:
    """Section with the costs of these frames; None where no run counted them."""
    read = [(run, read_costs(run, frames)) for run in few(runs, MAX_RUNS)]
    counted = [(run, table) for run, table in read if table is not None]
    if not counted:
        return None
    rows: dict[Key, list[dict[str, Any] | None]] = {}
    for place, (_, table) in enumerate(counted):
        for row in table.to_pylist():
            same = rows.setdefault(tuple(row[name] for name in SAME), [None] * len(counted))
            same[place] = row
    ordered = sorted(rows.items(), key=lambda item: -_weight(item[1]))
    shown = ordered[:MAX_ROWS]
    header, lines = _one(counted[0][1], shown) if len(counted) == 1 else _several([run for run, _ in counted], shown)
    more = f" The first {MAX_ROWS} of {len(ordered):,} rows." if len(ordered) > MAX_ROWS else ""
    table = sortable_table(header, lines, emphasized=1, filter_hint="filter: resource or format")
    notes = [note for run, read in counted for note in _notes(run.name if len(counted) > 1 else "", read)]
    listed = f"<ul>{''.join(notes)}</ul>" if notes else ""
    return Section("What resources cost", f'<p class="note">{escape(ABOUT)}{more}</p>{listed}{table}')


def _notes(run: str, table: pa.Table) -> Iterator[str]:
    """Items of a list of what the use of resources suggests, those with most traffic first."""
    ordered = table.sort_by([(BYTES, "descending")]).to_pylist()
    for name, notes in notes_of(ordered)[:MAX_NOTES]:
        yield f"<li>{escape(f'{run}: ' * bool(run) + name)}: {escape('; '.join(notes))}</li>"


def _weight(costs: Found) -> float:
    """By what rows are sorted: bytes of main memory of one run, and the largest change of several."""
    values = [0.0 if row is None else float(row[BYTES] or 0) for row in costs]
    return values[0] if len(values) == 1 else max(abs(value - values[0]) for value in values[1:])


def read_costs(run: Run, frames: Sequence[int]) -> pa.Table | None:
    """Costs of the resources of some frames, in the columns shown to people; None where the run did not count them."""
    if not (run.folder / f"{RESOURCES}.parquet").is_file():
        return None
    costs = known_costs({*IDENTITY.names, *run.stats.statistics})
    names = [cost.statistic for cost in costs if cost.statistic not in IDENTITY.names]
    read = read_table(run.folder, RESOURCES, pa.schema([*IDENTITY, *((name, pa.float64()) for name in names)]))
    return read.filter(pc.is_in(read["frame"], value_set=pa.array(frames, pa.int32())))


def _identity(row: dict[str, Any]) -> list[Entry]:
    return [float(row["frame"]), title_of(row), size_of(row)]


def _one(table: pa.Table, ordered: Sequence[tuple[Key, Found]]) -> tuple[list[Entry], list[list[Entry]]]:
    """One run: all costs."""
    costs = known_costs(table.schema.names)
    header: list[Entry] = ["frame", "cost of", "size", *(cost.title for cost in costs)]
    header += [
        Cell("texels", None, "that fragments take, helper lanes among them"),
        Cell("distinct", None, "different ones among them"),
    ]
    lines: list[list[Entry]] = []
    for _, (row,) in ordered:
        assert row is not None
        values = [(row[cost.statistic] or 0.0) * cost.scale for cost in costs]
        lines.append([*_identity(row), *values, row["texels"], row["distinct_texels"]])
    return header, lines


def _several(runs: Sequence[Run], ordered: Sequence[tuple[Key, Found]]) -> tuple[list[Entry], list[list[Entry]]]:
    """Several runs: traffic and waiting side by side, and what a resource gains or loses, in per cent."""
    header: list[Entry] = ["frame", "cost of", "size"]
    lines: list[list[Entry]] = [_identity(next(row for row in costs if row is not None)) for _, costs in ordered]
    for title, name, scale in (("DRAM / kB", BYTES, 1e-3), ("waiting cycles", WAITING, 1.0)):
        for number, run in enumerate(runs):
            header.append(f"{title}, {run.name}")
            if number:
                header.append(Cell("difference", None, f"{title}: {run.name} from {runs[0].name}, in per cent"))
        for line, (_, costs) in zip(lines, ordered, strict=True):
            values = [0.0 if row is None else (row[name] or 0.0) * scale for row in costs]
            line.append(values[0])
            for value in values[1:]:
                line += [value, percent_cell(value, values[0])]
    return header, lines
