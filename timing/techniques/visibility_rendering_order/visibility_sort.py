"""Visibility Sort (4.3.2, Fig. 4.15): Kahn's algorithm on the graph of the frame before, in parallel with this one's
geometry.

First it reads the entry of every object in program order and queues the roots. Then it takes root after root: sends it
on, reads its list and lowers the in-degree of each child, which may become a root. Where no root is left though objects
are (a cycle), it looks through all of them for the one to take next.
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
from ...memory.request import Port, can_send, has_reply, next_reply, replies_due, take_reply
from . import edge_filter, edge_inserter, graph, parallel_edges
from .parameters import MAX_NODES, Parameters
from .state import NAME, State

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu
    from .immediate_tables import Tables as ImmediateTables
    from .tables import Tables


REST, SCAN, POP, LIST, CHILD, NEXT, LEAST, OBJECT, EDGES, BACK, DEGREE = range(11)
"""Nothing to sort; search for roots; take one; its list; a child; what follows it; search for the object to take. With
counters, before that: an object; its list; the list of a child; write the in-degree that fell."""
SORTED = 2
"""Mark in an entry: its object has its place."""
IN_DEGREE, AVERAGE, MINIMUM, MAXIMUM = range(4)


class VisibilitySort(Accounted):
    """Registers of Visibility Sort. `asked`: whether a graph is to be sorted; `scan`: place among the objects; `best`:
    object to take, so far; `done`: objects that have their place."""

    id: i8
    port: i8
    roots: Ring[i4] = room(MAX_NODES)
    asked: i8
    waiting: i8
    phase: i8
    scan: i8
    node: i8
    entry: i8
    child: i8
    other: i8
    behind: i8
    compares: i8
    dropped: i8
    best: i8
    done: i8
    reads: i8
    writes: i8
    sorted: i8
    sorts: i8
    broken_cycles: i8
    missed_roots: i8


@unit
def begin(gpu: Gpu, own: Tables | ImmediateTables) -> None:
    """A frame begins: sort the graph of the one before once all its edges are inserted, or take the perfect order."""
    state = gpu.technique.visibility_rendering_order
    if state.perfect != 0:
        for node in range(MAX_NODES):
            state.rank[node] = -1
        for place in range(len(own.perfect)):
            state.rank[own.perfect[place]] = place
        return
    gpu.visibility_sort.asked = 1
    poke(gpu, gpu.visibility_sort.id)
    edge_filter.call(gpu)


@inline
def at_rest(gpu: Gpu) -> bool:
    """Whether there is nothing to sort."""
    return bool(gpu.visibility_sort.asked == 0)


@unit
def tick(gpu: Gpu, t: int) -> int:
    sort: VisibilitySort = gpu.visibility_sort
    state = gpu.technique.visibility_rendering_order
    port = gpu.port[sort.port]
    account(sort, t)
    sort.cause = IDLE
    if sort.asked == 0:
        return NEVER
    sort.cause = WAITING
    if sort.phase == REST:
        if not (edge_filter.drained(gpu) and edge_inserter.drained(gpu)):
            return NEVER
        start(gpu, state, sort)
    if not can_send(port):
        return NEVER
    if sort.waiting != 0:
        if not has_reply(port, t):
            return next_reply(port)
        take_reply(gpu, port, replies_due(port, t))
        sort.waiting = 0
    if sort.phase == POP and sort.roots.count > 0 and full(gpu.visibility_order.queue):
        sort.cause = BLOCKED
        return NEVER
    sort.cause = BUSY
    step(gpu, state, sort, port, t)
    return t + 1


@inline
def start(gpu: Gpu, state: State, sort: VisibilitySort) -> None:
    edge_filter.forget(gpu)
    for i in range(MAX_NODES):
        state.rank[i] = -1
    sort.phase = OBJECT if state.counts != 0 else SCAN
    sort.scan = -1
    sort.done = 0
    sort.sorts += 1
    gpu.visibility_order.objects = 0


@inline
def step(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> None:
    """A cycle's work: at most one access to the Graph Cache."""
    if sort.phase == SCAN:
        if sort.scan >= 0 and state.entry[sort.entry].in_degree == 0:
            add_root(sort, sort.entry)
        scan_on(gpu, state, sort, port, t)
    elif sort.phase == POP:
        pop(gpu, state, sort, port, t)
    elif sort.phase == LIST:
        sort.child = 0
        go_on(gpu, state, sort, port, t)
    elif sort.phase == CHILD:
        lower(gpu, state, sort, port, t)
    elif sort.phase == NEXT:
        sort.child += 1
        go_on(gpu, state, sort, port, t)
    elif sort.phase >= OBJECT:
        compare_counters(gpu, state, sort, port, t)
    else:
        compare(state, sort)
        scan_on(gpu, state, sort, port, t)
        if sort.phase == POP:
            sort.broken_cycles += state.entry[sort.best].in_degree > 0
            push(sort.roots, sort.best)


