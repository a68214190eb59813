"""Pictures of results: where energy, traffic and cycles go, and speed-ups, as stacked or plain bars."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.errors import UserError
from tilegpu.functional.optional import optional

KINDS = ("energy", "traffic", "cycles", "speedup")
MAX_FILE_BYTES = 1 << 28


class PlotError(UserError):
    """Results that cannot be drawn."""


@dataclass(frozen=True)
class Chart:
    """Bars: one per run, each a stack of named parts.

    Parameters
    ----------
    title, axis
        What it shows, and the unit of the axis.
    runs
        Names of the bars.
    parts
        Height of each part in each bar.
    stacked
        Whether parts stand on each other, or side by side.
    """

    title: str
    axis: str
    runs: list[str]
    parts: dict[str, list[float]]
    stacked: bool = True


def read_results(folder: Path) -> dict[str, Any]:
    """Statistics (and energy, where there is one) of a results folder.

    Raises
    ------
    PlotError
        If it holds no results.
    """
    found: dict[str, Any] = {}
    for name in ("stats", "energy"):
        path = folder / f"{name}.json"
        if path.is_file() and path.stat().st_size <= MAX_FILE_BYTES:
            try:
                found[name] = json.loads(path.read_text("utf-8"))
            except (ValueError, RecursionError):
                raise PlotError(f"{path}: not JSON") from None
    if not isinstance(found.get("stats"), dict) or not isinstance(found["stats"].get("totals"), dict):
        raise PlotError(f"{folder}: holds no results of `tilegpu replay`")
    return found


def chart(kind: str, runs: dict[str, dict[str, Any]]) -> Chart:
    """Chart of some runs, as `read_results` gives them, by name; speed-ups are over the first.

    Raises
    ------
    PlotError
        If there is no such chart, or a run has no such figures.
    """
    if kind not in KINDS:
        raise PlotError(f"no chart {kind}: choose one of {', '.join(KINDS)}")
    names = list(runs)
    try:
        made = {"energy": _energy, "traffic": _traffic, "cycles": _cycles, "speedup": _speedup}[kind](runs)
    except (KeyError, TypeError, AttributeError):
        raise PlotError(f"{kind}: a run has no such figures; replay it again with this version") from None
    title, axis, parts = made
    return Chart(title, axis, names, parts)


Parts = tuple[str, str, dict[str, list[float]]]


def _energy(runs: dict[str, dict[str, Any]]) -> Parts:
    reports = [run["energy"] for run in runs.values()]
    made = reports[0]["technology"]
    frames = [max(1, report["frames"]) for report in reports]
    units = sorted({unit for report in reports for unit in report["units_pj"]})
    parts = {"DRAM": [r["memory_pj"] / 1e6 / n for r, n in zip(reports, frames, strict=True)]}
    for unit in units:
        parts[unit] = [r["units_pj"].get(unit, 0.0) / 1e6 / n for r, n in zip(reports, frames, strict=True)]
    return f"energy (profile {made['profile']}, {made['node_nm']} nm {made['device']})", "µJ per frame", parts


def _traffic(runs: dict[str, dict[str, Any]]) -> Parts:
    totals = [run["stats"]["totals"] for run in runs.values()]
    frames = [max(1, len(run["stats"]["frames"])) for run in runs.values()]
    parts = {}
    for way in ("read", "write"):
        prefix = f"memory.dram.{way}_bytes."
        for name in sorted({name for t in totals for name in t if name.startswith(prefix)}):
            values = [t.get(name, 0.0) / 1e6 / n for t, n in zip(totals, frames, strict=True)]
            if any(values):
                parts[f"{way} {name.removeprefix(prefix).replace('_', ' ')}"] = values
    return "DRAM traffic", "MB per frame", parts


def _cycles(runs: dict[str, dict[str, Any]]) -> Parts:
    totals = [run["stats"]["totals"] for run in runs.values()]
    frames = [max(1, len(run["stats"]["frames"])) for run in runs.values()]
    parts = {
        name: [t[f"gpu.{name}_cycles"] / 1e6 / n for t, n in zip(totals, frames, strict=True)]
        for name in ("geometry", "raster")
    }
    rest = [
        (t["gpu.cycles"] - t["gpu.geometry_cycles"] - t["gpu.raster_cycles"]) / 1e6 / n
        for t, n in zip(totals, frames, strict=True)
    ]
    if any(value > 0 for value in rest):
        parts["rest"] = [max(0.0, value) for value in rest]
    return "GPU cycles", "million cycles per frame", parts


def _speedup(runs: dict[str, dict[str, Any]]) -> Parts:
    totals = [run["stats"]["totals"] for run in runs.values()]
    first = totals[0]["gpu.cycles"]
    return "speed-up", "times the first run", {"": [first / max(1, t["gpu.cycles"]) for t in totals]}


def draw(drawn: Chart, path: Path) -> None:
    """Draw a chart into a .png or .svg file, which appears when it is whole."""
    # Takes half a second to import, which only those who draw should pay.
    figures = matplotlib_figures()
    if path.suffix not in (".png", ".svg"):
        raise PlotError(f"{path}: write a .png or .svg file")
    figure = figures.Figure(figsize=(max(4.0, 1.2 + 0.9 * len(drawn.runs)), 4.0), layout="constrained")
    axes = figure.subplots()
    bottom = [0.0] * len(drawn.runs)
    width = 0.6 if drawn.stacked else 0.8 / len(drawn.parts)
    for place, (name, values) in enumerate(drawn.parts.items()):
        left = 0.0 if drawn.stacked else width * (place - (len(drawn.parts) - 1) / 2)
        axes.bar([i + left for i in range(len(values))], values, bottom=bottom, label=name or None, width=width)
        if drawn.stacked:
            bottom = [b + v for b, v in zip(bottom, values, strict=True)]
    axes.set_xticks(range(len(drawn.runs)), drawn.runs)
    axes.set_title(drawn.title)
    axes.set_ylabel(drawn.axis)
    axes.tick_params(axis="x", labelrotation=30)
    if any(drawn.parts):
        figure.legend(loc="outside right upper", fontsize="small")
    save(figure, path)


def matplotlib_figures() -> Any:
    """Matplotlib's module of figures, without a display.

    Raises
    ------
    MissingPackage
        If Matplotlib is not installed.
    """
    optional("matplotlib", "drawing pictures").use("Agg")
    return optional("matplotlib.figure", "drawing pictures")


def save(figure: Any, path: Path) -> None:
    """Write a figure of Matplotlib into a .png or .svg file: always the same bytes, and there when it is whole."""
    matplotlib = optional("matplotlib", "drawing pictures")
    matplotlib.rcParams["svg.hashsalt"] = "tilegpu"
    undated = {"Date": None} if path.suffix == ".svg" else None
    with whole_file(path) as partial:
        figure.savefig(partial, format=path.suffix[1:], dpi=150, metadata=undated)
