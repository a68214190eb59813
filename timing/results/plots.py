"""Pictures of results: where energy, traffic and cycles go, and speed-ups, as stacked or plain bars."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilegpu.functional.errors import UserError

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
        Whether parts are stacked, or side by side.
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
    results: dict[str, Any] = {}
    for name in ("stats", "energy"):
        path = folder / f"{name}.json"
        if path.is_file() and path.stat().st_size <= MAX_FILE_BYTES:
            try:
                results[name] = json.loads(path.read_text("utf-8"))
            except (ValueError, RecursionError):
                raise PlotError(f"{path}: not JSON") from None
    if not isinstance(results.get("stats"), dict) or not isinstance(results["stats"].get("totals"), dict):
        raise PlotError(f"{folder}: holds no results of `tilegpu replay`")
    return results


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
        figures = {"energy": _energy, "traffic": _traffic, "cycles": _cycles, "speedup": _speedup}[kind](runs)
    except (KeyError, TypeError, AttributeError):
        raise PlotError(f"{kind}: a run has no such figures; replay it again with this version") from None
    title, axis, parts = figures
    return Chart(title, axis, names, parts)


Parts = tuple[str, str, dict[str, list[float]]]


def _energy(runs: dict[str, dict[str, Any]]) -> Parts:
    reports = [run["energy"] for run in runs.values()]
    process = reports[0]["technology"]
    frames = [max(1, report["frames"]) for report in reports]
    units = sorted({unit for report in reports for unit in report["units_pj"]})
    parts = {"DRAM": [r["memory_pj"] / 1e6 / n for r, n in zip(reports, frames, strict=True)]}
    for unit in units:
        parts[unit] = [r["units_pj"].get(unit, 0.0) / 1e6 / n for r, n in zip(reports, frames, strict=True)]
    return f"energy (profile {process['profile']}, {process['node_nm']} nm {process['device']})", "µJ per frame", parts


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
    cycles = [run["stats"]["totals"]["gpu.cycles"] / max(1, len(run["stats"]["frames"])) for run in runs.values()]
    return f"speed-up over {next(iter(runs))}", "times", {"": [cycles[0] / max(1, own) for own in cycles]}
