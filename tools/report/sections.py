"""Sections of a report: runs, pictures, statistics, where cycles and energy go, configurations, timelines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow.compute as pc

from tilegpu.timing.config.fields import known_fields
from tilegpu.timing.results.plots import Chart, PlotError, chart
from tilegpu.timing.results.results import MAIN

from .charts import stacked_bars
from .page import Section, figure_html, image_html
from .pictures import HOW, Pictures
from .runs import ReportError, Run
from .tables import Cell, Entry, sortable_table
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
    "Blocked, output: nothing could be handed on. Idle, empty: nothing to do. Instances of a unit are taken together."
)


def runs_section(runs: Sequence[Run]) -> Section:
    """One row per run: what it ran, and the main figures."""
    header: list[Entry] = ["run", "capture", "configuration", "frames", Cell("cycles", None, "per frame"), "time / ms"]
    header += [Cell("energy / µJ", None, "per frame"), Cell("speed-up", None, "over the first run, per frame")]
    rows: list[list[Entry]] = []
    first = _per_frame(runs[0], runs[0].stats.totals.get("gpu.cycles", 0.0))
    for run in runs:
        cycles = _per_frame(run, run.stats.totals.get("gpu.cycles", 0.0))
        energy = sum(map(float, run.energy["dynamic_pj"].to_pylist() + run.energy["static_pj"].to_pylist()))
        hardware = run.stats.configuration
        mhz = hardware.clocks.gpu_mhz / hardware.clocks.gpu_divisor
        capture = Cell(run.stats.source.get("name", ""), None, "SHA-256 " + run.stats.source.get("sha256", "unknown"))
        made: list[Entry] = [Cell(run.name, None, str(run.folder)), capture, hardware.name, len(run.frames), cycles]
        made += [cycles / mhz / 1e3, _per_frame(run, energy) / 1e6 if energy else None]
        rows.append([*made, first / cycles if cycles else None])
    return Section("Runs", _unlike(runs) + sortable_table(header, rows))


def _unlike(runs: Sequence[Run]) -> str:
    """A note where totals do not compare."""
    first = runs[0]
    if any(run.stats.source != first.stats.source for run in runs):
        return '<p class="note">These runs are of different captures: their totals do not compare.</p>'
    if any(run.frames != first.frames for run in runs):
        return '<p class="note">These runs counted different frames: their totals do not compare.</p>'
    return ""


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
    """Every statistic of every run over all of its frames, the main ones first."""
    declared = {name: stat for run in reversed(runs) for name, stat in run.stats.statistics.items()}
    names = [name for name in MAIN if name in declared]
    names += [name for name in declared if name not in names]
    header: list[Entry] = ["statistic", "unit"]
    for number, run in enumerate(runs):
        header.append(run.name)
        if number:
            header.append(Cell("ratio", None, f"{run.name} over {runs[0].name}"))
    rows: list[list[Entry]] = []
    for name in names:
        stat, first = declared[name], runs[0].stats.totals.get(name)
        about = f"{name} = {stat.formula}" if stat.formula else name
        also = f"; Arm's {stat.arm_name}" if stat.arm_name else ""
        row: list[Entry] = [Cell(name, None, about, stat.description + also), stat.unit]
        for number, run in enumerate(runs):
            value = run.stats.totals.get(name)
            row.append(value)
            if number:
                row.append(value / first if value is not None and first else None)
        rows.append(row)
    hint = "filter: words of names and descriptions"
    main = sum(name in MAIN for name in names)
    table = sortable_table(header, rows, emphasized=main, filter_hint=hint)
    return Section("Statistics", '<p class="note">Over all counted frames.</p>' + table)


def cycles_section(runs: Sequence[Run]) -> Section:
    """GPU cycles of all runs, and what each unit of each run spent them on."""
    parts = [_chart("cycles", runs)]
    for run in runs:
        spent: dict[str, dict[str, float]] = {}
        for row in run.units.group_by(["unit", "cause"], use_threads=False).aggregate([("cycles", "sum")]).to_pylist():
            spent.setdefault(row["unit"], {})[row["cause"]] = float(row["cycles_sum"])
        working = {unit: causes for unit, causes in spent.items() if causes.get("busy")}
        causes = list(dict.fromkeys([*CAUSE_COLOURS, *(cause for found in working.values() for cause in found)]))
        shares: dict[str, list[float | None]] = {
            cause.replace("_", " "): [100 * found.get(cause, 0.0) / sum(found.values()) for found in working.values()]
            for cause in causes
            if any(found.get(cause) for found in working.values())
        }
        colours = {cause.replace("_", " "): colour for cause, colour in CAUSE_COLOURS.items()}
        units = [unit.replace("_", " ") for unit in working]
        figure = stacked_bars(run.name, "% of the unit's cycles", units, shares, colours)
        parts.append(figure_html(figure))
    return Section("Where cycles go", f'{parts[0]}<p class="note">{escape(CAUSES)}</p>{"".join(parts[1:])}')


def energy_section(runs: Sequence[Run]) -> Section:
    """Energy by unit, DRAM traffic, and energy of every structure."""
    found: dict[tuple[str, str], list[float | None]] = {}
    for place, run in enumerate(runs):
        total = run.energy.append_column("pj", pc.add(run.energy["dynamic_pj"], run.energy["static_pj"]))
        grouped = total.group_by(["unit", "structure"], use_threads=False).aggregate([("pj", "sum")])
        for row in grouped.to_pylist():
            of_runs = found.setdefault((row["unit"], row["structure"]), [None] * len(runs))
            of_runs[place] = _per_frame(run, row["pj_sum"]) / 1e6
    rows: list[list[Entry]] = [[structure, unit, *values] for (unit, structure), values in found.items()]
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
    known: dict[str, Any] = dict(known_fields())
    rows: list[list[Entry]] = []
    for name in dict.fromkeys(name for found in flats for name in found):
        values = [found.get(name, "") for found in flats]
        if len(set(values)) > 1:
            field = known.get(name)
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
    how = (
        f"<p>Open such a file in {viewer} or chrome://tracing: it shows tiles, units, queues and memory over time.</p>"
    )
    if items:
        return Section("Timeline", f"<ul>{''.join(items)}</ul>{how}")
    make = "tilegpu replay ACTIVITY --timeline 0:1 -o RESULTS"
    return Section("Timeline", f"<p>No run has one; this writes RESULTS/timeline.json:</p><pre>{make}</pre>{how}")


def _per_frame(run: Run, total: float) -> float:
    return total / max(1, len(run.frames))
