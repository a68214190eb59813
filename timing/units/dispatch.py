"""Dispatch of quads to Fragment Processors, as they are queued: by their place, or to the processor with the fewest.

Decoupled Access/Execute chooses the processor before a tile of fragments is queued (3.3) and does not describe the
choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, choice
from tilegpu.timing.declare.records import MAX_THREADS, QUAD

from ..engine.jit import inline, unit
from ..engine.ring import wrap
from .packing import place_of

if TYPE_CHECKING:
    from ..engine.frame import Depth
    from ..memory.gpu import Gpu
    from .cached_depth import CachedFlight
    from .processor import Processor


class Dispatch(Group, section="dispatch"):
    """Choice of the Fragment Processor of a quad."""

    processor: str = choice(
        "mapped",
        {
            "mapped": "that of the quad's place (`fragment_stage.quad_mapping`)",
            "fewest_quads": "that with the fewest quads, queued or shaded, or one that has a quad at the same place",
        },
        "Fragment Processor that a quad is queued for",
        silent=("fewest_quads",),
    )


THERE = -1
"""Count of a processor that has a quad at the place."""


@inline
def choose(gpu: Gpu, depth: Depth, r: int, flight: CachedFlight, fewest: int) -> None:
    """Choose the processor of the quad that is queued next, where it is not the place that decides."""
    if fewest != 0 and flight.passed != 0:
        flight.processor = with_fewest(gpu, depth, r, place_of(depth.quad[flight.quad]))


@unit
def with_fewest(gpu: Gpu, depth: Depth, r: int, place: int) -> int:
    """The processor with the fewest quads, the first of several; one that has a quad at the place gets this one, too,
    so that its pixels are read and written in drawing order."""
    chosen, fewest = 0, 1 << 32
    for i in range(gpu.fragment_processors):
        quads = shaded(gpu.raster_unit[r].fragment_processor[i], place)
        more = queued(gpu, depth, r, i, place)
        if quads == THERE or more == THERE:
            return i
        if quads + more < fewest:
            fewest = quads + more
            chosen = i
    return chosen


@unit
def shaded(core: Processor, place: int) -> int:
    """Quads that a processor shades, or THERE."""
    quads = 0
    for k in range(core.warp.count):
        w = wrap(core.warp, core.warp.head + k)
        lanes = core.warp.slot[w].lanes
        for lane in range(lanes):
            if core.place[MAX_THREADS * w + lane] == place:
                return THERE
        quads += lanes
    return quads


@unit
def queued(gpu: Gpu, depth: Depth, r: int, i: int, place: int) -> int:
    """Quads that are queued for a processor, or THERE."""
    quads = 0
    private = gpu.raster_unit[r].fragment_processor[i].queue
    for k in range(private.count):
        token = private.slot[wrap(private, private.head + k)]
        if token.kind == QUAD:
            quads += 1
            if place_of(depth.quad[token.index]) == place:
                return THERE
    shared = gpu.raster_unit[r].input
    for k in range(shared.count):
        entry = shared.slot[wrap(shared, shared.head + k)]
        if entry.token.kind == QUAD and entry.processor == i:
            quads += 1
            if place_of(depth.quad[entry.token.index]) == place:
                return THERE
    return quads
