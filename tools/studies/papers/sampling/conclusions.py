"""Sampling: what MEGsim's abstract says, and targets of our own, with rules."""

from __future__ import annotations

import numpy as np

from tilegpu.tools.sampling.totals import UNITS

from ...declare import Conclusion
from ...measured import Measured
from .curves import NAMES, RANDOM, UNIFORM, curves
from .explanations import told_errors, told_intervals, told_speedups
from .measures import (
    COMPARED,
    FEWER,
    RICH,
    TECHNIQUES,
    errors_percent,
    fewer,
    held_share,
    speedups,
    technique_workloads,
)

PAPER = {("paper", "cycles"): 0.84, ("paper", "dram_bytes"): 0.99}
"""MEGsim's mean errors in percent, of cycles and of accesses to main memory (abstract)."""
HELD = 0.9


def _mean(m: Measured, vector: str, measure: str) -> float:
    return float(np.mean(np.abs([e for some in errors_percent(m, vector, measure).values() for e in some])))


def _worst(m: Measured, vector: str, measure: str) -> float:
    return float(np.max(np.abs([e for some in errors_percent(m, vector, measure).values() for e in some])))


def _error(vector: str, measure: str) -> tuple[Conclusion, Conclusion]:
    words, by = measure.replace("_", " "), f"{vector}-{measure.replace('_', '-')}"

    def why(m: Measured) -> str:
        return told_errors(m, vector, measure)

    return (
        Conclusion(
            f"{by}-mean", f"{NAMES[vector]}: mean error of {words} over workloads and seeds",
            PAPER.get((vector, measure)), "%", "<= 1", lambda m: _mean(m, vector, measure), why,
        ),
        Conclusion(
            f"{by}-worst", f"{NAMES[vector]}: largest error of {words} of a workload and seed",
            None, "%", "<= 3", lambda m: _worst(m, vector, measure), why,
        ),
    )  # fmt: skip


def _speedup(name: str) -> Conclusion:
    def off(m: Measured) -> float:
        pairs = [speedups(m, workload, name) for workload in technique_workloads(m, name)]
        return max(100 * abs(one / whole - 1) for whole, some in pairs for one in some)

    return Conclusion(
        f"speedup-{name.lower()}",
        f"The speed-up of {name} by plans is that by all frames: largest difference of a workload and seed",
        None, "%", "<= 1", off, lambda m: told_speedups(m, name),
    )  # fmt: skip


def _better(other: str, identifier: str) -> Conclusion:
    def ratio(m: Measured) -> float:
        shares = []
        for workload in m.workloads:
            errors = curves(m, workload, "cycles")
            shares += [errors[NAMES[RICH]][n] / off for n, off in errors[other].items() if off]
        return m.mean(shares)

    return Conclusion(
        f"better-than-{identifier}",
        f"Errors of cycles by the rich vector over those of {other}, mean over workloads and numbers of frames",
        None, "of the other's", "< 1", ratio,
    )  # fmt: skip


def _fewer(workload: str, times: int) -> Conclusion:
    return Conclusion(
        f"frames-{workload.partition('+')[0]}",
        f"{workload}: frames of it over frames that are simulated, those that warm up included",
        None, "times", f">= {times}", lambda m: fewer(m, m.of(workload).workloads[0]),
    )  # fmt: skip


CONCLUSIONS = (
    *(_fewer(workload, times) for workload, times in FEWER.items()),
    *(one for vector in reversed(COMPARED) for measure in UNITS for one in _error(vector, measure)),
    *(_speedup(name) for name in TECHNIQUES),
    *(
        Conclusion(
            f"{vector}-intervals",
            f"{NAMES[vector]}: 95 % intervals hold the total of all frames; share of plans, least of the measures",
            None, "of plans", f">= {HELD}", lambda m, vector=vector: min(held_share(m, vector).values()),  # type: ignore[misc]
            lambda m, vector=vector: told_intervals(m, vector),  # type: ignore[misc]
        )
        for vector in reversed(COMPARED)
    ),
    _better(RANDOM, "lot"),
    _better(UNIFORM, "every-nth"),
)  # fmt: skip
