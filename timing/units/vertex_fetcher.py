"""Vertex Fetcher: walks the index stream, finds vertices shaded a moment ago, fetches the attributes of the others.

Vertices are kept in a window in the order of the stream until Primitive Assembly takes them: those in the input queue
are not in a processor yet, and the first `output_depth` may be shaded and out of one. Each lane takes a vertex at a
time: one memory request per cycle goes to its Vertex Cache, attributes that lie in one line share it. There is one
lane, or on unified cores one of each core. Index lines are fetched one ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import (
    MAX_CLUSTERS,
    MAX_PROCESSORS,
    MAX_THREADS,
    MAX_WARPS,
    NEVER,
    Record,
    Rows,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.stages import VertexStage
from tilegpu.timing.declare.statistics import Stat, spent
from tilegpu.timing.declare.structures import GEOMETRY, VERTEX_BYTES, Structure, stat

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import Queue, front, full, grow, push, release, wrap
from ..engine.unit import Unit, Watch
from ..memory.request import INDEX, READ, VERTEX, Port, can_send, has_reply, next_reply, replies_due, send, take_reply

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Batch, Vertices
    from ..memory.gpu import Gpu


FETCHING, READY, SHADED = range(3)
ATTRIBUTE_TAG, INDEX_TAG = range(2)
MAX_INPUT = 128
MAX_OUTPUT = 128
MAX_WINDOW = MAX_INPUT + MAX_PROCESSORS * MAX_WARPS * MAX_THREADS + MAX_OUTPUT
MAX_REUSE = 128
INDEX_PLACES = 16
"""Lines of indices that may be told apart."""


class WindowEntry(Record):
    """Vertex between fetch and Primitive Assembly."""

    stream: i8
    batch: i4
    pending: i4
    state: i4


class FetchLane(Record):
    """Vertex whose attributes are asked for: `open`, its place in the window; `attribute`, `offset`, `last_line`: how
    far."""

    port: i8
    open: i8
    attribute: i8
    offset: i8
    last_line: i8


class VertexFetcher(Accounted):
    """Registers of the Vertex Fetcher. `lanes`: how many of `lane` there are; `index_lines`: lines of indices that are
    asked for before the one in use ends, 0 for one, in cycles without another request; `index_here`: which of the lines
    under way have come."""

    id: i8
    lanes: i8
    lane: Rows[FetchLane] = room(MAX_CLUSTERS)
    queue: Queue[i4] = room(16)
    window: Queue[WindowEntry] = room(MAX_WINDOW)
    input: Queue[i4] = room(MAX_INPUT)
    output_depth: i8
    batch: i8
    stream: i8
    index_lines: i8
    index_next: i8
    index_arrived: i8
    index_pending: i8
    index_here: Rows[i8] = room(INDEX_PLACES)
    recent: Rows[i8] = room(MAX_REUSE)
    recent_next: i8
    reuse_entries: i8
    vertices: i8
    reused: i8
    vertex_requests: i8
    index_requests: i8


@unit
def tick(gpu: Gpu, vertices: Vertices, t: int) -> int:
    fetcher: VertexFetcher = gpu.vertex_fetcher
    account(fetcher, t)
    due = NEVER
    for k in range(fetcher.lanes):
        port = gpu.port[fetcher.lane[k].port]
        while has_reply(port, t):
            receive(gpu, fetcher, k, port, t)
        due = min(due, next_reply(port))
    if fetcher.batch < 0 and fetcher.queue.count > 0:
        begin(gpu, vertices, fetcher, t)
    moved = False
    fetcher.cause = IDLE
    idle = 0
    for k in range(fetcher.lanes):
        if fetcher.batch < 0 and fetcher.lane[k].open < 0:
            idle += 1
        elif step(gpu, vertices, fetcher, k, t):
            moved = True
    if idle < fetcher.lanes:
        fetcher.cause = BLOCKED if held_up(fetcher) else WAITING
    if moved:
        fetcher.cause = BUSY
        return t + 1
    return due


@unit
def step(gpu: Gpu, vertices: Vertices, fetcher: VertexFetcher, k: int, t: int) -> bool:
    """Let a lane go on with its vertex, or take another; whether it did."""
    lane = fetcher.lane[k]
    port = gpu.port[lane.port]
    moved = False
    if fetcher.batch >= 0 and fetcher.index_lines > 0 and k == 0:
        moved = fetch_indices(gpu, vertices.batch[fetcher.batch], fetcher, port, t)
    if lane.open >= 0:
        batch = vertices.batch[fetcher.window.slot[lane.open].batch]
        hooks.works_for(gpu, fetcher.id, batch.work)
        return fetch_attributes(gpu, vertices, batch, fetcher, k, port, t) or moved
    batch = vertices.batch[fetcher.batch]
    hooks.works_for(gpu, fetcher.id, batch.work)
    if next_vertex(gpu, vertices, batch, fetcher, k, t):
        return True
    return moved or (fetcher.index_lines == 0 and fetch_indices(gpu, batch, fetcher, port, t))


@inline
def held_up(fetcher: VertexFetcher) -> bool:
    """Whether a lane without a vertex finds no room for one."""
    if not full(fetcher.window) and not full(fetcher.input):
        return False
    free = False
    for k in range(fetcher.lanes):
        free |= fetcher.lane[k].open < 0
    return free


@inline
def receive(gpu: Gpu, fetcher: VertexFetcher, k: int, port: Port, t: int) -> None:
    replies = replies_due(port, t)
    slot = front(replies).slot
    tag = front(replies).tag
    take_reply(gpu, port, replies)
    if tag == INDEX_TAG:
        fetcher.index_pending -= 1
        fetcher.index_here[slot] = 1
        place = fetcher.index_arrived // gpu.line_bytes
        while fetcher.index_here[place % INDEX_PLACES] != 0:
            fetcher.index_here[place % INDEX_PLACES] = 0
            place += 1
            fetcher.index_arrived = place * gpu.line_bytes
    else:
        entry = fetcher.window.slot[slot]
        entry.pending -= 1
        if entry.pending == 0 and slot != fetcher.lane[k].open:
            fetched(gpu, fetcher, slot, t)


@inline
def fetched(gpu: Gpu, fetcher: VertexFetcher, slot: int, t: int) -> None:
    """All attributes have arrived: the vertex may be shaded."""
    fetcher.window.slot[slot].state = READY
    wake(gpu, fetcher.input.consumers)


@inline
def begin(gpu: Gpu, vertices: Vertices, fetcher: VertexFetcher, t: int) -> None:
    fetcher.batch = front(fetcher.queue)
    release(gpu, fetcher.queue)
    batch = vertices.batch[fetcher.batch]
    fetcher.stream = batch.first_stream
    fetcher.index_next = batch.index_address
    fetcher.index_arrived = batch.index_address
    fetcher.index_pending = 0


@unit
def next_vertex(gpu: Gpu, vertices: Vertices, batch: Batch, fetcher: VertexFetcher, k: int, t: int) -> bool:
    """Enter the next vertex of the stream into the window, if its index is known."""
    if fetcher.stream == batch.last_stream:
        fetcher.batch = -1
        wake(gpu, gpu.signal.progress)
        wake(gpu, fetcher.input.consumers)
        return True
    end = batch.index_address + (fetcher.stream - batch.first_stream + 1) * batch.index_bytes
    if full(fetcher.window) or full(fetcher.input) or end > fetcher.index_arrived:
        return False
    slot = wrap(fetcher.window, fetcher.window.head + fetcher.window.count)
    entry = grow(fetcher.window)
    entry.stream = fetcher.stream
    entry.batch = fetcher.batch
    entry.pending = 0
    vertex = vertices.stream[fetcher.stream].vertex
    fetcher.stream += 1
    if shaded_lately(fetcher, vertex):
        entry.state = SHADED
        fetcher.reused += 1
        poke(gpu, fetcher.window.consumer)
        if full(fetcher.window):
            wake(gpu, fetcher.input.consumers)
        return True
    entry.state = FETCHING
    fetcher.vertices += 1
    push(fetcher.input, slot)
    # A vertex of another path, or the last one there is room for, ends the warp before it.
    wake(gpu, fetcher.input.consumers)
    fetcher.recent[fetcher.recent_next] = vertex
    fetcher.recent_next = fetcher.recent_next + 1 if fetcher.recent_next + 1 < fetcher.reuse_entries else 0
    lane = fetcher.lane[k]
    lane.open = slot
    lane.attribute = batch.first_attribute
    lane.offset = 0
    lane.last_line = -1
    return True


@inline
def shaded_lately(fetcher: VertexFetcher, vertex: int) -> bool:
    shaded = False
    for i in range(fetcher.reuse_entries):
        if fetcher.recent[i] == vertex:
            shaded = True
    return shaded


@unit
def fetch_attributes(
    gpu: Gpu, vertices: Vertices, batch: Batch, fetcher: VertexFetcher, k: int, port: Port, t: int
) -> bool:
    """Ask for the next line that the open vertex of a lane needs; close it when there is none."""
    lane = fetcher.lane[k]
    entry = fetcher.window.slot[lane.open]
    index = vertices.stream[entry.stream].index
    while lane.attribute < batch.last_attribute:
        attribute = vertices.attribute[lane.attribute]
        if lane.offset >= attribute.size_bytes:
            lane.attribute += 1
            lane.offset = 0
            continue
        address = attribute.address + attribute.stride_bytes * index + lane.offset
        line = address // gpu.line_bytes
        if line != lane.last_line:
            if not can_send(port):
                return False
            sent = send(gpu, port, t, line * gpu.line_bytes, gpu.line_bytes, READ, VERTEX, -1)
            sent.tag = ATTRIBUTE_TAG
            sent.slot = lane.open
            entry.pending += 1
            lane.last_line = line
            fetcher.vertex_requests += 1
            return True
        lane.offset += gpu.line_bytes - address % gpu.line_bytes
    slot = lane.open
    lane.open = -1
    if entry.pending == 0:
        fetched(gpu, fetcher, slot, t)
    return True


@unit
def fetch_indices(gpu: Gpu, batch: Batch, fetcher: VertexFetcher, port: Port, t: int) -> bool:
    ahead = max(1, int(fetcher.index_lines))
    end = batch.index_address + (batch.last_stream - batch.first_stream) * batch.index_bytes
    if fetcher.batch < 0 or fetcher.index_pending >= ahead or fetcher.index_next >= end or not can_send(port):
        return False
    # So many lines ahead of the line in use, no further.
    used = batch.index_address + (fetcher.stream - batch.first_stream) * batch.index_bytes
    if fetcher.index_next - used > ahead * gpu.line_bytes:
        return False
    line = fetcher.index_next // gpu.line_bytes
    sent = send(gpu, port, t, line * gpu.line_bytes, gpu.line_bytes, READ, INDEX, -1)
    sent.tag = INDEX_TAG
    sent.slot = line % INDEX_PLACES
    fetcher.index_next = (line + 1) * gpu.line_bytes
    fetcher.index_pending += 1
    fetcher.index_requests += 1
    return True


class VertexFetcherParameters(Group, section="vertex_fetcher"):
    """Vertex Fetcher."""

    queue: int = number(16, "vertices", "vertices fetched and not yet in a Vertex Processor [Table 4.1]", 1, 128)
    draw_queue: int = number(4, "draws", "draws waiting", 1, 16, silent=(1, 16))
    reuse_entries: int = number(
        16, "vertices", "latest shaded vertices that are not shaded again", 1, 128, silent=(4, 32)
    )


def setup(chip: Chip, fetcher: VertexFetcher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; the window holds what is queued, in processors and shaded."""
    c = chip.configuration
    spec, stage = c.of(VertexFetcherParameters), c.of(VertexStage)
    fetcher.queue.depth, fetcher.input.depth = spec.draw_queue, spec.queue
    fetcher.output_depth = stage.output_queue
    in_processors = stage.processors * stage.warps * stage.threads
    fetcher.window.depth = spec.queue + in_processors + stage.output_queue
    fetcher.reuse_entries, fetcher.batch, fetcher.cause = spec.reuse_entries, -1, IDLE
    set_lanes(fetcher, 1)


