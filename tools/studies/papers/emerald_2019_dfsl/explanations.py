"""Emerald's second case study: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from .measures import DFSL, L1, MLC, SIZES, TIME, best_size, curve, optimum, speed_ups, static

CORE = "simt.core"


def by_size(m: Measured) -> str:
    """Times and misses of each workload, and what its cores wait for."""
    parts = []
    for n in m.workloads:
        times = curve(m, n, TIME)
        least = static(int(best_size(m, n)))
        spent = {
            what: m.value(n, least, f"{CORE}.{what}_cycles")
            for what in ("busy", "memory_stall", "code_stall", "result_stall", "empty", "output")
        }
        total = sum(spent.values())
        waits = ", ".join(f"{what.replace('_', ' ')} {value / total:.0%}" for what, value in spent.items() if value)
        misses = ", ".join(f"{name} {curve(m, n, statistic)[str(SIZES[-1])]:.2f}" for name, statistic in L1.items())
        parts.append(
            f"{n}: time by size {', '.join(f'{value:.2f}' for value in times.values())}; misses with WT 10, of those "
            f"with WT 1: {misses}; cores with {least}: {waits}"
        )
    return "; ".join(parts)


def chosen(m: Measured) -> str:
    """What DFSL gains in each workload, and the sizes it chooses."""
    best = optimum(m)
    gains, others, largest = speed_ups(m, DFSL), speed_ups(m, best), speed_ups(m, MLC)
    parts = []
    for n in m.workloads:
        size = m.value(n, DFSL, "techniques.dfsl.work_tile") / m.frames(n)
        parts.append(
            f"{n}: DFSL {gains[n]:.3f}x MLB's speed, {best} {others[n]:.3f}x, WT 10 {largest[n]:.3f}x; "
            f"work tiles of {size:.1f} on average, the best static size is {best_size(m, n):.0f}"
        )
    return "; ".join(parts)
