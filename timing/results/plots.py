"""Pictures of results: where energy, traffic and cycles go, and speed-ups, as stacked or plain bars."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.arrow_files import read_parquet
from tilegpu.functional.errors import UserError

from .cycle_parts import cycle_parts, seen_parts
from .swept import labels, swept_fields

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
    spread
        Standard deviation of each bar's height over the frames of its run; empty where runs have one frame.
    groups
        Of each bar, what it has in common with its neighbours; empty without groups.
    """

    title: str
    axis: str
    runs: list[str]
    parts: dict[str, list[float]]
    stacked: bool = True
    spread: list[float] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


def read_results(folder: Path) -> dict[str, Any]:
    """Statistics (and energy, where there is one, in all and of each frame) of a results folder.

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
    path = folder / "energy.parquet"
    if path.is_file() and path.stat().st_size <= MAX_FILE_BYTES:
        with suppress(pa.ArrowException, KeyError):
            results["energy_by_frame"] = _energy_by_frame(read_parquet(path))
    return results


def _energy_by_frame(energy: pa.Table) -> dict[int, float]:
    total = pa.table({"frame": energy["frame"], "pj": pc.add(energy["dynamic_pj"], energy["static_pj"])})
    summed = total.group_by("frame").aggregate([("pj", "sum")])
    return dict(zip(summed["frame"].to_pylist(), summed["pj_sum"].to_pylist(), strict=True))


def chart(kind: str, runs: dict[str, dict[str, Any]]) -> Chart:
    """Chart of some runs, as `read_results` gives them, by name; speed-ups are over the first.

    Raises
    ------
    PlotError
        If there is no such chart, or a run has no such figures.
    """
    if kind not in KINDS:
        raise PlotError(f"no chart {kind}: choose one of {', '.join(KINDS)}")
    try:
        figures = {"energy": _energy, "traffic": _traffic, "cycles": _cycles, "speedup": _speedup}[kind](runs)
        names, groups = _grouped(runs)
        deviations = spread(kind, runs)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise PlotError(f"{kind}: a run has no such figures; replay it again with this version") from None
    title, axis, parts = figures
    return Chart(title, axis, names, parts, spread=deviations, groups=groups)


def _grouped(runs: dict[str, dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Names of bars and of groups of bars: what changes from run to run, and the rest of what was swept."""
    names = list(runs)
    fields = list(swept_fields(runs)) if all("configuration" in run["stats"] for run in runs.values()) else []
    if len(fields) < 2:
        return names, []
    inner, outer = (labels(runs, but) for but in (fields[:-1], fields[-1:]))
    parts = [(inner[name], outer[name]) for name in names]
    if len(set(parts)) < len(parts) or len(set(outer.values())) == len(parts):
        return names, []
    return [name for name, _ in parts], [group for _, group in parts]


def spread(kind: str, runs: dict[str, dict[str, Any]]) -> list[float]:
    """Standard deviation over frames of what a chart shows of each run; empty where it is not known of some."""
    heights = [_of_frames(kind, run) for run in runs.values()]
    if any(len(of_run) < 2 for of_run in heights):
        return []
    if kind == "speedup":
        first = heights[0]
        if any(of_run.keys() != first.keys() or not all(of_run.values()) for of_run in heights):
            return []
        heights = [{frame: first[frame] / value for frame, value in of_run.items()} for of_run in heights]
    return [float(np.std(list(of_run.values()), ddof=1)) for of_run in heights]


def _of_frames(kind: str, run: dict[str, Any]) -> dict[int, float]:
    """Height of the bar of each frame of a run; empty where it is not known."""
    if kind == "energy":
        return {frame: value / 1e6 for frame, value in run.get("energy_by_frame", {}).items()}
    names = ("memory.dram.read_bytes", "memory.dram.write_bytes") if kind == "traffic" else ("gpu.cycles",)
    frames = run["stats"]["frames"]
    if not all(name in frame for frame in frames for name in names):
        return {}
    return {int(frame["frame"]): sum(float(frame[name]) for name in names) / 1e6 for frame in frames}


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
    parts_of_runs = [cycle_parts(of_run) for of_run in totals]
    order = seen_parts(parts_of_runs)
    parts = {
        name: [of_run.get(name, 0.0) / 1e6 / n for of_run, n in zip(parts_of_runs, frames, strict=True)]
        for name in order
    }
    return "GPU cycles", "million cycles per frame", parts


def _speedup(runs: dict[str, dict[str, Any]]) -> Parts:
    cycles = [run["stats"]["totals"]["gpu.cycles"] / max(1, len(run["stats"]["frames"])) for run in runs.values()]
    return f"speed-up over {next(iter(runs))}", "times", {"": [cycles[0] / max(1, own) for own in cycles]}
