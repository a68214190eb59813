"""Unit of the Omega-Test in a Raster Unit: fetches the last frame's depths of the tiles that come, hands deferred quads
on to early depth, and writes the depths of finished tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import QUAD, Record, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import spent

from ...engine.account import BUSY, IDLE, WAITING, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow, push_token, wrap
from ...engine.unit import RASTER_UNIT, Unit
from ...memory.address_map import OMEGA_REGION
from ...memory.request import DEPTH, READ, WRITE, can_send, has_reply, next_reply, replies_due, send, take_reply
from .parameters import MAX_DEFERRED, Parameters
from .state import NAME

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu
    from ...memory.request import Port

MAX_TILES_AHEAD = 256


class TileDepths(Record):
    """Depths of a tile on their way: lines that were asked for, and that are outstanding."""

    tile: i4
    sent: i4
    pending: i4


class Deferred(Record):
    """Quad that waits for the end of its tile."""

    tile: i4
    quad: i4


class OmegaUnit(Accounted):
    """Registers. `coming`: tiles that go to the Raster Unit, the one at work first; `written`: finished ones;
    `waiting`: quads, of one `segment` of draws; `hands_on`: whether these go on now; `lines`: of a tile's depths, 0
    where they are on the chip."""

    id: i8
    port: i8
    coming: Ring[TileDepths] = room(MAX_TILES_AHEAD)
    written: Ring[TileDepths] = room(MAX_TILES_AHEAD)
    waiting: Ring[Deferred] = room(MAX_DEFERRED)
    segment: i8
    hands_on: i8
    lines: i8
    quads_per_cycle: i8


@unit
def tick(gpu: Gpu, r: int, t: int) -> int:
    own: OmegaUnit = gpu.raster_unit[r].omega_unit
    port = gpu.port[own.port]
    account(own, t)
    while has_reply(port, t):
        own.coming.slot[front(replies_due(port, t)).slot].pending -= 1
        take_reply(gpu, port, replies_due(port, t))
        # The first quad of a tile, or its end, waits for the last of its depths.
        wake(gpu, gpu.caller.rasterized)
    moved = hand_on(gpu, own, r)
    moved |= read(gpu, own, port, t) or write(gpu, own, port, t)
    own.cause = BUSY if moved else (IDLE if rests(own) else WAITING)
    # Nobody says when there is room before early depth.
    return t + 1 if moved or own.hands_on != 0 else next_reply(port)


@inline
def rests(own: OmegaUnit) -> bool:
    """Whether nothing is to be read, written or handed on."""
    return bool(own.written.count == 0 and own.hands_on == 0 and (own.coming.count == 0 or arrived(own)))


@inline
def arrived(own: OmegaUnit) -> bool:
    """Whether the depths of the tile at work are here."""
    tile = front(own.coming)
    return bool(tile.sent == own.lines and tile.pending == 0)


@inline
def hand_on(gpu: Gpu, own: OmegaUnit, r: int) -> bool:
    """Deferred quads go on to early depth; the Rasterizer goes on after the last of them."""
    if own.hands_on == 0:
        return False
    queue, moved = gpu.raster_unit[r].early_depth.queue, False
    for _ in range(own.quads_per_cycle):
        if own.waiting.count > 0 and not full(queue):
            push_token(queue, QUAD, front(own.waiting).tile, front(own.waiting).quad)
            drop(own.waiting)
            moved = True
    if moved:
        poke(gpu, queue.consumer)
    if own.waiting.count == 0:
        own.hands_on = 0
        wake(gpu, gpu.caller.rasterized)
        moved = True
    return moved


@inline
def read(gpu: Gpu, own: OmegaUnit, port: Port, t: int) -> bool:
    """Ask for the next line of the first tile that lacks some."""
    for k in range(own.coming.count):
        slot = wrap(own.coming, own.coming.head + k)
        tile = own.coming.slot[slot]
        if tile.sent < own.lines:
            if not can_send(port):
                return False
            address = OMEGA_REGION + (tile.tile * own.lines + tile.sent) * gpu.line_bytes
            sent = send(gpu, port, t, address, gpu.line_bytes, READ, DEPTH, tile.tile)
            sent.slot = slot
            tile.sent += 1
            tile.pending += 1
            gpu.technique.omega_test.lines_read += 1
            return True
    return False


@inline
def write(gpu: Gpu, own: OmegaUnit, port: Port, t: int) -> bool:
    """Write the next line of the first finished tile."""
    if own.written.count == 0 or not can_send(port):
        return False
    tile = front(own.written)
    address = OMEGA_REGION + (tile.tile * own.lines + tile.sent) * gpu.line_bytes
    send(gpu, port, t, address, gpu.line_bytes, WRITE, DEPTH, tile.tile)
    tile.sent += 1
    gpu.technique.omega_test.lines_written += 1
    if tile.sent == own.lines:
        drop(own.written)
    return True


@inline
def comes(gpu: Gpu, own: OmegaUnit, tile: int) -> None:
    """A tile goes to the Raster Unit: fetch its depths."""
    entry = grow(own.coming)
    entry.tile = tile
    entry.sent = entry.pending = 0
    poke(gpu, own.id)


@inline
def finished(gpu: Gpu, own: OmegaUnit, tile: int) -> None:
    """Write the depths of a tile, if they go to memory and there is room for it among those under way."""
    if own.lines > 0 and not full(own.written):
        entry = grow(own.written)
        entry.tile = tile
        entry.sent = 0
        poke(gpu, own.id)


@inline
def let_go(gpu: Gpu, own: OmegaUnit) -> bool:
    """Let the deferred quads go on; whether there are none."""
    if own.waiting.count == 0:
        return True
    own.hands_on = 1
    poke(gpu, own.id)
    return False


def setup(chip: Chip, own: OmegaUnit, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration.of(Parameters)
    tile_bytes = int(chip.gpu.tile_width * chip.gpu.tile_height) * c.depth_bytes
    own.lines = -(-tile_bytes // chip.configuration.memory.line_bytes) if c.depths == "memory" else 0
    own.coming.depth = own.written.depth = MAX_TILES_AHEAD
    own.waiting.depth, own.quads_per_cycle = c.deferred_quads, c.quads_per_cycle
    own.cause = IDLE


def stands(own: OmegaUnit) -> str:
    """Work that it has under way, in words."""
    return f"{int(own.waiting.count)} quads deferred, {int(own.coming.count)} tiles to come"


UNIT = Unit(
    "omega_unit",
    __name__,
    OmegaUnit,
    tick,
    scope=RASTER_UNIT,
    setup=setup,
    ports={"port": "dram"},
    reason="early_depth",
    marks=("spent[0]",),
    stands=stands,
    statistics=spent(f"{NAME}.unit", "the unit of the Omega-Test"),
)
