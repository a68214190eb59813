"""Render-Based Collision Detection: the figures."""

from __future__ import annotations

from ...declare import Figure
from ...measured import Measured
from . import cpu
from .measures import BASE, CYCLES, ENERGY, FETCHER, GEOMETRY, RASTER, ZEBS, overflow


def _against(m: Measured, which: str) -> dict[str, dict[str, float]]:
    return {name: cpu.speedups(m, which, name) for name in ZEBS.values()}


def _energy(m: Measured, which: str) -> dict[str, dict[str, float]]:
    return {name: cpu.energy_percents(m, which, name) for name in ZEBS.values()}


def _over(m: Measured, statistic: str) -> dict[str, dict[str, float]]:
    return {name: m.ratios(statistic, name, BASE) for name in ZEBS.values()}


FIGURES = (
    Figure("5.8a", "Speed-up over the broad phase on the CPU", "times", lambda m: _against(m, cpu.BROAD)),
    Figure("5.8a, boxes anew", "Speed-up over a broad phase with boxes anew for each vertex", "times", lambda m: {
        name: cpu.speedups(m, cpu.BROAD, name, boxes=cpu.ANEW) for name in ZEBS.values()
    }),
    Figure("5.8b", "Energy", "% of the broad phase's", lambda m: _energy(m, cpu.BROAD)),
    Figure("5.8c", "Speed-up over broad phase and GJK", "times", lambda m: _against(m, cpu.GJK)),
    Figure("5.8d", "Energy", "% of that of broad phase and GJK", lambda m: _energy(m, cpu.GJK)),
    Figure("5.9a", "Rendering time", "of the baseline's", lambda m: _over(m, CYCLES)),
    Figure("5.9b", "Energy of GPU and memory", "of the baseline's", lambda m: _over(m, ENERGY)),
    Figure("5.10a", "Energy of the GPU", "of the baseline's", lambda m: _over(m, "energy.gpu")),
    Figure("5.10b", "Energy of memory", "of the baseline's", lambda m: _over(m, "energy.dram")),
    Figure("5.12", "Time by pipeline", "of the baseline's", lambda m: {
        "geometry": m.shares(BASE, GEOMETRY, CYCLES), "raster": m.shares(BASE, RASTER, CYCLES),
    }, stacked=True),
    Figure("5.13", "Tile Cache loads, primitives, quads and raster cycles", "of the baseline's", lambda m: {
        "loads": m.ratios(f"{FETCHER}.attribute_requests", ZEBS[2], BASE),
        "primitives": m.ratios(f"{FETCHER}.primitives", ZEBS[2], BASE),
        "quads": m.ratios("raster.rasterizer.quads", ZEBS[2], BASE),
        "raster cycles": m.ratios(RASTER, ZEBS[2], BASE),
    }),
    Figure("table 5.3", "Fragments that find their list full", "%", lambda m: {
        f"{length} elements": overflow(m, length) for length in (4, 8, 16)
    }, paper={
        "4 elements": {"003-captain": 1.57, "003-crazy": 1.20, "003-sleepy": 5.87, "003-temple": 16.61},
        "8 elements": {"003-captain": 0.01, "003-crazy": 0.03, "003-sleepy": 0.21, "003-temple": 0.96},
        "16 elements": {"003-captain": 0, "003-crazy": 0, "003-sleepy": 0, "003-temple": 0},
    }),
)  # fmt: skip
