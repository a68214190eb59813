"""Accounts of the cycles of units, and of the occupancy of the queues between them."""

from __future__ import annotations

from tilegpu.timing.declare.records import Record, Rows, i8, room
from tilegpu.timing.declare.statistics import CAUSES

from .jit import inline, unit

__all__ = ["BLOCKED", "BUSY", "CAUSES", "IDLE", "WAITING"]

BUSY, WAITING, BLOCKED, IDLE = range(len(CAUSES))
"""At work; waiting for memory or for another unit's results; unable to hand on; with nothing to do."""


class Accounted(Record):
    """Registers of a unit whose cycles are accounted for."""

    cause: i8
    since: i8
    spent: Rows[i8] = room(len(CAUSES))


SAMPLE_BITS = 6
SAMPLE_CYCLES = 1 << SAMPLE_BITS


class Occupancy(Record):
    """Occupancy of the queues of one name, sampled every SAMPLE_CYCLES."""

    entries: i8
    full: i8
    looks: i8


@inline
def become(owner: Accounted, cause: int, t: int) -> None:
    """The unit does this from cycle t on; if that is a change, charge the time before to what it did until now."""
    if cause != owner.cause:
        owner.spent[owner.cause] += t - owner.since
        owner.since = t
        owner.cause = cause


@inline
def account(owner: Accounted, t: int) -> None:
    """Charge the time since the last tick to what the unit was doing then."""
    owner.spent[owner.cause] += t - owner.since
    owner.since = t


@unit
def look(occupancy: Occupancy, entries: int, depth: int, times: int) -> None:
    """Add some samples of a queue between which nothing happened; a queue without room is not in use."""
    if depth == 0:
        return
    occupancy.entries += entries * times
    occupancy.looks += times
    if entries >= depth:
        occupancy.full += times
