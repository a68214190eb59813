"""Emerald's second case study: machines and workloads, and what is measured of them."""

from __future__ import annotations

from ...boards.statistics import pearson
from ...declare import Machine
from ...measured import Measured

MODELS = ("004-w1", "004-w2", "004-w3", "004-w4", "004-w5", "004-w6")
CHURCH, BLOB, HEAD, TRANSLUCENT, TEAPOT = MODELS[0], MODELS[1], MODELS[3], MODELS[4], MODELS[5]

SIZES = tuple(range(1, 11))
"""Sides of work tiles, in TC tiles (6.2)."""
DFSL = "DFSL"
TIME, L2, TRAFFIC = "gpu.fragment_shading_cycles", "memory.l2_cache.misses", "memory.dram.bytes"
L1 = {
    "depth": "memory.depth_cache.misses",
    "texture": "memory.texture_cache.misses",
    "colour": "memory.color_cache.misses",
}
"""Misses of the first-level caches that fragments use: L1Z, L1T, L1D."""


def static(size: int) -> str:
    """Name of the machine with work tiles of a size."""
    return f"WT {size}"


MLB, MLC = static(SIZES[0]), static(SIZES[-1])
"""Most load-balance, most locality (6.3)."""

MACHINES = {static(size): Machine("emerald-case2", (f"tile_coalescing.work_tile={size}",)) for size in SIZES} | {
    DFSL: Machine("emerald-case2", ("techniques=dfsl",))
}


def curve(m: Measured, workload: str, *statistics: str) -> dict[str, float]:
    """Sum of some statistics by size of work tiles, over that of the least."""
    found = {size: sum(m.value(workload, static(size), name) for name in statistics) for size in SIZES}
    return {str(size): value / found[SIZES[0]] for size, value in found.items()}


def best_size(m: Measured, workload: str) -> float:
    """Size of work tiles that takes least time."""
    times = curve(m, workload, TIME)
    return float(min(SIZES, key=lambda size: times[str(size)]))


def variation_percent(m: Measured, workload: str) -> float:
    """By how much the slowest size takes longer than the fastest."""
    times = curve(m, workload, TIME).values()
    return 100 * (max(times) / min(times) - 1)


def variations(m: Measured) -> dict[str, float]:
    """The same of all workloads."""
    return {n: variation_percent(m, n) for n in m.workloads}


def correlation(m: Measured, workload: str, *statistics: str) -> float:
    """Pearson's, of time and the sum of some statistics over the sizes of work tiles."""
    return pearson(list(curve(m, workload, *statistics).values()), list(curve(m, workload, TIME).values()))


def spread_of(m: Measured, statistic: str) -> float:
    """Greatest over least by size of work tiles, of the workload where that is most."""
    return max(max(found) / min(found) for found in (list(curve(m, n, statistic).values()) for n in m.workloads))


def optimum(m: Measured) -> str:
    """The machine whose work tiles are fastest on average over all workloads (SOPT)."""
    return min((static(size) for size in SIZES), key=lambda name: m.mean(m.ratios(TIME, name, MLB).values()))


def speed_ups(m: Measured, name: str, base: str = MLB) -> dict[str, float]:
    """Speed-up of frames over a machine, by workload."""
    return m.ratios(TIME, base, name)


def gain_percent(m: Measured, base: str) -> float:
    """By how much DFSL is faster, mean over workloads."""
    return 100 * (m.mean(speed_ups(m, DFSL, base).values()) - 1)
