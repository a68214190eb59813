"""Render-Based Collision Detection: machines and workloads, and what is measured of the GPU."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import geometric_mean

from ...declare import Machine
from ...measured import Measured, NotMeasured

TWINS = ("003-captain", "003-crazy", "003-sleepy", "003-temple")
"""Table 5.2."""
HEADLINE = "time-2", "energy-2", "geometry", "raster", "idle", "speedup-aabbs-2", "write-misses", "read-misses"
BASE = "baseline"
RBCD, OWN = "rbcd-2018-rbcd", "technique.rbcd"
ZEBS = {1: "1 ZEB", 2: "2 ZEBs", 4: "4 ZEBs"}
MACHINES = {BASE: Machine("rbcd-2018")} | {
    name: Machine(RBCD, () if count == 2 else (f"{OWN}.zebs={count}",)) for count, name in ZEBS.items()
}
LENGTH = {4: "4 elements", 8: ZEBS[2], 16: "16 elements", 64: "64 elements"}
LENGTHS = {name: Machine(RBCD, (f"{OWN}.list_length={count}",)) for count, name in LENGTH.items() if count != 8}
CYCLES, RASTER, GEOMETRY, ENERGY = "gpu.cycles", "gpu.raster_cycles", "gpu.geometry_cycles", "energy.total"
FETCHER, TILE_CACHE, NAME = "tiling.tile_fetcher", "memory.tile_cache", "techniques.rbcd"
GPU_HZ = 400e6
"""Table 5.1."""


def geometric(values: Iterable[float]) -> float:
    """Geometric mean, as the thesis takes it; 0 where a value is 0 or less.

    Raises
    ------
    NotMeasured
        If there are none.
    """
    numbers = list(values)
    if not numbers:
        raise NotMeasured("nothing")
    return geometric_mean(numbers) if min(numbers) > 0 else 0.0


def rise(m: Measured, *statistics: str, machine: str = ZEBS[2], base: str = BASE) -> float:
    """By how many per cent the sum of statistics rises, from the geometric mean of ratios; where there was nothing to
    rise a game does not count."""
    ratios = []
    for name in m.workloads:
        after, before = (sum(m.value(name, which, s) for s in statistics) for which in (machine, base))
        if before > 0:
            ratios.append(after / before)
    return 100 * (geometric(ratios) - 1)


def stores(m: Measured) -> float:
    return rise(m, f"{TILE_CACHE}.write_hits", f"{TILE_CACHE}.write_misses")


def loads(m: Measured) -> float:
    return rise(m, f"{FETCHER}.pointer_requests", f"{FETCHER}.attribute_requests")


def overflow(m: Measured, length: int) -> dict[str, float]:
    """Per cent of the fragments that find their list full."""
    return {name: 100 * value for name, value in m.each(LENGTH[length], f"{NAME}.overflow_rate").items()}


def pairs(m: Measured, workload: str, machine: str = ZEBS[2]) -> set[tuple[int, str, str]]:
    """Frame and labels of the pairs that collide."""
    rows = m.table(workload, machine, "collisions").select(["frame", "label_a", "label_b"]).to_pylist()
    return {(row["frame"], *sorted((row["label_a"], row["label_b"]))) for row in rows}


def lost(m: Measured, length: int) -> float:
    """Pairs that are found with lists of 64 elements, and not with shorter ones."""
    return sum(len(pairs(m, name, LENGTH[64]) - pairs(m, name, LENGTH[length])) for name in m.workloads)


def unit_area_percent(m: Measured) -> float:
    return m.area_change_percent(ZEBS[2], BASE)
