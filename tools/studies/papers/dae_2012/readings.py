"""Decoupled Access/Execute: other readings of what the paper leaves open."""

from __future__ import annotations

from ...declare import Reading, Readings, other_seeds
from .measures import READ, READ_ON

ACCESS = "technique.decoupled_access"
PREFETCHING = "technique.prefetching"
HEADLINE = (
    "mta", "decoupled", "remote", "warps", "one-warp", "decoupled-traffic", "remote-traffic",
    "ghb-traffic", "mta-traffic", "requests-miss", "misses-elsewhere",
)  # fmt: skip


def _bus(width: int) -> Reading:
    return Reading(f"a bus of {8 * width} bits", (f"memory.network_bytes_per_cycle={width}",))


READINGS = Readings(
    READ,
    READ_ON,
    HEADLINE,
    (
        Reading("surfaces in square tiles", ("memory.texture_layout=tiled",)),
        Reading("textures in ETC1", (), {twin: f"{twin}+etc1" for twin in READ_ON}),
        Reading("two quads in the early depth test", ("early_depth.in_flight=2",)),
        *(_bus(width) for width in (4, 16, 32, 64)),
        Reading("a link for each cache", ("memory.network=links", "memory.network_bytes_per_cycle=64")),
        Reading("lines of other caches by the bus", (f"{ACCESS}.remote_path=bus",)),
        Reading("accesses ask for lines under way", (f"{ACCESS}.late=missed",)),
        Reading("the throttle off", (f"{PREFETCHING}.throttling=off",)),
        *other_seeds(READ_ON),
    ),
    "[decoupled access/execute](../model/decoupled_access.md)",
)
