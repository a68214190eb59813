"""BLISS, the Blacklisting memory scheduler (Subramanian et al., ICCD 2014), for a channel by itself.

A master whose requests are served several times in a row is blacklisted until all are forgiven. Requests of other
masters go first, then those that find their row open, then the oldest.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import Record, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat

from ....engine.jit import inline, unit
from ...masters import MASTERS
from ..commands import ACTIVATE, NO_COMMAND, PRECHARGE, READ, READ_PRECHARGE, WRITE, WRITE_PRECHARGE
from ..issue import earliest, look_again
from ..policy import Policy
from ..state import CLOSED
from .readiness import activate_time, read_before

AGE_BITS = 41


class Registers(Record):
    """Registers of a channel. `last`: master served last, `streak` times in a row; `listed`: whether a master is
    blacklisted."""

    threshold: i8
    interval: i8
    next_clearing: i8
    last: i8
    streak: i8
    listings: i8
    listed: Rows[i8] = room(MASTERS)


class Bliss(Group, section="bliss"):
    """BLISS, with scheduling bliss."""

    threshold: int = number(4, "requests", "of a master in a row, after which it is blacklisted [5]", 1, 1 << 30)
    clearing_interval: int = number(10_000, "memory cycles", "after which all are forgiven [5]", 1, 1 << 40)


@unit
def choose(channel: Any, q: int, standing: int, t: int) -> int:
    bliss, queue = channel.policy.bliss, channel.queue[q]
    clear(bliss, t)
    chosen, chosen_command = -1, NO_COMMAND
    # Who may close a row can change when all are forgiven.
    ready = bliss.next_clearing
    for i in range(queue.count):
        entry = channel.entry[channel.command_slot[queue.first + i]]
        time = next_time(channel, queue, i, entry)
        ready = min(ready, time)
        misses = channel.command in (ACTIVATE, PRECHARGE)
        rank = ((2 * bliss.listed[entry.master] + misses) << AGE_BITS) + entry.added
        if time <= t and channel.command != NO_COMMAND and rank < standing:
            chosen, chosen_command, standing = i, channel.command, rank
    channel.command, channel.standing = chosen_command, standing
    queue.ready = ready
    return chosen


@inline
def clear(bliss: Any, t: int) -> None:
    """Forgive all at the end of an interval."""
    if t >= bliss.next_clearing:
        bliss.next_clearing = (t // bliss.interval + 1) * bliss.interval
        for master in range(MASTERS):
            bliss.listed[master] = 0


@unit
def next_time(channel: Any, queue: Any, i: int, entry: Any) -> Any:
    """Cycle in which the next command of entry i can be issued; the channel's `command` is that command, if any."""
    bank = entry.bank
    if channel.open_row[bank] == CLOSED:
        channel.command = ACTIVATE
        return activate_time(channel, bank)
    channel.command = PRECHARGE
    if channel.open_row[bank] == entry.row:
        channel.command = READ if entry.write == 0 else WRITE
    time = earliest(channel, channel.command, bank)
    if channel.command == PRECHARGE:
        if not may_close(channel, queue, i, entry):
            channel.command = NO_COMMAND
    elif entry.write != 0 and read_before(channel, queue, i, entry):
        channel.command = NO_COMMAND
    elif channel.closed_page != 0:
        channel.command = READ_PRECHARGE if entry.write == 0 else WRITE_PRECHARGE
    return time if channel.command != NO_COMMAND else channel.policy.bliss.next_clearing


@unit
def may_close(channel: Any, queue: Any, i: int, entry: Any) -> bool:
    """Whether entry i may close its bank: it is the oldest to it, and the row has had its share or none has use for it;
    who is blacklisted does not count before one who is not."""
    listed, bank = channel.policy.bliss.listed, entry.bank
    for k in range(queue.count):
        other = channel.entry[channel.command_slot[queue.first + k]]
        counts = other.bank == bank and listed[other.master] <= listed[entry.master]
        hits = other.row == channel.open_row[bank] and channel.row_accesses[bank] < channel.row_cap
        if counts and (k < i or hits):
            return False
    return True


@inline
def accessed(channel: Any, entry: Any, t: int) -> None:
    bliss = channel.policy.bliss
    bliss.streak = bliss.streak + 1 if entry.master == bliss.last else 1
    bliss.last = entry.master
    if bliss.streak >= bliss.threshold:
        bliss.streak = 0
        bliss.listings += 1 - bliss.listed[entry.master]
        bliss.listed[entry.master] = 1
        for rank in range(channel.ranks):
            look_again(channel, rank)


def set_up_channel(channel: Any, parameters: Any) -> None:
    """Lengths from the configuration; the first interval begins at cycle 0."""
    bliss = channel.policy.bliss
    bliss.threshold = parameters.threshold
    bliss.interval = bliss.next_clearing = parameters.clearing_interval


POLICY = Policy(
    "bliss",
    "BLISS, the Blacklisting memory scheduler (Subramanian et al., ICCD 2014)",
    choose,
    accessed=accessed,
    channel_record=Registers,
    parameters=Bliss,
    set_up_channel=set_up_channel,
    statistics=(
        Stat(
            "memory.dram.bliss.listings", "masters", "masters that were blacklisted", "channel[].policy.bliss.listings"
        ),
    ),
)
