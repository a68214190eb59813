"""Hardware prefetchers next to first-level caches, which Decoupled Access/Execute is compared with (Arnau et al., ISCA
2012, 3.1 and Table 1): by stride, by distance with a Global History Buffer, and many-thread aware with throttling.

Every cache has a prefetcher of its own. It is taught by accesses to the cache, and brings lines into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.hooks import GO, SKIP, WAIT
from ...engine.jit import inline
from ...engine.ring import front
from ...engine.technique import Technique
from ...memory.lines import install
from ..shared.prefetched_lines import placed
from . import prefetcher
from .parameters import Parameters
from .predictors import KIND
from .state import PERFECT, PREDICTS, State, setup
from .throttle import advance
from .training import accessed

if TYPE_CHECKING:
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu
    from ...memory.request import Port
    from .state import Prefetcher


@inline
def number_of(gpu: Gpu, cache: Cache) -> int:
    """Number of a cache's prefetcher; negative where it has none."""
    return int(gpu.technique.prefetching.of_cache[gpu.unit[cache.id].a]) - 1


@inline
def cache_missed(gpu: Gpu, cache: Cache, port: Port, line: int, t: int) -> int:
    """Install at once a line that a perfect cache lacks; it costs nothing below."""
    k = number_of(gpu, cache)
    if k < 0 or gpu.prefetcher[k].kind != PERFECT:
        return GO
    request = front(port.request)
    return SKIP if install(gpu, cache, line, request.source, request.tile, t) >= 0 else WAIT


@inline
def cache_accessed(gpu: Gpu, cache: Cache, port: Port, line: int, place: int, t: int) -> None:
    """An access counts, and may teach the prefetcher."""
    k = number_of(gpu, cache)
    if k >= 0 and gpu.prefetcher[k].kind == PREDICTS:
        accessed(gpu, cache, port, gpu.prefetcher[k], line, place, t)


@inline
def line_placed(gpu: Gpu, cache: Cache, line: int, place: int, t: int) -> None:
    """A line that was not asked for gives way; one that was not asked for may come."""
    k = number_of(gpu, cache)
    if k < 0:
        return
    own: Prefetcher = gpu.prefetcher[k]
    if placed(gpu, cache, line, place):
        advance(own, t)
        own.useless += 1
        own.period_early += 1


TECHNIQUE = Technique(
    "prefetching",
    "Hardware prefetchers (as in Arnau et al., ISCA 2012)",
    parameters=Parameters,
    record=State,
    setup=setup,
    units=(prefetcher.UNIT,),
    policies=(KIND,),
    order=80,
)