@inline
def compare_counters(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> None:
    """A step of dropping edges of fewer occlusions; then the search for roots begins."""
    if sort.phase == OBJECT:
        sort.child = 0
        if sort.scan + 1 < state.objects:
            scan_on(gpu, state, sort, port, t)
            sort.node = sort.entry
            sort.phase = EDGES
        else:
            sort.scan = -1
            sort.phase = SCAN
        return
    if sort.phase == BACK:
        sort.behind = parallel_edges.compare(gpu, state, sort, port, t)
        if sort.behind == parallel_edges.GOES_ON:
            return
        sort.child += 1
        if sort.behind >= 0:
            sort.phase = DEGREE
            return
    elif sort.phase == DEGREE:
        state.entry[sort.behind].in_degree -= 1
        graph.write(gpu, port, sort.behind, t)
        sort.writes += 1
        sort.phase = EDGES
        return
    sort.phase = OBJECT
    if parallel_edges.next_child(gpu, state, sort, port, t):
        sort.phase = BACK if sort.compares != 0 else EDGES


@inline
def ask(gpu: Gpu, sort: VisibilitySort, port: Port, entry: int, t: int) -> None:
    graph.read(gpu, port, entry, t)
    sort.reads += 1
    sort.waiting = 1


@inline
def scan_on(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> None:
    """Read the entry of the next object in program order; after the last one, take a root."""
    sort.scan += 1
    if sort.scan < state.objects:
        sort.entry = state.object[sort.scan]
        ask(gpu, sort, port, sort.entry, t)
    else:
        sort.phase = POP


@inline
def add_root(sort: VisibilitySort, node: int) -> None:
    """Queue a root; one that finds the queue full is found again when it is empty."""
    if full(sort.roots):
        sort.missed_roots += 1
    else:
        push(sort.roots, node)


@inline
def pop(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> None:
    """Take a root, or find the object to take; or all is sorted."""
    if sort.roots.count > 0:
        sort.node = front(sort.roots)
        drop(sort.roots)
        state.entry[sort.node].valid = SORTED
        sort.done += 1
        sort.sorted += 1
        push(gpu.visibility_order.queue, sort.node)
        poke(gpu, gpu.visibility_order.id)
        sort.entry = sort.node
        ask(gpu, sort, port, sort.node, t)
        sort.phase = LIST
    elif sort.done < state.objects:
        sort.phase = LEAST
        sort.scan = -1
        sort.best = -1
        scan_on(gpu, state, sort, port, t)
    else:
        graph.clear(state)
        sort.phase = REST
        sort.asked = 0
        poke(gpu, gpu.visibility_order.id)
        wake(gpu, gpu.caller.geometry_done)


@inline
def go_on(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> None:
    """Read the next child of the entry at work; or the entry that the list goes on in; or the object is done with."""
    row = state.entry[sort.entry]
    while sort.child < row.length and row.child[sort.child] == parallel_edges.DROPPED:
        sort.child += 1
    if sort.child < row.length:
        ask(gpu, sort, port, row.child[sort.child], t)
        sort.phase = CHILD
    elif row.next >= 0:
        sort.entry = row.next
        ask(gpu, sort, port, sort.entry, t)
        sort.phase = LIST
    else:
        graph.write(gpu, port, sort.node, t)
        sort.writes += 1
        sort.phase = POP


@inline
def lower(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> None:
    """A child's entry has arrived: it has one edge less, unless it has its place already."""
    node = state.entry[sort.entry].child[sort.child]
    row = state.entry[node]
    sort.phase = NEXT
    if row.valid == SORTED:
        return
    row.in_degree -= 1
    graph.write(gpu, port, node, t)
    sort.writes += 1
    if row.in_degree == 0:
        add_root(sort, node)


@inline
def compare(state: State, sort: VisibilitySort) -> None:
    """Keep the better one of the object that was read and the best so far, the first of equals."""
    if sort.scan < 0 or state.entry[sort.entry].valid == SORTED:
        return
    if sort.best < 0 or measure(state, sort.entry) < measure(state, sort.best):
        sort.best = sort.entry


@inline
def measure(state: State, node: int) -> float:
    """Measure by which an object is taken where there is no root: the least (4.2.4)."""
    if state.breaker == IN_DEGREE:
        return float(state.entry[node].in_degree)
    if state.depth_count[node] == 0:
        return float(NEVER)
    if state.breaker == AVERAGE:
        return float(state.depth_sum[node] / state.depth_count[node])
    return float(state.depth_sum[node])


def setup(chip: Chip, sort: VisibilitySort, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    sort.roots.depth = chip.configuration.of(Parameters).roots_queue
    sort.cause = IDLE


UNIT_NAME = f"{NAME}.visibility_sort"

UNIT = Unit(
    "visibility_sort",
    __name__,
    VisibilitySort,
    tick,
    setup=setup,
    ahead_of="polygon_list_builder",
    ports={"port": "graph_cache"},
    marks=("reads", "writes"),
    stands=lambda sort: f"{int(sort.roots.count)} roots queued, {int(sort.done)} objects sorted" if sort.asked else "",
    watches=(Watch("roots", "Roots Queue", "roots"),),
    statistics=(
        Stat(f"{UNIT_NAME}.sorted", "objects", "objects that were put in order", "sorted"),
        Stat(f"{UNIT_NAME}.sorts", "graphs", "graphs that were sorted", "sorts"),
        Stat(
            f"{UNIT_NAME}.broken_cycles", "objects", "objects taken though no root, to break a cycle", "broken_cycles"
        ),
        Stat(f"{UNIT_NAME}.dropped", "edges", "edges of fewer occlusions than their opposite", "dropped"),
        Stat(f"{UNIT_NAME}.missed_roots", "objects", "roots that found the Roots Queue full", "missed_roots"),
        Stat(f"{UNIT_NAME}.reads", "entries", "entries of the Graph Buffer that were read", "reads"),
        Stat(f"{UNIT_NAME}.writes", "entries", "entries of the Graph Buffer that were written", "writes"),
        *spent(UNIT_NAME, "the Visibility Sort unit"),
    ),
)
