"""Valhall: a warp of 16 threads issues to three pipes side by side, two of 16 lanes and one of four.

The FMA pipe multiplies and adds, the CVT pipe converts, compares, moves and selects, the SFU pipe has special
functions, products of integers and operations on bits, at a quarter of the rate (Arm's guide to the Valhall shader
core; Mesa's `valhall/ISA.xml` names the unit of each instruction, and `va_count_instr_stats` counts so). Messages to
fixed units take none of them. A block is taken to be scheduled perfectly.
"""

from __future__ import annotations

from .operations import Operations

SFU_CYCLES = 4
PIPES = ("fma", "cvt", "special")
"""Fields of an instruction that count those of each pipe."""


def of_pipes(counts: Operations) -> tuple[int, int, int]:
    """Operations of the FMA, the CVT and the SFU pipe."""
    return counts.product + counts.sum, counts.compare + counts.convert + counts.choose, counts.special + counts.bits


def pipe_cycles(counts: Operations) -> int:
    """Cycles that operations of a warp take: those of the busiest pipe."""
    fma, cvt, special = of_pipes(counts)
    return max(fma, cvt, SFU_CYCLES * special)
