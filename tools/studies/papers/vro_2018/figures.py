"""Visibility Rendering Order: the figures."""

from __future__ import annotations

from ...declare import Figure
from .measures import (
    BASE,
    CYCLES,
    ENERGY,
    NAME,
    TWO,
    VRO,
    breakers,
    fetch_cycles,
    overshading,
    traffic_ratios,
    unordered,
)

FIGURES = (
    Figure("4.13", "Objects and edges", "per frame", lambda m: {
        "objects": {n: m.value(n, VRO, f"{NAME}.nodes") / m.frames(n) for n in m.workloads},
        "edges": {n: m.value(n, VRO, f"{NAME}.edge_inserter.edges") / m.frames(n) for n in m.workloads},
    }),
    Figure("4.16", "Speed-up", "times the baseline", lambda m: {
        "VRO": m.ratios(CYCLES, BASE, VRO), "two requests alone": m.ratios(CYCLES, BASE, TWO),
    }),
    Figure("4.17", "Energy", "of the baseline's", lambda m: {
        "VRO": m.ratios(ENERGY, VRO, BASE), "two requests alone": m.ratios(ENERGY, TWO, BASE),
    }),
    Figure("4.18", "Overshading", "of the baseline's", lambda m: {"VRO": overshading(m, VRO)}),
    Figure("4.19", "Fetch time", "cycles per primitive", lambda m: {
        machine: fetch_cycles(m, machine) for machine in (BASE, TWO, VRO)
    }),
    Figure("4.20", "Memory traffic", "of the baseline's", lambda m: {"VRO": traffic_ratios(m)}),
    Figure("4.23", "Overshading by the way out of cycles", "of the baseline's", lambda m: {
        name: {"mean": value} for name, value in breakers(unordered(m)).items()
    }, means=True),
)  # fmt: skip
