"""Parallel Tile Rendering: the figures."""

from __future__ import annotations

from ...declare import Figure
from .measures import (
    ASSIGNED,
    BASE,
    CYCLES,
    DOUBLED,
    ENERGY,
    PTR,
    RASTER,
    SEQUENTIAL,
    bandwidth,
    imbalance_by_tile,
    imbalance_of_units_percent,
    mapped_only,
    of_mappings,
    raster_speedups,
    reuse,
    table_percent,
)

FIGURES = (
    Figure(
        "4.6", "Energy of the Primitive Table", "% of GPU and memory",
        lambda m: {"Primitive Table": table_percent(m)},
    ),
    Figure(
        "5.1", "Where the time goes", "share of the cycles",
        lambda m: {
            "geometry": m.shares(BASE, "gpu.geometry_cycles", CYCLES),
            "raster": m.shares(BASE, RASTER, CYCLES),
        },
        stacked=True,
    ),
    Figure(
        "5.3", "Two Raster Units: speed-up of the raster stage", "x",
        lambda m: {
            words: raster_speedups(m.with_machine(BASE, *ASSIGNED.values()), machine)
            for words, machine in ASSIGNED.items()
        },
        {"static": {"000-ccs": 1.71, "000-rok": 1.54, "000-s3d": 1.94}},
    ),
    Figure(
        "5.4", "Active cycles of two Raster Units: difference over mean", "%",
        lambda m: {"static": imbalance_of_units_percent(m)},
    ),
    Figure(
        "5.5", "Two Raster Units: energy of GPU and memory", "% of change",
        lambda m: {"two Raster Units": m.change_percent(ENERGY, PTR, BASE)},
        {"two Raster Units": {"000-s3d": -13.09}},
    ),
    Figure(
        "5.7", "Two Raster Units and doubled resources: speed-up of the raster stage", "x",
        lambda m: {"two Raster Units": raster_speedups(m, PTR), "doubled resources": raster_speedups(m, DOUBLED)},
    ),
    Figure(
        "5.8", "Time in which a quad waits for memory", "share of active cycles",
        lambda m: {"two Raster Units": m.each(PTR, "fragment.processor.memory_share")},
    ),
    Figure(
        "5.9", "Misses per 1000 instructions", "MPKI",
        lambda m: {
            "texture caches": m.each(PTR, "memory.texture_cache.mpki"),
            "L2, by texels": m.each(PTR, "memory.l2_cache.mpki"),
        },
    ),
    Figure(
        "5.10", "Fragments per tile", "fragments",
        lambda m: {"fragments": m.each(BASE, "fragment.fragments_per_tile")},
    ),
    Figure("5.11", "Main memory traffic per frame, two Raster Units", "MB", bandwidth, stacked=True),
    Figure("5.12", "Texture blocks used by several tiles", "share of the blocks", reuse, stacked=True),
    Figure(
        "6.4", "Shared texture caches: speed-up over Parallel Tile Rendering with private ones", "x",
        lambda m: of_mappings(m, CYCLES),
        means=True,
    ),
    Figure(
        "6.5", "BBR: imbalance of the Fragment Processors (deviation over mean of active cycles) by tile", "ratio",
        lambda m: {name: imbalance_by_tile(m, name) for name in ("1-quadrant", "11-blocking", "5-UD-Q")},
        curves="per cent of the tiles that do not exceed it",
    ),
    Figure(
        "6.6", "Shared texture caches: energy of Parallel Tile Rendering with private ones over theirs", "x",
        lambda m: of_mappings(m, ENERGY),
        means=True,
    ),
    Figure(
        "6.8", "11-blocking: misses of the texture caches per 1000 instructions", "MPKI",
        lambda m: {
            words: mapped_only(m).each(machine, "memory.texture_cache.mpki")
            for words, machine in (("private", PTR), ("shared", "shared-11-blocking"))
        },
    ),
    Figure(
        "4.1.2", "Pipelined Tile Fetcher: speed-up of the raster stage over the sequential one", "x",
        lambda m: {"pipelined": raster_speedups(m.with_machine(BASE, SEQUENTIAL), BASE, SEQUENTIAL)},
    ),
)  # fmt: skip
