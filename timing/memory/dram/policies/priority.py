"""The most urgent first: among entries of one class, as `fr_fcfs`. `dram.priority` says which sources are urgent.

An entry waits while a more urgent one of its queue wants the same bank, or its row would be closed again and again for
the other's sake. Strict: what is less urgent may wait for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import NEVER, Record, Rows, i8, room
from tilegpu.timing.declare.sources import SOURCES

from ....engine.jit import inline, unit
from ..commands import ACTIVATE, NO_COMMAND, PRECHARGE, READ, READ_PRECHARGE, WRITE, WRITE_PRECHARGE
from ..issue import earliest
from ..parameters import DramParameters
from ..policy import Policy
from ..state import CLOSED, Channel, CommandEntry, CommandQueue
from .readiness import activate_time, read_before

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..unit import Dram


class Priority(Record):
    """Class of each source's requests."""

    classes: Rows[i8] = room(len(SOURCES))


@inline
def urgency(dram: Dram, master: int, source: int) -> int:
    return int(dram.policy.priority.classes[source])


def set_up(dram: Any, configuration: Hardware) -> None:
    """Set the classes of sources: in the order in which they are named, all others after them."""
    urgent = configuration.of(DramParameters).priority
    dram.classes = len(urgent) + 1
    dram.policy.priority.classes[:] = [urgent.index(name) if name in urgent else len(urgent) for name in SOURCES]


@unit
def most_urgent(channel: Channel, q: int, standing: int, t: int) -> int:
    """Oldest of the most urgent entries whose next command can be issued now, of a class before this one; or -1."""
    queue = channel.queue[q]
    chosen, chosen_command = -1, NO_COMMAND
    ready = NEVER
    for i in range(queue.count):
        entry = channel.entry[channel.command_slot[queue.first + i]]
        if not outranked(channel, queue, entry):
            time = next_time(channel, queue, i, entry)
            ready = min(ready, time)
            if time <= t and entry.urgency < standing:
                chosen, chosen_command, standing = i, channel.command, entry.urgency
    channel.command, channel.standing = chosen_command, standing
    queue.ready = ready
    return chosen


@unit
def next_time(channel: Channel, queue: CommandQueue, i: int, entry: CommandEntry) -> int:
    """Cycle in which the next command of entry i can be issued, or NEVER; the channel's `command` is that command."""
    bank = entry.bank
    channel.command = NO_COMMAND
    if waits_for_read(channel, queue, i, entry):
        # It would open its row again and again, and others close it.
        return NEVER
    if channel.open_row[bank] == CLOSED:
        channel.command = ACTIVATE
        return activate_time(channel, bank)
    if channel.open_row[bank] != entry.row:
        if not may_close(channel, queue, i, entry):
            return NEVER
        channel.command = PRECHARGE
        return earliest(channel, PRECHARGE, bank)
    if entry.write == 0:
        channel.command = READ_PRECHARGE if channel.closed_page != 0 else READ
        return earliest(channel, READ, bank)
    channel.command = WRITE_PRECHARGE if channel.closed_page != 0 else WRITE
    return earliest(channel, WRITE, bank)


@unit
def outranked(channel: Channel, queue: CommandQueue, entry: CommandEntry) -> bool:
    """Whether a more urgent entry wants the same bank, and not only when older reads of its place are done.

    Such a read is as urgent as the write, unless their addresses are different ones of which the memory distinguishes
    only the lower bits.
    """
    for k in range(queue.count):
        other = channel.entry[channel.command_slot[queue.first + k]]
        rival = other.bank == entry.bank and other.urgency < entry.urgency
        if rival and not waits_for_read(channel, queue, k, other):
            return True
    return False


@inline
def waits_for_read(channel: Channel, queue: CommandQueue, k: int, entry: CommandEntry) -> bool:
    """Whether entry k is a write of what an older entry reads."""
    return bool(entry.write != 0 and read_before(channel, queue, k, entry))


@unit
def may_close(channel: Channel, queue: CommandQueue, i: int, entry: CommandEntry) -> bool:
    """Whether entry i may close its bank: it is the oldest of its class to it, and none of them has use for the row.

    A write that waits for a read of its place has none yet: the read may be less urgent, and give way to this entry.
    """
    for k in range(queue.count):
        other = channel.entry[channel.command_slot[queue.first + k]]
        alike = other.bank == entry.bank and other.urgency == entry.urgency
        if alike and not waits_for_read(channel, queue, k, other):
            if k < i:
                return False
            if other.row == channel.open_row[entry.bank] and channel.row_accesses[entry.bank] < channel.row_cap:
                return False
    return True


POLICY = Policy(
    "priority", "the most urgent source first", most_urgent, urgency=urgency, record=Priority, set_up=set_up
)
