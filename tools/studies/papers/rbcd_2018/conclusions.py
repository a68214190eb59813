"""Render-Based Collision Detection: the conclusions and their rules."""

from __future__ import annotations

from collections.abc import Callable

from ...declare import Conclusion
from ...measured import Measured
from . import cpu
from .explanations import (
    against_the_cpu,
    areas,
    buffers,
    energy,
    energy_against_the_cpu,
    found_pairs,
    geometry,
    lists,
    tagged,
    where_time_goes,
)
from .measures import (
    CYCLES,
    ENERGY,
    FETCHER,
    GEOMETRY,
    RASTER,
    TILE_CACHE,
    ZEBS,
    geometric,
    loads,
    lost,
    overflow,
    rise,
    stores,
    unit_area_percent,
)


def _rise(statistic: str, zebs: int) -> Callable[[Measured], float]:
    return lambda m: rise(m, statistic, machine=ZEBS[zebs])


def _speedup(which: str, text: str, zebs: int, paper: float) -> Conclusion:
    return Conclusion(
        f"speedup-{which.lower()}-{zebs}",
        f"RBCD with {ZEBS[zebs]} is {paper:,.0f} times as fast as {text} on the CPU (Fig. 5.8, equation 5.1).",
        paper, "x", f"{paper / 10:g} to {paper * 10:g}", lambda m: cpu.speedup(m, which, zebs), against_the_cpu,
    )  # fmt: skip


def _energy(which: str, text: str, zebs: int, paper: float) -> Conclusion:
    return Conclusion(
        f"cpu-energy-{which.lower()}-{zebs}",
        f"RBCD with {ZEBS[zebs]} takes {paper:g} % of the energy of {text} on the CPU (Fig. 5.8, equation 5.2).",
        paper, "%", f"{paper / 10:g} to {paper * 10:g}",
        lambda m: cpu.energy_percent(m, which, zebs), energy_against_the_cpu,
    )  # fmt: skip


def _anew(zebs: int, paper: float) -> Conclusion:
    return Conclusion(
        f"speedup-aabbs-{zebs}-anew",
        f"The same with {ZEBS[zebs]}, if the CPU recomputes a box with every vertex, as Bullet's addPoint does.",
        paper, "x", f"{paper / 10:g} to {paper * 10:g}",
        lambda m: cpu.speedup(m, cpu.BROAD, zebs, cpu.ANEW), against_the_cpu, standing="seen",
    )  # fmt: skip


BOTH = "broad phase and GJK"

