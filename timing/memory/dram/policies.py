"""Scheduling policies: which entry of a command queue goes next, and with which command.

A policy looks at one queue. It returns the place of the entry in the queue and sets the channel's `command`, or returns
-1 and sets the queue's `ready` to the first cycle in which its answer can be another one, as long as no command goes to
a bank of the queue and no entry is added.
"""

from __future__ import annotations

from typing import Any

from ...engine.jit import inline, unit
from ...engine.records import NEVER
from .commands import ACTIVATE, NO_COMMAND, PRECHARGE, READ, READ_PRECHARGE, WRITE, WRITE_PRECHARGE
from .issue import earliest
from .state import CLOSED

POLICIES = ("fr_fcfs", "fcfs")
FR_FCFS, FCFS = range(len(POLICIES))

ACTIVATES, READS, WRITES, PRECHARGES = 1, 2, 4, 8

ROW_ACCESSES = 4
"""So many accesses to its row, and a bank may be closed though further ones wait."""


@inline
def activate_time(channel: Any, bank: int) -> Any:
    """First cycle in which the bank can be opened: its own distances, and four activates per window in its rank."""
    rank = channel.bank_rank[bank]
    oldest = channel.activated[rank * 4 + channel.activate_turn[rank]]
    return max(earliest(channel, ACTIVATE, bank), oldest + channel.four_activates)


@inline
def soonest(channel: Any, queue: Any, bank: int) -> int:
    """When the first of the commands that a bank's queue wants can be issued."""
    ready = NEVER
    if queue.wants & ACTIVATES != 0:
        ready = activate_time(channel, bank)
    if queue.wants & READS != 0:
        ready = min(ready, earliest(channel, READ, bank))
    if queue.wants & WRITES != 0:
        ready = min(ready, earliest(channel, WRITE, bank))
    if queue.wants & PRECHARGES != 0:
        ready = min(ready, earliest(channel, PRECHARGE, bank))
    return ready


@unit
def first_ready(channel: Any, q: int, t: int) -> int:
    """First ready, first come first served (`fr_fcfs`): the oldest entry whose next command can be issued now.

    A bank is closed only for the oldest entry to it, and only when no entry hits the open row or that row has had
    its share. A write waits for older reads of its place. `fcfs` looks at the oldest entry of the queue alone.
    """
    queue = channel.queue[q]
    if queue.ready > 0 and channel.per_rank_queues == 0:
        queue.ready = soonest(channel, queue, q)
        if queue.ready > t:
            return -1
    entries = queue.count if channel.policy == FR_FCFS else min(queue.count, 1)
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
            return i
        ready = min(ready, time)
        if command == ACTIVATE and channel.per_rank_queues == 0:
            break
    queue.ready = ready
    queue.wants = wants
    return -1


@unit
def may_close(channel: Any, queue: Any, i: int, bank: int) -> bool:
    """Whether entry i of the queue may close the bank: it is the oldest to it, and no entry has use for the row."""
    for k in range(i):
        if channel.entry[channel.command_slot[queue.first + k]].bank == bank:
            return False
    if channel.row_accesses[bank] >= ROW_ACCESSES:
        return True
    row = channel.open_row[bank]
    for k in range(i, queue.count):
        other = channel.entry[channel.command_slot[queue.first + k]]
        if other.bank == bank and other.row == row:
            return False
    return True


@unit
def read_before(channel: Any, queue: Any, i: int, write: Any) -> bool:
    """Whether an older entry of the queue reads the place that entry i writes."""
    for k in range(i):
        other = channel.entry[channel.command_slot[queue.first + k]]
        if other.write == 0 and other.bank == write.bank and other.row == write.row and other.column == write.column:
            return True
    return False
