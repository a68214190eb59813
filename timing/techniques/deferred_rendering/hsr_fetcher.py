"""The Tile Fetcher's second client (4.3.1): fetches the primitives of the next tile for hidden surface removal.

Both share one request to the Tile Cache per cycle, in turn. A tile is handed to the Tile Fetcher when its hidden
surfaces are removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import END_OF_TILE, PRIMITIVE, Record, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent
from tilegpu.timing.declare.tiles import Tiles

from ...engine import hooks
from ...engine.account import IDLE, account
from ...engine.calendar import poke, wake
from ...engine.hooks import SKIP_TILE, WAIT_TILE
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow, push_token, wrap
from ...engine.unit import Unit
from ...memory.parameter_buffer import ParameterBuffer, attribute_room
from ...memory.request import (
    PRIMITIVE_LIST,
    READ,
    Port,
    can_send,
    has_reply,
    next_reply,
    send,
)
from ...units.tile_fetcher import (
    POINTER_TAG,
    PrimitiveFetcher,
    TableEntry,
    TileFetcher,
    TileFetcherParameters,
    ask_techniques,
    attribute_due,
    cause_of,
    complete,
    next_listed,
    receive,
    request_attribute,
)
from ...units.tile_scheduler import STATIC, choose
from .parameters import Parameters
from .state import FETCHER

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Tiling
    from ...memory.gpu import Gpu
    from .tables import Tables


MAX_DECIDED = 64


class Decided(Record):
    """A tile that was begun, or is left out (SKIP_TILE); `done`: its hidden surfaces are removed."""

    tile: i4
    raster_unit: i4
    done: i4


class HsrFetcher(PrimitiveFetcher):
    """Registers of the HSR fetcher. `assigned`: Raster Unit of the tile that the Tile Fetcher has taken last."""

    decided: Ring[Decided] = room(MAX_DECIDED)
    assigned: i8
    wants: i8
    position_bytes: i8
    polls: i8


@unit
def tick(gpu: Gpu, own: Tables, tiling: Tiling, t: int) -> int:
    fetcher: HsrFetcher = gpu.hsr_fetcher
    port = gpu.port[fetcher.port]
    account(fetcher, t)
    fetcher.polls = 0
    while has_reply(port, t):
        slot = receive(gpu, tiling, fetcher, port, t)
        if slot >= 0:
            leave_out_attributes(own, tiling, fetcher.table.slot[slot], int(fetcher.position_bytes))
    moved = deliver(gpu, own, tiling, fetcher)
    if fetcher.tile < 0:
        moved |= begin_tile(gpu, tiling, fetcher)
    moved |= request(gpu, own, tiling, fetcher, port, t)
    fetcher.cause = cause_of(fetcher, moved)
    if moved:
        return t + 1
    return t + 1 if fetcher.polls != 0 else next_reply(port)


@inline
def leave_out_attributes(own: Tables, tiling: Tiling, entry: TableEntry, position_bytes: int) -> None:
    """With the pointer of a primitive it is known whether it hides anything: its position is read, or nothing."""
    primitive = tiling.primitive[tiling.entry[entry.entry].primitive]
    entry.end = primitive.record
    if own.draw[primitive.state].opaque != 0:
        entry.end += min(int(primitive.record_bytes), position_bytes)


@inline
def deliver(gpu: Gpu, own: Tables, tiling: Tiling, fetcher: HsrFetcher) -> bool:
    """The oldest primitive goes to the Tile Queue of its Raster Unit's hidden surface removal."""
    if fetcher.table.count == 0:
        return False
    entry = front(fetcher.table)
    if not complete(entry):
        return False
    if entry.kind == END_OF_TILE or hides(own, tiling, entry):
        rasterizer = gpu.raster_unit[entry.raster_unit].hsr_rasterizer
        if full(rasterizer.queue):
            return False
        push_token(rasterizer.queue, entry.kind, entry.tile, entry.entry)
        poke(gpu, rasterizer.id)
    drop(fetcher.table)
    return True


