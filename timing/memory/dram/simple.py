"""The `simple` main memory: banks with one open row each and one data bus, in the memory's own clock.

A request that finds its row open has its data after `row_hit_latency` GPU cycles, any other after
`row_miss_latency`; opening
rows overlaps with other requests. Data take the bus in order, `bytes_per_memory_cycle` per memory clock
cycle. Requests start
in order of arrival, one per cycle.
"""

from __future__ import annotations

from typing import Any

from ...engine.jit import inline, unit
from ...engine.records import NEVER, record, ring
from ...engine.ring import drop, front, full, grow, release
from ...techniques import hooks
from ..request import READ, SOURCES, WRITE, answer

MAX_BANKS = 64
MAX_QUEUE = 64

TRANSACTION = record(port="i4", slot="i4", tag="i4", kind="i4", due="i8")
PENDING = record(address="i8", size="i4", kind="i4", source="i4", tile="i4", tag="i4", slot="i4", port="i4")
DRAM = record(
    id="i8",
    first_port="i8",
    ports="i8",
    turn="i8",
    queue=ring(PENDING, MAX_QUEUE),
    flight=ring(TRANSACTION, MAX_QUEUE),
    bank_mask="i8",
    row_shift="i8",
    row_hit_latency="i8",
    row_miss_latency="i8",
    gpu_cycle_ticks="i8",
    byte_ticks="i8",
    bus_free_ticks="i8",
    row=("i8", (MAX_BANKS,)),
    row_hits="i8",
    row_misses="i8",
    reads="i8",
    writes="i8",
    bus_busy_ticks="i8",
    read_bytes=("i8", (len(SOURCES),)),
    write_bytes=("i8", (len(SOURCES),)),
)


@unit
def tick(gpu: Any, t: int) -> int:
    dram = gpu.dram
    moved = finish(gpu, dram, t)
    wake = start(gpu, dram, t)
    arrival = accept(gpu, dram, t)
    if moved or arrival <= t:
        return t + 1
    wake = min(wake, arrival)
    if dram.flight.count > 0:
        wake = min(wake, front(dram.flight).due)
    return wake


@inline
def finish(gpu: Any, dram: Any, t: int) -> bool:
    if dram.flight.count == 0 or front(dram.flight).due > t:
        return False
    transaction = front(dram.flight)
    if transaction.kind == READ:
        port = gpu.port[transaction.port]
        answer(gpu, port, port.refill, transaction.slot, transaction.tag, t + 1)
    drop(dram.flight)
    return True


@inline
def start(gpu: Any, dram: Any, t: int) -> int:
    """Start the oldest request; give its data their time on the bus."""
    if dram.queue.count == 0 or full(dram.flight):
        return NEVER
    hooks.dram_pick(gpu, dram, t)
    request = front(dram.queue)
    row = request.address >> dram.row_shift
    bank = row & dram.bank_mask
    latency = dram.row_hit_latency
    if dram.row[bank] == row:
        dram.row_hits += 1
    else:
        dram.row_misses += 1
        dram.row[bank] = row
        latency = dram.row_miss_latency
    busy = request.size * dram.byte_ticks
    dram.bus_free_ticks = max((t + latency) * dram.gpu_cycle_ticks, dram.bus_free_ticks) + busy
    dram.bus_busy_ticks += busy
    flight = grow(dram.flight)
    flight.port = request.port
    flight.slot = request.slot
    flight.tag = request.tag
    flight.kind = request.kind
    flight.due = (dram.bus_free_ticks + dram.gpu_cycle_ticks - 1) // dram.gpu_cycle_ticks
    count(dram, request)
    drop(dram.queue)
    return t + 1


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
    """Take one request into the queue, ports in turn; t when one was taken, else the cycle in which the
    next one is ready."""
    if full(dram.queue):
        return NEVER
    wake = NEVER
    p = dram.turn
    for _ in range(dram.ports):
        port = gpu.port[dram.first_port + p]
        p = p + 1 if p + 1 < dram.ports else 0
        if port.request.count > 0:
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
                release(gpu, port.request, port.client, t)
                dram.turn = p
                return t
            wake = min(wake, request.due)
    return wake
