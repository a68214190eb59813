"""Rendering Elimination: the figures."""

from __future__ import annotations

from ...declare import Figure
from .measures import (
    BASE,
    CYCLES,
    ENERGY,
    GEOMETRY,
    GPU,
    MEMORY,
    RASTER,
    RE,
    TE,
    normalized,
    shaded_fragments,
    tile_shares,
    traffic_parts,
)

FIGURES = (
    Figure("14a", "Execution cycles, geometry", "of the baseline's cycles", lambda m: {
        machine: {n: m.value(n, machine, GEOMETRY) / m.value(n, BASE, CYCLES) for n in m.workloads}
        for machine in (BASE, RE)
    }),
    Figure("14a-raster", "Execution cycles, raster", "of the baseline's cycles", lambda m: {
        machine: {n: m.value(n, machine, RASTER) / m.value(n, BASE, CYCLES) for n in m.workloads}
        for machine in (BASE, RE)
    }),
    Figure("14b", "Energy of Rendering Elimination", "of the baseline's", lambda m: {
        "GPU": {n: m.value(n, RE, GPU) / m.value(n, BASE, ENERGY) for n in m.workloads},
        "memory": {n: m.value(n, RE, MEMORY) / m.value(n, BASE, ENERGY) for n in m.workloads},
    }, stacked=True),
    Figure("15a", "Tiles of neighbouring frames", "share of the tiles", tile_shares, stacked=True),
    Figure("15b", "Main memory traffic of the raster stage", "of the baseline's", traffic_parts, stacked=True),
    Figure("16", "Fragments shaded", "of the baseline's", shaded_fragments),
    Figure("17a", "Execution cycles", "of the baseline's", lambda m: normalized(m, CYCLES, RE, TE)),
    Figure("17b", "Energy", "of the baseline's", lambda m: normalized(m, ENERGY, RE, TE)),
)  # fmt: skip
