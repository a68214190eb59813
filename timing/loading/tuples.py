"""Bifrost: a thread issues tuples of two operations, one of its FMA and one of its ADD unit.

Units are those of Mesa's `bifrost/ISA.xml`, which marks instructions of the FMA unit with an asterisk and those of the
ADD unit with a plus, and what its scheduler exchanges (`bi_can_fma`, `bi_can_add` in `bi_schedule.c`): only the FMA
unit multiplies, shifts and has logic; only the ADD unit has minima, special functions, conversions between floats and
integers, comparisons of integers, and messages to fixed units; either adds, compares floats, rounds, moves and selects.
Mesa's statistics of shaders count a tuple per thread and cycle of an execution engine (`bi_print_stats`), which Arm's
offline compiler does, too. A block is taken to be scheduled perfectly: neither ports of registers nor constants keep
operations apart.
"""

from __future__ import annotations

from .operations import Operations


def tuple_cycles(found: Operations) -> int:
    """Tuples that operations take: the busier unit's, or half of all."""
    fma = found.product + found.choose + found.bits
    add = found.convert + found.special + found.message
    either = found.sum + found.compare
    return max(fma, add, -(-(fma + add + either) // 2))
