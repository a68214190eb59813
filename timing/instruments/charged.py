"""Counters of units, charged to accounts: what the instruments have in common."""

from __future__ import annotations

from tilegpu.timing.declare.records import Record, Rows, i4, i8, room

from ..engine.calendar import MAX_UNITS
from ..engine.work import ACCOUNTS

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
