"""The cycle-level controller as main memory of a GPU: two clocks, requests cut into bursts, answers through ports.

Memory cycle c begins at c times the memory's clock period, GPU cycle t at t times the GPU's; both periods are whole
numbers of a common tick, so neither clock drifts. What the GPU asks for in cycle t reaches the controller in the first
memory cycle that begins after t. A channel without work is left behind and caught up later: what it does meanwhile
(refreshes) does not depend on when it is computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Ring, Rows, i4, i8, room

from ...engine.jit import inline, unit
from ...engine.ring import drop, front
from ..masters import CLASSES, GPU
from ..request import answer
from . import channel as controller
from . import scheduler
from .admission import MAX_JOBS, free, start
from .channel import take_done
from .intake import accept, count_latency, waiting
from .issue import book
from .state import DRAIN_AT, Channel, Transactions

if TYPE_CHECKING:
    from ..gpu import Gpu
    from .unit import Dram


MAX_FORWARDED = 512


class Job(Record):
    """Request of which the controller has bursts under way."""

    port: i4
    slot: i4
    tag: i4
    bursts: i4
    master: i4
    size: i4
    arrived: i8
    next: i8


class Forwarded(Record):
    """Burst that a write in a queue has answered, and the memory cycle in which it is done."""

    job: i4
    cycle: i8


class Controller(Record):
    """Registers that the model adds to the record of main memory, in addition to `registers_of_policies`.
    `group_first`: first of the channels of a kind of masters."""

    channels: i8
    memory_cycle_ticks: i8
    burst_shift: i8
    group_first: Rows[i8] = room(len(CLASSES))
    free_job: i8
    jobs: i8
    job: Rows[Job] = room(MAX_JOBS)
    forwarded: Ring[Forwarded] = room(MAX_FORWARDED)


@unit
def tick(gpu: Gpu, t: int) -> int:
    dram: Dram = gpu.dram
    now = memory_cycle(dram, t)
    advance(dram, now)
    if scheduler.update(dram, t):
        rank_again(dram, now)
    finish(gpu, dram, t, now)
    started = start(gpu, dram, t, now)
    arrival = accept(gpu, dram, t)
    if arrival <= t or started:
        return t + 1
    return min(arrival, next_event(dram, t))


@unit
def rank_again(dram: Dram, now: int) -> None:
    """Classes of urgency have changed: so have those of all requests that wait."""
    for k in range(dram.channels):
        channel = dram.channel[k]
        hold(dram, channel, channel.reads)
        hold(dram, channel, channel.writes)
        for q in range(channel.queues):
            queue = channel.queue[q]
            queue.ready = 0
            for i in range(queue.first, queue.first + queue.count):
                entry = channel.entry[channel.command_slot[i]]
                entry.urgency = scheduler.urgency(dram, entry.master, entry.source)
        channel.ready = 0
        channel.wake = min(channel.wake, now + 1)


@inline
def hold(dram: Dram, channel: Channel, transactions: Transactions) -> None:
    """Set the classes of transactions to what they are now."""
    for i in range(transactions.count):
        entry = channel.entry[transactions.slot[i]]
        entry.urgency = scheduler.urgency(dram, entry.master, entry.source)


@inline
def memory_cycle(dram: Dram, t: int) -> int:
    """The last memory cycle that has begun in GPU cycle t."""
    return t * dram.gpu_cycle_ticks // dram.memory_cycle_ticks


@inline
def gpu_cycle(dram: Dram, cycle: int) -> int:
    """The first GPU cycle in which this memory cycle has begun."""
    return (cycle * dram.memory_cycle_ticks + dram.gpu_cycle_ticks - 1) // dram.gpu_cycle_ticks


@unit
def advance(dram: Dram, now: int) -> None:
    """Let all channels do their cycles up to `now`."""
    for k in range(dram.channels):
        channel = dram.channel[k]
        while channel.wake <= now:
            channel.wake = controller.tick(channel, channel.wake)


@unit
def next_event(dram: Dram, t: int) -> int:
    """The next GPU cycle in which a channel with work does something, or data arrive."""
    wake = NEVER
    for k in range(dram.channels):
        channel = dram.channel[k]
        working = channel.queued + channel.reads.count + channel.draining + waiting(dram) > 0
        if working or channel.writes.count > DRAIN_AT:
            wake = min(wake, channel.wake)
        if channel.done_count > 0:
            wake = min(wake, channel.done_cycle[channel.done_head])
    if dram.forwarded.count > 0:
        wake = min(wake, front(dram.forwarded).cycle)
    due = NEVER if wake == NEVER else max(t + 1, gpu_cycle(dram, wake))
    return int(min(due, scheduler.next_update(dram)))


@unit
def finish(gpu: Gpu, dram: Dram, t: int, now: int) -> None:
    """Answer the requests whose last burst has arrived."""
    for k in range(dram.channels):
        channel = dram.channel[k]
        while channel.done_count > 0 and channel.done_cycle[channel.done_head] <= now:
            finish_burst(gpu, dram, channel.done_tag[channel.done_head], t)
            take_done(channel)
    while dram.forwarded.count > 0 and front(dram.forwarded).cycle <= now:
        finish_burst(gpu, dram, front(dram.forwarded).job, t)
        drop(dram.forwarded)


@unit
def finish_burst(gpu: Gpu, dram: Dram, j: int, t: int) -> None:
    job = dram.job[j]
    job.bursts -= 1
    if job.bursts == 0:
        if job.port >= 0:
            port = gpu.port[job.port]
            answer(gpu, port, port.refill, job.slot, job.tag, t + 1)
        count_latency(dram, job.master, job.size, t - job.arrived)
        dram.foreign -= job.master != GPU
        scheduler.served(dram, job.master, job.size)
        free(dram, j)


@unit
def settle(dram: Dram, t: int) -> None:
    """Bring the counters up to GPU cycle t."""
    now = memory_cycle(dram, t)
    advance(dram, now)
    hits, accesses = 0, 0
    for k in range(dram.channels):
        channel = dram.channel[k]
        channel.cycles = now + 1
        for rank in range(channel.ranks):
            book(channel, rank, now + 1)
        hits += channel.read_row_hits + channel.write_row_hits
        accesses += channel.read_commands + channel.write_commands
    dram.row_hits = hits
    dram.row_misses = accesses - hits
