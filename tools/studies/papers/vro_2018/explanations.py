"""Visibility Rendering Order: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines, share_of
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
    unordered,
)

PROCESSOR = "fragment.processor"


def _empty(m: Measured, machine: str) -> str:
    shares = {
        n: m.value(n, machine, f"{PROCESSOR}.empty_cycles")
        / sum(m.value(n, machine, f"{PROCESSOR}.{what}_cycles") for what in ("empty", "active"))
        for n in m.workloads
    }
    return by_game("Fragment Processors empty in", shares, ".0%")


def where_time_goes(m: Measured) -> str:
    """Part of the gain that is not the order's, and waits of the processors."""
    chosen = unordered(m)
    return lines(
        by_game("times as fast with two requests alone", chosen.ratios(CYCLES, BASE, TWO)),
        _empty(chosen, VRO),
        by_game("cycles to fetch a primitive", fetch_cycles(chosen, VRO), ".0f"),
    )


def hidden(m: Measured) -> str:
    """Fragments that early depth leaves to hide, and sizes of graphs."""
    chosen = unordered(m)
    return lines(
        share_of(
            chosen, "early depth drops", BASE, "raster.early_depth.killed_fragments", "raster.early_depth.fragments"
        ),
        by_game("VRO shades of the rest", overshading(chosen, VRO)),
        by_game("edges per object", chosen.shares(VRO, f"{NAME}.edge_inserter.edges", f"{NAME}.nodes"), ".0f"),
    )


def cycles_of_games(m: Measured) -> str:
    """Changes of both stages."""
    return lines(
        by_game("geometry, %", m.change_percent(GEOMETRY, VRO, BASE), "+.1f"),
        by_game("raster, %", m.change_percent(RASTER, VRO, BASE), "+.1f"),
    )


def deferred(m: Measured) -> str:
    """Costs of hidden surface removal beside its savings."""
    chosen = unordered(m)
    twice = {n: chosen.value(n, DR, f"{HSR_FETCHER}.primitives") for n in chosen.workloads}
    twice = {n: value / chosen.value(n, DR, f"{FETCHER}.primitives") for n, value in twice.items()}
    return lines(
        by_game("primitives fetched twice", twice, ".0%"),
        by_game("cycles to fetch one", fetch_cycles(chosen, DR), ".0f"),
        _empty(chosen, DR),
    )


def lists(m: Measured) -> str:
    """Costs of the lists of objects in memory, and their size on chip."""
    chosen = unordered(m)
    area = m.read(LISTS_ON_CHIP).area_mm2(VRO) - m.area_mm2(VRO)
    return lines(
        f"on chip the lists take {100 * area / m.area_mm2(BASE):.1f} % of the GPU's area",
        by_game(
            "in memory, read misses of the Tile Cache over those without",
            chosen.ratios("memory.tile_cache.read_misses", VRO, TWO),
        ),
    )


def deferred_area(m: Measured) -> str:
    """Area that is added."""
    return (
        f"{m.area_mm2(DR) - m.area_mm2(BASE):.2f} of {m.area_mm2(BASE):.1f} mm2: a Tile Queue, a Fragment Queue, a "
        "Rasterizer, early depth and a Depth Buffer"
    )
