"""Tile Fetcher with Primitive Table (Parallel Tile Rendering, 4.1.2): fetches the primitives of tile after tile.

One Tile Cache access per cycle; attributes of primitives already known go before new pointers. Each entry of the table
is a primitive on its way, or the end of a tile; entries leave in order, to the Tile Queue of the Raster Unit that has
the tile. A table of one entry is the older design, without a table. Where a job manager reads descriptors level by
level, those of a draw come before the attributes of its first primitive in each tile.

Where applications share the GPU by tile, the Tile Fetcher switches between their contexts. Papers silent: their tiles
are under way at the same time, as each request names its address space, or the Raster Units are emptied before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import CLEAR, END_OF_TILE, NEVER, PRIMITIVE, Record, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio, spent
from tilegpu.timing.declare.structures import (
    PRIMITIVE_TABLE_WORDS,
    RASTER,
    TILING,
    TRIANGLE_BYTES,
    Structure,
    once,
    stat,
    units,
)
from tilegpu.timing.declare.tiles import Tiles

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, grow, push_token, wrap
from ..engine.unit import Unit, Watch
from ..engine.wiring import access, output
from ..memory.parameter_buffer import ParameterBuffer, attribute_room
from ..memory.request import (
    COMMAND,
    PRIMITIVE_ATTRIBUTES,
    PRIMITIVE_LIST,
    READ,
    Port,
    can_send,
    has_reply,
    next_reply,
    replies_due,
    send,
    take_reply,
)

if TYPE_CHECKING:
    from tilegpu.timing.declare.records import Token

    from ..engine.chip import Chip
    from ..engine.frame import RenderPass, TileLog, Tiling
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu
    from .tile_flush import TileFlush


@output
def tile_queue(gpu: Gpu, r: int) -> Queue[Token]:
    """Tile Queue before a Rasterizer."""
    raise NotImplementedError


@access
def tile_flush(gpu: Gpu) -> TileFlush:
    """Unit that writes the tile's colours."""
    raise NotImplementedError


@access
def all_written(gpu: Gpu) -> bool:
    """Whether nothing is on its way to or from main memory."""
    raise NotImplementedError


@access
def ask_tile(gpu: Gpu, tiling: Tiling, position: int) -> int:
    """Tile at a position of the pass's order, as `engine.hooks.next_tile` has it."""
    raise NotImplementedError


@access
def assign(gpu: Gpu, number: int, last: int) -> int:
    """Raster Unit for the tile with a number in its pass; `last` was chosen before."""
    raise NotImplementedError


POINTER_TAG, ATTRIBUTE_TAG = range(2)
NO_ENTRY = -2


class TableEntry(Record):
    """Entry of the Primitive Table. `arrived`: whether its pointer has; `cursor`, `end`: attributes to read, or
    descriptors of a level as long as there are `levels` of them."""

    kind: i4
    tile: i4
    entry: i4
    raster_unit: i4
    arrived: i4
    pending: i4
    levels: i4
    cursor: i8
    end: i8


class PrimitiveFetcher(Accounted):
    """Registers of a unit that fetches the primitives of a tile: pointers first, then attributes."""

    id: i8
    port: i8
    table: Ring[TableEntry] = room(256)
    position: i8
    last_tile: i8
    tile: i8
    entry: i8
    raster_unit: i8
    started: i8
    sent: i8
    waits_for_answers: i8
    attribute_bytes: i8
    pointer_bytes: i8
    tiles: i8
    primitives: i8
    pointer_requests: i8
    attribute_requests: i8
    descriptor_requests: i8


class TileFetcher(PrimitiveFetcher):
    """Registers of the Tile Fetcher. `levels`, `level_bytes`: of descriptors that are read for each draw in a tile,
    behind `job_bytes` of the draw's commands; `state`: the draw whose descriptors were read last in the tile.
    `application`: whose tile was begun last; `switch`: cycles of a switch to another one, before which the Raster Units
    are emptied if it `drains`, which it `awaits`; `switched_at`: when it is over, NEVER as long as that is unknown.
    `asked`: row of the tile that techniques were asked about last. `tile_cycles`: from the beginning of a tile to its
    first read, and `reads_at`: when that may be."""

    first_tile: i8
    tile_cycles: i8
    reads_at: i8
    waits_for_tiles: i8
    levels: i8
    level_bytes: i8
    job_bytes: i8
    state: i8
    application: i8
    switch: i8
    drains: i8
    awaits: i8
    switched_at: i8
    asked: i8
    skipped: i8
    switches: i8
    switch_cycles: i8


