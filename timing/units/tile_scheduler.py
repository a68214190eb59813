"""Tile scheduler: which Raster Unit gets the next tile (Parallel Tile Rendering, 5.1).

Static: in turn. Dynamic: the one with fewest primitives in its Tile Queue, the first of equals. Mixed: the same, but
among equals the one that was not chosen last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.jit import inline
from ..engine.wiring import access

if TYPE_CHECKING:
    from tilegpu.timing.declare.records import Token

    from ..engine.ring import Queue
    from ..memory.gpu import Gpu


@access
def tile_queue(gpu: Gpu, r: int) -> Queue[Token]:
    """Tile Queue before a Rasterizer."""
    raise NotImplementedError


STATIC, DYNAMIC, MIXED = range(3)


@inline
def choose(gpu: Gpu, number: int, last: int) -> int:
    """Raster Unit for the tile with this number in its pass; `last` was chosen before."""
    n = gpu.raster_units
    if gpu.tile_assignment == STATIC:
        return int(number % n)
    return emptiest(gpu, last) if gpu.tile_assignment == MIXED else emptiest(gpu, n - 1)


@inline
def emptiest(gpu: Gpu, last: int) -> int:
    """Raster Unit with fewest primitives in its Tile Queue; of equals the first one after the last that was chosen."""
    n = gpu.raster_units
    best = last + 1 if last + 1 < n else 0
    r = best
    for _ in range(n):
        if tile_queue(gpu, r).count < tile_queue(gpu, best).count:
            best = r
        r = r + 1 if r + 1 < n else 0
    return best
