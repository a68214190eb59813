"""Totals of a whole capture from the frames that were simulated, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilegpu.timing.results.results import Results

from ..studies.drawing import middle
from .plan import Plan

DRAWS = 2000
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
        The middle 95 % of its values over redrawn frames; None if no cluster has two simulated frames.
    """

    name: str
    unit: str
    value: float
    interval: tuple[float, float] | None


def measures(results: Results, frame: int) -> dict[str, float]:
    """The measures of one frame."""
    counted = results.frame(frame)
    return {
        "cycles": counted["gpu.cycles"],
        "energy": results.energy(frame).total_pj,
        "dram_bytes": counted["memory.dram.read_bytes"] + counted["memory.dram.write_bytes"],
        "l2_misses": counted["memory.l2_cache.misses"],
    }


def totals(plan: Plan, measured: Mapping[int, Mapping[str, float]]) -> list[Total]:
    """Totals over the frames of a plan, from the measures of the chosen frames.

    A cluster counts as often as it has frames, with the mean of those that were simulated. The interval comes from
    drawing these with replacement, cluster by cluster. Few frames deviate less from their own mean than from the
    cluster's, and not at all once all are simulated: deviations of m of n frames are scaled by
    sqrt(m / (m - 1) * (1 - m / n)), and, as a spread known from few frames may itself be too small, divided by the root
    of a chi-squared variable over its degrees of freedom, as in Student's distribution. A cluster with one simulated
    frame adds nothing to the interval.
    """
    found = []
    for name, unit in UNITS.items():
        values = [np.array([measured[frame][name] for frame in one.chosen]) for one in plan.clusters]
        sizes = [one.frames for one in plan.clusters]
        value = float(sum(n * v.mean() for n, v in zip(sizes, values, strict=True)))
        known = any(len(v) > 1 for v in values)
        interval = middle(value + _deviations(sizes, values, plan.seed)) if known else None
        found.append(Total(name, unit, value, interval))
    return found


def _deviations(sizes: list[int], values: list[NDArray[np.float64]], seed: int) -> NDArray[np.float64]:
    """Deviations of totals over redrawn frames from the total, (draws,)."""
    chance, total = np.random.default_rng(seed), np.zeros(DRAWS)
    spare = sum(len(known) - 1 for known in values)
    for size, known in zip(sizes, values, strict=True):
        count = len(known)
        if count > 1:
            drawn = known[chance.integers(0, count, (DRAWS, count))].mean(axis=1) - known.mean()
            total += size * np.sqrt(count / (count - 1) * (1 - count / size)) * drawn
    return np.asarray(total / np.sqrt(chance.chisquare(spare, DRAWS) / spare))
