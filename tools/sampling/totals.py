"""Totals of a whole capture from the frames that were simulated, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tilegpu.timing.results.results import Results
from tilegpu.timing.runs.table import read_results

from ..studies.drawing import middle
from .plan import Plan

DRAWS = 100_000
UNITS = {"cycles": "cycles", "energy": "pJ", "dram_bytes": "bytes", "l2_misses": "lines"}
"""Measures that totals are given of."""


@dataclass(frozen=True)
class Total:
    """A measure over the whole capture.

    Attributes
    ----------
    name, unit, value
        The measure.
    interval
        Holds the sum over all frames 95 times of 100; None if no cluster has two simulated frames.
    """

    name: str
    unit: str
    value: float
    interval: tuple[float, float] | None


def measures(results: Results, frame: int) -> dict[str, float]:
    """The measures of one frame."""
    return _measures(results.frame(frame), results.energy(frame).total_pj)


def measures_in(folder: Path) -> dict[int, dict[str, float]]:
    """The measures of each frame of a run that was written."""
    energy: dict[int, float] = {}
    for row in pq.read_table(folder / "energy.parquet").to_pylist():
        energy[row["frame"]] = energy.get(row["frame"], 0.0) + row["dynamic_pj"] + row["static_pj"]
    return {int(row["frame"]): _measures(row, energy[int(row["frame"])]) for row in read_results(folder)["frames"]}


def _measures(counted: Mapping[str, float], energy_pj: float) -> dict[str, float]:
    return {
        "cycles": counted["gpu.cycles"],
        "energy": energy_pj,
        "dram_bytes": counted["memory.dram.read_bytes"] + counted["memory.dram.write_bytes"],
        "l2_misses": counted["memory.l2_cache.misses"],
    }


def totals(
    plan: Plan, measured: Mapping[int, Mapping[str, float]], first_fills: Mapping[int, float] | None = None
) -> list[Total]:
    """Totals over the frames of a plan, from the measures of the chosen frames.

    Parameters
    ----------
    plan
        The plan.
    measured
        Measures of the chosen frames.
    first_fills
        L2 misses that filled empty lines, of all frames that were replayed, those that warm up included. Whichever
        frame is the first to use a line, it is so once in the whole capture: these misses count once, and only the
        others as often as the cluster has frames. In captures that use new textures all the time they happen again and
        again with other lines, so the interval reaches up to where they count like the others.

    A cluster counts as often as it has frames, with the mean of those that were simulated. The variance of the total is
    that of stratified sampling: for a cluster with m of n frames simulated, n^2 (1 - m / n) / m times the variance of
    these. As that is known from few frames, the interval is Student's. Clusters differ in spread, and where one has
    most of the variance, its frames alone say how large that is: degrees of freedom are Satterthwaite's (1946). A
    cluster with one simulated frame adds nothing to the interval.
    """
    found = []
    for name, unit in UNITS.items():
        once = first_fills if name == "l2_misses" and first_fills else {}
        values = [np.array([measured[f][name] - once.get(f, 0) for f in one.chosen]) for one in plan.clusters]
        sizes = [one.frames for one in plan.clusters]
        value = float(sum(n * v.mean() for n, v in zip(sizes, values, strict=True)) + sum(once.values()))
        known = any(len(v) > 1 for v in values)
        variance, freedom = variance_of_total(sizes, values)
        interval = middle(value + np.sqrt(variance) * _student(freedom)) if known else None
        if interval is not None and once:
            interval = interval[0], max(interval[1], _like_others(plan, measured, name))
        found.append(Total(name, unit, value, interval))
    return found


def _like_others(plan: Plan, measured: Mapping[int, Mapping[str, float]], name: str) -> float:
    """A total in which frames of a cluster repeat everything that its chosen frames count, first uses included."""
    return float(sum(one.frames * np.mean([measured[frame][name] for frame in one.chosen]) for one in plan.clusters))


def _student(freedom: float) -> NDArray[np.float64]:
    """Draws from Student's distribution, the same ones every time."""
    chance = np.random.default_rng(0)
    half = chance.normal(size=DRAWS) / np.sqrt(chance.chisquare(freedom, DRAWS) / freedom)
    # Both signs of each, as the distribution is symmetric.
    return np.concatenate([half, -half])


def variance_of_total(sizes: Sequence[int], values: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """Variance of a total over clusters, and its degrees of freedom (1 without a variance).

    Parameters
    ----------
    sizes
        Frames of each cluster.
    values
        A measure of those of its frames that were simulated.
    """
    whole, squares = 0.0, 0.0
    for size, known in zip(sizes, values, strict=True):
        count = len(known)
        if count > 1:
            variance = size**2 * (1 - count / size) * float(known.var(ddof=1)) / count
            whole += variance
            squares += variance**2 / (count - 1)
    return whole, whole**2 / squares if squares else 1.0
