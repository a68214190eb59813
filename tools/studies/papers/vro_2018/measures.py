"""Visibility Rendering Order: machines and workloads, and what is measured of them."""

from __future__ import annotations

import numpy as np

from ...declare import Machine, Reading
from ...measured import Measured

UNORDERED = (
    "003-captain", "003-temple", "003-300", "003-gravity", "003-forest2", "003-air", "003-crazy", "003-striker",
)  # fmt: skip
"""All but one: of the eight games of appendix A even the worst keeps 0.943 of its fragments in order (A.3)."""

ORDERED = ("003-sleepy",)

READ = ("003-captain", "003-300", "003-forest2", "003-striker")
"""Twins that other readings of the text are judged on."""

HEADLINE = (
    "speedup", "energy", "traffic", "fetch", "two-requests", "dr-speedup", "dr-energy", "vro-ahead-time",
    "sequential-time",
)  # fmt: skip

TWINS = (*UNORDERED, *ORDERED)

APPLICATIONS = ("scene:courtyard", "scene:runner", "capture:game_etr_720p")

BASE, TWO, VRO, DR, SEQUENTIAL = "baseline", "two-requests", "vro", "dr", "dr-sequential"

MACHINES = {
    BASE: Machine("vro-2018"),
    TWO: Machine("vro-2018", ("tile_fetcher.primitive_table=2",)),
    VRO: Machine("vro-2018-vro"),
    DR: Machine("vro-2018-dr"),
}

NAIVE = {SEQUENTIAL: Machine("vro-2018-dr-sequential")}

NAME = "techniques.visibility_rendering_order"

PARAMETER = "technique.visibility_rendering_order"

KEEP = f"{PARAMETER}.parallel_cycles=keep"

BY_DEPTH = f"{PARAMETER}.cycle_breaker=average_depth"

COUNTER = f"{PARAMETER}.parallel_cycles=counter"

BREAKERS = {
    "PO_H2": Machine("vro-2018-vro", (BY_DEPTH,)),
    "C_H1": Machine("vro-2018-vro", (COUNTER,)),
    "C_H1, 16 bits": Machine("vro-2018-vro", (COUNTER, f"{PARAMETER}.counter_bits=16")),
    "C_H2": Machine("vro-2018-vro", (COUNTER, BY_DEPTH)),
    "H1": Machine("vro-2018-vro", (KEEP,)),
    "MinZ": Machine("vro-2018-vro", (KEEP, BY_DEPTH)),
}
"""Table 4.1, and H1 without either."""

PERFECT = "perfect"

ORDERS = {PERFECT: Machine("vro-2018-vro", (f"{PARAMETER}.order=perfect",))}

LISTS_ON_CHIP = Reading(
    "lists of objects on chip",
    (
        f"{PARAMETER}.first_primitive_list=on_chip",
        f"{PARAMETER}.order_list=on_chip",
        f"{PARAMETER}.absent_object_cycles=0",
    ),
)
"""The First Primitive List and the order in tables of their own: where they are kept the thesis does not say."""

REMOVAL = tuple(
    Reading(f"{cycles} cycles to remove each quad", (f"technique.deferred_rendering.hsr_cycles_per_quad={cycles}",))
    for cycles in (2, 4)
)
"""Rates of hidden surface removal: the thesis tells none."""

CYCLES, GEOMETRY, RASTER, ENERGY = "gpu.cycles", "gpu.geometry_cycles", "gpu.raster_cycles", "energy.total"

TRAFFIC = "memory.dram.bytes"

FETCHER = "tiling.tile_fetcher"

HSR_FETCHER = "techniques.deferred_rendering.hsr_fetcher"


def unordered(m: Measured) -> Measured:
    return m.of(*UNORDERED) if any(name in UNORDERED for name in m.workloads) else m


def ordered(m: Measured) -> Measured:
    return m.of(*ORDERED)


def speedups(m: Measured, base: str = BASE, machine: str = VRO) -> dict[str, float]:
    return m.ratios(CYCLES, base, machine)


def mean_change(m: Measured, statistic: str, machine: str = VRO) -> float:
    return m.mean(m.change_percent(statistic, machine, BASE).values())


def naive(m: Measured) -> Measured:
    return m.with_machine(BASE, SEQUENTIAL)


def shaded(m: Measured, machine: str) -> dict[str, float]:
    """Fragments that survive early depth."""
    return m.differences(machine, "raster.early_depth.fragments", "raster.early_depth.killed_fragments")


def overshading(m: Measured, machine: str) -> dict[str, float]:
    """Fragments shaded over those of the baseline."""
    before, after = shaded(m, BASE), shaded(m, machine)
    return {name: after[name] / before[name] for name in m.workloads}


def mean_overshading(m: Measured, machine: str = VRO) -> float:
    return m.mean(overshading(m, machine).values())


def traffic_ratios(m: Measured, machine: str = VRO) -> dict[str, float]:
    return m.ratios(TRAFFIC, machine, BASE)


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


