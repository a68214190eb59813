"""First ready, first come first served."""

from __future__ import annotations

from tilegpu.timing.declare.records import NEVER

from ....engine.jit import inline, unit
from ..commands import ACTIVATE, NO_COMMAND, PRECHARGE, READ, READ_PRECHARGE, WRITE, WRITE_PRECHARGE
from ..issue import earliest
from ..policy import Policy
from ..state import CLOSED, Channel, CommandQueue
from .readiness import ACTIVATES, PRECHARGES, READS, WRITES, activate_time, read_before, soonest


@inline
def choose(channel: Channel, q: int, standing: int, t: int) -> int:
    return first_ready(channel, q, channel.queue[q].count, t)


@unit
def first_ready(channel: Channel, q: int, entries: int, t: int) -> int:
    """Oldest entry, among the first ones of a queue, whose next command can be issued now.

    A bank is closed only for the oldest entry to it, and only when no entry hits the open row or that row has had
    its share. A write waits for older reads of its place.
    """
    queue = channel.queue[q]
    if queue.ready > 0 and channel.per_rank_queues == 0:
        queue.ready = soonest(channel, queue, q)
        if queue.ready > t:
            return -1
    ready = NEVER
    wants = 0
    for i in range(entries):
        entry = channel.entry[channel.command_slot[queue.first + i]]
        bank = entry.bank
        time = NEVER
        command = NO_COMMAND
        if channel.open_row[bank] == CLOSED:
            time = activate_time(channel, bank)
            command = ACTIVATE
            wants |= ACTIVATES
        elif channel.open_row[bank] != entry.row:
            if (i == 0 or channel.per_rank_queues != 0) and may_close(channel, queue, i, bank):
                time = earliest(channel, PRECHARGE, bank)
                command = PRECHARGE
                wants |= PRECHARGES
        elif entry.write == 0:
            # All reads of the open row are ready at the same time.
            if wants & READS == 0 or channel.per_rank_queues != 0:
                time = earliest(channel, READ, bank)
                command = READ_PRECHARGE if channel.closed_page != 0 else READ
                wants |= READS
        elif not read_before(channel, queue, i, entry):
            time = earliest(channel, WRITE, bank)
            command = WRITE_PRECHARGE if channel.closed_page != 0 else WRITE
            wants |= WRITES
        if time <= t:
            channel.command = command
            # The first queue that has something to issue goes first.
            channel.standing = 0
            return i
        ready = min(ready, time)
        if command == ACTIVATE and channel.per_rank_queues == 0:
            break
    queue.ready = ready
    queue.wants = wants
    return -1


@unit
def may_close(channel: Channel, queue: CommandQueue, i: int, bank: int) -> bool:
    """Whether entry i of the queue may close the bank: it is the oldest to it, and no entry has use for the row."""
    for k in range(i):
        if channel.entry[channel.command_slot[queue.first + k]].bank == bank:
            return False
    if channel.row_accesses[bank] >= channel.row_cap:
        return True
    row = channel.open_row[bank]
    for k in range(i, queue.count):
        other = channel.entry[channel.command_slot[queue.first + k]]
        if other.bank == bank and other.row == row:
            return False
    return True


POLICY = Policy("fr_fcfs", "first ready, first come first served (Rixner et al., ISCA 2000)", choose)
