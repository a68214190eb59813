"""Edge Inserter (4.3.2, Fig. 4.14): puts edges into the Visibility Graph, one at a time, behind the Graph Cache.

It reads the list of the object in front, entry by entry, and searches it, an entry per cycle, all children at once. An
edge that is new is added there, and the in-degree of the object behind rises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BUSY, IDLE, WAITING, Accounted, account
from ...engine.calendar import poke
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full
from ...engine.unit import Unit, Watch
from ...memory.request import Port, can_send, has_reply, next_reply, replies_due, take_reply
from . import edge_filter, graph
from .parameters import MAX_QUEUE, Parameters
from .state import NAME, State

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu


REST, SOURCE, REVERSE, LINK, APPEND, DEGREE, RAISE = range(7)
"""Steps of the Edge Inserter: nothing; search the list of the object in front; that of the object behind, for the
opposite edge; write the link to a further entry; write the child; read the in-degree; write it."""


class Edge(Record):
    """Edge that waits for the Visibility Graph."""

    source: i4
    target: i4
    count: i8


class EdgeInserter(Accounted):
    """Registers of the Edge Inserter. `entry`: at work; `tail`: last one of the list of the object in front."""

    id: i8
    port: i8
    queue: Ring[Edge] = room(MAX_QUEUE)
    phase: i8
    entry: i8
    tail: i8
    reads: i8
    writes: i8
    searches: i8
    edges: i8
    duplicates: i8
    reversed: i8


@unit
def tick(gpu: Gpu, t: int) -> int:
    inserter: EdgeInserter = gpu.edge_inserter
    port = gpu.port[inserter.port]
    account(inserter, t)
    inserter.cause = IDLE
    if inserter.phase == REST and inserter.queue.count == 0:
        return NEVER
    inserter.cause = WAITING
    if not can_send(port):
        return NEVER
    if inserter.phase in (SOURCE, REVERSE, RAISE):
        if not has_reply(port, t):
            return next_reply(port)
        take_reply(gpu, port, replies_due(port, t))
    inserter.cause = BUSY
    step(gpu, gpu.technique.visibility_rendering_order, inserter, port, t)
    return t + 1


@inline
def step(gpu: Gpu, state: State, inserter: EdgeInserter, port: Port, t: int) -> None:
    """A cycle's work: at most one access to the Graph Cache."""
    edge = front(inserter.queue)
    if inserter.phase == REST:
        if max(edge.source, edge.target) > state.overflow:
            # Lists of others have grown into where its own would begin.
            state.lost_edges += 1
            finish(gpu, inserter)
        else:
            ask(gpu, inserter, port, edge.source, SOURCE, t)
    elif inserter.phase == SOURCE:
        search_source(gpu, state, inserter, port, edge, t)
    elif inserter.phase == REVERSE:
        search_reverse(gpu, state, inserter, port, edge, t)
    elif inserter.phase == LINK:
        put(gpu, inserter, port, inserter.tail, t)
        inserter.tail = state.entry[inserter.tail].next
        inserter.phase = APPEND
    elif inserter.phase == APPEND:
        graph.append(state, inserter.tail, edge.target, int(edge.count))
        put(gpu, inserter, port, inserter.tail, t)
        inserter.phase = DEGREE
    elif inserter.phase == DEGREE:
        ask(gpu, inserter, port, edge.target, RAISE, t)
    else:
        state.entry[edge.target].in_degree += 1
        put(gpu, inserter, port, edge.target, t)
        inserter.edges += 1
        finish(gpu, inserter)


@inline
def ask(gpu: Gpu, inserter: EdgeInserter, port: Port, entry: int, phase: int, t: int) -> None:
    """Read an entry, to go on in this phase."""
    graph.read(gpu, port, entry, t)
    inserter.reads += 1
    inserter.entry = entry
    inserter.phase = phase


@inline
def put(gpu: Gpu, inserter: EdgeInserter, port: Port, entry: int, t: int) -> None:
    graph.write(gpu, port, entry, t)
    inserter.writes += 1