@unit
def tick(gpu: Gpu, tiling: Tiling, t: int) -> int:
    fetcher: TileFetcher = gpu.tile_fetcher
    port = gpu.port[fetcher.port]
    account(fetcher, t)
    while has_reply(port, t):
        slot = front(replies_due(port, t)).slot
        receive(gpu, tiling, fetcher, port, t)
        if fetcher.table.slot[slot].levels > 0:
            descend(tiling, fetcher, fetcher.table.slot[slot])
    moved = deliver(gpu, tiling, fetcher, t)
    if hooks.tile_request(gpu, t) == hooks.GO:
        moved |= request_attribute(gpu, fetcher, port, t) or request_pointer(gpu, tiling, fetcher, port, t)
    fetcher.cause = cause_of(fetcher, moved)
    if moved:
        return t + 1
    begins = fetcher.reads_at if fetcher.reads_at > t else NEVER
    return int(min(next_reply(port), switch_ends(fetcher, t), int(begins)))


@inline
def switch_ends(fetcher: TileFetcher, t: int) -> int:
    """Cycle in which a switch to another application goes on; NEVER without one."""
    if fetcher.awaits != 0:
        return t + 1
    return int(fetcher.switched_at) if fetcher.switched_at > t else NEVER


@inline
def cause_of(fetcher: PrimitiveFetcher, moved: bool) -> int:
    """Cause that a cycle of a fetcher is booked on."""
    if moved:
        return BUSY
    if fetcher.table.count == 0:
        return IDLE
    return BLOCKED if complete(front(fetcher.table)) else WAITING


@inline
def complete(entry: TableEntry) -> bool:
    """Whether pointer and attributes of a primitive are all here."""
    return bool(entry.arrived != 0 and entry.pending == 0 and entry.cursor >= entry.end)


@inline
def receive(gpu: Gpu, tiling: Tiling, fetcher: PrimitiveFetcher, port: Port, t: int) -> int:
    """Take the next answer; the slot of the primitive whose pointer has arrived, or -1."""
    replies = replies_due(port, t)
    slot = int(front(replies).slot)
    entry = fetcher.table.slot[slot]
    if front(replies).tag == POINTER_TAG:
        primitive = tiling.primitive[tiling.entry[entry.entry].primitive]
        entry.arrived = 1
        entry.cursor = primitive.record
        entry.end = primitive.record + primitive.record_bytes
    else:
        entry.pending -= 1
        slot = -1
    take_reply(gpu, port, replies)
    return slot


@inline
def descend(tiling: Tiling, fetcher: TileFetcher, entry: TableEntry) -> None:
    """Go on to the first level of descriptors, or to the next one when all of the last has come; then to the
    attributes."""
    primitive = tiling.primitive[tiling.entry[entry.entry].primitive]
    if entry.cursor == primitive.record and entry.pending == 0:
        entry.cursor = primitive.descriptors
    elif entry.pending > 0 or entry.cursor < entry.end:
        return
    else:
        entry.levels -= 1
        if entry.levels == 0:
            entry.cursor, entry.end = primitive.record, primitive.record + primitive.record_bytes
            return
        further = fetcher.levels - entry.levels - 1
        entry.cursor = primitive.descriptors + fetcher.job_bytes + further * fetcher.level_bytes
    entry.end = entry.cursor + fetcher.level_bytes


@inline
def deliver(gpu: Gpu, tiling: Tiling, fetcher: TileFetcher, t: int) -> bool:
    """The oldest primitive goes to its Tile Queue once it is complete."""
    if fetcher.table.count == 0:
        return False
    entry = front(fetcher.table)
    if not complete(entry):
        return False
    queue = tile_queue(gpu, entry.raster_unit)
    if full(queue):
        return False
    push_token(queue, entry.kind, entry.tile, entry.entry)
    poke(gpu, queue.consumer)
    drop(fetcher.table)
    return True


