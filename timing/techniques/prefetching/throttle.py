"""Throttling of the many-thread aware prefetcher (Lee et al., MICRO 2010): after each period the degree follows from
how many prefetches were evicted before their first use, and how many requests joined misses under way.

Many early evictions: nothing is prefetched. Some: one line less. Few, and many merges, so that prefetches come late:
one line more. Few of both: nothing is prefetched, as it is of no use. The paper does not say how it begins again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline, unit

if TYPE_CHECKING:
    from .state import Prefetcher


@inline
def advance(own: Prefetcher, t: int) -> None:
    """Adapt the degree where a period is over."""
    if own.throttles != 0 and t >= own.period_end:
        adapt(own)
        own.period_end = t - t % own.period + own.period


@unit
def adapt(own: Prefetcher) -> None:
    """The next degree. A period that says nothing about prefetches changes nothing: one without requests, or in which
    nothing was predicted though it might have been."""
    if own.period_requests == 0 or (own.degree > 0 and own.period_lookups + own.period_early == 0):
        return
    merges = 1000 * own.period_merges // own.period_requests
    own.merge_permille = (own.merge_permille + merges) // 2
    early = 1000 * own.period_early
    rested = own.rest + 1 if own.degree == 0 else 0
    if early > own.high_early * own.period_useful:
        own.degree = 0
    elif early >= own.low_early * own.period_useful and own.period_early > 0:
        own.degree = max(0, own.degree - 1)
    elif own.merge_permille > own.high_merges:
        own.degree = min(own.most_degree, own.degree + 1)
    elif own.restart_periods > 0 and rested >= own.restart_periods:
        own.degree = own.first_degree
    else:
        own.degree = 0
    own.rest = rested if own.degree == 0 else 0
    own.periods += 1
    own.degrees += own.degree
    own.stops += own.degree == 0
    own.period_lookups = 0
    own.period_early = 0
    own.period_useful = 0
    own.period_merges = 0
    own.period_requests = 0
