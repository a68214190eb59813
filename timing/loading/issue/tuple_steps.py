"""Steps of an instruction on Bifrost: operations on scalars with the unit that each needs and those it follows.

The counts are those of `operations`; the order is that of Mesa's lowering (`bi_flog2_32`, `bi_fexp_32`,
`bi_lower_fsincos_32` in `bifrost_compile.c`).
"""

from __future__ import annotations

from typing import NamedTuple

from .operations import DOTS, JUMPS, PACKED, PER_COMPONENT, SELECTIONS, Operations, Row, components, moves

FMA, ADD, EITHER = range(3)
"""Units that may execute a step."""


class Step(NamedTuple):
    """Operation: the unit it needs, and earlier steps of the same instruction that it follows."""

    unit: int
    after: tuple[int, ...] = ()


def chain(*units: int) -> tuple[Step, ...]:
    """Steps of which each follows the last."""
    return tuple(Step(unit, (i - 1,) if i else ()) for i, unit in enumerate(units))


def in_turn(counts: Operations) -> tuple[Step, ...]:
    """Operations in any order that is not known, one after the other."""
    fma, add = counts.product + counts.choose + counts.bits, counts.convert + counts.special + counts.message
    return chain(*[FMA] * fma, *[ADD] * add, *[EITHER] * (counts.sum + counts.compare))


LOGARITHM = (Step(EITHER), Step(ADD, (0,)), Step(FMA), Step(ADD), Step(FMA, (1, 2, 3)))
SINE = (
    Step(FMA), Step(EITHER, (0,)), Step(FMA, (1,)), Step(ADD, (0,)), Step(ADD, (0,)),
    Step(FMA, (2,)), Step(FMA, (5, 3)), Step(FMA, (6, 2, 4)), Step(EITHER, (7,)),
)  # fmt: skip
SFU = {
    "RCP": chain(ADD),
    "RSQ": chain(ADD),
    "SQRT": chain(ADD, ADD),
    "EX2": chain(FMA, ADD, ADD),
    "LG2": LOGARITHM,
    "POW": (*LOGARITHM, Step(FMA, (4,)), Step(ADD, (5,)), Step(ADD, (6,))),
    "SIN": SINE,
    "COS": SINE,
}
COMPONENT = {
    "SSG": (Step(EITHER), Step(EITHER), Step(EITHER, (0, 1))),
    "DDX": (Step(ADD), Step(ADD), Step(EITHER, (0, 1))),
    "DDY": (Step(ADD), Step(ADD), Step(EITHER, (0, 1))),
}
"""Steps for each component whose order matters."""


def steps_of(row: Row) -> tuple[list[tuple[Step, ...]], int]:
    """Steps for each group of components of an instruction, and the components of a group.

    Parameters
    ----------
    row
        Row of the activity's table `instructions`. A copy that need not be made has no groups.
    """
    opcode, kind = row["opcode"], row["class"]
    if kind == "flow":
        steps = chain(EITHER) if opcode in SELECTIONS else chain(ADD) if opcode in JUMPS else ()
        return ([steps] if steps else []), 4
    if kind in ("tex", "mem"):
        return [chain(ADD)], 4
    if opcode in SFU:
        return [SFU[opcode]], 4
    if opcode in DOTS:
        return [chain(*[FMA] * DOTS[opcode])], 4
    if opcode == "MOV" and not moves(row):
        return [], 4
    size = 2 if row["half"] and opcode in PACKED else 1
    width = max(1, (row["write_mask"] & 15).bit_count())
    groups = -(-width // size)
    if opcode == "DIV":
        return quotients(groups, len(components(row, 1))), size
    if opcode == "MOV":
        return [chain(EITHER)] * groups, size
    return [COMPONENT.get(opcode) or in_turn(PER_COMPONENT.get(opcode, Operations(sum=1)))] * groups, size


def quotients(groups: int, divisors: int) -> list[tuple[Step, ...]]:
    """Reciprocals of the divisors, dealt out to groups of components, and a product for each group."""
    chains = []
    for i in range(groups):
        mine = (i + 1) * divisors // groups - i * divisors // groups
        chains.append((*[Step(ADD)] * mine, Step(FMA, tuple(range(mine)))))
    return chains
