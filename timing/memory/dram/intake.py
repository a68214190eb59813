"""The way into main memory: the queue behind its ports, and what is counted by source."""

from __future__ import annotations

from typing import Any

from ...engine.jit import inline
from ...engine.records import NEVER, Field, record, ring
from ...engine.ring import front, full, grow
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
    "read_bytes": ("i8", (len(SOURCES),)),
    "write_bytes": ("i8", (len(SOURCES),)),
}
"""What every model of main memory has in its record."""


@inline
def count(dram: Any, request: Any) -> None:
    if request.kind == WRITE:
        dram.writes += 1
        dram.write_bytes[request.source] += request.size
    else:
        dram.reads += 1
        dram.read_bytes[request.source] += request.size


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
