"""Counters of units, charged to accounts: what the instruments have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Record, Rows, i4, i8, room

from ..engine import linked
from ..engine.calendar import MAX_UNITS
from ..engine.jit import unit
from ..engine.work import ACCOUNTS

if TYPE_CHECKING:
    from ..memory.gpu import Gpu


MAX_COUNTERS = 384
"""Counters of a machine, each kind of cache having its own."""
MAX_OWN_COUNTERS = 64
"""Counters of a unit."""


class Charged(Record):
    """Registers. `at`: account of each unit; `last`: value of each unit's counters when they were charged; `total`:
    counters of each account."""

    at: Rows[i4] = room(MAX_UNITS)
    last: Rows[i8] = room(MAX_UNITS * MAX_OWN_COUNTERS)
    total: Rows[i8] = room(ACCOUNTS * MAX_COUNTERS)


@unit
def turn(gpu: Gpu, u: int, account: int) -> None:
    """Charge what a unit has counted, and let it work for another account."""
    costs = linked.charged(gpu)
    linked.charge(gpu, u, int(costs.at[u]), int(gpu.calendar.now))
    costs.at[u] = account


@unit
def run_ends(gpu: Gpu, t: int) -> None:
    """Charge all that was counted to the end of the frame."""
    for u in range(64 * gpu.calendar.words):
        if gpu.calendar.everybody.word[u >> 6] >> (u & 63) & 1 != 0:
            linked.charge(gpu, u, int(linked.charged(gpu).at[u]), t)