def set_lanes(fetcher: VertexFetcher, lanes: int, index_lines: int = 0) -> None:
    """Fetch for so many cores at a time."""
    fetcher.lanes, fetcher.index_lines = lanes, index_lines
    for k in range(lanes):
        fetcher.lane[k].open = -1


def begin_frame(fetcher: VertexFetcher) -> None:
    """Vertices of another frame are not found shaded."""
    fetcher.recent[:] = [-1] * len(fetcher.recent)


@inline
def others_follow(fetcher: VertexFetcher, batch: int) -> bool:
    """Whether more vertices of a draw can come before some leave."""
    return bool(fetcher.batch == batch and not full(fetcher.window) and not full(fetcher.input))


@inline
def drained(gpu: Gpu) -> bool:
    """Whether all vertices of all draws have left."""
    fetcher: VertexFetcher = gpu.vertex_fetcher
    return bool(fetcher.queue.count == 0 and fetcher.batch < 0 and fetcher.window.count == 0)


UNIT = Unit(
    "vertex_fetcher",
    __name__,
    VertexFetcher,
    tick,
    tables=("vertices",),
    parameters=(VertexFetcherParameters,),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    reason="vertex_fetch",
    marks=("spent[0]",),
    stands=lambda fetcher: f"{int(fetcher.window.count)} of {int(fetcher.window.depth)} vertices in the window",
    watches=(Watch("vertex_input", "vertices", "input"),),
    statistics=(
        Stat("geometry.vertex_fetcher.vertices", "vertices", "vertices fetched to be shaded", "vertices"),
        Stat("geometry.vertex_fetcher.reused", "vertices", "vertices found shaded already", "reused"),
        Stat("geometry.vertex_fetcher.vertex_requests", "requests", "requests for attributes", "vertex_requests"),
        Stat("geometry.vertex_fetcher.index_requests", "requests", "requests for lines of indices", "index_requests"),
        *spent("geometry.vertex_fetcher", "the Vertex Fetcher"),
    ),
    structures=(
        Structure(
            "vertex_fetcher.queues",
            GEOMETRY,
            lambda c: 2,
            lambda c: Ram(c.of(VertexFetcherParameters).queue, VERTEX_BYTES * 8),
            stat("geometry.vertex_processor.vertices", 2),
            stat("geometry.vertex_processor.vertices", 2),
        ),
    ),
)
