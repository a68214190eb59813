"""On-chip network: the way of lines from the L2 to first-level caches, a link to each or one bus that all share.

A line occupies its way for `cycles`. Answers are known before they are sent: a hit is, as long as its look-up takes. A
bus therefore has a list of the times that are taken, and a line goes in the first gap that is long enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_CACHES, MAX_MSHRS, Record, Rows, i8, room

from ..engine.jit import inline, unit

if TYPE_CHECKING:
    from .gpu import Gpu
    from .request import Port


LINKS, BUS = range(2)
NETWORKS = ("links", "bus")
MAX_TRANSFERS = MAX_CACHES * MAX_MSHRS
"""As many lines as can be missing."""


class Network(Record):
    """Registers of a network. `begin`: when each of the `transfers` begins that are not over yet, in order of time; of
    a bus only."""

    kind: i8
    cycles: i8
    transfers: i8
    begin: Rows[i8] = room(MAX_TRANSFERS)


@inline
def begin_of(gpu: Gpu, port: Port, due: int) -> int:
    """Cycle in which the first piece of an answer is on its way that is ready when it is due."""
    if gpu.network.kind == BUS:
        return take_bus(gpu, due)
    begin = max(due, int(port.free))
    # The last piece of a line counts; the first of the next one follows it.
    port.free = begin + port.answer_cycles
    return begin


@unit
def take_bus(gpu: Gpu, due: int) -> int:
    """Occupy the bus for a line, from `due` on at the earliest; the cycle in which that begins."""
    bus = gpu.network
    over = 0
    while over < bus.transfers and bus.begin[over] + bus.cycles <= gpu.calendar.now:
        over += 1
    begin, at = due, over
    while at < bus.transfers and bus.begin[at] < begin + bus.cycles:
        begin = max(begin, int(bus.begin[at] + bus.cycles))
        at += 1
    for i in range(over, at):
        bus.begin[i - over] = bus.begin[i]
    moved = 1 - over
    if moved < 0:
        for i in range(at, bus.transfers):
            bus.begin[i + moved] = bus.begin[i]
    elif moved > 0:
        for i in range(bus.transfers - 1, at - 1, -1):
            bus.begin[i + moved] = bus.begin[i]
    bus.begin[at - over] = begin
    bus.transfers += moved
    return begin
