"""Charts over several workloads, with geometric means, and lines over a field of the configuration."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .plots import Chart, PlotError, chart, spread
from .swept import flat
from .swept import labels as labels_of

Json = dict[str, Any]
MEAN = "geometric mean"
TITLES = {
    "energy": "energy per frame, relative to {}",
    "traffic": "DRAM traffic per frame, relative to {}",
    "cycles": "GPU cycles per frame, relative to {}",
    "speedup": "speed-up over {}",
}


@dataclass(frozen=True)
class Lines:
    """Lines over a field.

    Parameters
    ----------
    title, field, unit
        What it shows, name of the field, and unit of the vertical axis.
    lines
        Points by name: value of the field, and height.
    spread
        Standard deviation over frames of each point, by the same names; of lines of which it is known.
    """

    title: str
    field: str
    unit: str
    lines: dict[str, list[tuple[float, float]]]
    spread: dict[str, list[float]] = dataclasses.field(default_factory=dict)


def workloads(runs: Mapping[str, Json]) -> list[str]:
    """Captures of some runs, each once, in order."""
    return list(dict.fromkeys(_workload(run) for run in runs.values()))


def relative_chart(kind: str, runs: Mapping[str, Json]) -> Chart:
    """A group of bars per workload, a bar per configuration, relative to that of the first run; geometric means.

    Parameters
    ----------
    kind
        As of `plots.chart`.
    runs
        As `plots.read_results` gives them, by name.

    Raises
    ------
    PlotError
        If a workload lacks the first run's configuration, or has one twice.
    """
    labels = labels_of(runs)
    first = labels[next(iter(runs))]
    heights = _heights(kind, runs)
    by_label: dict[str, dict[str, float]] = {}
    for name, run in runs.items():
        of_label = by_label.setdefault(labels[name], {})
        if _workload(run) in of_label:
            raise PlotError(f"{name}: {_workload(run)} has two runs of {labels[name]}; plot them apart")
        of_label[_workload(run)] = heights[name]
    groups = workloads(runs)
    missing = [workload for workload in groups if workload not in by_label[first]]
    if missing:
        raise PlotError(f"{missing[0]}: has no run of {first}, with which the others are compared")
    parts = {}
    for label, values in by_label.items():
        ratios = [_ratio(kind, values.get(workload), by_label[first][workload]) for workload in groups]
        parts[label] = [*ratios, geometric_mean(ratios)]
    return Chart(TITLES[kind].format(first), "", [*groups, MEAN], parts, stacked=False)


def line_chart(kind: str, runs: Mapping[str, Json], over: str) -> Lines:
    """A line per configuration and workload over a numeric field, and their geometric means over several workloads.

    Raises
    ------
    PlotError
        If the field is no number, or the same in all runs.
    """
    values: dict[str, Any] = {name: flat(run["stats"]["configuration"]).get(over) for name, run in runs.items()}
    if not all(isinstance(value, int | float) for value in values.values()):
        raise PlotError(f"--over {over}: is no number; bars show it (leave --over out)")
    if len(set(values.values())) < 2:
        raise PlotError(f"--over {over}: is {next(iter(values.values()))} in all runs")
    labels, heights, several = labels_of(runs, (over,)), _heights(kind, runs), workloads(runs)
    spreads = dict(zip(runs, spread(kind, dict(runs)) or [math.nan] * len(runs), strict=True))
    points_of: dict[str, list[tuple[float, float, float]]] = {}
    for name, run in runs.items():
        parts = [_workload(run)] * (len(several) > 1) + [labels[name]] * bool(labels[name])
        points_of.setdefault(", ".join(parts), []).append((float(values[name]), heights[name], spreads[name]))
    lines = {name: [(x, y) for x, y, _ in sorted(points)] for name, points in points_of.items()}
    around = {name: [wide for *_, wide in sorted(points)] for name, points in points_of.items()}
    title, unit = kind, chart(kind, {name: dict(run) for name, run in list(runs.items())[:1]}).axis
    if kind == "speedup":
        title, unit = f"speed-up over {next(iter(runs))}", "times"
    if len(several) > 1:
        for label in dict.fromkeys(labels.values()):
            mean = _mean_line(runs, labels, values, heights, label)
            lines[", ".join(part for part in (MEAN, label) if part)] = sorted(mean)
    error_bars = {name: wide for name, wide in around.items() if len(several) == 1 and not any(map(math.isnan, wide))}
    return Lines(title, over, unit, lines, error_bars)


def geometric_mean(values: Sequence[float]) -> float:
    """Geometric mean of the positive values."""
    logs = [math.log(value) for value in values if value > 0]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def _mean_line(
    runs: Mapping[str, Json],
    labels: Mapping[str, str],
    values: Mapping[str, Any],
    heights: Mapping[str, float],
    label: str,
) -> list[tuple[float, float]]:
    of_label = [name for name in runs if labels[name] == label]
    at = dict.fromkeys(values[name] for name in of_label)
    return [(float(x), geometric_mean([heights[n] for n in of_label if values[n] == x])) for x in at]


def _heights(kind: str, runs: Mapping[str, Json]) -> dict[str, float]:
    """Sum of the chart's parts per run; speed-ups over the first run of the same workload."""
    if kind != "speedup":
        parts = chart(kind, dict(runs)).parts
        return {name: sum(part[place] for part in parts.values()) for place, name in enumerate(runs)}
    cycles = _heights("cycles", runs)
    first = {_workload(run): cycles[name] for name, run in list(runs.items())[::-1]}
    return {name: first[_workload(run)] / cycles[name] if cycles[name] else math.nan for name, run in runs.items()}


def _ratio(kind: str, value: float | None, first: float) -> float:
    return math.nan if value is None or not first else value if kind == "speedup" else value / first


def _workload(run: Json) -> str:
    return str(run["stats"].get("source", {}).get("name", "")).removesuffix(".trace")
