"""Unit of the Omega-Test in a Raster Unit: fetches the last frame's depths of the tiles that come, hands deferred quads
on to early depth, and writes the depths of finished tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import QUAD, Record, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import spent

from ...engine.account import BUSY, IDLE, WAITING, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, push_token
from ...engine.unit import RASTER_UNIT, Unit
from ...memory.address_map import OMEGA_REGION
from ...memory.request import DEPTH, has_reply, next_reply
from ..shared import stored_tiles
from ..shared.stored_tiles import StoredTiles
from .state import MAX_DEFERRED, NAME, Parameters

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu


class Deferred(Record):
    """Quad that waits for the end of its tile."""

    tile: i4
    quad: i4


class OmegaUnit(Accounted):
    """Registers. `tiles`: depths on their way; `waiting`: quads, of one `segment` of draws; `hands_on`: whether these
    go on now."""

    id: i8
    port: i8
    tiles: StoredTiles
    waiting: Ring[Deferred] = room(MAX_DEFERRED)
    segment: i8
    hands_on: i8
    quads_per_cycle: i8


@unit
def tick(gpu: Gpu, r: int, t: int) -> int:
    own: OmegaUnit = gpu.raster_unit[r].omega_unit
    port, state = gpu.port[own.port], gpu.technique.omega_test
    account(own, t)
    while has_reply(port, t):
        stored_tiles.receive(gpu, own.tiles, port, t)
        # The first quad of a tile, or its end, waits for the last of its depths.
        wake(gpu, gpu.caller.rasterized)
    moved = hand_on(gpu, own, r)
    reads = stored_tiles.read(gpu, own.tiles, port, DEPTH, t)
    writes = not reads and stored_tiles.write(gpu, own.tiles, port, DEPTH, t)
    state.lines_read += reads
    state.lines_written += writes
    moved |= reads or writes
    own.cause = BUSY if moved else (IDLE if rests(own) else WAITING)
    # Nobody says when there is room before early depth.
    return t + 1 if moved or own.hands_on != 0 else next_reply(port)


@inline
def rests(own: OmegaUnit) -> bool:
    """Whether nothing is to be read, written or handed on."""
    reads = own.tiles.coming.count > 0 and not stored_tiles.arrived(own.tiles)
    return bool(own.tiles.written.count == 0 and own.hands_on == 0 and not reads)


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
    lines = -(-tile_bytes // chip.configuration.memory.line_bytes) if c.depths == "memory" else 0
    stored_tiles.set_up(own.tiles, OMEGA_REGION, lines)
    own.waiting.depth, own.quads_per_cycle = c.deferred_quads, c.quads_per_cycle
    own.cause = IDLE


def stands(own: OmegaUnit) -> str:
    """Work that it has under way, in words."""
    return f"{int(own.waiting.count)} quads deferred, {int(own.tiles.coming.count)} tiles to come"


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
