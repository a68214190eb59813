"""Sampling: what was measured where a conclusion does not hold."""

from __future__ import annotations

from ...measured import Measured
from .measures import BASE, errors_percent, held_share, plan, samples, speedups, technique_workloads, values


def told_errors(m: Measured, vector: str, measure: str) -> str:
    """Errors of each seed, what they are of, and the part of it that comes from few frames."""
    parts = []
    for workload, some in errors_percent(m, vector, measure).items():
        of_frames = sorted(values(m, workload, BASE)[measure], reverse=True)
        share = sum(of_frames[: max(1, len(of_frames) // 100)]) / sum(of_frames)
        off = ", ".join(f"{error:+.2f}" for error in some)
        parts.append(f"{workload}: {off} %; a hundredth of its frames has {share:.1%} of the total")
    return "; ".join(parts)


def told_speedups(m: Measured, name: str) -> str:
    """The speed-up by all frames and by each plan."""
    parts = []
    for workload in technique_workloads(m, name):
        whole, some = speedups(m, workload, name)
        parts.append(f"{workload}: {whole:.4f}x by all frames, {', '.join(f'{one:.4f}' for one in some)} by plans")
    return "; ".join(parts)


def told_intervals(m: Measured, vector: str) -> str:
    """How often intervals hold each measure."""
    simulated = {w: len(plan(m, w, next(iter(samples(w)))).chosen) for w in m.workloads}
    held = ", ".join(f"{name.replace('_', ' ')} {share:.0%}" for name, share in held_share(m, vector).items())
    return f"held: {held}, of plans of {' and '.join(map(str, simulated.values()))} frames"
