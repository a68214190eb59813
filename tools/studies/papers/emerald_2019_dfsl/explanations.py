"""Emerald's second case study: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from .measures import DFSL, L1, MLB, MLC, SIZES, TIME, best_sizes, curve, optimum, per_frame, speed_ups

CORE = "simt.core"
SPENT = ("busy", "memory_stall", "code_stall", "result_stall", "empty", "output")
WORK = {"TC tiles": "simt.tile_coalescing.tiles", "instructions of cores": f"{CORE}.scalar_instructions"}


def _spent(m: Measured, workload: str, machine: str) -> str:
    cycles = {what: m.value(workload, machine, f"{CORE}.{what}_cycles") for what in SPENT}
    total = sum(cycles.values())
    return ", ".join(
        f"{what.replace('_', ' ')} {value / total:.0%}" for what, value in cycles.items() if value / total >= 0.005
    )


def by_size(m: Measured) -> str:
    """Times, misses and work of each workload by size, and what its cores do."""
    parts = []
    for n in m.workloads:
        times = ", ".join(f"{value:.2f}" for value in curve(m, n, TIME).values())
        largest = {f"{name} misses": statistic for name, statistic in L1.items()} | WORK
        ratios = ", ".join(
            f"{what} {curve(m, n, statistic)[str(SIZES[-1])]:.2f}" for what, statistic in largest.items()
        )
        parts.append(
            f"{n}: time by size {times}; with WT 10, of those with WT 1: {ratios}; "
            f"cores with WT 1: {_spent(m, n, MLB)}; with WT 10: {_spent(m, n, MLC)}"
        )
    return "; ".join(parts)


def chosen(m: Measured) -> str:
    """What DFSL gains in each workload, and the sizes it chooses."""
    best = optimum(m)
    gains, others, largest = speed_ups(m, DFSL), speed_ups(m, best), speed_ups(m, MLC)
    parts = []
    for n in m.workloads:
        size = per_frame(m, n, DFSL, "techniques.dfsl.work_tile")
        even = " or ".join(map(str, best_sizes(m, n)))
        parts.append(
            f"{n}: DFSL {gains[n]:.3f}x MLB's speed, {best} {others[n]:.3f}x, WT 10 {largest[n]:.3f}x; "
            f"work tiles of {size:.1f} on average, the best static size is {even}"
        )
    return "; ".join(parts)
