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
from .state import CLOSED, MAX_BANKS

POLICIES = ("fr_fcfs", "fcfs")
FR_FCFS, FCFS = range(len(POLICIES))

ROW_ACCESSES = 4
"""So many accesses to its row, and a bank may be closed though further ones wait."""


@inline
def activate_time(channel: Any, bank: int) -> Any:
    """First cycle in which the bank can be opened: its own distances, and four activates per window in its rank."""
    rank = bank // channel.banks_per_rank
    oldest = channel.activated[rank * 4 + channel.activate_turn[rank]]
    return max(channel.earliest[ACTIVATE * MAX_BANKS + bank], oldest + channel.four_activates)


@unit
def first_ready(channel: Any, q: int, t: int) -> int:
    """First ready, first come first served (`fr_fcfs`): the oldest entry whose next command can be issued now.

    A bank is closed only for the oldest entry to it, and only when no entry hits the open row or that row has had
    its share. A write waits for older reads of its place. `fcfs` looks at the oldest entry of the queue alone.
    """
    queue = channel.queue[q]
    entries = queue.count if channel.policy == FR_FCFS else min(queue.count, 1)
    ready = NEVER
    for i in range(entries):
        entry = channel.entry[channel.command_slot[queue.first + i]]
        bank = entry.bank
        time = NEVER
        command = NO_COMMAND
        if channel.open_row[bank] == CLOSED:
            time = activate_time(channel, bank)
            command = ACTIVATE
        elif channel.open_row[bank] != entry.row:
            if may_close(channel, queue, i, bank):
                time = channel.earliest[PRECHARGE * MAX_BANKS + bank]
                command = PRECHARGE
        elif entry.write == 0:
            time = channel.earliest[READ * MAX_BANKS + bank]
            command = READ_PRECHARGE if channel.closed_page != 0 else READ
        elif not read_before(channel, queue, i, entry):
            time = channel.earliest[WRITE * MAX_BANKS + bank]
            command = WRITE_PRECHARGE if channel.closed_page != 0 else WRITE
        if time <= t:
            channel.command = command
            return i
        ready = min(ready, time)
        if command == ACTIVATE and channel.per_rank_queues == 0:
            break
    queue.ready = ready
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
