"""Tables that machines and techniques have among the results, run by run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import pyarrow.compute as pc

from tilegpu.timing.declare.statistics import ResultTable
from tilegpu.timing.registry import find_machine, find_technique, technique_names

from .page import Section
from .runs import Run, read_table
from .tables import Entry, sortable_table

MAX_ROWS = 500


def techniques_section(runs: Sequence[Run], frames: Sequence[int]) -> Section | None:
    """Section with what the techniques are and their rows of these frames; None where no run has any."""
    names = dict.fromkeys(name for run in runs for name in _names(run))
    if not names:
        return None
    lines = "".join(f"<li><code>{escape(n)}</code>: {escape(find_technique(n).title)}</li>" for n in names)
    section = _section("Techniques", runs, frames, _tables)
    return Section("Techniques", f"<ul>{lines}</ul>\n{section.html if section is not None else ''}")


def dispatches_section(runs: Sequence[Run], frames: Sequence[int]) -> Section | None:
    """The same for what machines write: dispatches."""
    return _section("Dispatches", runs, frames, _of_machine)


def _section(
    title: str, runs: Sequence[Run], frames: Sequence[int], tables: Callable[[Run], list[ResultTable]]
) -> Section | None:
    parts = [_table(run, table, frames) for run in runs for table in tables(run)]
    return Section(title, "\n".join(parts)) if parts else None


def _of_machine(run: Run) -> list[ResultTable]:
    """Tables that a run's machine writes."""
    tables = find_machine(run.figures["stats"]["configuration"]["machine"]).results
    return [table for table in tables if (run.folder / f"{table.name}.parquet").is_file()]


def _tables(run: Run) -> list[ResultTable]:
    """Tables that a run's techniques write."""
    tables = [table for name in _names(run) for table in find_technique(name).results]
    return [table for table in tables if (run.folder / f"{table.name}.parquet").is_file()]


def _names(run: Run) -> list[str]:
    """Techniques of a run, but for those of plug-ins that are not here."""
    return [name for name in run.figures["stats"]["configuration"]["techniques"] if name in technique_names()]


def _table(run: Run, table: ResultTable, frames: Sequence[int]) -> str:
    read = read_table(run.folder, table.name, table.schema)
    chosen = read.filter(pc.is_in(read["frame"], value_set=pc.cast(list(frames), "int32")))
    rows: list[list[Entry]] = [list(row.values()) for row in chosen.slice(0, MAX_ROWS).to_pylist()]
    more = f" The first {MAX_ROWS} of {len(chosen):,} rows." if len(chosen) > MAX_ROWS else ""
    head = f"<h3>{escape(run.name)}: <code>{escape(table.name)}.parquet</code></h3>"
    return f"{head}\n<p>{escape(table.title)}.{more}</p>\n" + sortable_table(list(table.schema.names), rows)
