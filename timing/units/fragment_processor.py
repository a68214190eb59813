"""Fragment Processor: executes the fragment shader, one quad per warp; quads leave for blending in the order they came.

The fragment stage works on one tile at a time: a processor that meets the end of the tile waits for the others.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..engine.calendar import poke, poke_at
from ..engine.jit import inline, unit
from ..engine.records import END_OF_TILE, QUAD
from ..engine.ring import front, full, push_token, release
from ..memory.request import next_reply
from . import processor
from .processor import BUSY, fetch_code, finished, issue, leave, next_leave, receive_code


@unit
def tick(gpu: Any, shading: Any, r: int, i: int, t: int) -> int:
    raster_unit = gpu.raster_unit[r]
    core = raster_unit.processor[i]
    moved = retire(gpu, raster_unit, core, t)
    receive_code(gpu, core, t)
    moved |= fetch_code(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, raster_unit, core, i, t)
    if moved or wake == t + 1:
        return t + 1
    return int(min(wake, next_leave(core, t), next_reply(gpu.port[core.port])))


@inline
def retire(gpu: Any, raster_unit: Any, core: Any, t: int) -> bool:
    """The oldest warp leaves, in order, when its last results are there."""
    if not finished(core, t) or full(raster_unit.blending.queue):
        return False
    warp = front(core.warp)
    if warp.textures > 0:
        return False
    push_token(raster_unit.blending.queue, QUAD, warp.tile, warp.item)
    poke(gpu, raster_unit.blending.id)
    leave(core)
    return True


@inline
def accept(gpu: Any, shading: Any, raster_unit: Any, core: Any, i: int, t: int) -> bool:
    """A quad takes the next warp; the end of a tile waits at the barrier."""
    if gpu.shared_input != 0:
        return accept_shared(gpu, shading, raster_unit, core, i, t)
    if core.queue.count == 0:
        return False
    token = front(core.queue)
    if token.kind == END_OF_TILE:
        return barrier(gpu, raster_unit, core, token.tile, t)
    if full(core.warp):
        return False
    begin(gpu, shading, core, token, t)
    release(gpu, core.queue, raster_unit.early_depth.id)
    return True


@unit
def begin(gpu: Any, shading: Any, core: Any, token: Any, t: int) -> None:
    quad = shading.quad[token.index]
    warp = processor.start(gpu, shading, core, quad.path, token.index, token.tile, t)
    warp.operation = quad.operation


@unit
def accept_shared(gpu: Any, shading: Any, raster_unit: Any, core: Any, i: int, t: int) -> bool:
    """The same from the queue that all share: one token a cycle, and only the first one can go."""
    if raster_unit.input.count == 0:
        return False
    entry = front(raster_unit.input)
    if entry.token.kind == END_OF_TILE:
        return barrier(gpu, raster_unit, core, entry.token.tile, t)
    if entry.processor != i or full(core.warp):
        return False
    if raster_unit.input_taken == t:
        return True
    raster_unit.input_taken = t
    begin(gpu, shading, core, entry.token, t)
    release(gpu, raster_unit.input, raster_unit.early_depth.id)
    for other in range(gpu.fragment_processors):
        poke_at(gpu, raster_unit.processor[other].id, t + 1)
    return True


@unit
def barrier(gpu: Any, raster_unit: Any, core: Any, tile: int, t: int) -> bool:
    """The last processor to finish the tile hands its end on and lets all of them go to the next one."""
    if core.warp.count > 0:
        return False
    if core.arrived == 0:
        core.arrived = 1
        raster_unit.arrived += 1
    if raster_unit.arrived < gpu.fragment_processors or full(raster_unit.blending.queue):
        return False
    push_token(raster_unit.blending.queue, END_OF_TILE, tile, -1)
    poke(gpu, raster_unit.blending.id)
    raster_unit.arrived = 0
    weigh(gpu, raster_unit)
    if gpu.shared_input != 0:
        release(gpu, raster_unit.input, raster_unit.early_depth.id)
    for i in range(gpu.fragment_processors):
        other = raster_unit.processor[i]
        if gpu.shared_input == 0:
            release(gpu, other.queue, raster_unit.early_depth.id)
        other.arrived = 0
        poke(gpu, other.id)
    return True


@inline
def weigh(gpu: Any, raster_unit: Any) -> None:
    """Standard deviation over mean of the cycles in which the processors issued for this tile (thesis 6.4)."""
    total = 0
    squares = 0
    for i in range(gpu.fragment_processors):
        core = raster_unit.processor[i]
        busy = core.spent[BUSY] - core.busy_before
        core.busy_before = core.spent[BUSY]
        total += busy
        squares += busy * busy
    if total > 0:
        n = gpu.fragment_processors
        raster_unit.busy_tiles += 1
        raster_unit.imbalance_ppm += int(1000000.0 * sqrt(float(n * squares - total * total)) / total)