@inline
def hides(own: Tables, tiling: Tiling, entry: TableEntry) -> bool:
    """Whether a primitive is opaque."""
    return bool(own.draw[tiling.primitive[tiling.entry[entry.entry].primitive].state].opaque != 0)


@inline
def begin_tile(gpu: Gpu, tiling: Tiling, fetcher: HsrFetcher) -> bool:
    """Begin with the tile at the next position, if it may begin; techniques may leave it out."""
    if fetcher.position >= fetcher.last_tile or full(fetcher.decided):
        return False
    main: TileFetcher = gpu.tile_fetcher
    raster_unit = choose(gpu, fetcher.started, fetcher.raster_unit)
    under_way = gpu.raster_unit[raster_unit].hsr_depth_test.under_way
    waits = main.waits_for_tiles != 0 and under_way > 0
    if gpu.technique.deferred_rendering.parallel == 0:
        waits |= under_way > 0 or fetcher.started - gpu.tile_flush.done >= gpu.raster_units
    if waits:
        # The choice follows the Tile Queues, which do not report when they change.
        fetcher.polls = gpu.tile_assignment != STATIC
        return False
    tile = ask_techniques(gpu, tiling, fetcher.position)
    if tile == WAIT_TILE:
        return False
    fetcher.position += 1
    decided = grow(fetcher.decided)
    decided.tile = tile
    decided.raster_unit = raster_unit
    decided.done = tile == SKIP_TILE
    if tile == SKIP_TILE:
        poke(gpu, main.id)
        return True
    fetcher.tile = tile
    fetcher.entry = tiling.tile[tile].first_entry
    fetcher.raster_unit = raster_unit
    fetcher.started += 1
    fetcher.tiles += 1
    gpu.raster_unit[raster_unit].hsr_depth_test.under_way += 1
    return True


@inline
def request(gpu: Gpu, own: Tables, tiling: Tiling, fetcher: HsrFetcher, port: Port, t: int) -> bool:
    """Send the next request, unless the Tile Fetcher has sent one in this cycle: then the next turn is ours."""
    if fetcher.tile >= 0:
        fetcher.entry = next_listed(tiling, fetcher.entry, own.tile[fetcher.tile].last_entry)
    ends = fetcher.tile >= 0 and fetcher.entry == own.tile[fetcher.tile].last_entry
    if ends and not full(fetcher.table):
        end_tile(fetcher)
        return True
    attribute = can_send(port) and attribute_due(fetcher) >= 0
    pointer = can_send(port) and fetcher.tile >= 0 and not ends and not full(fetcher.table)
    fetcher.wants = attribute or pointer
    if fetcher.wants == 0:
        return False
    if gpu.tile_fetcher.sent == t:
        return True
    fetcher.wants = 0
    # The Tile Fetcher may have waited for its turn.
    wake(gpu, gpu.caller.tile_request)
    if request_attribute(gpu, fetcher, port, t):
        return True
    request_pointer(gpu, tiling, fetcher, port, t)
    return True


@inline
def end_tile(fetcher: HsrFetcher) -> None:
    """An entry for the tile's end, behind its primitives."""
    entry = grow(fetcher.table)
    entry.kind = END_OF_TILE
    entry.tile = fetcher.tile
    entry.entry = -1
    entry.raster_unit = fetcher.raster_unit
    entry.arrived = 1
    entry.pending = entry.levels = 0
    entry.cursor = 0
    entry.end = 0
    fetcher.tile = -1


@inline
def request_pointer(gpu: Gpu, tiling: Tiling, fetcher: HsrFetcher, port: Port, t: int) -> None:
    """Reserve an entry for the tile's next primitive and ask for its pointer."""
    slot = wrap(fetcher.table, fetcher.table.head + fetcher.table.count)
    entry = grow(fetcher.table)
    entry.kind = PRIMITIVE
    entry.tile = fetcher.tile
    entry.entry = fetcher.entry
    entry.raster_unit = fetcher.raster_unit
    entry.arrived = 0
    entry.pending = entry.levels = 0
    entry.cursor = 0
    entry.end = 0
    pointer = tiling.entry[fetcher.entry].pointer
    hooks.works_for(gpu, fetcher.id, tiling.primitive[tiling.entry[fetcher.entry].primitive].work)
    hooks.notes_work(gpu, fetcher.id, slot)
    sent = send(gpu, port, t, pointer, fetcher.pointer_bytes, READ, PRIMITIVE_LIST, fetcher.tile)
    sent.tag = POINTER_TAG
    sent.slot = slot
    fetcher.sent = t
    fetcher.entry += 1
    fetcher.primitives += 1
    fetcher.pointer_requests += 1


