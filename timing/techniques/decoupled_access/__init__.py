"""Decoupled access/execute (Arnau et al., ISCA 2012, 3.3 and 3.4): when a quad is queued for its processor, the
addresses that it will need go to a prefetch queue, and the lines to the processor's first-level caches.

With remote requests a line that misses comes from another first-level cache, where the queue remembers one that had it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.calendar import poke
from ...engine.hooks import GO
from ...engine.jit import inline
from ...engine.ring import full, grow
from ...engine.technique import Technique
from ...memory.misses import DEMANDED
from ..shared.prefetched_lines import FIRST_HIT, LATE, MISS, judge, placed
from . import prefetch_queue
from .parameters import Parameters
from .state import AWAITS_REMOTE, IDLE, UNDER_WAY, State, setup
from .statistics import STATISTICS
from .tables import Tables, load

if TYPE_CHECKING:
    from ...engine.frame import Depth
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu
    from ...memory.request import Port
    from .state import PrefetchQueue


__all__ = ["TECHNIQUE", "load"]


@inline
def quad_queued(gpu: Gpu, own: Tables, depth: Depth, r: int, quad: int, tile: int, processor: int, t: int) -> None:
    """Compute the addresses of a quad while it waits."""
    queue: PrefetchQueue = gpu.raster_unit[r].prefetch_queue
    if full(queue.waiting):
        queue.unseen_quads += 1
        return
    waiting = grow(queue.waiting)
    waiting.quad = quad
    waiting.tile = tile
    waiting.processor = processor
    queue.quads += 1
    poke(gpu, queue.id)


@inline
def number_of(gpu: Gpu, cache: Cache) -> int:
    """Number of a cache."""
    return int(gpu.unit[cache.id].a)


@inline
def cache_accessed(gpu: Gpu, cache: Cache, port: Port, line: int, place: int, t: int) -> None:
    """An access may be the first to a line that was prefetched."""
    state = gpu.technique.decoupled_access
    if state.is_target[number_of(gpu, cache)] != 0:
        outcome = judge(gpu, cache, line, place)
        state.useful += outcome == FIRST_HIT
        state.late += outcome == LATE
        state.demand_misses += outcome == MISS


@inline
def line_placed(gpu: Gpu, cache: Cache, line: int, place: int, t: int) -> None:
    """A line that was not asked for gives way; one that the queue waits for may have arrived."""
    state = gpu.technique.decoupled_access
    k = number_of(gpu, cache)
    if state.is_target[k] == 0:
        return
    state.useless += placed(gpu, cache, line, place)
    for r in range(gpu.raster_units):
        queue: PrefetchQueue = gpu.raster_unit[r].prefetch_queue
        for i in range(queue.entries):
            entry = queue.entry[i]
            if entry.line != line:
                continue
            if entry.state == UNDER_WAY and entry.cache == k and cache.apart == 0:
                entry.state = IDLE
                poke(gpu, queue.id)
            elif entry.state == AWAITS_REMOTE and entry.source == k:
                poke(gpu, queue.id)


@inline
def line_arrived(gpu: Gpu, cache: Cache, m: int, t: int) -> int:
    """Let the queue check whether its own requests are over, where accesses ask for lines themselves."""
    if cache.apart != 0 and cache.mshr[m].ahead != DEMANDED:
        for r in range(gpu.raster_units):
            poke(gpu, gpu.raster_unit[r].prefetch_queue.id)
    return GO


TECHNIQUE = Technique(
    "decoupled_access",
    "Decoupled access/execute fragment processor (Arnau et al., ISCA 2012)",
    parameters=Parameters,
    load=load,
    record=State,
    setup=setup,
    units=(prefetch_queue.UNIT,),
    statistics=STATISTICS,
    order=80,
    conflicts=("prefetching",),
    machines=("tile_based", "immediate", "programmable_blending"),
)
