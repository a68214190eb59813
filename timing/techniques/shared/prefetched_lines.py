"""Outcomes of lines that were brought into a cache before they were asked for, for all techniques that do so.

A technique's record counts: `useful` ones had arrived when they were asked for, `late` ones on their way, `useless`
ones gave way unasked; `misses` are accesses whose line had not been fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import ConfigurationError
from tilegpu.timing.declare.records import MAX_MSHRS

from ...engine.jit import inline, unit
from ...memory.misses import ASKED, UNASKED, awaited, fetched_ahead

if TYPE_CHECKING:
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu
    from ..prefetching.state import Prefetcher


HIT, FIRST_HIT, MISS, LATE, MERGE, FETCHES_NOTHING = range(6)


def add_mshrs(cache: Cache, extra: int, field: str) -> None:
    """Give a cache MSHRs that prefetches alone take.

    Parameters
    ----------
    cache, extra
        The cache, and how many.
    field
        Field that sets how many, for the error.

    Raises
    ------
    ConfigurationError
        If there is no room for them.
    """
    cache.mshrs += extra
    cache.mshrs_extra = extra
    if cache.mshrs > MAX_MSHRS:
        raise ConfigurationError(
            f"{field}: MSHRs of a first-level cache and those of its prefetches are {int(cache.mshrs)} together, and "
            f"there is room for {MAX_MSHRS}"
        )


@unit
def judge(gpu: Gpu, cache: Cache, line: int, place: int) -> int:
    """Outcome of an access that was served just now; `place`: where the line lay, or -1. Its line counts as used."""
    if place >= 0:
        if gpu.line.unasked[place] == 0:
            return HIT
        gpu.line.unasked[place] = 0
        return FIRST_HIT
    ahead = fetched_ahead(cache, line)
    if ahead >= 0 and cache.mshr[ahead].ahead == UNASKED:
        cache.mshr[ahead].ahead = ASKED
        return LATE
    m = awaited(cache, line)
    if m < 0:
        return FETCHES_NOTHING
    return MISS if cache.mshr[m].first == cache.mshr[m].last else MERGE


@inline
def count(own: Prefetcher, outcome: int) -> None:
    """Count an access by what it found."""
    own.useful += outcome == FIRST_HIT
    own.late += outcome == LATE
    own.misses += outcome == MISS


@inline
def placed(gpu: Gpu, cache: Cache, line: int, place: int) -> bool:
    """A line takes a place; whether the one that gives way was fetched and never asked for."""
    m = fetched_ahead(cache, line)
    useless = gpu.line.unasked[place] != 0
    gpu.line.unasked[place] = m >= 0 and cache.mshr[m].ahead == UNASKED
    return bool(useless)
