"""Sampling: what was measured where a conclusion does not hold."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines
from .measures import (
    SEEDS,
    Sample,
    errors_percent,
    held_share,
    most_beyond_percent,
    speedups,
    technique_workloads,
    warm_error_percent,
)


def told_errors(m: Measured, vector: str, measure: str) -> str:
    """Largest error of a seed, also with caches as all frames before leave them."""
    errors = errors_percent(m, vector, measure)
    warm = {n: max(abs(warm_error_percent(m, n, Sample(vector, seed), measure)) for seed in SEEDS) for n in errors}
    return lines(
        by_game("% off at most", {n: max(map(abs, some)) for n, some in errors.items()}),
        by_game("with caches as all frames before leave them", warm),
    )


def told_speedups(m: Measured, name: str) -> str:
    """The speed-up by all frames, and by plans."""
    pairs = {n: speedups(m, n, name) for n in technique_workloads(m, name)}
    return lines(
        by_game("by all frames", {n: whole for n, (whole, _) in pairs.items()}, ".4f"),
        by_game("by plans", {n: sum(some) / len(some) for n, (_, some) in pairs.items()}, ".4f"),
    )


def told_intervals(m: Measured, vector: str) -> str:
    """Share of the intervals that hold each measure."""
    beyond = most_beyond_percent(m, vector)
    return "held: " + ", ".join(
        f"{name.replace('_', ' ')} {share:.0%}" + (f" (off by {beyond[name]:.2g} % at most)" if beyond[name] else "")
        for name, share in held_share(m, vector).items()
    )
