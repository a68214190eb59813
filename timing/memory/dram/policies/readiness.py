"""Earliest cycles in which a command queue's entries can go, which all policies share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER

from ....engine.jit import inline, unit
from ..commands import ACTIVATE, PRECHARGE, READ, WRITE
from ..issue import earliest

if TYPE_CHECKING:
    from ..state import Channel, CommandEntry, CommandQueue


ACTIVATES, READS, WRITES, PRECHARGES = 1, 2, 4, 8


@inline
def activate_time(channel: Channel, bank: int) -> int:
    """First cycle in which the bank can be opened: its own distances, and four activates per window in its rank."""
    rank = channel.bank_rank[bank]
    oldest = channel.activated[rank * 4 + channel.activate_turn[rank]]
    return max(earliest(channel, ACTIVATE, bank), oldest + channel.four_activates)


@inline
def soonest(channel: Channel, queue: CommandQueue, bank: int) -> int:
    """Cycle in which the first of the commands that a bank's queue wants can be issued."""
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
def read_before(channel: Channel, queue: CommandQueue, i: int, write: CommandEntry) -> bool:
    """Whether an older entry of the queue reads the place that entry i writes."""
    for k in range(i):
        other = channel.entry[channel.command_slot[queue.first + k]]
        if other.write == 0 and other.bank == write.bank and other.row == write.row and other.column == write.column:
            return True
    return False