@inline
def request_attribute(gpu: Gpu, fetcher: PrimitiveFetcher, port: Port, t: int) -> bool:
    """Next access for the oldest primitive that has attributes left; one that straddles two lines takes two
    accesses."""
    slot = attribute_due(fetcher)
    if slot < 0 or not can_send(port):
        return False
    entry = fetcher.table.slot[slot]
    hooks.resumes_work(gpu, fetcher.id, slot)
    start = entry.end
    if entry.levels == 0:
        start -= (entry.end - entry.cursor - 1) // fetcher.attribute_bytes * fetcher.attribute_bytes
    size = min(start - entry.cursor, gpu.line_bytes - entry.cursor % gpu.line_bytes)
    source = PRIMITIVE_ATTRIBUTES if entry.levels == 0 else COMMAND
    sent = send(gpu, port, t, entry.cursor, size, READ, source, entry.tile)
    sent.tag = ATTRIBUTE_TAG
    sent.slot = slot
    entry.cursor += size
    entry.pending += 1
    if entry.levels == 0:
        fetcher.attribute_requests += 1
    else:
        fetcher.descriptor_requests += 1
    fetcher.sent = t
    return True


@inline
def attribute_due(fetcher: PrimitiveFetcher) -> int:
    """Slot of the oldest primitive that may ask for an attribute now; -1 if there is none."""
    for i in range(fetcher.table.count):
        slot = wrap(fetcher.table, fetcher.table.head + i)
        entry = fetcher.table.slot[slot]
        if entry.arrived != 0 and entry.cursor < entry.end and (fetcher.waits_for_answers == 0 or entry.pending == 0):
            return int(slot)
    return -1


@inline
def request_pointer(gpu: Gpu, tiling: Tiling, fetcher: TileFetcher, port: Port, t: int) -> bool:
    """Reserve an entry for the tile's next primitive and ask for its pointer; after the last one, an entry
    for the tile's end."""
    if fetcher.tile < 0:
        if not next_tile(gpu, tiling, fetcher, t):
            return False
        if fetcher.tile < 0 or fetcher.tile_cycles > 0:
            return True
    if full(fetcher.table) or t < fetcher.reads_at:
        return False
    last_entry = tiling.tile[fetcher.tile].last_entry
    if fetcher.entry < last_entry and not can_send(port):
        return False
    chosen = next_entry(gpu, tiling, fetcher, last_entry, t)
    if chosen == hooks.WAIT_PRIMITIVE:
        return False
    ends = chosen == NO_ENTRY
    slot = wrap(fetcher.table, fetcher.table.head + fetcher.table.count)
    entry = grow(fetcher.table)
    entry.tile = fetcher.tile
    entry.entry = -1 if ends else chosen
    entry.raster_unit = fetcher.raster_unit
    entry.pending = entry.levels = 0
    entry.cursor = 0
    entry.end = 0
    if ends:
        entry.kind = END_OF_TILE
        entry.arrived = 1
        fetcher.tile = -1
        return True
    primitive = tiling.primitive[tiling.entry[entry.entry].primitive]
    hooks.works_for(gpu, fetcher.id, primitive.work)
    hooks.notes_work(gpu, fetcher.id, slot)
    entry.kind = PRIMITIVE if primitive.clear < 0 else CLEAR
    entry.arrived = 0
    if primitive.clear < 0 and primitive.state != fetcher.state:
        entry.levels, fetcher.state = fetcher.levels, primitive.state
    sent = send(
        gpu, port, t, tiling.entry[entry.entry].pointer, fetcher.pointer_bytes, READ, PRIMITIVE_LIST, fetcher.tile
    )
    sent.tag = POINTER_TAG
    sent.slot = slot
    fetcher.entry += 1
    fetcher.primitives += 1
    tiling.log[fetcher.tile].primitives += 1
    fetcher.pointer_requests += 1
    fetcher.sent = t
    return True


@inline
def next_listed(tiling: Tiling, entry: int, last_entry: int) -> int:
    """First entry of a tile's list, from one on, that no technique has left out; the end if there is none."""
    while entry < last_entry and tiling.entry[entry].left_out != 0:
        entry += 1
    return entry


@inline
def next_entry(gpu: Gpu, tiling: Tiling, fetcher: TileFetcher, last_entry: int, t: int) -> int:
    """Next entry of the tile's list, in which what techniques have left out has no place; NO_ENTRY at its end."""
    while fetcher.entry < last_entry:
        chosen = int(hooks.next_primitive(gpu, tiling, fetcher.entry, t))
        if chosen == hooks.WAIT_PRIMITIVE or tiling.entry[chosen].left_out == 0:
            return chosen
        fetcher.entry += 1
    return NO_ENTRY


