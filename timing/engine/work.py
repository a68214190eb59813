"""Accounts of what units work for, with `replay --by-draw`: rows of a table that has a column for each counter.

Each kind of unit has an account of its own, with the number of the kind, for what belongs to no draw; others follow.
Draws and dispatches of a frame have theirs from `FIRST_DRAW` or, in every other frame, from `FIRST_DRAW + MAX_DRAWS`
on: a machine may have two frames at work.
"""

from __future__ import annotations

NO_DRAW = -1
"""In the place of an account: the unit's own."""

MAX_UNIT_KINDS = 61
CLEARS, EVICTIONS, IDLE = range(MAX_UNIT_KINDS, MAX_UNIT_KINDS + 3)
"""Clears between draws; lines that give way to others; cycles in which units have nothing to do."""
FIRST_DRAW = MAX_UNIT_KINDS + 3
MAX_DRAWS = 4064
"""Draws and dispatches of a frame."""
ACCOUNTS = FIRST_DRAW + 2 * MAX_DRAWS
PLACES = 256
"""Places of a unit that it notes work in: of a ring, of warps, of MSHRs."""
