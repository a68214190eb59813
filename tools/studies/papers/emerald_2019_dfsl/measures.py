"""Emerald's second case study: machines and workloads, and what is measured of them."""

from __future__ import annotations

from statistics import fmean

from ...boards.statistics import pearson
from ...declare import Machine, Reading
from ...measured import Measured, NotMeasured

MODELS = ("004-w1", "004-w2", "004-w3", "004-w4", "004-w5", "004-w6")
CHURCH, BLOB, HEAD, TRANSLUCENT, TEAPOT = MODELS[0], MODELS[1], MODELS[3], MODELS[4], MODELS[5]

SIZES = tuple(range(1, 11))
"""Sides of work tiles, in TC tiles (6.2)."""
DFSL = "DFSL"
TIE = 1.01
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

CODE_SETTINGS = (
    "simt_core.schedulers=2",
    "simt_core.blended_depth=untested",
    "vpo.distribution=given",
    "raster.in_front=stored",
    "tile_coalescing.timeout_from=first",
    "tile_coalescing.primitives=one",
    "memory.clears=stored",
)
"""Settings that make the preset emerald-case2-code of emerald-case2."""
CODE = Reading("the authors' public simulator", CODE_SETTINGS)


MACHINES = {
    **{static(size): Machine("emerald-case2", (f"tile_coalescing.work_tile={size}",)) for size in SIZES},
    DFSL: Machine("emerald-case2", ("techniques=dfsl",)),
}

EVALUATION = tuple(range(10))
"""Frames of an evaluation phase, one for each size (6.3)."""
RUN = (10, 30, 50, 70, 90)
"""Frames of a run phase of 100 that stand for all of it."""
RUN_FRAMES = 100


def per_frame(m: Measured, workload: str, machine: str, statistic: str) -> float:
    """A statistic per frame, over an evaluation phase and a run phase."""
    values = m.frame_values(workload, machine, statistic)
    total = frames = 0.0
    for lasts, phase in (
        (len(EVALUATION), [value for frame, value in values if frame < len(EVALUATION)]),
        (RUN_FRAMES, [value for frame, value in values if frame >= len(EVALUATION)]),
    ):
        if phase:
            total += lasts * fmean(phase)
            frames += lasts
    return total / frames


def curve(m: Measured, workload: str, *statistics: str) -> dict[str, float]:
    """Sum of some statistics by size of work tiles, over that of the least."""
    sums = {size: sum(per_frame(m, workload, static(size), name) for name in statistics) for size in SIZES}
    if not sums[SIZES[0]]:
        raise NotMeasured(f"{workload}: {static(SIZES[0])}: {' and '.join(statistics)} are 0")
    return {str(size): value / sums[SIZES[0]] for size, value in sums.items()}


def best_sizes(m: Measured, workload: str) -> list[int]:
    """Sizes of work tiles that take least time: those within a hundredth of the fastest are even."""
    times = curve(m, workload, TIME)
    return [size for size in SIZES if times[str(size)] <= TIE * min(times.values())]


def best_size(m: Measured, workload: str, papers_size: int | None = None) -> float:
    """The fastest size; of several that are even the one that the paper names, if it is among them."""
    even = best_sizes(m, workload)
    times = curve(m, workload, TIME)
    return float(papers_size if papers_size in even else min(even, key=lambda size: times[str(size)]))


def sizes_in_common(m: Measured) -> int:
    """Sizes that are among the fastest of every workload."""
    return len(set.intersection(*(set(best_sizes(m, n)) for n in m.workloads)))


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
    return max(max(ratios) / min(ratios) for ratios in (list(curve(m, n, statistic).values()) for n in m.workloads))


def speed_ups(m: Measured, name: str, base: str = MLB) -> dict[str, float]:
    """Speed-up of frames over a machine, by workload."""
    return {n: per_frame(m, n, base, TIME) / per_frame(m, n, name, TIME) for n in m.workloads}


def optimum(m: Measured) -> str:
    """The machine whose work tiles are fastest on average over all workloads (SOPT)."""
    return max((static(size) for size in SIZES), key=lambda name: m.mean(speed_ups(m, name).values()))


def gain_percent(m: Measured, base: str) -> float:
    """By how much DFSL is faster, mean over workloads."""
    return 100 * (m.mean(speed_ups(m, DFSL, base).values()) - 1)
