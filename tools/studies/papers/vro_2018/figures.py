"""Visibility Rendering Order: the figures."""

from __future__ import annotations

from ...declare import Figure
from . import immediate
from .measures import (
    BASE,
    CYCLES,
    DR,
    ENERGY,
    NAME,
    TWO,
    VRO,
    breakers,
    extra_fetch,
    extra_raster,
    extra_stalls,
    fetch_cycles,
    fetch_cycles_of_all,
    list_sizes,
    overshading,
    per_pixel,
    traffic_ratios,
    unordered,
)

FIGURES = (
    Figure("4.2", "Fragments shaded per pixel", "fragments", per_pixel),
    Figure("4.13", "Objects and edges", "per frame", lambda m: {
        "objects": {n: m.value(n, VRO, f"{NAME}.nodes") / m.frames(n) for n in m.workloads},
        "edges": {n: m.value(n, VRO, f"{NAME}.edge_inserter.edges") / m.frames(n) for n in m.workloads},
    }),
    Figure("4.13 bottom", "Objects in a list of the graph", "objects", lambda m: {
        f"P{percent}": list_sizes(m, percent) for percent in (75, 85, 95)
    }),
    Figure("4.16", "Speed-up", "times the baseline", lambda m: {
        "VRO": m.ratios(CYCLES, BASE, VRO), "DR": m.ratios(CYCLES, BASE, DR),
        "two requests alone": m.ratios(CYCLES, BASE, TWO),
    }),
    Figure("4.17", "Energy", "of the baseline's", lambda m: {
        "VRO": m.ratios(ENERGY, VRO, BASE), "DR": m.ratios(ENERGY, DR, BASE),
        "two requests alone": m.ratios(ENERGY, TWO, BASE),
    }),
    Figure("4.18", "Overshading", "of the baseline's", lambda m: {
        "VRO": overshading(m, VRO), "DR": overshading(m, DR),
    }),
    Figure("4.19", "Fetch time", "cycles per primitive", lambda m: {
        **{machine: fetch_cycles(m, machine) for machine in (BASE, TWO, VRO, DR)},
        "dr, of all that is fetched": fetch_cycles_of_all(m),
    }),
    Figure("4.20", "Memory traffic", "of the baseline's", lambda m: {
        "VRO": traffic_ratios(m), "DR": traffic_ratios(m, DR),
    }),
    Figure("4.21", "Cycles that Deferred Rendering takes longer than VRO", "million cycles", lambda m: {
        name: {n: value / 1e6 for n, value in longer(m).items()}
        for name, longer in (
            ("fetching", extra_fetch), ("stalls behind Fragment Processors", extra_stalls), ("raster", extra_raster)
        )
    }),
    Figure("4.23", "Overshading by the way out of cycles", "of the baseline's", lambda m: {
        name: {"mean": value} for name, value in breakers(unordered(m)).items()
    }, means=True),
    *immediate.FIGURES,
)  # fmt: skip
