"""Bifrost: a thread issues tuples of two operations, one of its FMA and one of its ADD unit.

After Mesa (`bifrost/ISA.xml`): the FMA unit multiplies and shifts; the ADD unit has minima, special functions and
messages to fixed units; either adds, converts, moves and selects. Comparisons are taken to need the ADD unit, as minima
do, though the FMA unit has them, too (`*FCMP`). Mesa's statistics of shaders count a tuple per thread and cycle of an
execution engine (`bi_print_stats`), which Arm's offline compiler does, too. A block is taken to be scheduled perfectly:
neither ports of registers nor constants keep operations apart.
"""

from __future__ import annotations

from .operations import Operations


def tuple_cycles(found: Operations) -> int:
    """Tuples that operations take: the busier unit's, or half of all."""
    fma = found.product + found.bits
    add = found.compare + found.special + found.message
    both = found.sum + found.convert + found.select
    return max(fma, add, -(-(fma + add + both) // 2))