CONCLUSIONS = (
    *(_speedup(cpu.BROAD, "the broad phase", zebs, paper) for zebs, paper in ((1, 250), (2, 620), (4, 650))),
    *(_anew(zebs, paper) for zebs, paper in ((1, 250), (2, 620), (4, 650))),
    *(_speedup(cpu.GJK, BOTH, zebs, paper) for zebs, paper in ((1, 1400), (2, 3500), (4, 3650))),
    Conclusion(
        "speedup-by-zebs", "The more ZEBs, the faster (5.3.1).",
        None, "x", "4 ZEBs > 2 ZEBs > 1 ZEB",
        lambda m: {ZEBS[zebs]: cpu.speedup(m, cpu.BROAD, zebs) for zebs in ZEBS}, buffers,
    ),
    _energy(cpu.BROAD, "the broad phase", 1, 0.6),
    Conclusion(
        "cpu-energy-aabbs-1-anew", "The same, if the CPU recomputes a box with every vertex.",
        0.6, "%", "0.06 to 6",
        lambda m: cpu.energy_percent(m, cpu.BROAD, 1, cpu.ANEW), energy_against_the_cpu, standing="seen",
    ),
    *(_energy(cpu.GJK, BOTH, zebs, paper) for zebs, paper in ((1, 0.1), (2, 0.05), (4, 0.05))),
    *(
        Conclusion(
            f"time-{zebs}", f"The GPU takes {paper:g} % longer with {ZEBS[zebs]} (Fig. 5.9a).",
            paper, "%", f"{paper / 2:g} to {paper * 2:g}",
            _rise(CYCLES, zebs), where_time_goes,
        )
        for zebs, paper in ((1, 5.4), (2, 3.0), (4, 3.0))
    ),
    Conclusion(
        "second-zeb", "The second ZEB makes up for 2.4 % of the time (Fig. 5.9a).",
        2.4, "%", "1.2 to 4.8",
        lambda m: rise(m, CYCLES, machine=ZEBS[1]) - rise(m, CYCLES, machine=ZEBS[2]), buffers,
    ),
    Conclusion(
        "two-are-enough", "Two ZEBs are enough: four are not noticeably faster (5.3.2).",
        0, "%", "<= 0.5", lambda m: rise(m, CYCLES, machine=ZEBS[2]) - rise(m, CYCLES, machine=ZEBS[4]), buffers,
    ),
    *(
        Conclusion(
            f"energy-{zebs}", f"GPU and memory take {paper:g} % more energy with {ZEBS[zebs]} (Fig. 5.9b).",
            paper, "%", f"{paper / 2:g} to {paper * 2:g}",
            _rise(ENERGY, zebs), energy,
        )
        for zebs, paper in ((1, 5.1), (2, 3.5), (4, 3.5))
    ),
    Conclusion(
        "gpu-energy-by-zebs", "Four ZEBs cost the GPU itself more energy than two in every game (Fig. 5.10a).",
        None, "games", ">= 4",
        lambda m: sum(ratio > 1 for ratio in m.ratios("energy.gpu", ZEBS[4], ZEBS[2]).values()), buffers,
    ),
    Conclusion(
        "geometry", "The Geometry Pipeline takes less than 1 % longer (5.3.2).",
        1, "%", "< 1", lambda m: rise(m, GEOMETRY), geometry,
    ),
    Conclusion("stores", "Stores to the Tile Cache rise by 32 % (5.3.2).", 32, "%", "16 to 64", stores, tagged),
    Conclusion(
        "write-misses", "Its write misses rise by 8.8 % (5.3.2).",
        8.8, "%", "4.4 to 17.6", lambda m: rise(m, f"{TILE_CACHE}.write_misses"), tagged,
    ),
    Conclusion(
        "primitives", "The Tile Fetcher reads 18.4 % more primitives (Fig. 5.13).",
        18.4, "%", "9.2 to 36.8", lambda m: rise(m, f"{FETCHER}.primitives"), tagged, standing="set",
    ),
    Conclusion("loads", "Loads rise by 19.3 % (Fig. 5.13).", 19.3, "%", "9.65 to 38.6", loads, tagged),
    Conclusion(
        "read-misses", "Read misses rise by 6.6 % (5.3.2).",
        6.6, "%", "3.3 to 13.2", lambda m: rise(m, f"{TILE_CACHE}.read_misses"), tagged,
    ),
    Conclusion(
        "fragments", "The Rasterizer makes 6.3 % more fragments, here quads (Fig. 5.13).",
        6.3, "%", "3.15 to 12.6", lambda m: rise(m, "raster.rasterizer.quads"), tagged,
    ),
    Conclusion(
        "fragments-and-primitives", "Fragments rise by less than primitives, which are small there (5.3.2).",
        None, "%", "primitives > fragments",
        lambda m: {
            "primitives": rise(m, f"{FETCHER}.primitives"), "fragments": rise(m, "raster.rasterizer.quads"),
        }, tagged,
    ),
    Conclusion(
        "raster", "The Raster Pipeline takes 3.7 % longer (Fig. 5.13).",
        3.7, "%", "1.85 to 7.4", lambda m: rise(m, RASTER), where_time_goes,
    ),
    Conclusion(
        "idle", "The Fragment Processors are empty in 3.6 % more cycles (5.3.2).",
        3.6, "%", "1.8 to 7.2", lambda m: rise(m, "fragment.processor.empty_cycles"), where_time_goes,
    ),
    Conclusion(
        "overflow-4", "With lists of 4 elements 3.68 % of the fragments overflow (Table 5.3).",
        3.68, "%", "1.23 to 11.04", lambda m: geometric(overflow(m, 4).values()), lists, standing="set",
    ),
    Conclusion(
        "overflow-8", "With 8 elements less than 1 % overflow in the worst case (Table 5.3).",
        0.96, "%", "< 1", lambda m: max(overflow(m, 8).values()), lists,
    ),
    Conclusion(
        "overflow-16", "With 16 elements nothing overflows (Table 5.3).",
        0, "%", "<= 0", lambda m: max(overflow(m, 16).values()), lists,
    ),
    Conclusion(
        "overflow-games", "Sleepy Jack and Temple Run overflow most: more overlaps there (Table 5.3).",
        None, "%", "003-sleepy, 003-temple among the highest 2", lambda m: overflow(m, 4), lists,
        standing="set",
    ),
    Conclusion(
        "no-pair-lost", "With 8 elements every collision is found all the same (5.3.3).",
        0, "pairs", "<= 0", lambda m: lost(m, 8), lists,
    ),
    Conclusion(
        "false-pairs", "RBCD finds fewer false pairs than hulls, and hulls fewer than boxes (Fig. 5.2).",
        None, "pairs", "AABBs > GJK > RBCD", cpu.pair_counts, found_pairs,
    ),
    Conclusion(
        "area", "The RBCD unit takes less than 1 % of the GPU's area (5.2.7).",
        1, "%", "< 1", unit_area_percent,
        areas,
    ),
)  # fmt: skip
