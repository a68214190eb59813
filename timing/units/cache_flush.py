"""Cache flush of an immediate-mode GPU: when all quads of a pass are blended, what the Depth and Colour Caches hold of
its attachments is written to the L2, a line per cache and cycle.

Others read it from there: texture caches, and Colour Caches of other processors. Papers silent. The L2 keeps its lines
until they give way: the last writes of a frame reach memory in the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_CACHES, NEVER, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import wake
from ..engine.jit import inline, unit
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.request import WRITE, can_send, send

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Commands, TileLog
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from .job_manager import ChainEnd


@access
def drained(gpu: Gpu) -> bool:
    """Whether all of the pass is drawn."""
    raise NotImplementedError


@access
def flushes(gpu: Gpu, cache: Cache) -> bool:
    """Whether a cache is flushed at the end of a pass."""
    raise NotImplementedError


@access
def note_work(gpu: Gpu, log: TileLog) -> None:
    """Note what the processors did for a pass that is drawn."""
    raise NotImplementedError


RESTS, DRAINS, FLUSHES = range(3)


class CacheFlush(Accounted):
    """Registers of the unit that flushes caches. `tile`: row of the pass at work, which is one tile; `primitives`:
    handed to the Rasterizer in it; `place`: how far the lines of each cache are looked through."""

    id: i8
    state: i8
    tile: i8
    primitives: i8
    place: Rows[i8] = room(MAX_CACHES)
    passes: i8
    lines: i8


@unit
def tick(gpu: Gpu, commands: Commands, t: int) -> int:
    flush: CacheFlush = gpu.cache_flush
    account(flush, t)
    flush.cause = IDLE
    if flush.state == RESTS:
        return NEVER
    if flush.state == DRAINS:
        flush.cause = WAITING
        if not drained(gpu):
            return NEVER
        flush.state = FLUSHES
        for k in range(gpu.caches):
            flush.place[k] = 0
    flush.cause = BUSY
    done = True
    for k in range(gpu.caches):
        if flushes(gpu, gpu.cache[k]):
            done &= write_line(gpu, flush, k, t)
    if not done:
        return t + 1
    flush.state = RESTS
    flush.passes += 1
    if flush.tile >= 0:
        commands.log[flush.tile].last_cycle = t
        commands.log[flush.tile].primitives = flush.primitives
        note_work(gpu, commands.log[flush.tile])
        hooks.tile_written(gpu, commands, 0, int(flush.tile), t)
    wake(gpu, gpu.signal.progress)
    return t + 1


@unit
def write_line(gpu: Gpu, flush: CacheFlush | ChainEnd, k: int, t: int) -> bool:
    """Write the next changed line of a cache; True where it has nothing left to do."""
    cache: Cache = gpu.cache[k]
    if cache.mshrs_used > 0:
        return False
    for p in range(cache.first_port, cache.first_port + cache.ports):
        if gpu.waiting[p] > 0:
            return False
    lines = (cache.set_mask + 1) * cache.ways
    while flush.place[k] < lines and gpu.line.dirty[cache.first_line + flush.place[k]] == 0:
        flush.place[k] += 1
    if flush.place[k] == lines:
        return True
    below = gpu.port[cache.below]
    if can_send(below):
        place = cache.first_line + flush.place[k]
        address = gpu.line.tag[place] << cache.line_shift
        source = gpu.line.dirty[place] - 1
        send(gpu, below, t, address, 1 << cache.line_shift, WRITE, source, flush.tile)
        gpu.line.dirty[place] = 0
        cache.write_backs += 1
        flush.lines += 1
        flush.place[k] += 1
    return False


@inline
def begin(gpu: Gpu, commands: Commands, tile: int, t: int) -> None:
    """A pass begins; `tile` is -1 where it draws nothing."""
    gpu.cache_flush.tile = tile
    gpu.cache_flush.primitives = 0
    if tile >= 0:
        begin_log(commands.log[tile], t)


@inline
def begin_log(log: TileLog, t: int) -> None:
    """Nothing is known of a pass that begins."""
    log.first_cycle = t
    log.raster_unit = 0
    log.skipped_by = 0
    log.primitives = 0
    log.quads = 0
    log.shaded_quads = 0
    log.busy_cycles = 0
    log.imbalance_ppm = 0
    log.texture_misses = 0
    log.loaded_bytes = 0
    log.stored_bytes = 0
    log.bound = 0


def setup(chip: Chip, flush: CacheFlush, place: tuple[int, ...]) -> None:
    """Nothing to flush yet."""
    flush.cause = IDLE


UNIT = Unit(
    "cache_flush",
    __name__,
    CacheFlush,
    tick,
    tables=("commands",),
    setup=setup,
    reason="bandwidth",
    marks=("passes", "lines"),
    stands=lambda flush: ("", "waits for the quads of the pass", "writes lines")[int(flush.state)],
    statistics=(
        Stat("raster.cache_flush.passes", "passes", "passes whose attachments were flushed", "passes"),
        Stat(
            "raster.cache_flush.lines",
            "requests",
            "lines written from Depth and Colour Caches at a pass's end",
            "lines",
        ),
        *spent("raster.cache_flush", "the cache flush"),
    ),
)
