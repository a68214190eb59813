"""Decoupled Access/Execute: other readings of what the paper leaves open."""

from __future__ import annotations

from ...declare import Beside, Reading, Readings, other_seeds
from .measures import FEW, MACHINES, READ, READ_ON, REMOTE, TWINS, machine

ACCESS = "technique.decoupled_access"
PREFETCHING = "technique.prefetching"
HEADLINE = (
    "mta", "decoupled", "remote", "warps", "one-warp", "two-warps", "two-warps-energy", "decoupled-traffic",
    "remote-traffic", "ghb-traffic", "mta-traffic", "requests-miss", "misses-elsewhere",
)  # fmt: skip
APART = (f"{ACCESS}.mshrs=queue", f"{PREFETCHING}.mshrs=prefetchers")
CACHES = "texture_cache", "color_cache"


def _bus(width: int) -> Reading:
    return Reading(f"a bus of {8 * width} bits", (f"memory.network_bytes_per_cycle={width}",))


def _variants(end: str) -> dict[str, str]:
    return {twin: f"{twin}+{end}" for twin in READ_ON}


READINGS = Readings(
    READ,
    READ_ON,
    HEADLINE,
    (
        Reading("surfaces in square tiles", ("memory.texture_layout=tiled",)),
        Reading("textures in ETC1", workloads=_variants("etc1")),
        Reading("fixed functions", workloads=_variants("fixed")),
        Reading("windows of 32 bits, depths of 24", workloads=_variants("window-rgba8")),
        Reading("two quads in the early depth test", ("early_depth.in_flight=2",)),
        Reading("a tile queue for each processor", ("fragment_stage.input_queue=private",)),
        Reading("tiles to the processor with the fewest", ("dispatch.processor=fewest_quads",)),
        *(_bus(width) for width in (16, 64)),
        Reading("lines of other caches by the bus", (f"{ACCESS}.remote_path=bus",)),
        Reading("prefetches take no MSHR of the caches", APART),
        Reading("the same, and accesses ask for lines under way (seen)", (*APART, f"{ACCESS}.late=missed")),
        Reading("16 MSHRs in texture and pixel caches", tuple(f"{cache}.mshrs=16" for cache in CACHES)),
        Reading("every access teaches predictors", (f"{PREFETCHING}.training=accesses",)),
        Reading("four lines at a time by distance", (f"{PREFETCHING}.distance_degree=4",)),
        Reading("the throttle off", (f"{PREFETCHING}.throttling=off",)),
        *other_seeds(READ_ON),
    ),
    "[decoupled access/execute](../model/decoupled_access.md)",
)

FIXED = Beside(
    Reading("fixed functions", workloads={twin: f"{twin}+fixed" for twin in TWINS}),
    (*MACHINES, *(machine(REMOTE, warps) for warps in FEW[1:])),
    "games of OpenGL ES 1.x",
)
"""The text names the renderer that made its traces, which has fixed functions alone (4)."""
