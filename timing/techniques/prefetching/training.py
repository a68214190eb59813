"""Training of a cache's prefetcher by accesses to the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.calendar import poke_at
from ...engine.jit import inline, unit
from ...engine.ring import front, full, grow
from ...memory.request import PREFETCH, TEXTURE, Port, instruction_of, warp_of
from ..shared.prefetched_lines import FETCHES_NOTHING, FIRST_HIT, LATE, MERGE, MISS, count, judge
from . import predicting
from .state import ACCESSES, FIRST_USES, Prefetcher
from .throttle import advance

if TYPE_CHECKING:
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu


@unit
def accessed(gpu: Gpu, cache: Cache, port: Port, own: Prefetcher, line: int, place: int, t: int) -> None:
    """The first request of a port was served. What a unit prefetches itself says nothing."""
    if front(port.request).kind == PREFETCH:
        return
    advance(own, t)
    outcome = judge(gpu, cache, line, place)
    count(own, outcome)
    own.period_useful += outcome in (FIRST_HIT, LATE)
    own.period_merges += outcome in (LATE, MERGE)
    own.period_requests += outcome in (LATE, MERGE, MISS)
    if teaches(own, outcome):
        teach(gpu, cache, port, own, line, t)


@inline
def teaches(own: Prefetcher, outcome: int) -> bool:
    """Whether an access teaches the prefetcher."""
    if outcome in (MISS, LATE):
        return True
    if outcome == FIRST_HIT:
        return bool(own.training == FIRST_USES or own.training == ACCESSES)
    return bool(outcome != FETCHES_NOTHING and own.training == ACCESSES)


@unit
def teach(gpu: Gpu, cache: Cache, port: Port, own: Prefetcher, line: int, t: int) -> None:
    """Train with an access, and queue what follows from it."""
    request = front(port.request)
    own.predictions = 0
    own.taught += 1
    # Blending units and the depth test have no instructions: their reads are one, and so are their writes.
    instruction, warp = request.kind, 0
    if request.source == TEXTURE or request.tag != 0:
        instruction = instruction_of(request.tag)
        warp = (port.number - cache.first_port) * 32 + warp_of(request.tag)
    predicting.train(own, instruction, warp, line)
    for i in range(own.predictions):
        own.predicted += 1
        if full(own.queue):
            own.dropped_queue += 1
        else:
            item = grow(own.queue)
            item.line = own.prediction[i]
            item.due = t + own.latency
            item.source = request.source
            item.tile = request.tile
    if own.predictions > 0:
        poke_at(gpu, own.id, t + own.latency)