@inline
def next_tile(gpu: Gpu, tiling: Tiling, fetcher: TileFetcher, t: int) -> bool:
    """Begin the tile at the next position, if there is one and it may begin; a technique may skip it."""
    if fetcher.position >= fetcher.last_tile:
        return False
    if fetcher.waits_for_tiles != 0 and fetcher.started - tile_flush(gpu).done >= gpu.raster_units:
        return False
    position = fetcher.position
    if tiling.tile[position].application != fetcher.application and not switched(
        gpu, fetcher, tiling.tile[position].application, t
    ):
        return False
    # A technique that wants the same position again sets it back.
    fetcher.position += 1
    fetcher.tile = ask_tile(gpu, tiling, position)
    if fetcher.tile == hooks.WAIT_TILE:
        fetcher.position = position
        fetcher.tile = -1
        return False
    if fetcher.tile < 0:
        fetcher.skipped += 1
        log = tiling.log[fetcher.asked]
        begin_log(log, t)
        log.last_cycle = t
        if fetcher.position >= fetcher.last_tile:
            wake(gpu, gpu.signal.progress)
        return True
    chosen = assign(gpu, fetcher.started, fetcher.raster_unit)
    fetcher.raster_unit = hooks.tile_assigned(gpu, tiling, chosen, fetcher.tile, t)
    log = tiling.log[fetcher.tile]
    begin_log(log, t)
    log.raster_unit = fetcher.raster_unit
    fetcher.entry = tiling.tile[fetcher.tile].first_entry
    fetcher.state = -1
    fetcher.reads_at = t + fetcher.tile_cycles
    fetcher.started += 1
    fetcher.tiles += 1
    return True


@unit
def switched(gpu: Gpu, fetcher: TileFetcher, application: int, t: int) -> bool:
    """Whether the context of the next tile's application is there, which takes some time."""
    if fetcher.switched_at == NEVER:
        empty = fetcher.drains == 0 or (fetcher.started == tile_flush(gpu).done and all_written(gpu))
        fetcher.awaits = 0 if empty else 1
        if not empty:
            return False
        fetcher.switched_at = t + fetcher.switch
    if fetcher.switched_at > t:
        return False
    fetcher.application, fetcher.switched_at = application, NEVER
    fetcher.switches += 1
    fetcher.switch_cycles += fetcher.switch
    return True


@inline
def ask_techniques(gpu: Gpu, tiling: Tiling, position: int) -> int:
    """Ask techniques about the tile at a position."""
    gpu.tile_fetcher.asked = position
    tile = int(hooks.next_tile(gpu, tiling, position))
    if tile >= 0:
        tiling.log[tile].skipped_by = 0
    return tile


@inline
def begin_log(log: TileLog, t: int) -> None:
    """Nothing is known of a tile that begins."""
    log.first_cycle = t
    log.raster_unit = -1
    log.primitives = 0
    log.quads = 0
    log.shaded_quads = 0
    log.busy_cycles = 0
    log.imbalance_ppm = 0
    log.texture_misses = 0
    log.loaded_bytes = 0
    log.stored_bytes = 0
    log.bound = 0


class TileFetcherParameters(Group, section="tile_fetcher"):
    """Tile Fetcher."""

    primitive_table: int = number(
        16, "entries", "primitives fetched side by side [Table 4.1]; 1: no Primitive Table, as before 2022", 1, 256
    )
    attribute_requests: str = choice(
        "queued",
        {
            "queued": "one per cycle (thesis 4.1.2; thesis of 2018, 4.3.1)",
            "answered": "each when the last has come, as the thesis of 2022 has it of the older design (4.1.2)",
        },
        "when the attributes of a primitive are asked for",
    )
    next_tile: str = choice(
        "fetched",
        {
            "fetched": "when all of the last one is fetched (thesis 4.1.2; thesis of 2018, 5.3.2)",
            "rendered": "when a Raster Unit is done with its last, as the thesis of 2022 has it of the older design "
            "(4.1.2)",
        },
        "when the next tile begins",
    )
    context_switch_cycles: int = number(
        100,
        "cycles",
        "from the tile of one application to that of another, where several share the GPU by tile",
        0,
        1 << 20,
        silent=(0, 2000),
    )
    context_switch: str = choice(
        "under_way",
        {
            "under_way": "while tiles of the other application are still under way",
            "drained": "when they are all written",
        },
        "when the switch to the tile of another application begins",
    )
    quantum_tiles: int = number(
        16,
        "tiles",
        "of one application before those of the next, where several share the GPU by tile",
        1,
        1 << 20,
    )
    turns: str = choice(
        "tiles",
        {
            "tiles": "as many tiles, and a frame of each in a round",
            "time": "as much time: as many tiles, and in a round as many frames, as take about as long alone",
        },
        "of applications that share the GPU by tile, what is alike",
    )
    tile_cycles: int = number(
        0,
        "cycles",
        "from the beginning of a tile to the first read of its list: the heads of its lists are looked up",
        0,
        1 << 16,
    )
    tile_queue: int = number(32, "primitives", "Tile Queue before each Rasterizer [Table 4.1]", 1, 256)


