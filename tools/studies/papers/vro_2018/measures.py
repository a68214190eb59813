"""Visibility Rendering Order: machines and workloads, and what is measured of them."""

from __future__ import annotations

from ...declare import Machine
from ...measured import Measured

UNORDERED = ("003-captain", "003-temple", "003-300", "003-gravity", "003-forest2")

ORDERED = ("003-air", "003-crazy", "003-sleepy", "003-striker")

TWINS = (*UNORDERED, *ORDERED)

APPLICATIONS = ("scene:courtyard", "scene:runner", "capture:game_etr_720p")

BASE, TWO, VRO = "baseline", "two-requests", "vro"

MACHINES = {
    BASE: Machine("vro-2018"),
    TWO: Machine("vro-2018", ("tile_fetcher.sequential_primitives=2",)),
    VRO: Machine("vro-2018-vro"),
}

NAME = "techniques.visibility_rendering_order"

PARAMETER = "technique.visibility_rendering_order"

KEEP = f"{PARAMETER}.parallel_cycles=keep"

BY_DEPTH = f"{PARAMETER}.cycle_breaker=average_depth"

BREAKERS = {
    "PO_H2": Machine("vro-2018-vro", (BY_DEPTH,)),
    "H1": Machine("vro-2018-vro", (KEEP,)),
    "MinZ": Machine("vro-2018-vro", (KEEP, BY_DEPTH)),
}

CYCLES, GEOMETRY, RASTER, ENERGY = "gpu.cycles", "gpu.geometry_cycles", "gpu.raster_cycles", "energy.total"

TRAFFIC = "memory.dram.bytes"

FETCHER = "tiling.tile_fetcher"


def unordered(m: Measured) -> Measured:
    return m.of(*UNORDERED) if any(name in UNORDERED for name in m.workloads) else m


def ordered(m: Measured) -> Measured:
    return m.of(*ORDERED)


def speedups(m: Measured, base: str = BASE) -> dict[str, float]:
    return m.ratios(CYCLES, base, VRO)


def mean_change(m: Measured, statistic: str) -> float:
    return m.mean(m.change_percent(statistic, VRO, BASE).values())


def shaded(m: Measured, machine: str) -> dict[str, float]:
    """Fragments that survive early depth."""
    return m.differences(machine, "raster.early_depth.fragments", "raster.early_depth.killed_fragments")


def overshading(m: Measured, machine: str) -> dict[str, float]:
    """Fragments shaded over those of the baseline."""
    before, after = shaded(m, BASE), shaded(m, machine)
    return {name: after[name] / before[name] for name in m.workloads}


def mean_overshading(m: Measured, machine: str = VRO) -> float:
    return m.mean(overshading(m, machine).values())


def traffic_ratios(m: Measured) -> dict[str, float]:
    return m.ratios(TRAFFIC, VRO, BASE)


def graph_percent(m: Measured) -> float:
    """Share of the graph in the traffic."""
    whole = m.each(VRO, TRAFFIC)
    reads, writes = (m.each(VRO, f"memory.dram.{way}_bytes.visibility_graph") for way in ("read", "write"))
    return 100 * m.mean((reads[name] + writes[name]) / whole[name] for name in m.workloads)


def mean_percent(m: Measured, share: str) -> float:
    return 100 * m.mean(m.each(VRO, share).values())


def sort_percent(m: Measured) -> float:
    """Time of the sort over that of the geometry, where it is longest."""
    unit = f"{NAME}.visibility_sort"
    return 100 * max(
        (m.value(n, VRO, f"{unit}.busy_cycles") + m.value(n, VRO, f"{unit}.waiting_cycles")) / m.value(n, VRO, GEOMETRY)
        for n in m.workloads
    )


def fetch_cycles(m: Measured, machine: str) -> dict[str, float]:
    """Cycles in which primitives are fetched, for each of them."""
    spent = [m.each(machine, f"{FETCHER}.{cause}_cycles") for cause in ("busy", "waiting")]
    primitives = m.each(machine, f"{FETCHER}.primitives")
    return {name: sum(part[name] for part in spent) / primitives[name] for name in m.workloads}


def breakers(m: Measured) -> dict[str, float]:
    """Mean overshading under each way to treat cycles."""
    chosen = m.with_machine(VRO, *BREAKERS)
    return {"PO_H1": mean_overshading(chosen)} | {name: mean_overshading(chosen, name) for name in BREAKERS}
