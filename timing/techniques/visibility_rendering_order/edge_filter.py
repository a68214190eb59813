"""Edge Filter (4.3.2): knows the edges that came last, and keeps them from the Edge Inserter.

One next to each early depth test. Edges wait before it, runs of equal ones as one; early depth takes up no quad while
there may be no room for all of its edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Ring, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BLOCKED, BUSY, IDLE, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow, wrap
from ...engine.unit import RASTER_UNIT, Unit
from .parameters import MAX_FILTER, Parameters
from .state import NAME

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu


ROOM = 48
QUAD_EDGES = 16
"""Samples of a quad at most."""


class Pending(Record):
    """Edge that waits for the filter."""

    source: i4
    target: i4
    count: i4


class FilteredEdge(Record):
    """Edge that the filter holds. `used`: when it was last seen."""

    source: i4
    target: i4
    used: i8
    count: i8


class EdgeFilter(Accounted):
    """Registers of an Edge Filter."""

    id: i8
    pending: Ring[Pending] = room(ROOM)
    edge: Rows[FilteredEdge] = room(MAX_FILTER)
    entries: i8
    clock: i8
    lookups_per_cycle: i8
    lookups: i8
    hits: i8
    misses: i8


@inline
def has_room(gpu: Gpu, r: int) -> bool:
    """Whether all edges of a quad find room."""
    return bool(gpu.raster_unit[r].edge_filter.pending.count + QUAD_EDGES <= ROOM)


@unit
def enqueue(gpu: Gpu, r: int, source: int, target: int) -> bool:
    """Put an edge before the filter; False where there is no room."""
    filter_: EdgeFilter = gpu.raster_unit[r].edge_filter
    pending = filter_.pending
    if pending.count > 0:
        last = pending.slot[wrap(pending, pending.head + pending.count - 1)]
        if last.source == source and last.target == target:
            last.count += 1
            return True
    if full(pending):
        return False
    edge = grow(pending)
    edge.source = source
    edge.target = target
    edge.count = 1
    poke(gpu, filter_.id)
    return True


@unit
def tick(gpu: Gpu, r: int, t: int) -> int:
    filter_: EdgeFilter = gpu.raster_unit[r].edge_filter
    account(filter_, t)
    lookups = filter_.lookups_per_cycle
    stuck = False
    while lookups > 0 and filter_.pending.count > 0 and not stuck:
        edge = front(filter_.pending)
        place = find(filter_, edge.source, edge.target)
        missed = place < 0
        if missed:
            place = hand_on(gpu, filter_, edge)
            stuck = place < 0
        if not stuck:
            # A run of equal edges: the first may miss, the others hit.
            taken = min(lookups, int(edge.count))
            lookups -= taken
            filter_.lookups += taken
            filter_.hits += taken - missed
            filter_.edge[place].count += taken
            edge.count -= taken
            if edge.count == 0:
                if not has_room(gpu, r):
                    wake(gpu, gpu.caller.quad_begin)
                drop(filter_.pending)
    if counts(gpu) and gpu.visibility_sort.asked != 0 and filter_.pending.count == 0:
        return flush(gpu, filter_, t)
    filter_.cause = IDLE
    if stuck:
        filter_.cause = BLOCKED
    elif lookups < filter_.lookups_per_cycle:
        filter_.cause = BUSY
        tell_sort(gpu)
    return t + 1 if filter_.cause == BUSY else NEVER


@inline
def tell_sort(gpu: Gpu) -> None:
    """The sort that waits for the last edges may go on."""
    if gpu.visibility_sort.asked != 0:
        poke(gpu, gpu.visibility_sort.id)


@inline
def call(gpu: Gpu) -> None:
    """The graph is to be sorted: send on what was counted."""
    for r in range(gpu.raster_units):
        poke(gpu, gpu.raster_unit[r].edge_filter.id)


@inline
def find(filter_: EdgeFilter, source: int, target: int) -> int:
    """Place of an edge in the filter, which is used now; -1 where it is not there."""
    filter_.clock += 1
    for i in range(filter_.entries):
        entry = filter_.edge[i]
        if entry.source == source and entry.target == target and entry.used > 0:
            entry.used = filter_.clock
            return i
    return -1


@inline
def counts(gpu: Gpu) -> bool:
    """Whether edges have counters: then each is sent on when it gives way, with what was counted."""
    return bool(gpu.technique.visibility_rendering_order.counts != 0)


@inline
def hand_on(gpu: Gpu, filter_: EdgeFilter, edge: Pending) -> int:
    """Know an edge from now on, and send it to the Edge Inserter, or with counters the one that gives way. Its place;
    -1 where the Edges Queue is full."""
    oldest = 0
    for i in range(1, filter_.entries):
        if filter_.edge[i].used < filter_.edge[oldest].used:
            oldest = i
    entry = filter_.edge[oldest]
    if counts(gpu):
        if entry.used > 0 and not send(gpu, entry):
            return -1
    elif not send(gpu, edge):
        return -1
    filter_.misses += 1
    entry.source = edge.source
    entry.target = edge.target
    entry.used = filter_.clock
    entry.count = 0
    return oldest


@inline
def send(gpu: Gpu, edge: FilteredEdge | Pending) -> bool:
    """Send an edge to the Edge Inserter; False where the Edges Queue is full."""
    queue = gpu.edge_inserter.queue
    if full(queue):
        return False
    sent = grow(queue)
    sent.source = edge.source
    sent.target = edge.target
    sent.count = edge.count
    poke(gpu, gpu.edge_inserter.id)
    return True


@inline
def flush(gpu: Gpu, filter_: EdgeFilter, t: int) -> int:
    """Before the sort what was counted last goes to the Edge Inserter, an edge per cycle."""
    for i in range(filter_.entries):
        if filter_.edge[i].used > 0:
            if not send(gpu, filter_.edge[i]):
                filter_.cause = BLOCKED
                return NEVER
            filter_.edge[i].used = 0
            filter_.cause = BUSY
            return t + 1
    filter_.cause = IDLE
    tell_sort(gpu)
    return NEVER


@unit
def forget(gpu: Gpu) -> None:
    """A new graph: nothing is known of it."""
    for r in range(gpu.raster_units):
        filter_: EdgeFilter = gpu.raster_unit[r].edge_filter
        for i in range(filter_.entries):
            filter_.edge[i].used = 0


@unit
def drained(gpu: Gpu) -> bool:
    """Whether no edge waits, and none is left whose count was not sent on."""
    waiting = 0
    for r in range(gpu.raster_units):
        filter_: EdgeFilter = gpu.raster_unit[r].edge_filter
        waiting += filter_.pending.count
        if counts(gpu):
            for i in range(filter_.entries):
                waiting += filter_.edge[i].used > 0
    return bool(waiting == 0)


def setup(chip: Chip, filter_: EdgeFilter, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    own = chip.configuration.of(Parameters)
    filter_.pending.depth, filter_.entries = ROOM, own.filter_entries
    filter_.lookups_per_cycle, filter_.cause = own.filter_lookups_per_cycle, IDLE


UNIT_NAME = f"{NAME}.edge_filter"

UNIT = Unit(
    "edge_filter",
    __name__,
    EdgeFilter,
    tick,
    scope=RASTER_UNIT,
    setup=setup,
    ahead_of="early_depth",
    marks=("lookups",),
    stands=lambda f: f"{int(f.pending.count)} edges wait",
    statistics=(
        Stat(f"{UNIT_NAME}.lookups", "edges", "edges looked up in an Edge Filter", "lookups"),
        Stat(f"{UNIT_NAME}.hits", "edges", "edges that an Edge Filter knew", "hits"),
        Stat(f"{UNIT_NAME}.misses", "edges", "edges that an Edge Filter sent to the Edge Inserter", "misses"),
        *spent(UNIT_NAME, "an Edge Filter"),
    ),
)
