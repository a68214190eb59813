"""The cycle-level controller as main memory of a GPU: two clocks, requests cut into bursts, answers through ports.

Memory cycle c begins at c times the memory's clock period, GPU cycle t at t times the GPU's; both periods are whole
numbers of a common tick, so neither clock drifts. What the GPU asks for in cycle t reaches the controller in the first
memory cycle that begins after t. A channel without work is left behind and caught up later: what it does meanwhile
(refreshes) does not depend on when it is computed.
"""

from __future__ import annotations

from typing import Any

from ...engine.jit import inline, unit
from ...engine.records import NEVER, Field, record, ring
from ...engine.ring import drop, front, full, grow
from ...techniques import hooks
from ..request import READ, WRITE, answer
from . import channel as controller
from .address import CHANNEL_FIELD, place
from .channel import DONE, REFUSED, take_done
from .intake import accept, count, hurry
from .issue import book
from .state import CHANNEL, DRAIN_AT, MAX_CHANNELS

MAX_JOBS = 256
MAX_FORWARDED = 512

JOB = record(port="i4", slot="i4", tag="i4", bursts="i4", arrived="i8", next="i8")
FORWARDED = record(job="i4", cycle="i8")
REGISTERS: dict[str, Field] = {
    "channels": "i8",
    "channel": (CHANNEL, (MAX_CHANNELS,)),
    "memory_cycle_ticks": "i8",
    "burst_shift": "i8",
    "burst": "i8",
    "job_at_work": "i8",
    "free_job": "i8",
    "jobs": "i8",
    "job": (JOB, (MAX_JOBS,)),
    "forwarded": ring(FORWARDED, MAX_FORWARDED),
}
"""What the model adds to the record of main memory."""


@unit
def tick(gpu: Any, t: int) -> int:
    dram = gpu.dram
    now = memory_cycle(dram, t)
    advance(dram, now)
    finish(gpu, dram, t, now)
    started = start(gpu, dram, t, now)
    arrival = accept(gpu, dram, t)
    if arrival <= t or started:
        return t + 1
    return min(arrival, next_event(dram, t))


@inline
def memory_cycle(dram: Any, t: int) -> Any:
    """The last memory cycle that has begun in GPU cycle t."""
    return t * dram.gpu_cycle_ticks // dram.memory_cycle_ticks


@inline
def gpu_cycle(dram: Any, cycle: int) -> Any:
    """The first GPU cycle in which this memory cycle has begun."""
    return (cycle * dram.memory_cycle_ticks + dram.gpu_cycle_ticks - 1) // dram.gpu_cycle_ticks


@unit
def advance(dram: Any, now: int) -> None:
    """Let all channels do their cycles up to `now`."""
    for k in range(dram.channels):
        channel = dram.channel[k]
        while channel.wake <= now:
            channel.wake = controller.tick(channel, channel.wake)


@unit
def next_event(dram: Any, t: int) -> int:
    """The next GPU cycle in which a channel with work does something, or data arrive."""
    wake = NEVER
    for k in range(dram.channels):
        channel = dram.channel[k]
        working = channel.queued + channel.reads.count + channel.draining + dram.queue.count > 0
        if working or channel.writes.count > DRAIN_AT:
            wake = min(wake, channel.wake)
        if channel.done_count > 0:
            wake = min(wake, channel.done_cycle[channel.done_head])
    if dram.forwarded.count > 0:
        wake = min(wake, front(dram.forwarded).cycle)
    return NEVER if wake == NEVER else max(t + 1, gpu_cycle(dram, wake))


@unit
def finish(gpu: Any, dram: Any, t: int, now: int) -> None:
    """Answer the requests whose last burst is here."""
    for k in range(dram.channels):
        channel = dram.channel[k]
        while channel.done_count > 0 and channel.done_cycle[channel.done_head] <= now:
            finish_burst(gpu, dram, channel.done_tag[channel.done_head], t)
            take_done(channel)
    while dram.forwarded.count > 0 and front(dram.forwarded).cycle <= now:
        finish_burst(gpu, dram, front(dram.forwarded).job, t)
        drop(dram.forwarded)


@unit
def finish_burst(gpu: Any, dram: Any, j: int, t: int) -> None:
    job = dram.job[j]
    job.bursts -= 1
    if job.bursts == 0:
        if job.port >= 0:
            port = gpu.port[job.port]
            answer(gpu, port, port.refill, job.slot, job.tag, t + 1)
        dram.read_latency_cycles += t - job.arrived
        job.next = dram.free_job
        dram.free_job = j
        dram.jobs -= 1


@unit
def start(gpu: Any, dram: Any, t: int, now: int) -> bool:
    """Hand the bursts of the oldest request to their channels; whether all of them were taken."""
    if dram.queue.count == 0:
        return False
    if dram.burst == 0:
        hurry(dram)
        hooks.dram_pick(gpu, dram, t)
    request = front(dram.queue)
    write = 1 if request.kind == WRITE else 0
    first = request.address >> dram.burst_shift
    bursts = ((request.address + request.size - 1) >> dram.burst_shift) - first + 1
    if write == 0 and dram.burst == 0 and not begin(dram, request, bursts):
        return False
    urgency = dram.urgency[request.source]
    while dram.burst < bursts:
        if full(dram.forwarded):
            return False
        address = (first + dram.burst) << dram.burst_shift
        channel = dram.channel[place(dram.channel[0], address, CHANNEL_FIELD)]
        result = controller.accept(channel, address, write, urgency, dram.job_at_work, now + 1)
        if result == REFUSED:
            return False
        if result == DONE and write == 0:
            forwarded = grow(dram.forwarded)
            forwarded.job = dram.job_at_work
            forwarded.cycle = now + 2
        dram.burst += 1
    count(dram, request)
    drop(dram.queue)
    dram.burst = 0
    dram.job_at_work = -1
    return True


@inline
def begin(dram: Any, request: Any, bursts: int) -> bool:
    """Note who asks; False where too many requests are on their way."""
    if dram.job_at_work >= 0:
        return True
    if dram.jobs == MAX_JOBS:
        return False
    j = dram.free_job
    job = dram.job[j]
    dram.free_job = job.next
    dram.jobs += 1
    dram.job_at_work = j
    job.port = request.port if request.kind == READ else -1
    job.slot = request.slot
    job.tag = request.tag
    job.bursts = bursts
    job.arrived = request.arrived
    return True


@unit
def settle(dram: Any, t: int) -> None:
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
