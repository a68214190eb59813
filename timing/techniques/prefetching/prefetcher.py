"""Prefetcher of a cache: looks up what its tables have predicted, a line per cycle, and has the cache ask below for it.

Nothing waits for a prefetch. It is dropped where the line has arrived or is on its way, where all MSHRs are taken, and
where the level below takes no request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER

from ...engine.jit import inline, unit
from ...engine.ring import drop, front
from ...engine.unit import Unit
from ...memory.lines import find
from ...memory.misses import fetch_ahead, under_way
from ...memory.request import can_send
from .parameters import Parameters
from .predictors import FOLDER
from .state import (
    MAX_PREFETCHERS,
    NOTHING,
    PERFECT,
    PREDICTS,
    TRAININGS,
    WALKS,
    Predicted,
    Prefetcher,
    caches_of,
    prefetchers,
)
from .statistics import PER_PREFETCHER, STRUCTURES

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu


@unit
def tick(gpu: Gpu, k: int, t: int) -> int:
    own: Prefetcher = gpu.prefetcher[k]
    if own.queue.count == 0:
        return NEVER
    predicted = front(own.queue)
    if predicted.due > t:
        return int(predicted.due)
    cache = gpu.cache[own.cache]
    if bank_taken(cache, own, predicted.line, t):
        return t + 1
    look_up(gpu, cache, own, predicted, t)
    drop(own.queue)
    if own.queue.count == 0:
        return NEVER
    return max(int(front(own.queue).due), t + 1)


@inline
def bank_taken(cache: Cache, own: Prefetcher, line: int, t: int) -> bool:
    """Whether an access has taken the bank in this cycle, in which the cache had its turn before."""
    return bool(own.own_port == 0 and cache.served == t and cache.taken >> (line & cache.bank_mask) & 1 != 0)


@inline
def look_up(gpu: Gpu, cache: Cache, own: Prefetcher, predicted: Predicted, t: int) -> None:
    """Fetch a predicted line, or drop it."""
    own.lookups += 1
    own.period_lookups += 1
    if find(gpu, cache, predicted.line) >= 0:
        own.dropped_here += 1
    elif under_way(cache, predicted.line) >= 0:
        own.dropped_under_way += 1
        own.period_merges += 1
        own.period_requests += 1
    elif no_mshr(cache, own) or not can_send(gpu.port[cache.below]):
        own.dropped_mshrs += 1
    else:
        fetch_ahead(gpu, cache, predicted.line, predicted.source, predicted.tile, t)
        own.issued += 1
        own.period_requests += 1


@inline
def no_mshr(cache: Cache, own: Prefetcher) -> bool:
    """Whether all MSHRs that prefetches may take are taken."""
    if cache.mshrs_extra > 0:
        return bool(cache.mshrs_ahead >= cache.mshrs_extra)
    return bool(cache.mshrs_used + own.spare_mshrs >= cache.mshrs)


def setup(chip: Chip, own: Prefetcher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration.of(Parameters)
    own.cache = caches_of(chip)[place[0]]
    own.kind = {"none": NOTHING, "perfect": PERFECT}.get(c.prefetcher, PREDICTS)
    own.training = TRAININGS.index(c.training)
    own.own_port, own.spare_mshrs, own.latency = c.lookup == "own_port", c.spare_mshrs, c.latency_cycles
    own.queue.depth = c.queue
    own.entries, own.index_entries, own.history_entries = c.stride_entries, c.index_entries, c.history_entries
    own.walk = WALKS.index(c.distance_walk)
    own.warp_entries, own.global_entries = c.warp_stride_entries, c.global_stride_entries
    own.thread_entries, own.promotion_warps = c.inter_thread_entries, c.promotion_warps
    own.period = own.period_end = c.period_cycles
    own.low_early, own.high_early = c.low_early_evictions, c.high_early_evictions
    own.high_merges, own.most_degree = c.high_merges, c.most_degree
    own.first_degree, own.restart_periods = c.first_degree, c.restart_periods
    if own.kind == PREDICTS:
        own.predictor = FOLDER.number_of(c.prefetcher)
        FOLDER.find(c.prefetcher).set_up(own, chip.configuration)


UNIT = Unit(
    "prefetcher",
    __name__,
    Prefetcher,
    tick,
    most=MAX_PREFETCHERS,
    count=prefetchers,
    setup=setup,
    marks=("lookups",),
    stands=lambda own: f"{int(own.queue.count)} of {int(own.queue.depth)} lines to look up" if own.queue.count else "",
    statistics=PER_PREFETCHER,
    structures=STRUCTURES,
)
