"""The way into main memory: the queues behind its ports, and what is counted by source and by kind of masters.

The GPU has a queue; CPU cores together and the display controller have queues of their own, of the same depth, in front
of the cycle-level controller: what one of them waits for does not keep the others waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Ring, Rows, i4, i8, room
from tilegpu.timing.declare.sources import SOURCES

from ...engine.jit import inline, unit
from ...engine.ring import front, full, grow, wrap
from .. import hooks as memory_hooks
from ..masters import CLASSES, GPU, MASTERS, class_of
from ..request import WRITE, take_request
from . import scheduler

if TYPE_CHECKING:
    from ..gpu import Gpu
    from .unit import Dram


MAX_QUEUE = 64


class PendingRequest(Record):
    """Request in the queue in front of main memory. `work`: what it belongs to (`engine.work`)."""

    address: i8
    size: i4
    kind: i4
    source: i4
    tile: i4
    tag: i4
    slot: i4
    port: i4
    master: i4
    work: i4
    arrived: i8


OTHER_QUEUES = len(CLASSES) - 1


class Lane(Record):
    """A queue's first request, on its way into the controller: bursts that were taken, and its waiting client, or
    -1."""

    burst: i8
    job_at_work: i8


LATENCY_BOUNDS = (128, 192, 256, 320, 384)
"""GPU cycles from which on a read counts in the next class of latencies, as in Arm's counters."""


class ClassTraffic(Record):
    """Traffic of a kind of masters, or of one master."""

    reads: i8
    writes: i8
    bytes: i8
    read_latency_cycles: i8


class Intake(Record):
    """Registers of main memory that every model has. `scheduling`: number of the policy, which has `classes` classes of
    urgency. `queue`: the GPU's, or that of all masters where there is one of the `lanes`; `foreign`: requests under way
    that are not the GPU's, and that no frame waits for; `beat_bytes`: beat of the bus that the GPU's traffic is
    counted in."""

    id: i8
    first_port: i8
    ports: i8
    turn: i8
    gpu_cycle_ticks: i8
    queue: Ring[PendingRequest] = room(MAX_QUEUE)
    other_queue: Rows[Ring[PendingRequest]] = room(OTHER_QUEUES, MAX_QUEUE)
    lanes: i8
    lane: Rows[Lane] = room(len(CLASSES))
    foreign: i8
    of: Rows[ClassTraffic] = room(len(CLASSES))
    by_master: Rows[ClassTraffic] = room(MASTERS)
    reads: i8
    writes: i8
    row_hits: i8
    row_misses: i8
    read_latency_cycles: i8
    beat_bytes: i8
    read_beats: i8
    write_beats: i8
    beats_by_latency: Rows[i8] = room(len(LATENCY_BOUNDS) + 1)
    classes: i8
    scheduling: i8
    read_bytes: Rows[i8] = room(len(SOURCES))
    write_bytes: Rows[i8] = room(len(SOURCES))


@inline
def count_latency(dram: Dram, master: int, size: int, cycles: int) -> None:
    """Count a read that has taken so many GPU cycles."""
    dram.read_latency_cycles += cycles
    dram.of[class_of(master)].read_latency_cycles += cycles
    if class_of(master) == 0:
        place = 0
        for bound in LATENCY_BOUNDS:
            place += cycles >= bound
        dram.beats_by_latency[place] += beats(dram, size)


