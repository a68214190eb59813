"""Section of a report about what draws cost, run by run, those that took most of the time first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.results.draws import DRAWS, IDENTITY

from ..draw_costs import known_costs, name_of
from ..draw_reasons import in_words
from .page import Section
from .runs import Run, read_table
from .sweep import few
from .tables import Cell, Entry, percent_cell, sortable_table

MAX_ROWS = 300
MAX_RUNS = 4
"""Side by side."""
ALL: tuple[Entry, ...] = (None, "all", None, None)
"""Identity of the line of totals."""
SAME = ("frame", "kind", "name")
"""Columns by which rows of several runs belong together."""
ABOUT = (
    "A cycle of a frame belongs to the draws that the programmable cores at work are busy with, in equal parts; where "
    "none is at work, to those of the other units at work. Units named here did it for no draw. See docs/draw_costs.md."
)

Key = tuple[Any, ...]


def draws_section(runs: Sequence[Run], frames: Sequence[int]) -> Section | None:
    """Section with the costs of these frames; None where no run counted them."""
    read = [(run, read_costs(run, frames)) for run in few(runs, MAX_RUNS)]
    counted = [run for run, table in read if table is not None]
    tables = [table for _, table in read if table is not None]
    if not counted:
        return None
    rows: dict[Key, list[dict[str, Any] | None]] = {}
    for place, table in enumerate(tables):
        for row in table.to_pylist():
            same = rows.setdefault(tuple(row[name] for name in SAME), [None] * len(counted))
            same[place] = row
    ordered = sorted(rows.items(), key=lambda item: -_weight(item[1]))
    header, lines = _one(tables[0], ordered) if len(counted) == 1 else _several(counted, tables, ordered)
    more = f" The first {MAX_ROWS} of {len(ordered):,} rows." if len(ordered) > MAX_ROWS else ""
    table = sortable_table(header, lines, emphasized=1, filter_hint="filter: draw, label or program")
    bounds = "".join(f'<p class="note">{escape(_bounds(run, frames))}</p>' for run in counted)
    return Section("What draws cost", f'<p class="note">{ABOUT}{more}</p>{bounds}{table}')


def _weight(costs: Sequence[dict[str, Any] | None]) -> float:
    """By what rows are sorted: cycles of one run, and the largest change of several."""
    cycles = [0.0 if row is None else float(row["cycles"]) for row in costs]
    return cycles[0] if len(cycles) == 1 else max(abs(value - cycles[0]) for value in cycles[1:])


def _bounds(run: Run, frames: Sequence[int]) -> str:
    """Sentence about what bounded the tiles of some frames, most frequent first."""
    chosen = run.tiles.filter(pc.is_in(run.tiles["frame"], value_set=pa.array(frames, pa.int32())))
    bounds = Counter(name for name in chosen["bounded_by"].to_pylist() if name is not None)
    ordered = sorted(bounds.items(), key=lambda item: (-item[1], item[0]))
    shares = ", ".join(f"{name} {count / bounds.total():.0%}" for name, count in ordered)
    return f"Tiles of {run.name}, by what bounded them: {shares}."


def read_costs(run: Run, frames: Sequence[int]) -> pa.Table | None:
    """Costs of the draws of some frames, in the columns shown to people; None where the run did not count them."""
    if not (run.folder / f"{DRAWS}.parquet").is_file():
        return None
    costs = known_costs({*IDENTITY.names, *run.stats.statistics})
    schema = pa.schema([*IDENTITY, *((name, pa.float64()) for _, name in costs if name not in IDENTITY.names)])
    read = read_table(run.folder, DRAWS, schema)
    return read.filter(pc.is_in(read["frame"], value_set=pa.array(frames, pa.int32())))


def _identity(key: Key, row: dict[str, Any]) -> list[Entry]:
    program = None if row["program"] is None else str(row["program"])
    return [float(key[0]), Cell(name_of(row | {"label": ""}), None, "", row["label"] or ""), row["pass"], program]


def _one(table: pa.Table, ordered: Sequence[tuple[Key, Any]]) -> tuple[list[Entry], list[list[Entry]]]:
    """One run: all costs."""
    costs = known_costs(table.schema.names)
    header: list[Entry] = [
        "frame",
        "cost of",
        "pass",
        "program",
        Cell("share", None, "of the frame's time"),
        Cell("why", None, "for which it held the frame, by cycles"),
        *(c.title for c, _ in costs),
    ]
    every: list[dict[str, Any]] = [row for _, (row,) in ordered]
    sums = (sum(row[name] or 0.0 for row in every) * cost.scale for cost, name in costs)
    lines: list[list[Entry]] = [[*ALL, None, None, *sums]]
    for key, (row,) in ordered[:MAX_ROWS]:
        share = Cell(f"{row['share']:.1%}", row["share"])
        lines.append(
            [*_identity(key, row), share, in_words(row), *((row[name] or 0.0) * cost.scale for cost, name in costs)]
        )
    return header, lines


def _several(
    runs: Sequence[Run], tables: Sequence[pa.Table], ordered: Sequence[tuple[Key, Any]]
) -> tuple[list[Entry], list[list[Entry]]]:
    """Several runs: cycles, energy and traffic side by side, and what a draw gains or loses, in per cent."""
    shown = [
        (cost, name)
        for cost, name in known_costs(tables[0].schema.names)
        if cost.title in ("cycles", "energy / µJ", "DRAM / kB")
    ]
    header: list[Entry] = ["frame", "cost of", "pass", "program"]
    for cost, _ in shown:
        for number, run in enumerate(runs):
            header.append(f"{cost.title}, {run.name}")
            if number:
                header.append(Cell("difference", None, f"{cost.title}: {run.name} from {runs[0].name}, in per cent"))
    lines: list[list[Entry]] = [[*ALL]]
    lines += [_identity(key, next(row for row in draws if row is not None)) for key, draws in ordered[:MAX_ROWS]]
    for cost, name in shown:
        costs: list[list[float]] = [
            [0.0 if row is None else (row[name] or 0.0) * cost.scale for row in draws] for _, draws in ordered
        ]
        totals = [sum(of_run) for of_run in zip(*costs, strict=True)]
        for line, values in zip(lines, [totals, *costs], strict=False):
            line.append(values[0])
            for value in values[1:]:
                line += [value, percent_cell(value, values[0])]
    return header, lines
