"""A memory by itself: requests of a trace are offered in order, at most one per cycle, with back-pressure.

A request that arrives in cycle a is offered from cycle a + 1 on, after what the controller does in cycle a, as
DRAMsim3's trace reader does. The run ends with the cycle in which the last request is done; writes are done when
accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.records import NEVER, Record, Rows, fields_of, i4, i8, record

from ...engine.jit import entry, inline
from .address import CHANNEL_FIELD, place
from .channel import REFUSED, WAITS, accept, take_done, tick
from .commands import NO_COMMAND
from .issue import book
from .refresh import leap
from .state import MAX_CHANNELS, Channel, channel_type


class System(Record):
    """Memory by itself."""

    channels: i8
    cycle: i8
    offered: i8
    waiting: i8
    last_done: i8
    last_accepted: i8
    logged: i8

    if TYPE_CHECKING:
        channel: Rows[Channel]


def system_type() -> np.dtype[Any]:
    """Record type of a memory by itself, with the registers of all policies."""
    return record(**fields_of(System), channel=(channel_type(), (MAX_CHANNELS,)))


class Requests(NamedTuple):
    """Requests and what became of them, an array each.

    Parameters
    ----------
    address, write, arrival
        int64: arrivals rise. Of `write` the lowest bit marks writes, the next four the class of urgency, and those
        above them the master.
    accepted, done
        int64, filled in: the cycles in which requests are accepted and done.
    """

    address: Rows[int]
    write: Rows[int]
    arrival: Rows[int]
    accepted: Rows[int]
    done: Rows[int]


URGENCY_BITS = 4


class Log(Record):
    """Command issued."""

    cycle: i8
    command: i4
    channel: i4
    bank: i4
    row: i4


@entry
def run(system: System, stream: Requests, log: Rows[Log], every: bool, cycles: int) -> bool:
    """Run a stream of requests.

    Parameters
    ----------
    system
        Of `system_type`, as left by an earlier call or new.
    stream
        Requests.
    log
        Filled in: the commands issued, as many as fit.
    every
        Tick in every cycle, for tests.
    cycles
        Cycles to run at most.

    Returns
    -------
    bool
        Whether all requests are done.
    """
    t = system.cycle
    end = t + cycles
    requests = len(stream.address)
    while t < end:
        for k in range(system.channels):
            channel = system.channel[k]
            if channel.wake <= t or every:
                channel.wake = tick(channel, t)
                note(system, channel, k, log, t)
                collect(system, channel, stream.done)
        t += 1
        if system.offered == requests and system.waiting == 0 and t > system.last_done:
            system.cycle = t
            return True
        following = offer(system, stream, t)
        if not every and system.waiting == 0 and system.logged == len(log) and system.offered < requests:
            for k in range(system.channels):
                leap(system.channel[k], stream.arrival[system.offered])
        for k in range(system.channels):
            following = min(following, system.channel[k].wake)
        if system.offered == requests and system.waiting == 0:
            following = min(following, system.last_done)
        if not every:
            t = min(max(t, following), end)
    system.cycle = t
    return False


@inline
def offer(system: System, stream: Requests, t: int) -> int:
    """Offer the next request before cycle t is done; the cycle after which another can be offered."""
    i, requests = system.offered, len(stream.address)
    if i == requests:
        return NEVER
    if stream.arrival[i] >= t:
        return stream.arrival[i]
    channel = system.channel[place(system.channel[0], stream.address[i], CHANNEL_FIELD)]
    write = stream.write[i]
    urgency = write >> 1 & (1 << URGENCY_BITS) - 1
    result = accept(channel, stream.address[i], write & 1, urgency, write >> 1 + URGENCY_BITS, 0, i, t)
    if result == REFUSED:
        # There is room only after something has moved, which wakes us up.
        return NEVER
    stream.accepted[i] = t
    system.last_accepted = t
    system.offered += 1
    if result == WAITS:
        system.waiting += 1
    else:
        stream.done[i] = t + 1
        system.last_done = max(system.last_done, t + 1)
    return max(t, stream.arrival[i + 1]) if i + 1 < requests else NEVER


@inline
def collect(system: System, channel: Channel, done: Rows[int]) -> None:
    """Note the reads whose data are on their way."""
    while channel.done_count > 0:
        arrival = channel.done_cycle[channel.done_head]
        done[channel.done_tag[channel.done_head]] = arrival
        system.last_done = max(system.last_done, arrival)
        system.waiting -= 1
        take_done(channel)


@inline
def note(system: System, channel: Channel, k: int, log: Rows[Log], t: int) -> None:
    """Write the commands of this cycle into the log."""
    if channel.command != NO_COMMAND and system.logged < len(log):
        row = log[system.logged]
        row.cycle = t
        row.command = channel.command
        row.channel = k
        row.bank = channel.command_bank
        row.row = channel.command_row
        system.logged += 1
    if channel.power_command != NO_COMMAND and system.logged < len(log):
        row = log[system.logged]
        row.cycle = t
        row.command = channel.power_command
        row.channel = k
        row.bank = channel.power_rank * channel.banks_per_rank
        row.row = 0
        system.logged += 1


@entry
def settle(system: System) -> None:
    """Book the time up to now on the states the ranks are in."""
    for k in range(system.channels):
        channel = system.channel[k]
        channel.cycles = system.cycle
        for rank in range(channel.ranks):
            book(channel, rank, system.cycle)
