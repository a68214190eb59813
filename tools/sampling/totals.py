"""Totals of a whole capture from the frames that were simulated, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.activity.arrow_files import read_parquet
from tilegpu.functional.pipeline.fused.texel_marks import BLOCK_BYTES
from tilegpu.timing.results.first_fills import BUFFERS, TEXELS
from tilegpu.timing.results.results import Results
from tilegpu.timing.runs.table import read_results

from ..intervals import middle
from .first_uses import Fills, Once, once
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
        Holds the sum over all frames 95 times of 100.
    """

    name: str
    unit: str
    value: float
    interval: tuple[float, float]


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
    these; of one frame, see `variance_of_total`. As variances are known from few frames, the interval is Student's.
    Clusters differ in spread, and where one has most of the variance, its frames alone say how large that is: degrees
    of freedom are Satterthwaite's (1946). It reaches further up by what first uses may cost that no chosen frame has:
    an L2 miss each, and what else an average L2 miss comes with.
    """
    own = once(plan, fills) if fills is not None and fills.by_kind else {}
    made = {name: _total(plan, name, measured, own.get(name, ())) for name in UNITS}
    misses = made["l2_misses"].value
    uncounted = _uncounted_bytes(plan, fills) / fills.line_bytes if fills is not None else 0.0
    for name, total in made.items() if misses and uncounted else ():
        counted = sum(part.beyond(plan.chosen) for part in own.get(name, ()))
        further = max(0.0, uncounted * total.value / misses - counted)
        made[name] = replace(total, interval=(total.interval[0], total.interval[1] + further))
    return list(made.values())


def _total(plan: Plan, name: str, measured: Mapping[int, Mapping[str, float]], parts: Sequence[Once]) -> Total:
    """One measure, with parts of it that count once."""
    often = {f: measured[f][name] - sum(part.of_frame.get(f, 0) for part in parts) for f in plan.chosen}
    repeated = plan.total(often)
    value = float(repeated + sum(part.value for part in parts))
    own = variance_of_total(
        [one.frames for one in plan.clusters],
        [np.array([often[f] for f in one.chosen]) for one in plan.clusters],
        [one.spread * repeated / len(plan.cluster_of_frame) for one in plan.clusters],
    )
    variance, freedom = _together(own, *((part.variance, part.freedom) for part in parts))
    low, high = middle(value + np.sqrt(variance) * _student(freedom))
    if parts:
        low -= sum(part.twice for part in parts)
        # As if frames of a cluster repeated all that its chosen frames count, first uses included.
        high = max(high, plan.total({frame: counted[name] for frame, counted in measured.items()}))
    return Total(name, UNITS[name], value, (low, high))


def _uncounted_bytes(plan: Plan, fills: Fills) -> float:
    """Texels, vertices and indices that no chosen frame is the first of the replayed ones to use, if the plan knows."""
    replayed = sorted(next(iter(fills.by_kind.values()), ()))
    warm_up = plan.warm_up_of(replayed)
    if warm_up is None:
        return 0.0
    chosen = [replayed.index(frame) for frame in plan.chosen]
    uses = [plan.first_uses[kind] for kind in (TEXELS, BUFFERS) if kind in plan.first_uses]
    return float(BLOCK_BYTES * sum(one.all_frames - sum(one.by_warm_up[warm_up][n] for n in chosen) for one in uses))


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


def variance_of_total(
    sizes: Sequence[int], values: Sequence[NDArray[np.float64]], deviations: Sequence[float]
) -> tuple[float, float]:
    """Variance of a total over clusters, and its degrees of freedom (1 without a variance).

    Parameters
    ----------
    sizes
        Frames of each cluster.
    values
        A measure of those of its frames that were simulated.
    deviations
        Standard deviations to assume where only one was: those of the vectors of all frames of the cluster, as if the
        measure moved as they do.
    """
    parts = []
    for size, of_cluster, deviation in zip(sizes, values, deviations, strict=True):
        count = len(of_cluster)
        variance = float(of_cluster.var(ddof=1)) if count > 1 else deviation**2
        if count < size:
            parts.append((size**2 * (1 - count / size) * variance / count, float(count if count > 1 else size) - 1))
    return _together(*parts)
