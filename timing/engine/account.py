"""What units spend their cycles on, and how full the queues between them are."""

from __future__ import annotations

from typing import Any

from tilegpu.timing.declare.records import Field, record
from tilegpu.timing.declare.statistics import CAUSES

from .jit import inline, unit

__all__ = ["BLOCKED", "BUSY", "CAUSES", "IDLE", "WAITING"]

BUSY, WAITING, BLOCKED, IDLE = range(len(CAUSES))
"""At work; waiting for memory or for another unit's results; unable to hand on; with nothing to do."""

ACCOUNT: dict[str, Field] = {"cause": "i8", "since": "i8", "spent": ("i8", (len(CAUSES),))}
"""Registers of a unit whose cycles are accounted for."""

SAMPLE_BITS = 6
SAMPLE_CYCLES = 1 << SAMPLE_BITS
OCCUPANCY = record(entries="i8", full="i8", looks="i8")
"""What samples of the queues of one name, taken every SAMPLE_CYCLES, have found."""


@inline
def become(owner: Any, cause: int, t: int) -> None:
    """The unit does this from cycle t on; if that is a change, charge the time before to what it did until now."""
    if cause != owner.cause:
        owner.spent[owner.cause] += t - owner.since
        owner.since = t
        owner.cause = cause


@inline
def account(owner: Any, t: int) -> None:
    """Charge the time since the last tick to what the unit was doing then."""
    owner.spent[owner.cause] += t - owner.since
    owner.since = t


@unit
def look(occupancy: Any, entries: int, depth: int, times: int) -> None:
    """Add some samples of a queue between which nothing happened; a queue without room is not in use."""
    if depth == 0:
        return
    occupancy.entries += entries * times
    occupancy.looks += times
    if entries >= depth:
        occupancy.full += times