def all_fetch_cycles(m: Measured, machine: str) -> dict[str, float]:
    """Cycles in which primitives are fetched, to be rendered and to remove hidden surfaces."""
    units = (FETCHER, HSR_FETCHER) if machine in (DR, SEQUENTIAL) else (FETCHER,)
    spent = [m.each(machine, f"{unit}.{cause}_cycles") for unit in units for cause in ("busy", "waiting")]
    return {name: sum(part[name] for part in spent) for name in m.workloads}


def fetch_cycles(m: Measured, machine: str) -> dict[str, float]:
    """The same for each primitive that is rendered."""
    spent, primitives = all_fetch_cycles(m, machine), m.each(machine, f"{FETCHER}.primitives")
    return {name: spent[name] / primitives[name] for name in m.workloads}


def fetch_cycles_of_all(m: Measured) -> dict[str, float]:
    """Cycles of Deferred Rendering for each primitive that is fetched, to be rendered or to remove hidden surfaces."""
    spent = all_fetch_cycles(m, DR)
    fetched = [m.each(DR, f"{unit}.primitives") for unit in (FETCHER, HSR_FETCHER)]
    return {name: spent[name] / sum(part[name] for part in fetched) for name in spent}


def stall_cycles(m: Measured, machine: str) -> dict[str, float]:
    """Cycles in which early depth finds the queue of the Fragment Processors full."""
    return m.each(machine, "raster.early_depth.blocked_cycles")


def more(of: dict[str, float], than: dict[str, float]) -> dict[str, float]:
    return {name: of[name] - than[name] for name in of}


def extra_fetch(m: Measured) -> dict[str, float]:
    """Cycles that Deferred Rendering fetches longer (Fig. 4.21)."""
    return more(all_fetch_cycles(m, DR), all_fetch_cycles(m, VRO))


def extra_stalls(m: Measured) -> dict[str, float]:
    """Cycles that it stalls longer behind the Fragment Processors."""
    return more(stall_cycles(m, DR), stall_cycles(m, VRO))


def extra_raster(m: Measured) -> dict[str, float]:
    """Cycles that its raster stage takes longer."""
    return more(m.each(DR, RASTER), m.each(VRO, RASTER))


def extra_tile_misses(m: Measured) -> float:
    """Primary misses of the Tile Cache that Deferred Rendering has more than VRO, in percent."""
    misses = {
        machine: [m.each(machine, f"memory.tile_cache.{way}_misses") for way in ("read", "write")]
        for machine in (VRO, DR)
    }
    of = {machine: {n: sum(part[n] for part in parts) for n in m.workloads} for machine, parts in misses.items()}
    return 100 * m.mean(of[DR][n] / of[VRO][n] - 1 for n in m.workloads)


def saved_by_perfect_order(m: Measured) -> dict[str, float]:
    """Part of the shaded fragments that a perfect order of the objects saves, in percent (4.1)."""
    shaded = overshading(m.with_machine(BASE, PERFECT), PERFECT)
    return {name: 100 * (1 - value) for name, value in shaded.items()}


def per_pixel(m: Measured) -> dict[str, dict[str, float]]:
    """Fragments shaded per pixel (Fig. 4.2)."""
    m = m.with_machine(BASE, PERFECT)
    pixels = {n: m.workload(n).pixels * m.frames(n) for n in m.workloads}
    series = {
        "without early depth": m.each(BASE, "raster.early_depth.fragments"),
        "with early depth": shaded(m, BASE),
        "in perfect order": shaded(m, PERFECT),
    }
    return {name: {n: value / pixels[n] for n, value in values.items()} for name, values in series.items()}


def list_sizes(m: Measured, percent: int) -> dict[str, float]:
    """Children in the list of an object of the graph: as many, at most, have so many percent of those with any, in the
    mean over the frames (Fig. 4.13)."""
    sizes_of = {}
    for n in m.workloads:
        edges = m.table(n, VRO, "visibility_graph").group_by(["frame", "front"]).aggregate([("behind", "count")])
        sizes: dict[int, list[int]] = {}
        for row in edges.to_pylist():
            sizes.setdefault(row["frame"], []).append(row["behind_count"])
        sizes_of[n] = m.mean([float(np.percentile(of, percent)) for of in sizes.values()] or [0.0])
    return sizes_of


def of_perfect(m: Measured) -> float:
    """Savings of C_H1 over those of a perfect order of the objects."""
    measured = m.with_machine(BASE, PERFECT, "C_H1")
    return (1 - mean_overshading(measured, "C_H1")) / (1 - mean_overshading(measured, PERFECT))


def breakers(m: Measured) -> dict[str, float]:
    """Mean overshading under each way to treat cycles."""
    chosen = m.with_machine(VRO, *BREAKERS)
    return {"PO_H1": mean_overshading(chosen)} | {name: mean_overshading(chosen, name) for name in BREAKERS}


def table_4_1(m: Measured) -> dict[str, float]:
    """The same of the thesis' table alone."""
    overshadings = breakers(unordered(m))
    return {name: overshadings[name] for name in ("C_H1", "C_H2", "PO_H1", "PO_H2", "MinZ")}
