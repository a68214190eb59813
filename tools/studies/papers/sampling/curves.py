"""Errors over the number of simulated frames: of clusters, lots, and every n-th frame.

Each frame is as it is after all frames before it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilegpu.tools.sampling.totals import UNITS, totals

from ...declare import Figure, Series
from ...measured import Measured
from .measures import BASE, COMPARED, SEEDS, Sample, Values, length, plan_of, values

FRAMES = 4, 6, 10, 16, 24, 40
DRAWS = 200
"""Of random frames."""
NAMES = {"paper": "clusters, MEGsim's vector", "rich": "clusters, rich vector"}
RANDOM, UNIFORM = "frames by lot", "every n-th frame"


def curves(m: Measured, workload: str, measure: str) -> Series:
    """Mean absolute errors in percent, by series and number of frames."""
    return {name: by_frames[measure] for name, by_frames in _all(m, workload).items()}


def _all(m: Measured, workload: str) -> dict[str, dict[str, dict[str, float]]]:
    """By series, measure and number of frames."""
    return m.once(f"curves of {workload}", lambda: _errors(m, workload))


def _errors(m: Measured, workload: str) -> dict[str, dict[str, dict[str, float]]]:
    every, count = values(m, workload, BASE), length(m, workload)
    chosen = [frames for frames in FRAMES if frames <= count // 4]
    by_choice: dict[str, dict[str, dict[str, float]]] = {}
    for vector in COMPARED:
        made = {frames: _clustered(m, workload, vector, frames, every) for frames in chosen}
        by_choice[NAMES[vector]] = _by_measure(made)
    chance = np.random.default_rng(0)
    lots = {n: [chance.choice(count, n, replace=False) for _ in range(DRAWS)] for n in chosen}
    by_choice[RANDOM] = _by_measure({n: _drawn(lots[n], every) for n in chosen})
    steps = {n: [(np.arange(n) * count / n + begin).astype(int) for begin in _begins(count, n)] for n in chosen}
    by_choice[UNIFORM] = _by_measure({n: _drawn(steps[n], every) for n in chosen})
    return by_choice


def _begins(count: int, frames: int) -> NDArray[np.float64]:
    return np.linspace(0, count / frames, min(50, count // frames), endpoint=False)


def _clustered(m: Measured, workload: str, vector: str, frames: int, every: Values) -> dict[str, float]:
    off: dict[str, list[float]] = {name: [] for name in UNITS}
    for seed in SEEDS:
        chosen = plan_of(m, workload, Sample(vector, seed), frames)
        measured = {frame: {name: every[name][frame] for name in UNITS} for frame in chosen.chosen}
        for total in totals(chosen, measured):
            off[total.name].append(abs(total.value / every[total.name].sum() - 1))
    return {name: 100 * float(np.mean(some)) for name, some in off.items()}


def _drawn(chosen: list[NDArray[np.int64]], every: Values) -> dict[str, float]:
    return {
        name: 100 * float(np.mean([abs(every[name][some].mean() / every[name].mean() - 1) for some in chosen]))
        for name in UNITS
    }


def _by_measure(errors: dict[int, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {name: {str(frames): by_measure[name] for frames, by_measure in errors.items()} for name in UNITS}


def figure(workload: str, measure: str) -> Figure:
    """Errors of a measure on a workload."""
    words = measure.replace("_", " ")
    return Figure(
        f"{workload}, {words}",
        f"Mean error of {words}",
        "% of the total of all frames",
        lambda m: curves(m, workload, measure),
        curves="simulated frames",
    )