@inline
def ready_tile(gpu: Gpu, tiling: Tiling, position: int) -> int:
    """Tile at a position for the Tile Fetcher, once its hidden surfaces are removed."""
    fetcher: HsrFetcher = gpu.hsr_fetcher
    if fetcher.decided.count == 0:
        if position == gpu.tile_fetcher.first_tile:
            fetcher.started = 0
        fetcher.position = position
        fetcher.last_tile = gpu.tile_fetcher.last_tile
    poke(gpu, fetcher.id)
    if fetcher.decided.count == 0 or front(fetcher.decided).done == 0:
        return WAIT_TILE
    tile = front(fetcher.decided).tile
    # Techniques were asked about it some tiles ago.
    gpu.tile_fetcher.asked = position
    fetcher.assigned = front(fetcher.decided).raster_unit
    drop(fetcher.decided)
    return int(tile)


@inline
def assigned(gpu: Gpu, number: int, last: int) -> int:
    """Raster Unit that has the depths of the tile that was taken last."""
    return int(gpu.hsr_fetcher.assigned)


@unit
def finish(gpu: Gpu, tile: int) -> None:
    """The hidden surfaces of a tile are removed."""
    decided = gpu.hsr_fetcher.decided
    for i in range(decided.count):
        row = decided.slot[wrap(decided, decided.head + i)]
        if row.tile == tile:
            row.done = 1
    poke(gpu, gpu.tile_fetcher.id)


def begin_frame(fetcher: HsrFetcher) -> None:
    """The tiles of a new frame are numbered anew."""
    fetcher.position = fetcher.last_tile = 0


def setup(chip: Chip, fetcher: HsrFetcher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration
    own = c.of(Parameters)
    fetcher.waits_for_answers = c.of(TileFetcherParameters).attribute_requests == "answered"
    fetcher.table.depth = own.hsr_primitives or c.of(TileFetcherParameters).primitive_table
    fetcher.decided.depth = MAX_DECIDED
    fetcher.attribute_bytes = attribute_room(c.of(ParameterBuffer))
    fetcher.pointer_bytes = c.of(ParameterBuffer).pointer_bytes
    fetcher.position_bytes = fetcher.attribute_bytes if own.hsr_reads == "position" else 1 << 30
    fetcher.tile, fetcher.sent, fetcher.raster_unit = -1, -1, c.of(Tiles).raster_units - 1
    fetcher.cause = IDLE


UNIT = Unit(
    "hsr_fetcher",
    __name__,
    HsrFetcher,
    tick,
    tables=("own", "tiling"),
    setup=setup,
    begin_frame=begin_frame,
    ports={"port": "tile_cache"},
    listens=("tile_done",),
    calls=("next_tile",),
    holds_up=True,
    marks=("primitives", "tiles"),
    stands=lambda f: f"tile {int(f.tile)}, {int(f.table.count)} of {int(f.table.depth)} primitives under way",
    statistics=(
        Stat(f"{FETCHER}.tiles", "tiles", "tiles fetched to remove hidden surfaces", "tiles"),
        Stat(f"{FETCHER}.primitives", "primitives", "primitives fetched for it, once per tile", "primitives"),
        Stat(f"{FETCHER}.pointer_requests", "requests", "requests for pointers", "pointer_requests"),
        Stat(f"{FETCHER}.attribute_requests", "requests", "requests for attributes", "attribute_requests"),
        *spent(FETCHER, "fetching for hidden surface removal"),
    ),
)
