"""End of a tile in the fragment stage: a barrier of all Fragment Processors of the Raster Unit, or, where a technique
has it so, each processor for itself.

A processor that does not wait begins the next tile at once. Its shaded quads are `held` behind the end of the tile
until the others have come there too, as blending works on one tile at a time; then they go on, one in a cycle.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import END_OF_TILE, MAX_THREADS, QUAD

from ..engine import hooks
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, push_token, release
from ..engine.work import NO_DRAW
from . import processor
from .processor import BUSY, CODE, NOT_SHADED, OUTPUT, RESULTS, TEXELS, finished, leave, newest

if TYPE_CHECKING:
    from tilegpu.timing.declare.records import Token

    from ..engine.frame import Shading, TileLog
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu
    from .processor import Processor


@unit
def meet(gpu: Gpu, shading: Shading, core: Processor, colors: Queue[Token], r: int, i: int, tile: int, t: int) -> bool:
    """A processor meets the end of a tile in its queue: it waits for the others, or lets the end follow its warps."""
    if hooks.tile_end(gpu, shading, r, i, tile, t) == hooks.GO:
        return barrier(gpu, shading, core, colors, r, tile)
    if full(core.warp):
        return False
    hooks.works_for(gpu, core.id, NO_DRAW)
    warp = processor.start(gpu, shading, core, NOT_SHADED, 0, t)
    hooks.notes_work(gpu, core.id, newest(core))
    warp.tile = tile
    release(gpu, core.queue)
    return True


@unit
def barrier(gpu: Gpu, shading: Shading, core: Processor, colors: Queue[Token], r: int, tile: int) -> bool:
    """The last processor to finish the tile hands its end on and lets all of them go to the next one."""
    if core.warp.count > 0:
        return False
    raster_unit = gpu.raster_unit[r]
    if core.arrived == 0:
        core.arrived = 1
        raster_unit.arrived += 1
    if raster_unit.arrived < gpu.fragment_processors or full(colors):
        return False
    end_tile(gpu, shading, colors, r, tile)
    if gpu.shared_input != 0:
        release(gpu, raster_unit.input)
    for n in range(gpu.fragment_processors):
        other = raster_unit.fragment_processor[n]
        if gpu.shared_input == 0:
            release(gpu, other.queue)
        other.arrived = 0
        poke(gpu, other.id)
    return True


@inline
def end_tile(gpu: Gpu, shading: Shading, colors: Queue[Token], r: int, tile: int) -> None:
    """Hand the end of a tile on to blending."""
    raster_unit = gpu.raster_unit[r]
    push_token(colors, END_OF_TILE, tile, -1)
    poke(gpu, colors.consumer)
    raster_unit.arrived = 0
    weigh(gpu, raster_unit, shading.log[tile])


@unit
def retire_held(gpu: Gpu, shading: Shading, core: Processor, colors: Queue[Token], r: int, t: int) -> bool:
    """The oldest warp leaves to what is held, the end of a tile as one without quads; the first of that goes on."""
    moved = hand_on_held(gpu, shading, core, colors, r)
    if not finished(core, t) or front(core.warp).outstanding > 0 or full(core.held):
        return moved
    warp = front(core.warp)
    while warp.lane < warp.lanes and not full(core.held):
        push_token(core.held, QUAD, warp.tile, core.item[MAX_THREADS * core.warp.head + warp.lane])
        warp.lane += 1
    if warp.lanes == 0:
        push_token(core.held, END_OF_TILE, warp.tile, -1)
    if warp.lane == warp.lanes:
        leave(core)
    if not moved:
        hand_on_held(gpu, shading, core, colors, r)
    return True


@inline
def hand_on_held(gpu: Gpu, shading: Shading, core: Processor, colors: Queue[Token], r: int) -> bool:
    """The first that is held goes on to blending, if all processors have passed the end of the tile before; the last of
    them hands the end itself on."""
    raster_unit = gpu.raster_unit[r]
    if core.held.count == 0 or core.ended > raster_unit.ended or full(colors):
        return False
    token = front(core.held)
    if token.kind == QUAD:
        push_token(colors, QUAD, token.tile, token.index)
        poke(gpu, colors.consumer)
    else:
        core.ended += 1
        raster_unit.arrived += 1
        if raster_unit.arrived == gpu.fragment_processors:
            raster_unit.ended += 1
            end_tile(gpu, shading, colors, r, int(token.tile))
            for n in range(gpu.fragment_processors):
                poke(gpu, raster_unit.fragment_processor[n].id)
    drop(core.held)
    return True


@inline
def weigh(gpu: Gpu, raster_unit: Any, log: TileLog) -> None:
    """Imbalance of the processors in this tile (thesis 6.4): by active cycles, as the thesis, and by issuing."""
    issue_imbalance_ppm = note_work(gpu, raster_unit, log)
    if issue_imbalance_ppm >= 0:
        raster_unit.busy_tiles += 1
        raster_unit.imbalance_ppm += log.imbalance_ppm
        raster_unit.issue_imbalance_ppm += issue_imbalance_ppm


@inline
def note_work(gpu: Gpu, raster_unit: Any, log: TileLog) -> int:
    """Note what the processors did since the last tile; how unevenly they issued, -1 if none did."""
    busy_sum, busy_squares, active_sum, active_squares = 0, 0, 0, 0
    for i in range(gpu.fragment_processors):
        core = raster_unit.fragment_processor[i]
        busy = core.spent[BUSY] - core.busy_before
        core.busy_before = core.spent[BUSY]
        active = core.spent[BUSY] + core.spent[TEXELS] + core.spent[CODE] + core.spent[RESULTS] + core.spent[OUTPUT]
        active -= core.active_before
        core.active_before += active
        busy_sum, busy_squares = busy_sum + busy, busy_squares + busy * busy
        active_sum, active_squares = active_sum + active, active_squares + active * active
        misses = gpu.port[processor.texture_unit(gpu, core).port].misses
        log.texture_misses += misses - core.misses_before
        core.misses_before = misses
    log.busy_cycles += busy_sum
    if busy_sum == 0:
        return -1
    log.imbalance_ppm = deviation_ppm(gpu.fragment_processors, active_sum, active_squares)
    return deviation_ppm(gpu.fragment_processors, busy_sum, busy_squares)


@inline
def deviation_ppm(n: int, total: int, squares: int) -> int:
    """Standard deviation over mean of n numbers, from their sum and that of their squares."""
    return int(1000000.0 * sqrt(float(n * squares - total * total)) / total)
