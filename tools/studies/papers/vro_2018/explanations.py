"""Visibility Rendering Order: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from .measures import (
    BASE,
    CYCLES,
    DR,
    FETCHER,
    GEOMETRY,
    HSR_FETCHER,
    LISTS_ON_CHIP,
    NAME,
    RASTER,
    TWO,
    VRO,
    fetch_cycles,
    overshading,
    speedups,
    unordered,
)


def where_time_goes(m: Measured) -> str:
    """What sets the pace of each unordered game, and how much of the gain is not the order's."""
    chosen = unordered(m)
    gain, alone, left = speedups(chosen), chosen.ratios(CYCLES, BASE, TWO), overshading(chosen, VRO)
    parts = []
    for n in chosen.workloads:
        waiting = [chosen.value(n, machine, f"{FETCHER}.waiting_cycles") for machine in (BASE, VRO)]
        empty = chosen.value(n, VRO, "fragment.processor.empty_cycles")
        busy = chosen.value(n, VRO, "fragment.processor.active_cycles")
        parts.append(
            f"{n} {gain[n]:.2f}x, {alone[n]:.2f}x with two requests alone; shades {left[n]:.2f}; Fragment Processors "
            f"empty for {empty / (empty + busy):.0%}; the Tile Fetcher waits for memory {waiting[0] / 1e6:.1f} and "
            f"{waiting[1] / 1e6:.1f} million cycles; {fetch_cycles(chosen, VRO)[n]:.0f} cycles per primitive"
        )
    return "; ".join(parts)


def hidden(m: Measured) -> str:
    """What early depth leaves to hide, and what the graphs look like."""
    chosen = unordered(m)
    left = overshading(chosen, VRO)
    parts = []
    for n in chosen.workloads:
        tested = chosen.value(n, BASE, "raster.early_depth.fragments")
        killed = chosen.value(n, BASE, "raster.early_depth.killed_fragments")
        found = {
            kind: chosen.value(n, VRO, f"{NAME}.{kind}") / chosen.frames(n)
            for kind in ("nodes", "edge_inserter.edges", "edge_filter.misses", "visibility_sort.broken_cycles")
        }
        parts.append(
            f"{n}: in program order early depth drops {killed / tested:.0%} of the fragments, with VRO {left[n]:.2f} "
            f"of the rest are shaded; {found['nodes']:.0f} objects, {found['edge_inserter.edges']:.0f} edges, "
            f"{found['edge_filter.misses']:.0f} past the filter, {found['visibility_sort.broken_cycles']:.0f} cycles "
            "broken per frame"
        )
    return "; ".join(parts)


def cycles_of_games(m: Measured) -> str:
    """Cycles of every game."""
    geometry, raster = (m.change_percent(what, VRO, BASE) for what in (GEOMETRY, RASTER))
    return "; ".join(f"{n}: geometry {geometry[n]:+.1f} %, raster {raster[n]:+.1f} %" for n in m.workloads)


def deferred(m: Measured) -> str:
    """What hidden surface removal takes beside what it saves, and what the fetcher that does not wait makes of it."""
    chosen = unordered(m)
    gain, left = speedups(chosen, BASE, DR), overshading(chosen, DR)
    parts = []
    for n in chosen.workloads:
        fetched = [chosen.value(n, DR, f"{unit}.primitives") for unit in (FETCHER, HSR_FETCHER)]
        empty, busy = (chosen.value(n, DR, f"fragment.processor.{what}_cycles") for what in ("empty", "active"))
        parts.append(
            f"{n} {gain[n]:.2f}x; shades {left[n]:.2f}; {fetched[1] / fetched[0]:.0%} of its primitives fetched twice, "
            f"{fetch_cycles(chosen, DR)[n]:.0f} cycles per primitive ({fetch_cycles(chosen, VRO)[n]:.0f} with VRO); "
            f"Fragment Processors empty for {empty / (empty + busy):.0%}"
        )
    return "; ".join(parts)


def lists(m: Measured) -> str:
    """What the lists of objects cost in memory, and what they would take on chip."""
    chosen = unordered(m)
    parts = []
    for n in chosen.workloads:
        reads, order = (
            chosen.value(n, VRO, f"{NAME}.visibility_order.{what}_reads") / chosen.value(n, VRO, f"{FETCHER}.tiles")
            for what in ("list", "order")
        )
        writes = chosen.value(n, VRO, f"{NAME}.first_list_writes") / chosen.value(n, VRO, f"{FETCHER}.tiles")
        misses = chosen.ratio(n, "memory.tile_cache.read_misses", VRO, TWO)
        parts.append(
            f"{n}: {writes:.1f} entries written and {reads + order:.1f} lines read per tile, {misses:.2f} times the "
            "read misses of the Tile Cache"
        )
    area = m.read(LISTS_ON_CHIP).area_mm2(VRO) - m.area_mm2(VRO)
    return (
        f"on chip the lists take {area:.2f} mm2, {100 * area / m.area_mm2(BASE):.1f} % of the GPU; in memory: "
        + "; ".join(parts)
    )


def deferred_area(m: Measured) -> str:
    """What is added."""
    return (
        f"{m.area_mm2(DR) - m.area_mm2(BASE):.2f} of {m.area_mm2(BASE):.1f} mm2: a Tile Queue, a Fragment Queue, a "
        "Rasterizer, early depth and a Depth Buffer"
    )
