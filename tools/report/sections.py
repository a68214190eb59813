"""Sections of a report: runs, pictures, statistics, where cycles and energy go, configurations, timelines."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow.compute as pc

from tilegpu.timing.config.fields import known_fields
from tilegpu.timing.results.cycle_parts import cycle_parts, seen_parts, unchanged
from tilegpu.timing.results.plots import Chart, PlotError, chart
from tilegpu.timing.results.results import MAIN

from .charts import stacked_bars
from .page import Section, figure_html, image_html
from .pictures import HOW, Pictures
from .runs import ReportError, Run
from .sweep import FEWEST, comparable, few, headline
from .tables import Cell, Entry, percent_cell, sortable_table
from .tiles import picture_id

CAUSE_COLOURS = {
    "busy": "#3aa66b",
    "waiting": "#c94f6d",
    "texel_stall": "#c94f6d",
    "code_stall": "#8a6bc9",
    "result_stall": "#a8802f",
    "blocked": "#e8863b",
    "output": "#e8863b",
    "idle": "#a3abb5",
    "empty": "#a3abb5",
}
CAUSES = (
    "Busy: at work. Waiting: for memory or other results; processors tell texel, code and result stalls apart. "
    "Blocked, output: nothing could be handed on. Idle, empty: nothing to do. Causes of one kind have one colour; "
    "instances of a unit are taken together."
)


WIDE = 4
"""Runs that fit a table side by side."""
BOUND = (
    Cell("as before", None, "largest part that did not shrink, and its share of the run"),
    Cell("allows", None, "speed-up if all else were as many times as fast as the part that shrank most, 2, 4, 8 …"),
    Cell("at most", None, "speed-up if all else took no time"),
)
ABOUT = ("capture", "configuration", "frames")
MAX_FIGURES = 4
"""Runs whose units are drawn."""


def runs_section(runs: Sequence[Run]) -> Section:
    """One row per run: what it ran, the main figures, and where its time went."""
    parts = [{name: _per_frame(run, value) for name, value in cycle_parts(run.stats.totals).items()} for run in runs]
    seen = seen_parts(parts)
    about = [_about(run) for run in runs]
    unlike = [place for place in range(len(ABOUT)) if len({each[place].text for each in about}) > 1]
    header: list[Entry] = ["run", *(ABOUT[place] for place in unlike), Cell("cycles", None, "per frame"), "time / ms"]
    header += [Cell("energy / µJ", None, "per frame"), Cell("speed-up", None, "over the first run, per frame")]
    header += list(BOUND) * (len(runs) > 1)
    header += [Cell(name, None, "cycles of this part, per frame") for name in seen]
    first = _per_frame(runs[0], runs[0].stats.totals.get("gpu.cycles", 0.0))
    rows: list[list[Entry]] = []
    for run, facts, own in zip(runs, about, parts, strict=True):
        cycles = _per_frame(run, run.stats.totals.get("gpu.cycles", 0.0))
        energy = sum(map(float, run.energy["dynamic_pj"].to_pylist() + run.energy["static_pj"].to_pylist()))
        clocks = run.stats.configuration.clocks
        made: list[Entry] = [Cell(run.name, None, str(run.folder)), *(facts[place] for place in unlike), cycles]
        made += [
            cycles / (clocks.gpu_mhz / clocks.gpu_divisor) / 1e3,
            _per_frame(run, energy) / 1e6 if energy else None,
        ]
        made += [first / cycles if cycles else None]
        if len(runs) > 1:
            made += _as_before(run, runs[0])
        rows.append([*made, *(own.get(name, 0.0) for name in seen)])
    lead = headline(runs) if len(runs) < FEWEST else ""
    same = ", ".join(f"{ABOUT[p]} {about[0][p].text}" for p in range(len(ABOUT)) if p not in unlike)
    alike = f'<p class="note">{escape(same[:1].upper() + same[1:])}.</p>' if same else ""
    return Section("Runs", lead + _unlike(runs) + alike + sortable_table(header, rows))


def _about(run: Run) -> list[Cell]:
    """Entries of the columns `ABOUT`, which are told once where all runs have the same."""
    capture = Cell(run.stats.source.get("name", ""), None, "SHA-256 " + run.stats.source.get("sha256", "unknown"))
    return [capture, Cell(run.stats.configuration.name), Cell(str(len(run.frames)), len(run.frames))]


def _as_before(run: Run, first: Run) -> list[Entry]:
    """Bounds of a run's speed-up over the first; nothing where they do not compare."""
    bound = None
    if run is not first and comparable([first, run]) and run.stats.totals["gpu.cycles"]:
        bound = unchanged(run.stats.totals, first.stats.totals)
    return [None] * 3 if bound is None else [f"{bound.part} {bound.share:.0%}", bound.bound_at_factor, bound.bound]


