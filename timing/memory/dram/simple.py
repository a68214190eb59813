"""The `simple` main memory: banks with one open row each and one data bus, in the memory's own clock.

A request that finds its row open has its data after `row_hit_latency` GPU cycles, any other after `row_miss_latency`;
opening rows overlaps with other requests. Data take the bus in order, `bytes_per_memory_cycle` per memory clock cycle,
or `bus_bytes_per_cycle` per GPU cycle if that takes longer.
Requests start in order of arrival, or the most urgent first, one per cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Ring, Rows, i4, i8, room

from ...engine import hooks
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow
from ...engine.work import NO_DRAW
from .. import hooks as memory_hooks
from ..masters import GPU
from ..request import READ, answer
from .intake import accept, count, count_latency, hurry

if TYPE_CHECKING:
    from ..gpu import Gpu
    from .unit import Dram


MAX_BANKS = 64
MAX_FLIGHT = 64


class Transaction(Record):
    """Request that the memory has begun."""

    port: i4
    slot: i4
    tag: i4
    kind: i4
    master: i4
    due: i8


SCHEDULING = "priority"
"""Policy that says which of its requests are urgent."""


class SimpleModel(Record):
    """Registers that the model adds to the record of main memory."""

    flight: Ring[Transaction] = room(MAX_FLIGHT)
    bank_mask: i8
    row_shift: i8
    row_hit_latency: i8
    row_miss_latency: i8
    byte_ticks: i8
    bus_free_ticks: i8
    row: Rows[i8] = room(MAX_BANKS)
    bus_busy_ticks: i8


@unit
def tick(gpu: Gpu, t: int) -> int:
    dram: Dram = gpu.dram
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
def finish(gpu: Gpu, dram: Dram, t: int) -> bool:
    if dram.flight.count == 0 or front(dram.flight).due > t:
        return False
    transaction = front(dram.flight)
    if transaction.kind == READ:
        port = gpu.port[transaction.port]
        answer(gpu, port, port.refill, transaction.slot, transaction.tag, t + 1)
    dram.foreign -= transaction.master != GPU
    drop(dram.flight)
    return True


@inline
def start(gpu: Gpu, dram: Dram, t: int) -> int:
    """Start the oldest request; give its data their time on the bus."""
    if dram.queue.count == 0 or full(dram.flight):
        return NEVER
    hurry(dram, dram.queue)
    memory_hooks.dram_pick(gpu, dram, t)
    request = front(dram.queue)
    hooks.works_for(gpu, dram.id, int(request.work))
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
    flight.master = request.master
    flight.due = (dram.bus_free_ticks + dram.gpu_cycle_ticks - 1) // dram.gpu_cycle_ticks
    count(dram, request)
    if request.kind == READ:
        count_latency(dram, request.master, request.size, flight.due - request.arrived)
    hooks.works_for(gpu, dram.id, NO_DRAW)
    drop(dram.queue)
    return t + 1
