"""Visibility Rendering Order: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured, NotMeasured
from .measures import (
    BASE,
    CYCLES,
    DR,
    FETCHER,
    GEOMETRY,
    HSR_FETCHER,
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
    return "primitives are fetched one access after the other: " + "; ".join(parts) + other_fetchers(chosen)


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
    return "; ".join(parts) + other_fetchers(chosen)


def other_fetchers(m: Measured) -> str:
    """Both techniques with the Tile Fetchers that the thesis of 2022 tells of, where they were run."""
    return "".join(
        f"; with {words} VRO is {means[VRO]:.2f}x as fast and Deferred Rendering {means[DR]:.2f}x"
        for kind, words in (
            ("one tile at a time,", "a Tile Fetcher that begins a tile when the last one is rendered"),
            ("pipelined", "that of 2022, which has many requests under way,"),
        )
        if (means := _speedups_with(m, kind))
    )


def _speedups_with(m: Measured, kind: str) -> dict[str, float]:
    try:
        ran = m.with_machine(*(f"{kind} {name}" for name in (BASE, VRO, DR)))
    except NotMeasured:
        return {}
    return {name: ran.mean(ran.ratios(CYCLES, f"{kind} {BASE}", f"{kind} {name}").values()) for name in (VRO, DR)}


def deferred_area(m: Measured) -> str:
    """What is added."""
    return (
        f"{m.area_mm2(DR) - m.area_mm2(BASE):.2f} of {m.area_mm2(BASE):.1f} mm2: a Tile Queue, a Fragment Queue, a "
        "Rasterizer, early depth and a Depth Buffer"
    )
