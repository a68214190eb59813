"""Tile flush: writes the colours (and depths that outlive the pass) of finished tiles to memory, past the
L2, a line per cycle, or `pixels_per_cycle` pixels.

An arbiter picks the Raster Unit with the oldest finished tile (Parallel Tile Rendering, 5.1) and stays
with it to the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import NEVER, i8
from tilegpu.timing.declare.statistics import Stat, ratio, spent

from ..engine import hooks
from ..engine.account import BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.transfer import Transfer
from ..engine.unit import Unit
from ..engine.wiring import access
from ..engine.work import NO_DRAW
from ..memory.request import WRITE, can_send, send
from . import tile_memory

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Commands
    from ..memory.gpu import Gpu
    from .blending import Blending


@access
def colors(gpu: Gpu, r: int) -> Blending:
    """Blending of a Raster Unit."""
    raise NotImplementedError


class TileFlush(Accounted):
    """Registers of Tile Flush."""

    id: i8
    raster_unit: i8
    transfer: Transfer
    pixels_per_cycle: i8
    due: i8
    done: i8
    tiles: i8


@unit
def tick(gpu: Gpu, commands: Commands, t: int) -> int:
    flush: TileFlush = gpu.tile_flush
    transfer = flush.transfer
    account(flush, t)
    if flush.due > t:
        return int(flush.due)
    flush.cause = BUSY
    if flush.raster_unit < 0:
        flush.raster_unit = oldest(gpu)
        if flush.raster_unit < 0:
            flush.cause = IDLE
            return NEVER
        tile = colors(gpu, flush.raster_unit).tile
        hooks.works_for_application(gpu, flush.id, commands.tile[tile].application, NO_DRAW)
        decision = hooks.tile_flush(gpu, commands, flush.raster_unit, tile, t)
        if decision == hooks.WAIT:
            flush.raster_unit = -1
            flush.cause = WAITING
            return NEVER
        tile_memory.begin(commands, transfer, tile)
        if decision == hooks.SKIP:
            transfer.target = commands.render_pass[commands.tile[tile].render_pass].last_target
    last = commands.render_pass[commands.tile[transfer.tile].render_pass].last_target
    while transfer.target < last and commands.target[transfer.target].store == 0:
        transfer.target += 1
    if transfer.target < last:
        port = gpu.port[transfer.port]
        if not can_send(port):
            flush.cause = WAITING
            return NEVER
        source = commands.target[transfer.target].source
        tile_memory.next_line(gpu, commands, transfer)
        send(gpu, port, t, transfer.address, transfer.size, WRITE, source, transfer.tile)
        commands.log[transfer.tile].stored_bytes += transfer.size
        if flush.pixels_per_cycle > 0:
            flush.due = t + max(1, -(-transfer.pixels // flush.pixels_per_cycle))
            return int(flush.due)
    else:
        finish(gpu, commands, flush, t)
    return t + 1


@inline
def oldest(gpu: Gpu) -> int:
    chosen = -1
    for r in range(gpu.raster_units):
        blending = colors(gpu, r)
        if blending.flushing != 0 and (chosen < 0 or blending.tile < colors(gpu, chosen).tile):
            chosen = r
    return chosen


@inline
def finish(gpu: Gpu, commands: Commands, flush: TileFlush, t: int) -> None:
    commands.log[flush.transfer.tile].last_cycle = t
    hooks.tile_written(gpu, commands, int(flush.raster_unit), int(flush.transfer.tile), t)
    blending = colors(gpu, flush.raster_unit)
    blending.flushing = 0
    blending.tile = -1
    poke(gpu, blending.id)
    flush.raster_unit = -1
    flush.done += 1
    flush.tiles += 1
    wake(gpu, gpu.signal.progress)
    wake(gpu, gpu.signal.tile_done)


class TileFlushParameters(Group, section="tile_flush"):
    """Tile flush."""

    pixels_per_cycle: int = number(
        0, "pixels/cycle", "pixels written per cycle at most; 0: a line of memory per cycle, as papers have it", 0, 64
    )


def setup(chip: Chip, flush: TileFlush, place: tuple[int, ...]) -> None:
    """Nothing to flush yet; rate from the configuration."""
    flush.raster_unit, flush.cause = -1, IDLE
    flush.pixels_per_cycle = chip.configuration.of(TileFlushParameters).pixels_per_cycle


UNIT = Unit(
    "tile_flush",
    __name__,
    TileFlush,
    tick,
    tables=("commands",),
    parameters=(TileFlushParameters,),
    setup=setup,
    holds_up=True,
    tile_of=lambda flush, r: int(flush.transfer.tile) if flush.raster_unit == r else -1,
    reason="bandwidth",
    marks=("done", "tiles"),
    statistics=(
        Stat("raster.tile_flush.tiles", "tiles", "tiles flushed", "tiles"),
        Stat("raster.tile_flush.lines", "requests", "lines written", "transfer.lines"),
        *spent("raster.tile_flush", "the tile flush"),
        ratio(
            "fragment.quads_per_tile",
            "quads/tile",
            "quads shaded per tile: a quad has up to four fragments",
            "fragment.processor.quads",
            "raster.tile_flush.tiles",
        ),
    ),
)
