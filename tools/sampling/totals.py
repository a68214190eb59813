"""Totals of a whole capture from the frames that were simulated, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.activity.arrow_files import read_parquet
from tilegpu.timing.results.results import Results
from tilegpu.timing.runs.table import read_results

from ..studies.drawing import middle
from .first_uses import Fills, once
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
    for row in read_parquet(folder / "energy.parquet").to_pylist():
        energy[row["frame"]] = energy.get(row["frame"], 0.0) + row["dynamic_pj"] + row["static_pj"]
    return {int(row["frame"]): _measures(row, energy[int(row["frame"])]) for row in read_results(folder)["frames"]}


def _measures(counted: Mapping[str, float], energy_pj: float) -> dict[str, float]:
    return {
        "cycles": counted["gpu.cycles"],
        "energy": energy_pj,
        "dram_bytes": counted["memory.dram.read_bytes"] + counted["memory.dram.write_bytes"],
        "l2_misses": counted["memory.l2_cache.misses"],
    }


def totals(plan: Plan, measured: Mapping[int, Mapping[str, float]], fills: Fills | None = None) -> list[Total]:
    """Totals over the frames of a plan, from the measures of the chosen frames.

    Parameters
    ----------
    plan
        The plan.
    measured
        Measures of the chosen frames.
    fills
        L2 misses that filled empty lines. Whichever frame is the first to use a line, it is so once in the whole
        capture: these misses count once, and only the others as often as the cluster has frames. Of textures, buffers
        and the Parameter Buffer, the plan knows what only frames use that were not replayed. Of other lines it does
        not, so the interval reaches up to where first uses count like the others.

    A cluster counts as often as it has frames, with the mean of those that were simulated. The variance of the total is
    that of stratified sampling: for a cluster with m of n frames simulated, n^2 (1 - m / n) / m times the variance of
    these. As that is known from few frames, the interval is Student's. Clusters differ in spread, and where one has
    most of the variance, its frames alone say how large that is: degrees of freedom are Satterthwaite's (1946). A
    cluster with one simulated frame adds nothing to the interval.
    """
    found, first = [], once(plan, fills) if fills is not None and fills.by_kind else {}
    for name, unit in UNITS.items():
        own = first.get(name, ())
        often = {f: measured[f][name] - sum(part.of_frame.get(f, 0) for part in own) for f in plan.chosen}
        values = [np.array([often[f] for f in one.chosen]) for one in plan.clusters]
        sizes = [one.frames for one in plan.clusters]
        value = float(plan.total(often) + sum(part.value for part in own))
        known = any(len(v) > 1 for v in values)
        of_parts = ((part.variance, part.freedom) for part in own)
        variance, freedom = _together(variance_of_total(sizes, values), *of_parts)
        interval = middle(value + np.sqrt(variance) * _student(freedom)) if known else None
        if interval is not None and own:
            # As if frames of a cluster repeated all that its chosen frames count, first uses included.
            repeated = plan.total({frame: counted[name] for frame, counted in measured.items()})
            interval = interval[0], max(interval[1], repeated)
        found.append(Total(name, unit, value, interval))
    return found


def _together(*parts: tuple[float, float]) -> tuple[float, float]:
    """Variance of a sum, and its degrees of freedom, from those of its parts."""
    whole = sum(variance for variance, _ in parts)
    squares = sum(variance**2 / freedom for variance, freedom in parts)
    return whole, whole**2 / squares if squares else 1.0


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
    parts = [
        (size**2 * (1 - len(known) / size) * float(known.var(ddof=1)) / len(known), len(known) - 1.0)
        for size, known in zip(sizes, values, strict=True)
        if len(known) > 1
    ]
    return _together(*parts)