@inline
def search_source(gpu: Gpu, state: State, inserter: EdgeInserter, port: Port, edge: Edge, t: int) -> None:
    """An entry of the list of the object in front has arrived."""
    inserter.searches += 1
    if graph.holds(state, inserter.entry, edge.target):
        inserter.duplicates += 1
        if state.counts != 0:
            graph.count_more(state, inserter.entry, edge.target, int(edge.count))
            put(gpu, inserter, port, inserter.entry, t)
        finish(gpu, inserter)
        return
    if state.entry[inserter.entry].next >= 0:
        ask(gpu, inserter, port, state.entry[inserter.entry].next, SOURCE, t)
        return
    inserter.tail = inserter.entry
    if state.program_order == 0:
        extend(gpu, state, inserter, edge)
    elif state.reverse_lookup != 0:
        ask(gpu, inserter, port, edge.target, REVERSE, t)
    elif graph.list_holds(state, edge.target, edge.source):
        inserter.reversed += 1
        finish(gpu, inserter)
    else:
        extend(gpu, state, inserter, edge)


@inline
def search_reverse(gpu: Gpu, state: State, inserter: EdgeInserter, port: Port, edge: Edge, t: int) -> None:
    """An entry of the list of the object behind has arrived: an edge back is the one that counts, as it came first."""
    inserter.searches += 1
    if graph.holds(state, inserter.entry, edge.source):
        inserter.reversed += 1
        finish(gpu, inserter)
    elif state.entry[inserter.entry].next >= 0:
        ask(gpu, inserter, port, state.entry[inserter.entry].next, REVERSE, t)
    else:
        extend(gpu, state, inserter, edge)


@inline
def extend(gpu: Gpu, state: State, inserter: EdgeInserter, edge: Edge) -> None:
    """The edge is new: it goes to the end of the list, or to a further entry if that is full."""
    state.entry[edge.source].valid = 1
    state.entry[edge.target].valid = 1
    inserter.phase = APPEND
    if state.entry[inserter.tail].length == state.entry_children:
        inserter.phase = LINK
        if graph.grow_list(state, inserter.tail) < 0:
            state.lost_edges += 1
            finish(gpu, inserter)


@inline
def finish(gpu: Gpu, inserter: EdgeInserter) -> None:
    """Done with an edge."""
    inserter.phase = REST
    if full(inserter.queue):
        for r in range(gpu.raster_units):
            poke(gpu, gpu.raster_unit[r].edge_filter.id)
    drop(inserter.queue)
    if inserter.queue.count == 0:
        edge_filter.tell_sort(gpu)


@inline
def drained(gpu: Gpu) -> bool:
    """Whether all edges are in the graph."""
    return bool(gpu.edge_inserter.queue.count == 0)


def setup(chip: Chip, inserter: EdgeInserter, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    inserter.queue.depth = chip.configuration.of(Parameters).edges_queue
    inserter.cause = IDLE


UNIT_NAME = f"{NAME}.edge_inserter"

UNIT = Unit(
    "edge_inserter",
    __name__,
    EdgeInserter,
    tick,
    setup=setup,
    ahead_of="early_depth",
    ports={"port": "graph_cache"},
    marks=("reads", "writes"),
    stands=lambda inserter: f"{int(inserter.queue.count)} of {int(inserter.queue.depth)} edges queued",
    watches=(Watch("edges", "Edges Queue", "queue"),),
    statistics=(
        Stat(f"{UNIT_NAME}.edges", "edges", "edges added to the Visibility Graph (Fig. 4.13)", "edges"),
        Stat(f"{UNIT_NAME}.duplicates", "edges", "edges that were in the graph already", "duplicates"),
        Stat(f"{UNIT_NAME}.reversed", "edges", "edges whose opposite was in the graph, which counts", "reversed"),
        Stat(f"{UNIT_NAME}.reads", "entries", "entries of the Graph Buffer that were read", "reads"),
        Stat(f"{UNIT_NAME}.writes", "entries", "entries of the Graph Buffer that were written", "writes"),
        Stat(f"{UNIT_NAME}.searches", "entries", "entries that were searched for an object", "searches"),
        *spent(UNIT_NAME, "the Edge Inserter"),
    ),
)