@inline
def beats(dram: Dram, size: int) -> int:
    """Beats of the bus to main memory that so many bytes take."""
    return int((size + dram.beat_bytes - 1) // max(1, dram.beat_bytes))


@inline
def count(dram: Dram, request: PendingRequest) -> None:
    if request.kind == WRITE:
        dram.writes += 1
        dram.write_bytes[request.source] += request.size
    else:
        dram.reads += 1
        dram.read_bytes[request.source] += request.size
    if class_of(request.master) == 0:
        dram.read_beats += beats(dram, request.size) if request.kind != WRITE else 0
        dram.write_beats += beats(dram, request.size) if request.kind == WRITE else 0
    count_for(dram.of[class_of(request.master)], request)
    count_for(dram.by_master[request.master], request)


@inline
def count_for(of: ClassTraffic, request: PendingRequest) -> None:
    of.writes += request.kind == WRITE
    of.reads += request.kind != WRITE
    of.bytes += request.size


@inline
def urgency_of(dram: Dram, request: PendingRequest) -> int:
    """Class of a request, 0 the most urgent."""
    return scheduler.urgency(dram, request.master, request.source)


@unit
def hurry(dram: Dram, queue: Ring[PendingRequest]) -> None:
    """Bring the oldest of the most urgent requests to the front of a queue; none passes another of its own line."""
    if dram.classes < 2:
        return
    chosen, lowest = 0, urgency_of(dram, queue.slot[queue.head])
    for k in range(1, queue.count):
        urgency = urgency_of(dram, queue.slot[wrap(queue, queue.head + k)])
        if urgency < lowest and not line_before(queue, k):
            chosen, lowest = k, urgency
    for k in range(chosen, 0, -1):
        one, other = queue.slot[wrap(queue, queue.head + k)], queue.slot[wrap(queue, queue.head + k - 1)]
        exchange(one, other)


@inline
def line_before(queue: Ring[PendingRequest], k: int) -> bool:
    """Whether an older request than number k is for the same address."""
    for i in range(k):
        if queue.slot[wrap(queue, queue.head + i)].address == queue.slot[wrap(queue, queue.head + k)].address:
            return True
    return False


@inline
def exchange(one: PendingRequest, other: PendingRequest) -> None:
    """Let two requests change places."""
    one.address, other.address = other.address, one.address
    one.size, other.size = other.size, one.size
    one.kind, other.kind = other.kind, one.kind
    one.source, other.source = other.source, one.source
    one.tile, other.tile = other.tile, one.tile
    one.tag, other.tag = other.tag, one.tag
    one.slot, other.slot = other.slot, one.slot
    one.port, other.port = other.port, one.port
    one.master, other.master = other.master, one.master
    one.work, other.work = other.work, one.work
    one.arrived, other.arrived = other.arrived, one.arrived


@inline
def number_of(dram: Dram, master: int) -> int:
    """Number of the queue that a master's requests wait in."""
    return class_of(master) if dram.lanes > 1 else 0


@inline
def has_room(dram: Dram, master: int) -> bool:
    k = number_of(dram, master)
    return not full(dram.queue) if k == 0 else not full(dram.other_queue[k - 1])


@inline
def new_entry(dram: Dram, master: int) -> PendingRequest:
    """New last entry of the queue that a master's requests wait in."""
    k = number_of(dram, master)
    return grow(dram.queue) if k == 0 else grow(dram.other_queue[k - 1])


@inline
def waiting(dram: Dram) -> int:
    """Requests in all queues."""
    requests = dram.queue.count
    for k in range(dram.lanes - 1):
        requests += dram.other_queue[k].count
    return int(requests)


@inline
def accept(gpu: Gpu, dram: Dram, t: int) -> int:
    """Take one request into the queue of its master's kind, ports in turn; t when one was taken, else the cycle in
    which the next one is ready."""
    wake = NEVER
    p = dram.turn
    for _ in range(dram.ports):
        waiting = gpu.waiting[dram.first_port + p]
        port = gpu.port[dram.first_port + p]
        p = p + 1 if p + 1 < dram.ports else 0
        if waiting > 0 and has_room(dram, port.master):
            request = front(port.request)
            if request.due <= t:
                pending = new_entry(dram, port.master)
                pending.port = dram.first_port + (p - 1 if p > 0 else dram.ports - 1)
                pending.address = request.address
                pending.size = request.size
                pending.kind = request.kind
                pending.source = request.source
                pending.tile = request.tile
                pending.tag = request.tag
                pending.slot = request.slot
                pending.master = port.master
                pending.work = memory_hooks.request_work(gpu, port, 0)
                pending.arrived = t
                memory_hooks.dram_accessed(gpu, pending)
                dram.foreign += port.master != GPU and dram.lanes == 1
                take_request(gpu, port)
                dram.turn = p
                return t
            wake = min(wake, request.due)
    return wake
