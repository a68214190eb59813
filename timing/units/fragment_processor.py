"""Fragment Processor: executes the fragment shader, one quad per warp; quads leave for blending in the order they came.

The fragment stage works on one tile at a time: a processor that meets the end of the tile waits for the others.
"""

from __future__ import annotations

from typing import Any

from ..engine.jit import inline, unit
from ..engine.records import END_OF_TILE, QUAD
from ..engine.ring import drop, front, full, poke, push_token, release
from . import processor
from .processor import DONE, FREE, account, fetch_code, issue, receive_code


@unit
def tick(gpu: Any, shading: Any, r: int, i: int, t: int) -> int:
    raster_unit = gpu.raster_unit[r]
    core = raster_unit.processor[i]
    account(core, t)
    moved = retire(gpu, raster_unit, core, t)
    receive_code(gpu, core, t)
    moved |= fetch_code(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, raster_unit, core, t)
    if core.warp.count > 0 and front(core.warp).state == DONE and front(core.warp).due > t:
        wake = min(wake, front(core.warp).due)
    return t + 1 if moved else wake


@inline
def retire(gpu: Any, raster_unit: Any, core: Any, t: int) -> bool:
    """The oldest warp leaves, in order, when its last results are there."""
    if core.warp.count == 0 or full(raster_unit.blending.queue):
        return False
    warp = front(core.warp)
    if warp.state != DONE or warp.due > t or warp.textures > 0:
        return False
    push_token(raster_unit.blending.queue, QUAD, warp.tile, warp.item)
    poke(gpu, raster_unit.blending.id, t)
    warp.state = FREE
    drop(core.warp)
    return True


@inline
def accept(gpu: Any, shading: Any, raster_unit: Any, core: Any, t: int) -> bool:
    """A quad takes the next warp; the end of a tile waits at the barrier."""
    if core.queue.count == 0:
        return False
    token = front(core.queue)
    if token.kind == END_OF_TILE:
        return barrier(gpu, raster_unit, core, t)
    if full(core.warp):
        return False
    quad = shading.quad[token.index]
    warp = processor.start(gpu, shading, core, quad.path, token.index, token.tile, t)
    warp.operation = quad.operation
    release(gpu, core.queue, raster_unit.early_depth.id, t)
    return True


@unit
def barrier(gpu: Any, raster_unit: Any, core: Any, t: int) -> bool:
    """The last processor to finish the tile hands its end on and lets all of them go to the next one."""
    if core.warp.count > 0:
        return False
    if core.arrived == 0:
        core.arrived = 1
        raster_unit.arrived += 1
    if raster_unit.arrived < gpu.fragment_processors or full(raster_unit.blending.queue):
        return False
    push_token(raster_unit.blending.queue, END_OF_TILE, front(core.queue).tile, -1)
    poke(gpu, raster_unit.blending.id, t)
    raster_unit.arrived = 0
    for i in range(gpu.fragment_processors):
        other = raster_unit.processor[i]
        release(gpu, other.queue, raster_unit.early_depth.id, t)
        other.arrived = 0
        poke(gpu, other.id, t)
    return True
