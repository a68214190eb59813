"""The Tile Engine's part (4.2.6, 4.3.2, Fig. 4.10): keeps the order, and looks up where each object's primitives are in
the list of the tile at work.

Objects come from the Order Queue, one per cycle. For each tile it reads the First Primitive List, then goes through the
order of the pass: an object that has no primitive there is stepped over; the place of one that has is handed to the
Tile Fetcher. When it is through with a tile it goes on to the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, push
from ...engine.unit import Unit, Watch
from ...memory.address_map import FIRST_LIST_REGION, ORDER_REGION
from ...memory.request import (
    PRIMITIVE_LIST,
    READ,
    WRITE,
    Port,
    can_send,
    has_reply,
    next_reply,
    replies_due,
    send,
    take_reply,
)
from . import visibility_sort
from .parameters import MAX_QUEUE, Parameters
from .state import FIRST_LIST_BYTES, NAME, State

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu
    from ...units.tile_fetcher import TileFetcher
    from .immediate_tables import Tables as ImmediateTables
    from .tables import Tables


ID_BYTES = 2
MAX_RUNS = 16
STEP, READ_LISTS, HAND_ON = range(3)


class VisibilityOrder(Accounted):
    """Registers of the unit that applies the order to tiles. `tile`: the one that is looked up, `next` to `last`: its
    runs that are still to be; `position`: in the order, of the last one looked up. `fetched`: the tile that the Tile
    Fetcher is at, or -1; `offset`: primitives of the first run that it has; `remaining`: runs of the tile that it does
    not have. `objects`: in the order."""

    id: i8
    port: i8
    queue: Ring[i4] = room(MAX_QUEUE)
    run: Ring[i4] = room(MAX_RUNS)
    tile: i8
    fetched: i8
    offset: i8
    remaining: i8
    next: i8
    last: i8
    phase: i8
    position: i8
    due: i8
    requests: i8
    lists: i8
    pending: i8
    objects: i8
    order_in_memory: i8
    list_in_memory: i8
    absent_cycles: i8
    works_ahead: i8
    may_go_on: i8
    present: i8
    absent: i8
    list_reads: i8
    order_reads: i8
    order_writes: i8


@unit
def tick(gpu: Gpu, own: Tables, t: int) -> int:
    order: VisibilityOrder = gpu.visibility_order
    port = gpu.port[order.port]
    account(order, t)
    while has_reply(port, t):
        take_reply(gpu, port, replies_due(port, t))
        order.pending -= 1
    order.cause = IDLE
    wake_at = next_reply(port)
    if order.queue.count > 0:
        order.cause = WAITING
        if can_send(port):
            note(gpu, order, port, t)
            order.cause = BUSY
            return t + 1
        return wake_at
    if order.next == order.last and not begin_next(gpu, own, order):
        return wake_at
    return min(wake_at, walk(gpu, own, order, port, t))


@inline
def note(gpu: Gpu, order: VisibilityOrder, port: Port, t: int) -> None:
    """An object takes its place in the order."""
    state = gpu.technique.visibility_rendering_order
    if full(order.queue):
        poke(gpu, gpu.visibility_sort.id)
    place = order.objects
    state.rank[front(order.queue)] = place
    drop(order.queue)
    order.objects += 1
    if order.order_in_memory != 0 and place * ID_BYTES % gpu.line_bytes == 0:
        send(gpu, port, t, ORDER_REGION + place * ID_BYTES, gpu.line_bytes, WRITE, PRIMITIVE_LIST, -1)
        order.order_writes += 1
    if order.queue.count == 0:
        wake(gpu, gpu.caller.geometry_done)


@inline
def walk(gpu: Gpu, own: Tables, order: VisibilityOrder, port: Port, t: int) -> int:
    """A step on the way to the next run of primitives; when there is something to do again."""
    order.cause = BUSY
    run = own.order[order.next]
    place = own.group[own.run[run].group].position
    if order.phase == STEP:
        order.phase = HAND_ON
        if place != order.position:
            plan(gpu, own, order, place, t)
    if order.phase == READ_LISTS:
        if t < order.due:
            return int(order.due)
        if order.requests > 0:
            order.cause = WAITING
            if not can_send(port):
                return NEVER
            read_list(gpu, own, order, port, place, t)
            return t + 1
        if order.pending > 0:
            order.cause = WAITING
            return NEVER
        order.phase = HAND_ON
        order.position = place
    if full(order.run):
        order.cause = BLOCKED
        return NEVER
    push(order.run, run)
    wake(gpu, gpu.caller.next_primitive)
    order.next += 1
    order.phase = STEP
    return t + 1


@inline
def plan(gpu: Gpu, own: Tables, order: VisibilityOrder, place: int, t: int) -> None:
    """Plan the way to an object: objects to step over, lines of the order to read; with the first one all of the tile's
    First Primitive List."""
    absent = place - order.position - 1
    order.due = t + absent * order.absent_cycles
    order.absent += absent
    order.present += 1
    ids = gpu.line_bytes // ID_BYTES
    lines = 0
    if order.order_in_memory != 0:
        lines = place // ids - (order.position // ids if order.position >= 0 else -1)
    order.order_reads += lines
    order.lists = 0
    if order.position < 0 and order.list_in_memory != 0:
        order.lists = (own.tile[order.tile].groups * FIRST_LIST_BYTES + gpu.line_bytes - 1) // gpu.line_bytes
    order.list_reads += order.lists
    order.requests = lines + order.lists
    order.phase = READ_LISTS


@inline
def read_list(gpu: Gpu, own: Tables, order: VisibilityOrder, port: Port, place: int, t: int) -> None:
    """Lines of the order up to the object, then those of the First Primitive List."""
    order.requests -= 1
    order.pending += 1
    if order.requests >= order.lists:
        line = place * ID_BYTES // gpu.line_bytes - (order.requests - order.lists)
        sent = send(
            gpu, port, t, ORDER_REGION + line * gpu.line_bytes, gpu.line_bytes, READ, PRIMITIVE_LIST, order.tile
        )
        sent.slot = 0
        return
    address = first_list_address(gpu, own, order.tile) + order.requests * gpu.line_bytes
    sent = send(gpu, port, t, address, gpu.line_bytes, READ, PRIMITIVE_LIST, order.tile)
    sent.slot = 0


@inline
def first_list_address(gpu: Gpu, own: Tables, tile: int) -> int:
    """Address of the First Primitive List of a tile: whole lines, with room for all objects of the pass."""
    row = own.render_pass[own.tile[tile].render_pass]
    lines = ((row.last_group - row.first_group) * FIRST_LIST_BYTES + gpu.line_bytes - 1) // gpu.line_bytes
    return int(FIRST_LIST_REGION + (tile - row.first_tile) * lines * gpu.line_bytes)


@unit
def begin_tile(gpu: Gpu, own: Tables, tile: int) -> None:
    """Put the runs of a tile in order, and begin to look them up."""
    order: VisibilityOrder = gpu.visibility_order
    row = own.tile[tile]
    for k in range(row.first_run, row.last_run):
        place = own.group[own.run[k].group].position
        i = k
        while i > row.first_run and own.group[own.run[own.order[i - 1]].group].position > place:
            own.order[i] = own.order[i - 1]
            i -= 1
        own.order[i] = k
    order.tile = tile
    order.next = row.first_run
    order.last = row.last_run
    order.position = -1
    order.phase = STEP


@inline
def begin_next(gpu: Gpu, own: Tables, order: VisibilityOrder) -> bool:
    """Go on to the next tile that has primitives, once for each that is fetched; False where there is none."""
    if order.may_go_on == 0:
        return False
    order.may_go_on = 0
    fetcher: TileFetcher = gpu.tile_fetcher
    tile = fetcher.position
    while tile < fetcher.last_tile and own.tile[tile].first_run == own.tile[tile].last_run:
        tile += 1
    if tile >= fetcher.last_tile:
        return False
    begin_tile(gpu, own, tile)
    return True


@unit
def begin_fetching(gpu: Gpu, own: Tables, tile: int) -> None:
    """The Tile Fetcher begins a tile: what was looked up of another one is of no use."""
    order: VisibilityOrder = gpu.visibility_order
    row = own.tile[tile]
    order.fetched = tile
    order.offset = 0
    order.remaining = row.last_run - row.first_run
    order.may_go_on = order.works_ahead
    if order.tile != tile:
        while order.run.count > 0:
            drop(order.run)
        begin_tile(gpu, own, tile)
    poke(gpu, order.id)


@inline
def take(gpu: Gpu, own: Tables, order: VisibilityOrder) -> int:
    """Entry of the next primitive in the tile's list; the caller has seen that there is a run."""
    run = own.run[front(order.run)]
    entry = run.first_entry + order.offset
    order.offset += 1
    if entry + 1 == run.last_entry:
        order.offset = 0
        order.remaining -= 1
        if full(order.run):
            poke(gpu, order.id)
        drop(order.run)
        if order.remaining == 0:
            if order.tile == order.fetched:
                # A tile that is begun once more is looked up once more.
                order.tile = -1
            order.fetched = -1
    return int(entry)


