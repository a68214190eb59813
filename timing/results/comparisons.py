"""Charts over several workloads, with geometric means, and lines over a field of the configuration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .plots import Chart, PlotError, chart

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
    """

    title: str
    field: str
    unit: str
    lines: dict[str, list[tuple[float, float]]]


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
    labels = _labels(runs, ())
    first = labels[next(iter(runs))]
    heights = _heights(kind, runs)
    found: dict[str, dict[str, float]] = {}
    for name, run in runs.items():
        of_label = found.setdefault(labels[name], {})
        if _workload(run) in of_label:
            raise PlotError(f"{name}: {_workload(run)} has two runs of {labels[name]}; plot them apart")
        of_label[_workload(run)] = heights[name]
    groups = workloads(runs)
    missing = [workload for workload in groups if workload not in found[first]]
    if missing:
        raise PlotError(f"{missing[0]}: has no run of {first}, with which the others are compared")
    parts = {}
    for label, values in found.items():
        ratios = [_ratio(kind, values.get(workload), found[first][workload]) for workload in groups]
        parts[label] = [*ratios, geometric_mean(ratios)]
    return Chart(TITLES[kind].format(first), "", [*groups, MEAN], parts, stacked=False)


def line_chart(kind: str, runs: Mapping[str, Json], field: str) -> Lines:
    """A line per configuration and workload over a numeric field, and their geometric means over several workloads.

    Raises
    ------
    PlotError
        If the field is no number, or the same in all runs.
    """
    values = {name: _field(run, field) for name, run in runs.items()}
    if not all(isinstance(value, int | float) for value in values.values()):
        raise PlotError(f"--over {field}: is no number; bars show it (leave --over out)")
    if len(set(values.values())) < 2:
        raise PlotError(f"--over {field}: is {next(iter(values.values()))} in all runs")
    labels, heights, several = _labels(runs, (field,)), _heights(kind, runs), workloads(runs)
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, run in runs.items():
        parts = [_workload(run)] * (len(several) > 1) + [labels[name]] * bool(labels[name])
        lines.setdefault(", ".join(parts), []).append((float(values[name]), heights[name]))
    title, unit = kind, chart(kind, {name: dict(run) for name, run in list(runs.items())[:1]}).axis
    if kind == "speedup":
        title, unit = f"speed-up over {next(iter(runs))}", "times"
    if len(several) > 1:
        for label in dict.fromkeys(labels.values()):
            lines[", ".join(part for part in (MEAN, label) if part)] = _mean_line(runs, labels, values, heights, label)
    return Lines(title, field, unit, {name: sorted(points) for name, points in lines.items()})


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


def _labels(runs: Mapping[str, Json], but: Sequence[str]) -> dict[str, str]:
    """Each run's configuration: its name where names differ, and the fields that differ otherwise."""
    flat = {name: dict(_flat(run["stats"]["configuration"])) for name, run in runs.items()}
    first = next(iter(flat.values()))
    names = dict.fromkeys(of.get("name") for of in flat.values())
    fields = {field: None for of in flat.values() for field in of if field not in ("name", *but)}
    varied = [field for field in fields if any(of.get(field) != first.get(field) for of in flat.values())]
    if len(names) > 1:
        # The name of a preset represents its own fields: those that differ between runs of one name are left.
        varied = [
            field
            for field in varied
            if any(len({str(of.get(field)) for of in flat.values() if of.get("name") == name}) > 1 for name in names)
        ]
    labels = {}
    for name, of in flat.items():
        parts = [str(of.get("name"))] if len(names) > 1 or (not varied and not but) else []
        labels[name] = ", ".join([*parts, *(f"{field.rpartition('.')[2]}={of.get(field)}" for field in varied)])
    return labels


def _field(run: Json, field: str) -> Any:
    return dict(_flat(run["stats"]["configuration"])).get(field)


def _flat(configuration: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for name, value in configuration.items():
        if isinstance(value, Mapping):
            pairs += _flat(value, f"{prefix}{name}.")
        else:
            pairs.append((prefix + name, "+".join(value) or "none" if isinstance(value, list) else value))
    return pairs