def _unlike(runs: Sequence[Run]) -> str:
    """A note where totals do not compare."""
    if comparable(runs):
        return ""
    what = (
        "are of different captures"
        if any(run.stats.source != runs[0].stats.source for run in runs)
        else ("counted different frames")
    )
    return f'<p class="note">These runs {what}: their totals do not compare.</p>'


def frames_section(pictures: Pictures, frames: Sequence[int], counted: int) -> Section:
    """Pictures of frames, and of passes that look otherwise; says which of the counted frames are shown."""
    shown = []
    for number, picture in sorted(pictures.frames.items()):
        shown.append(_shown(picture, picture_id(number), f"frame {number}"))
        for (frame, own), image in sorted(pictures.passes.items()):
            if frame == number and image != picture:
                shown.append(_shown(image, picture_id(frame, own), f"frame {frame}, pass {own}"))
    html = f'<div class="grid">{"".join(shown)}</div>' if shown else f'<p class="note">{escape(HOW)}</p>'
    if len(frames) < counted:
        listed = ", ".join(map(str, frames))
        html += f'<p class="note">Shown here and below: {listed}, of {counted} frames; --frame picks others.</p>'
    return Section("Frames", html)


def _shown(picture: bytes, name: str, caption: str) -> str:
    return f'<div id="{name}">{image_html(picture, caption, caption)}</div>'


def statistics_section(runs: Sequence[Run]) -> Section:
    """Every statistic over all frames: the main ones first, then those that differ most between the runs.

    Of many runs the first is shown, with the least and the most of all; the matrix of the sweep has the others.
    """
    declared = {name: stat for run in reversed(runs) for name, stat in run.stats.statistics.items()}
    main = [name for name in MAIN if name in declared]
    others = [name for name in declared if name not in main]
    others.sort(key=lambda name: -max(abs(change) for change in [0.0, *_changes(name, runs)]))
    wide = len(runs) <= WIDE
    header: list[Entry] = ["statistic", "unit", runs[0].name]
    if wide:
        for run in runs[1:]:
            header += [run.name, Cell("difference", None, f"{run.name} from {runs[0].name}, in per cent")]
    else:
        header += ["least", "most", Cell("largest difference", None, f"from {runs[0].name}, in per cent"), "in run"]
    rows: list[list[Entry]] = []
    for name in [*main, *others]:
        stat = declared[name]
        about = f"{name} = {stat.formula}" if stat.formula else name
        also = f"; Arm's {stat.arm_name}" if stat.arm_name else ""
        row: list[Entry] = [Cell(name, None, about, stat.description + also), stat.unit]
        rows.append(row + (_side_by_side(name, runs) if wide else _extremes(name, runs)))
    hint = "filter: words of names and descriptions"
    table = sortable_table(header, rows, emphasized=len(main), filter_hint=hint)
    order = "the main ones, then those that differ most" if len(runs) > 1 else "the main ones first"
    return Section("Statistics", f'<p class="note">Over all counted frames; {order}.</p>{table}')


def _changes(name: str, runs: Sequence[Run]) -> list[float]:
    """Differences of the runs from the first, as shares of its value; infinite where that is 0, and theirs is not."""
    first = runs[0].stats.totals.get(name) or 0.0
    values = [run.stats.totals.get(name, 0.0) for run in runs[1:]]
    return [value / first - 1 if first else math.copysign(math.inf, value) if value else 0.0 for value in values]


def _side_by_side(name: str, runs: Sequence[Run]) -> list[Entry]:
    first = runs[0].stats.totals.get(name)
    row: list[Entry] = [first]
    for run in runs[1:]:
        value = run.stats.totals.get(name)
        row += [value, percent_cell(value, first)]
    return row


def _extremes(name: str, runs: Sequence[Run]) -> list[Entry]:
    first = runs[0].stats.totals.get(name)
    values = [value for run in runs if (value := run.stats.totals.get(name)) is not None]
    farthest = max(runs[1:], key=lambda run: abs(run.stats.totals.get(name, 0.0) - (first or 0.0)))
    value = farthest.stats.totals.get(name)
    where = farthest.name if value != first else ""
    return [first, min(values), max(values), percent_cell(value, first), where]