@unit
def settle(gpu: Gpu, own: Tables | ImmediateTables, render_pass: int) -> None:
    """The order of a pass: segment by segment; in each, objects in the order, then those that are new (4.2.6)."""
    state = gpu.technique.visibility_rendering_order
    row = own.render_pass[render_pass]
    for g in range(row.first_group, row.last_group):
        one = own.group[g]
        place = 0
        for h in range(row.first_group, row.last_group):
            other = own.group[h]
            if other.segment < one.segment or (
                other.segment == one.segment and before(rank_of(state, other.node), rank_of(state, one.node), h, g)
            ):
                place += 1
        one.position = place


@inline
def rank_of(state: State, node: int) -> int:
    """Place of an object in the order, or -1."""
    return int(state.rank[node]) if node >= 0 else -1


@inline
def before(rank: int, other: int, place: int, other_place: int) -> bool:
    """Whether an object comes before another one of its segment; what has no rank comes last, in program order."""
    if rank < 0 or other < 0:
        return bool(rank >= 0 or (other < 0 and place < other_place))
    return bool(rank < other)


@inline
def drained(gpu: Gpu) -> bool:
    """Whether the order is complete."""
    return bool(visibility_sort.at_rest(gpu) and gpu.visibility_order.queue.count == 0)


def setup(chip: Chip, order: VisibilityOrder, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    own = chip.configuration.of(Parameters)
    order.queue.depth, order.run.depth = own.order_queue, own.runs_ahead
    order.order_in_memory = own.order_list == "memory"
    order.list_in_memory = own.first_primitive_list == "memory"
    order.works_ahead = own.works_ahead == "yes"
    order.absent_cycles, order.tile, order.fetched, order.cause = own.absent_object_cycles, -1, -1, IDLE


UNIT_NAME = f"{NAME}.visibility_order"

UNIT = Unit(
    "visibility_order",
    __name__,
    VisibilityOrder,
    tick,
    tables=("own",),
    setup=setup,
    ahead_of="polygon_list_builder",
    ports={"port": "tile_cache"},
    marks=("present", "objects"),
    stands=lambda order: f"tile {int(order.fetched)}, {int(order.remaining)} runs left" if order.fetched >= 0 else "",
    watches=(Watch("order", "Order Queue", "queue"),),
    statistics=(
        Stat(f"{UNIT_NAME}.present", "objects", "objects looked up that have primitives in the tile", "present"),
        Stat(f"{UNIT_NAME}.absent", "objects", "objects stepped over that have none there", "absent"),
        Stat(f"{UNIT_NAME}.list_reads", "lines", "lines of the First Primitive List that were read", "list_reads"),
        Stat(f"{UNIT_NAME}.order_reads", "lines", "lines of the order that were read", "order_reads"),
        Stat(f"{UNIT_NAME}.order_writes", "lines", "lines of the order that were written", "order_writes"),
        *spent(UNIT_NAME, "the look-up of objects"),
    ),
)
