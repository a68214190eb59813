"""Sampling: what was measured where a conclusion does not hold."""

from __future__ import annotations

import numpy as np

from ...measured import Measured
from .measures import (
    BASE,
    SEEDS,
    TECHNIQUES,
    Sample,
    errors_percent,
    held_share,
    most_beyond_percent,
    plan,
    samples,
    speedups,
    technique_workloads,
    values,
    warm_error_percent,
)


def told_errors(m: Measured, vector: str, measure: str) -> str:
    """Errors of each seed, those without what few frames that warm up leave out of caches, and where the measure is."""
    parts = []
    for workload, some in errors_percent(m, vector, measure).items():
        of_frames = sorted(values(m, workload, BASE)[measure], reverse=True)
        share = sum(of_frames[: max(1, len(of_frames) // 100)]) / sum(of_frames)
        off = ", ".join(f"{error:+.2f}" for error in some)
        warm = ", ".join(f"{warm_error_percent(m, workload, Sample(vector, seed), measure):+.2f}" for seed in SEEDS)
        parts.append(
            f"{workload}: {off} %, with caches as all frames before leave them {warm} %, and a hundredth of its frames "
            f"has {share:.1%} of the total"
        )
    return "; ".join(parts)


def told_speedups(m: Measured, name: str) -> str:
    """The speed-up by all frames and by each plan, and how far frames of a cluster differ in it."""
    parts = []
    for workload in technique_workloads(m, name):
        whole, some = speedups(m, workload, name)
        plans = ", ".join(f"{one:.4f}" for one in some)
        spread = _spread_percent(m, workload, name)
        parts.append(
            f"{workload}: {whole:.4f}x by all frames, {plans} by plans; the share of time that {name} leaves differs "
            f"by {spread:.1f} % between frames of a cluster (root mean square)"
        )
    return "; ".join(parts)


def _spread_percent(m: Measured, workload: str, name: str) -> float:
    """Spread of the time with a technique over that without it within the clusters of a plan."""
    pair = TECHNIQUES[name]
    share = values(m, workload, pair.after)["cycles"] / values(m, workload, pair.before)["cycles"]
    label = np.array(plan(m, workload, Sample(pair.vector, 0, pair.warm_up)).cluster_of_frame)
    means = np.bincount(label, share) / np.bincount(label)
    return 100 * float(np.sqrt(((share - means[label]) ** 2).mean()) / share.mean())


def told_intervals(m: Measured, vector: str) -> str:
    """How often intervals hold each measure."""
    simulated = {w: len(plan(m, w, next(iter(samples(w)))).chosen) for w in m.workloads}
    beyond = most_beyond_percent(m, vector)
    held = ", ".join(
        f"{name.replace('_', ' ')} {share:.0%}" + (f" (off by {beyond[name]:.2g} % at most)" if beyond[name] else "")
        for name, share in held_share(m, vector).items()
    )
    return f"held: {held}, of plans of {' and '.join(map(str, simulated.values()))} frames"