def setup(chip: Chip, fetcher: TileFetcher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration
    fetcher.waits_for_answers = c.of(TileFetcherParameters).attribute_requests == "answered"
    fetcher.waits_for_tiles = c.of(TileFetcherParameters).next_tile == "rendered"
    fetcher.table.depth = c.of(TileFetcherParameters).primitive_table
    fetcher.tile, fetcher.raster_unit, fetcher.sent = -1, c.of(Tiles).raster_units - 1, -1
    fetcher.switch = c.of(TileFetcherParameters).context_switch_cycles
    fetcher.tile_cycles = c.of(TileFetcherParameters).tile_cycles
    fetcher.drains = c.of(TileFetcherParameters).context_switch == "drained"
    fetcher.switched_at = NEVER
    fetcher.attribute_bytes = attribute_room(c.of(ParameterBuffer))
    fetcher.pointer_bytes = c.of(ParameterBuffer).pointer_bytes
    fetcher.cause = IDLE


@inline
def start(gpu: Gpu, render_pass: RenderPass) -> None:
    """Let the Tile Fetcher go through the tiles of a pass."""
    fetcher: TileFetcher = gpu.tile_fetcher
    fetcher.first_tile = render_pass.first_tile
    fetcher.position = render_pass.first_tile
    fetcher.last_tile = render_pass.last_tile
    fetcher.tile = -1
    fetcher.started = 0
    poke(gpu, fetcher.id)


@inline
def drained(gpu: Gpu, tiles_done: int) -> bool:
    """Whether all tiles of the pass were begun, and as many are done."""
    fetcher: TileFetcher = gpu.tile_fetcher
    return bool(fetcher.position >= fetcher.last_tile and fetcher.tile < 0 and tiles_done >= fetcher.started)


NAME = "tiling.tile_fetcher"

UNIT = Unit(
    "tile_fetcher",
    __name__,
    TileFetcher,
    tick,
    tables=("tiling",),
    parameters=(TileFetcherParameters,),
    setup=setup,
    holds_up=True,
    reason="tiling",
    marks=("spent[0]",),
    stands=lambda f: f"tile {int(f.tile)}, {int(f.table.count)} of {int(f.table.depth)} primitives under way",
    watches=(Watch("primitive_table", "Primitive Table", "table"),),
    statistics=(
        Stat(f"{NAME}.tiles", "tiles", "tiles fetched", "tiles"),
        Stat(f"{NAME}.primitives", "primitives", "primitives fetched, once per tile", "primitives"),
        Stat(f"{NAME}.pointer_requests", "requests", "requests for pointers", "pointer_requests"),
        Stat(f"{NAME}.attribute_requests", "requests", "requests for attributes", "attribute_requests"),
        Stat(f"{NAME}.descriptor_requests", "requests", "requests for descriptors of draws", "descriptor_requests"),
        Stat(f"{NAME}.switches", "switches", "switches to tiles of another application", "switches"),
        Stat(f"{NAME}.switch_cycles", "cycles", "cycles of switches to tiles of another application", "switch_cycles"),
        Stat(f"{NAME}.skipped_tiles", "tiles", "tiles that a technique left out", "skipped"),
        *spent(NAME, "the Tile Fetcher"),
        ratio(
            "tiling.primitives_per_tile",
            "primitives/tile",
            "mean length of the lists (Fig. 4.2)",
            f"{NAME}.primitives",
            f"{NAME}.tiles",
        ),
    ),
    structures=(
        Structure(
            "tile_queue",
            RASTER,
            units,
            lambda c: Ram(c.of(TileFetcherParameters).tile_queue, TRIANGLE_BYTES * 8),
            stat("raster.rasterizer.primitives"),
            stat("raster.rasterizer.primitives"),
        ),
        # An attribute is that of three vertices, 16 bytes each.
        Structure(
            "tile_fetcher.primitive_table",
            TILING,
            once,
            lambda c: Ram(c.of(TileFetcherParameters).primitive_table * PRIMITIVE_TABLE_WORDS, 128),
            stat("raster.rasterizer.attributes", 3),
            stat("raster.rasterizer.attributes", 3),
        ),
    ),
)