def cycles_section(runs: Sequence[Run]) -> Section:
    """GPU cycles of all runs, and what each unit of each run spent them on."""
    parts, shown = [_chart("cycles", runs)], few(runs, MAX_FIGURES)
    for run in shown:
        spent: dict[str, dict[str, float]] = {}
        for row in run.units.group_by(["unit", "cause"], use_threads=False).aggregate([("cycles", "sum")]).to_pylist():
            spent.setdefault(row["unit"], {})[row["cause"]] = float(row["cycles_sum"])
        working = {unit: causes for unit, causes in spent.items() if causes.get("busy")}
        causes = list(dict.fromkeys([*CAUSE_COLOURS, *(cause for cycles in working.values() for cause in cycles)]))
        shares: dict[str, list[float | None]] = {
            cause.replace("_", " "): [
                100 * cycles.get(cause, 0.0) / sum(cycles.values()) for cycles in working.values()
            ]
            for cause in causes
            if any(cycles.get(cause) for cycles in working.values())
        }
        colours = {cause.replace("_", " "): colour for cause, colour in CAUSE_COLOURS.items()}
        units = [unit.replace("_", " ") for unit in working]
        figure = stacked_bars(run.name, "% of the unit's cycles", units, shares, colours)
        parts.append(figure_html(figure))
    note = CAUSES + (f" Units of {len(shown)} of {len(runs)} runs." if len(shown) < len(runs) else "")
    return Section("Where cycles go", f'{parts[0]}<p class="note">{escape(note)}</p>{"".join(parts[1:])}')


def energy_section(runs: Sequence[Run]) -> Section:
    """Energy by unit, DRAM traffic, and energy of every structure."""
    energies: dict[tuple[str, str], list[float | None]] = {}
    for place, run in enumerate(runs):
        total = run.energy.append_column("pj", pc.add(run.energy["dynamic_pj"], run.energy["static_pj"]))
        grouped = total.group_by(["unit", "structure"], use_threads=False).aggregate([("pj", "sum")])
        for row in grouped.to_pylist():
            of_runs = energies.setdefault((row["unit"], row["structure"]), [None] * len(runs))
            of_runs[place] = _per_frame(run, row["pj_sum"]) / 1e6
    rows: list[list[Entry]] = [[structure, unit, *values] for (unit, structure), values in energies.items()]
    rows.sort(key=lambda row: -float(row[2] or 0) if not isinstance(row[2], str | Cell) else 0.0)
    header = ["structure", "unit", *(f"{run.name} / µJ" for run in runs)]
    table = sortable_table(header, rows, filter_hint="filter: structure or unit")
    charts = _chart("energy", runs) + _chart("traffic", runs)
    return Section("Where energy goes", f"{charts}<h3>Structures, µJ per frame</h3>{table}")


def _chart(kind: str, runs: Sequence[Run]) -> str:
    try:
        made: Chart = chart(kind, {run.name: run.figures for run in runs})
    except PlotError as error:
        return f'<p class="note">{escape(str(error))}</p>'
    parts: dict[str, list[float | None]] = {name: list(values) for name, values in made.parts.items()}
    return figure_html(stacked_bars(made.title, made.axis, made.runs, parts))


def configuration_section(runs: Sequence[Run]) -> Section:
    """Fields in which the runs differ, and the whole configurations."""
    flats = [run.configuration for run in runs]
    declared: dict[str, Any] = dict(known_fields())
    rows: list[list[Entry]] = []
    for name in dict.fromkeys(name for flat in flats for name in flat):
        values = [flat.get(name, "") for flat in flats]
        if len(set(values)) > 1:
            field = declared.get(name)
            unit = (getattr(field, "json_schema_extra", None) or {}).get("unit", "")
            about = getattr(field, "description", None) or ""
            rows.append([Cell(name, None, "", about), unit, *map(_entry, values)])
    header = ["field", "unit", *(run.name for run in runs)]
    html = sortable_table(header, rows) if rows else '<p class="note">All runs have the same configuration.</p>'
    for run in runs:
        path = run.folder / "config.toml"
        text = _text(path) if path.is_file() else ""
        if text:
            html += f"<details><summary>{escape(run.name)}: config.toml</summary><pre>{escape(text)}</pre></details>"
    return Section("Configuration", html)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ReportError(f"{path}: not a text file") from None


def _entry(text: str) -> Cell:
    return Cell(text, float(text)) if text.isdecimal() else Cell(text)


def timeline_section(runs: Sequence[Run], page: Path) -> Section:
    """Links to timelines, relative to the page, and how to look at them."""
    items = []
    for run in runs:
        if run.timeline is not None:
            # From "./", so that no name of a folder can be taken for another kind of address.
            way = "./" + quote(os.path.relpath(run.timeline.resolve(), page.resolve().parent))
            items.append(f'<li><a href="{escape(way)}">{escape(run.name)}: {run.timeline.name}</a></li>')
    viewer = '<a href="https://ui.perfetto.dev">ui.perfetto.dev</a>'
    how = f"<p>Open such a file in {viewer}: it shows tiles, units, queues and memory over time.</p>"
    if items:
        return Section("Timeline", f"<ul>{''.join(items)}</ul>{how}")
    make = "tilegpu replay ACTIVITY --timeline 0:1 -o RESULTS"
    return Section("Timeline", f"<p>No run has one; this writes RESULTS/timeline.pftrace:</p><pre>{make}</pre>{how}")


def _per_frame(run: Run, total: float) -> float:
    return total / max(1, len(run.frames))
