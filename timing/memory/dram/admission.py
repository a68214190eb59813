"""From the queues before the cycle-level controller into its channels: which request is next, and its bursts.

The queues of the GPU, of CPU cores and of the display take turns by urgency and age. A request that finds no room in
its channel keeps back those of its own queue alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Ring

from ...engine import hooks
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow
from ...engine.work import NO_DRAW
from .. import hooks as memory_hooks
from ..masters import GPU, class_of
from ..request import READ, WRITE
from . import channel as controller
from . import scheduler
from .address import CHANNEL_FIELD, place
from .channel import DONE, REFUSED
from .intake import Lane, PendingRequest, count, hurry, urgency_of

if TYPE_CHECKING:
    from ..gpu import Gpu
    from .unit import Dram


MAX_JOBS = 256


@unit
def start(gpu: Gpu, dram: Dram, t: int, now: int) -> bool:
    """Hand a request to its channels: the first of a queue, the most urgent and oldest of those that are taken."""
    if dram.lanes == 1:
        return start_from(gpu, dram, dram.queue, 0, t, now)
    tried = 0
    for _ in range(dram.lanes):
        k = next_lane(dram, tried)
        if k < 0:
            return False
        tried |= 1 << k
        if k == 0:
            if start_from(gpu, dram, dram.queue, 0, t, now):
                return True
        elif start_from(gpu, dram, dram.other_queue[k - 1], k, t, now):
            return True
    return False


@inline
def next_lane(dram: Dram, tried: int) -> int:
    """Queue whose first request is the most urgent and, among these, the oldest; -1 where none is left to be tried."""
    chosen, urgency, arrived = -1, NEVER, NEVER
    for k in range(dram.lanes):
        if tried >> k & 1 == 0:
            queue = dram.queue if k == 0 else dram.other_queue[k - 1]
            if queue.count > 0:
                if dram.lane[k].burst == 0:
                    hurry(dram, queue)
                request = front(queue)
                rank = urgency_of(dram, request)
                if rank < urgency or (rank == urgency and request.arrived < arrived):
                    chosen, urgency, arrived = k, rank, request.arrived
    return chosen


@unit
def start_from(gpu: Gpu, dram: Dram, queue: Ring[PendingRequest], k: int, t: int, now: int) -> bool:
    """Hand the bursts of the first request of queue k to their channels; whether all of them were taken."""
    if queue.count == 0:
        return False
    lane = dram.lane[k]
    if lane.burst == 0:
        hurry(dram, queue)
        if k == 0:
            memory_hooks.dram_pick(gpu, dram, t)
    request = front(queue)
    write = 1 if request.kind == WRITE else 0
    first = request.address >> dram.burst_shift
    bursts = ((request.address + request.size - 1) >> dram.burst_shift) - first + 1
    if write == 0 and lane.burst == 0 and not begin(dram, lane, request, bursts):
        return False
    urgency = urgency_of(dram, request)
    group = dram.group_first[class_of(request.master)]
    while lane.burst < bursts:
        if full(dram.forwarded):
            return stays(dram, lane)
        address = (first + lane.burst) << dram.burst_shift
        channel = dram.channel[group + place(dram.channel[group], address, CHANNEL_FIELD)]
        result = controller.accept(
            channel, address, write, urgency, request.master, request.source, lane.job_at_work, now + 1
        )
        if result == REFUSED:
            return stays(dram, lane)
        if result == DONE and write == 0:
            forwarded = grow(dram.forwarded)
            forwarded.job = lane.job_at_work
            forwarded.cycle = now + 2
        lane.burst += 1
    hooks.works_for(gpu, dram.id, int(request.work))
    count(dram, request)
    hooks.works_for(gpu, dram.id, NO_DRAW)
    if write != 0:
        scheduler.served(dram, request.master, request.size)
    drop(queue)
    lane.burst = 0
    lane.job_at_work = -1
    return True


@inline
def stays(dram: Dram, lane: Lane) -> bool:
    """The first request stays in its queue; while nothing of it was taken, another may come before it."""
    j = lane.job_at_work
    if lane.burst == 0 and j >= 0:
        dram.foreign -= dram.job[j].master != GPU
        free(dram, j)
        lane.job_at_work = -1
    return False


@inline
def free(dram: Dram, j: int) -> None:
    dram.job[j].next = dram.free_job
    dram.free_job = j
    dram.jobs -= 1


@inline
def begin(dram: Dram, lane: Lane, request: PendingRequest, bursts: int) -> bool:
    """Note the requester; False if too many requests are on their way."""
    if lane.job_at_work >= 0:
        return True
    if dram.jobs == MAX_JOBS:
        return False
    j = dram.free_job
    job = dram.job[j]
    dram.free_job = job.next
    dram.jobs += 1
    dram.foreign += request.master != GPU
    lane.job_at_work = j
    job.port = request.port if request.kind == READ else -1
    job.slot = request.slot
    job.tag = request.tag
    job.bursts = bursts
    job.master = request.master
    job.size = request.size
    job.arrived = request.arrived
    return True
