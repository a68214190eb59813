"""The way into main memory: the queue behind its ports, and what is counted by source."""

from __future__ import annotations

from typing import Any

from ...engine.jit import inline, unit
from ...engine.records import NEVER, Field, record, ring
from ...engine.ring import front, full, grow, wrap
from ..request import SOURCES, WRITE, take_request

MAX_QUEUE = 64

PENDING = record(
    address="i8", size="i4", kind="i4", source="i4", tile="i4", tag="i4", slot="i4", port="i4", arrived="i8"
)
REGISTERS: dict[str, Field] = {
    "id": "i8",
    "first_port": "i8",
    "ports": "i8",
    "turn": "i8",
    "gpu_cycle_ticks": "i8",
    "queue": ring(PENDING, MAX_QUEUE),
    "reads": "i8",
    "writes": "i8",
    "row_hits": "i8",
    "row_misses": "i8",
    "read_latency_cycles": "i8",
    "classes": "i8",
    "urgency": ("i8", (len(SOURCES),)),
    "read_bytes": ("i8", (len(SOURCES),)),
    "write_bytes": ("i8", (len(SOURCES),)),
}
"""What every model of main memory has in its record. `urgency`: class of each source's requests, 0 the most urgent, of
so many `classes`."""


@inline
def count(dram: Any, request: Any) -> None:
    if request.kind == WRITE:
        dram.writes += 1
        dram.write_bytes[request.source] += request.size
    else:
        dram.reads += 1
        dram.read_bytes[request.source] += request.size


@unit
def hurry(dram: Any) -> None:
    """Bring the oldest of the most urgent requests to the front of the queue; none passes another of its own line."""
    if dram.classes < 2:
        return
    queue = dram.queue
    chosen = 0
    for k in range(1, queue.count):
        one, best = queue.slot[wrap(queue, queue.head + k)], queue.slot[wrap(queue, queue.head + chosen)]
        if dram.urgency[one.source] < dram.urgency[best.source] and not line_before(queue, k):
            chosen = k
    for k in range(chosen, 0, -1):
        one, other = queue.slot[wrap(queue, queue.head + k)], queue.slot[wrap(queue, queue.head + k - 1)]
        exchange(one, other)


@inline
def line_before(queue: Any, k: int) -> bool:
    """Whether an older request than number k is for the same address."""
    for i in range(k):
        if queue.slot[wrap(queue, queue.head + i)].address == queue.slot[wrap(queue, queue.head + k)].address:
            return True
    return False


@inline
def exchange(one: Any, other: Any) -> None:
    """Let two requests change places."""
    one.address, other.address = other.address, one.address
    one.size, other.size = other.size, one.size
    one.kind, other.kind = other.kind, one.kind
    one.source, other.source = other.source, one.source
    one.tile, other.tile = other.tile, one.tile
    one.tag, other.tag = other.tag, one.tag
    one.slot, other.slot = other.slot, one.slot
    one.port, other.port = other.port, one.port
    one.arrived, other.arrived = other.arrived, one.arrived


@inline
def accept(gpu: Any, dram: Any, t: int) -> int:
    """Take one request into the queue, ports in turn; t when one was taken, else the cycle in which the next one is
    ready."""
    if full(dram.queue):
        return NEVER
    wake = NEVER
    p = dram.turn
    for _ in range(dram.ports):
        waiting = gpu.waiting[dram.first_port + p]
        port = gpu.port[dram.first_port + p]
        p = p + 1 if p + 1 < dram.ports else 0
        if waiting > 0:
            request = front(port.request)
            if request.due <= t:
                pending = grow(dram.queue)
                pending.port = dram.first_port + (p - 1 if p > 0 else dram.ports - 1)
                pending.address = request.address
                pending.size = request.size
                pending.kind = request.kind
                pending.source = request.source
                pending.tile = request.tile
                pending.tag = request.tag
                pending.slot = request.slot
                pending.arrived = t
                take_request(gpu, port)
                dram.turn = p
                return t
            wake = min(wake, request.due)
    return wake
