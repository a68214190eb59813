"""Scalar instructions that an instruction on vectors becomes on a SIMT core, whose lanes are scalar (Emerald, 3.3.2 and
4.1, where TGSI is translated to PTX).

A component by component operation becomes one instruction for each component it writes, and what PTX has no instruction
for becomes several. The table follows the PTX instruction set; Emerald does not print its own.
"""

from __future__ import annotations

from typing import Any

PER_COMPONENT = {
    "LRP": 2,
    "DIV": 2,
    "FRC": 2,
    "SSG": 4,
    "ISSG": 4,
    "SLT": 2,
    "SGE": 2,
    "FSLT": 2,
    "FSGE": 2,
    "FSEQ": 2,
    "FSNE": 2,
    "ISLT": 2,
    "ISGE": 2,
    "USLT": 2,
    "USGE": 2,
    "USEQ": 2,
    "USNE": 2,
    "UCMP": 2,
    "DDX": 2,
    "DDY": 2,
    "IDIV": 4,
    "UDIV": 4,
    "MOD": 6,
    "UMOD": 6,
}
"""Instructions for each component written, where it is not one.

LRP: a difference and a multiply-add; DIV: a reciprocal and a product; FRC: a floor and a difference; SSG: two
comparisons and two selections; comparisons: a predicate and a selection; derivatives: a shuffle and a difference;
integer division: a reciprocal, a product and a correction in two steps; its remainder: a product and a difference more.
"""
STEPS = {"DP2": 2, "DP3": 3, "DP4": 4}
"""Products of what gives one value."""
WHOLE = STEPS | {"POW": 3}
"""Instructions of what gives one value: a product and sums of products; a logarithm, a product and a power of two."""
FLOW = {"UIF": 2, "KILL": 1, "KILL_IF": 2, "ELSE": 1, "BRK": 1, "CONT": 1, "ENDLOOP": 1, "END": 1}
"""Instructions of jumps: a predicate and a branch where there is a condition. ENDIF and BGNLOOP are labels, and yet
take a cycle here, as a place where paths join."""


def scalar_instructions(opcode: str, kind: str, write_mask: int) -> int:
    """Scalar instructions of one instruction on vectors.

    Parameters
    ----------
    opcode
        As in the table `instructions` of the activity, e.g. "MAD".
    kind
        Its class: alu, sfu, tex, mem or flow.
    write_mask
        Components written, a bit each.

    Returns
    -------
    int
        1 at least. A texture operation, a load or a store is one instruction for all its components.
    """
    if kind == "flow":
        return FLOW.get(opcode, 1)
    if opcode in WHOLE:
        return WHOLE[opcode]
    if kind in ("tex", "sfu", "mem"):
        return 1
    return max(1, (write_mask & 15).bit_count() * PER_COMPONENT.get(opcode, 1))


def scalar_of_rows(rows: list[dict[str, Any]]) -> list[int]:
    """The same for rows of the table."""
    return [scalar_instructions(row["opcode"], row["class"], row["write_mask"]) for row in rows]
