"""Section of a report about several runs: which is fastest, what bounds it, and any statistic over what was swept."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from tilegpu.timing.config.fields import short_names
from tilegpu.timing.results.cycle_parts import Unchanged, unchanged
from tilegpu.timing.results.results import MAIN
from tilegpu.timing.results.swept import CONFIGURATION, labels, swept_fields, value_text

from .charts import curves
from .page import Section, data_html, figure_html
from .runs import Run

FEWEST = 3
"""Runs that make a sweep."""
CONTROLS = """<div class="controls">
<label>statistic <select id="sweep-statistic"></select></label>
<label><input type="checkbox" id="sweep-percent"> differences from the baseline in per cent</label>
</div>
<p class="note" id="sweep-about"></p>
<div class="wide"><table id="sweep-matrix"><thead></thead><tbody></tbody></table></div>"""


def comparable(runs: Sequence[Run]) -> bool:
    """Whether totals of the runs compare: of one capture, of the same frames."""
    first = runs[0]
    return all(run.stats.source == first.stats.source and run.frames == first.frames for run in runs)


def headline(runs: Sequence[Run]) -> str:
    """Name the fastest run, by how much and through what, and what bounds it; nothing where runs do not compare."""
    first = runs[0]
    cycles = {run.name: run.stats.totals["gpu.cycles"] for run in runs}
    if len(runs) < 2 or not comparable(runs) or not all(cycles.values()):
        return ""
    fastest = min(runs, key=lambda run: cycles[run.name])
    if fastest is first:
        return f"<p><strong>No run is faster than {escape(first.name)}.</strong></p>"
    ratio = cycles[first.name] / cycles[fastest.name]
    pair = {run.name: run.figures for run in (first, fastest)}
    by = labels(pair)[fastest.name]
    bound = unchanged(fastest.stats.totals, first.stats.totals)
    why = "" if bound is None else f" {_why(bound)}"
    sentence = f"{ratio:.2f} times as fast as {first.name} by {by}"
    return f"<p><strong>{escape(sentence)}.</strong>{escape(why)}</p>"


def _why(bound: Unchanged) -> str:
    return (
        f"The largest part that did not shrink: {bound.part}, {bound.share:.0%} of the run, which allows "
        f"{bound.bound_at_factor:.2f} times with all else {bound.factor} times as fast, {bound.bound:.2f} at most."
    )


def swept_words(runs: Sequence[Run]) -> str:
    """Names of what differs between runs, the shortest that say which."""
    fields = list(swept_fields({run.name: run.figures for run in runs}))
    short = short_names([field for field in fields if field != CONFIGURATION])
    return ", ".join(short.get(field, field) for field in fields)


def sweep_section(runs: Sequence[Run]) -> Section | None:
    """Speed-ups over a field, and a matrix of any statistic; None for few runs, or ones that do not compare."""
    fields = swept_fields({run.name: run.figures for run in runs})
    if len(runs) < FEWEST or not fields or not comparable(runs):
        return None
    body = headline(runs) + _curves(runs, fields) + data_html(_matrix(runs, fields), "sweep-data") + CONTROLS
    return Section("Sweep", body, ("sweep.js",))


def _curves(runs: Sequence[Run], fields: dict[str, dict[str, Any]]) -> str:
    """Speed-ups over the numeric field with most values, a curve for each combination of the others."""
    numeric = [
        field
        for field, values in fields.items()
        if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values.values())
    ]
    first = runs[0].stats.totals["gpu.cycles"]
    if not numeric or not all(run.stats.totals["gpu.cycles"] for run in runs):
        return ""
    field = max(numeric, key=lambda name: len(set(fields[name].values())))
    others = labels({run.name: run.figures for run in runs}, (field,))
    series: dict[str, list[tuple[float, float]]] = {}
    for run in runs:
        point = float(fields[field][run.name]), first / run.stats.totals["gpu.cycles"]
        series.setdefault(others[run.name], []).append(point)
    drawn = {name: sorted(points) for name, points in series.items()}
    return figure_html(curves(f"speed-up over {runs[0].name}", field, "times as fast", drawn, True))


def _matrix(runs: Sequence[Run], fields: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Data for the script: fields, values of each run, and totals of each statistic; the last field goes across."""
    declared = {name: stat for run in reversed(runs) for name, stat in run.stats.statistics.items()}
    names = [name for name in MAIN if name in declared]
    names += [name for name in declared if name not in names]
    *down, across = fields
    short = short_names([field for field in fields if field != CONFIGURATION])
    return {
        "across": short.get(across, across),
        "down": [short.get(field, field) for field in down],
        "runs": [
            {
                "name": run.name,
                "across": value_text(across, fields[across][run.name]),
                "down": [value_text(field, fields[field][run.name]) for field in down],
                "totals": [run.stats.totals.get(name) for name in names],
            }
            for run in runs
        ],
        "statistics": [[name, declared[name].unit, declared[name].description] for name in names],
    }


def few(runs: Sequence[Run], most: int) -> list[Run]:
    """The first run, the fastest and the slowest, and others in their order up to so many."""
    if len(runs) <= most:
        return list(runs)
    by_speed = sorted(runs, key=lambda run: run.stats.totals["gpu.cycles"] / max(1, len(run.frames)))
    chosen = list(dict.fromkeys(run.name for run in (runs[0], by_speed[0], by_speed[-1], *runs)))[:most]
    return [run for run in runs if run.name in chosen]
