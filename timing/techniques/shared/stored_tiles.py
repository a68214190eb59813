"""Data of tiles that a Raster Unit keeps in main memory from frame to frame: lines of the tiles that come are read, in
their order, and lines of finished ones written, a request a cycle.

A unit has the registers and the port: the unit u below, which is poked when there is something to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Record, Ring, i4, i8, room

from ...engine.calendar import poke
from ...engine.jit import inline
from ...engine.ring import drop, front, full, grow, wrap
from ...memory.request import READ, WRITE, can_send, replies_due, send, take_reply

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ...memory.request import Port

MAX_TILES_AHEAD = 256


class StoredTile(Record):
    """Tile on its way: lines that were asked for, and those of them that are outstanding."""

    tile: i4
    sent: i4
    pending: i4


class StoredTiles(Record):
    """Registers. `coming`: tiles that go to the Raster Unit, the one at work first; `written`: finished ones; `lines`:
    of a tile, 0 where nothing is in memory; `region`: address of the first tile."""

    coming: Ring[StoredTile] = room(MAX_TILES_AHEAD)
    written: Ring[StoredTile] = room(MAX_TILES_AHEAD)
    lines: i8
    region: i8


def set_up(stored: StoredTiles, region: int, lines: int) -> None:
    """Set the address of the first tile and the number of lines of each."""
    stored.coming.depth = stored.written.depth = MAX_TILES_AHEAD
    stored.region, stored.lines = region, lines


@inline
def comes(gpu: Gpu, stored: StoredTiles, u: int, tile: int) -> None:
    """A tile goes to the Raster Unit; `coming` has room."""
    entry = grow(stored.coming)
    entry.tile = tile
    entry.sent = entry.pending = 0
    poke(gpu, u)


@inline
def leaves(gpu: Gpu, stored: StoredTiles, u: int) -> None:
    """The tile at work needs its data no more."""
    drop(stored.coming)
    poke(gpu, u)


@inline
def is_at_work(stored: StoredTiles, tile: int) -> bool:
    """Whether a tile is the first of those that were asked for."""
    return bool(stored.coming.count > 0 and front(stored.coming).tile == tile)


@inline
def arrived(stored: StoredTiles) -> bool:
    """Whether all lines of the tile at work are here."""
    tile = front(stored.coming)
    return bool(tile.sent == stored.lines and tile.pending == 0)


@inline
def finished(gpu: Gpu, stored: StoredTiles, u: int, tile: int) -> None:
    """Write a tile, if tiles go to memory and there is room for it among those under way."""
    if stored.lines > 0 and not full(stored.written):
        entry = grow(stored.written)
        entry.tile = tile
        entry.sent = 0
        poke(gpu, u)


@inline
def receive(gpu: Gpu, stored: StoredTiles, port: Port, t: int) -> None:
    """Take the first reply of a port."""
    stored.coming.slot[front(replies_due(port, t)).slot].pending -= 1
    take_reply(gpu, port, replies_due(port, t))


@inline
def read(gpu: Gpu, stored: StoredTiles, port: Port, kind: int, t: int) -> bool:
    """Ask for the next line of the first tile that lacks some; whether one was asked for."""
    for k in range(stored.coming.count):
        slot = wrap(stored.coming, stored.coming.head + k)
        tile = stored.coming.slot[slot]
        if tile.sent < stored.lines:
            if not can_send(port):
                return False
            send(gpu, port, t, address(gpu, stored, tile), gpu.line_bytes, READ, kind, tile.tile).slot = slot
            tile.sent += 1
            tile.pending += 1
            return True
    return False


@inline
def write(gpu: Gpu, stored: StoredTiles, port: Port, kind: int, t: int) -> bool:
    """Write the next line of the first finished tile; whether there was one."""
    if stored.written.count == 0 or not can_send(port):
        return False
    tile = front(stored.written)
    send(gpu, port, t, address(gpu, stored, tile), gpu.line_bytes, WRITE, kind, tile.tile)
    tile.sent += 1
    if tile.sent == stored.lines:
        drop(stored.written)
    return True


@inline
def address(gpu: Gpu, stored: StoredTiles, tile: StoredTile) -> int:
    """Address of a tile's next line."""
    return int(stored.region + (tile.tile * stored.lines + tile.sent) * gpu.line_bytes)
