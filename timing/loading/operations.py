"""Operations on scalars that an instruction on vectors becomes on Arm's machines with scalar lanes, by the unit that
executes them: products, special functions and conversions, or either of two.

After Mesa's compiler for Bifrost and Valhall (`bifrost_compile.c`, and the instruction sets in `ISA.xml`): it makes
fused multiply-adds of products and sums, packs two half floats into an operation where components do the same, and
lowers what has no instruction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Row = Mapping[str, Any]


class Operations(NamedTuple):
    """Operations of a thread: products and multiply-adds, sums, comparisons and minima, conversions and moves, special
    functions, selections, operations on bits; messages to fixed units."""

    product: int = 0
    sum: int = 0
    compare: int = 0
    convert: int = 0
    special: int = 0
    select: int = 0
    bits: int = 0
    message: int = 0

    def times(self, n: int) -> Operations:
        """The same, `n` times."""
        return Operations(*(n * value for value in self))


def total(parts: Iterable[Operations]) -> Operations:
    """All operations of several instructions."""
    return Operations(*map(sum, zip(*[Operations(), *parts], strict=True)))


PRODUCT, SUM, COMPARE, CONVERT = Operations(1), Operations(0, 1), Operations(0, 0, 1), Operations(0, 0, 0, 1)
SPECIAL, SELECT = Operations(special=1), Operations(select=1)
BITS, MESSAGE = Operations(bits=1), Operations(message=1)

PER_COMPONENT = {
    "MUL": PRODUCT,
    "MAD": PRODUCT,
    "ADD": SUM,
    "MIN": COMPARE,
    "MAX": COMPARE,
    "DIV": PRODUCT,
    "LRP": PRODUCT.times(2),
    "FRC": Operations(sum=1, convert=1),
    "SSG": Operations(sum=1, compare=2),
    "DDX": Operations(sum=1, special=2),
    "DDY": Operations(sum=1, special=2),
    "UCMP": SELECT,
    "UMUL": Operations(special=1),
    "IDIV": Operations(4, 4, 2, 4, 1),
    "UDIV": Operations(4, 4, 2, 4, 1),
    "MOD": Operations(5, 5, 2, 4, 1),
    "UMOD": Operations(5, 5, 2, 4, 1),
    **dict.fromkeys(("SLT", "SGE", "FSLT", "FSGE", "FSEQ", "FSNE"), COMPARE),
    **dict.fromkeys(("ISLT", "ISGE", "USLT", "USGE", "USEQ", "USNE", "IMIN", "IMAX", "UMIN", "UMAX"), COMPARE),
    **dict.fromkeys(("FLR", "CEIL", "TRUNC", "ROUND", "F2I", "F2U", "I2F", "U2F", "F2H", "H2F"), CONVERT),
    **dict.fromkeys(("UADD", "INEG", "IABS"), CONVERT),
    **dict.fromkeys(("AND", "OR", "XOR", "NOT", "SHL", "ISHR", "USHR"), BITS),
}
"""Operations for each component written; another instruction on components is a sum. DIV has a reciprocal for each
divisor besides, LRP is two multiply-adds (`nir_lower_flrp`), derivatives exchange values of two lanes."""
PACKED = frozenset(
    ("MUL", "MAD", "ADD", "MIN", "MAX", "DIV", "LRP", "FRC", "SSG", "UCMP", "MOV", "FLR", "CEIL", "TRUNC", "ROUND")
    + ("SLT", "SGE", "FSLT", "FSGE", "FSEQ", "FSNE")
)
"""Instructions of which an operation does two components in half precision."""
EXPONENTIAL = Operations(product=1, convert=1, special=1)
LOGARITHM = Operations(product=1, sum=1, convert=3, special=1)
WHOLE = {
    "RCP": SPECIAL,
    "RSQ": SPECIAL,
    "SQRT": Operations(product=1, special=1),
    "EX2": EXPONENTIAL,
    "LG2": LOGARITHM,
    "POW": total((LOGARITHM, PRODUCT, EXPONENTIAL)),
    "SIN": Operations(product=4, sum=2, special=2, convert=2),
    "COS": Operations(product=4, sum=2, special=2, convert=2),
}
"""Operations of what gives one value. The argument of an exponential is scaled and converted to fixed point, that of
a logarithm taken apart; sine and cosine are looked up and corrected by a polynomial."""
DOTS = {"DP2": 2, "DP3": 3, "DP4": 4}
"""Products of what gives one value: a chain of multiply-adds, of which halves cannot be packed."""
BRANCHES = frozenset({"UIF", "BRK", "CONT", "ENDLOOP", "KILL", "KILL_IF"})
"""Jumps, or the selections that replace them: Mesa turns branches of up to 64 instructions into selections."""
CUBE = Operations(product=3, sum=1, special=4, select=2)
"""Coordinates on the face of a cube."""


def operations(row: Row) -> Operations:
    """Operations of an instruction, without those that load what it reads.

    Parameters
    ----------
    row
        Row of the activity's table `instructions`.
    """
    opcode, kind = row["opcode"], row["class"]
    if kind == "flow":
        return SELECT if opcode in BRANCHES else Operations()
    if kind in ("tex", "mem"):
        return MESSAGE
    if opcode in WHOLE:
        return WHOLE[opcode]
    if opcode in DOTS:
        return PRODUCT.times(DOTS[opcode])
    width = max(1, (row["write_mask"] & 15).bit_count())
    packed = -(-width // 2) if row["half"] and opcode in PACKED else width
    if opcode == "MOV":
        return CONVERT.times(packed) if moves(row) else Operations()
    found = PER_COMPONENT.get(opcode, SUM).times(packed)
    if opcode == "DIV":
        found = total((found, SPECIAL.times(len(components(row, 1)))))
    return found


def moves(row: Row) -> bool:
    """Whether a copy remains: one of a register does not, for its value can be computed where it is needed."""
    return any(source["file"] in ("CONST", "IMM") for source in row["sources"] or ())


def components(row: Row, source: int) -> set[str]:
    """Components of a source that are read for the components that are written."""
    swizzle = row["sources"][source]["swizzle"]
    if row["opcode"] in DOTS:
        return set(swizzle[: DOTS[row["opcode"]]])
    if row["class"] == "sfu":
        return {swizzle[0]}
    return {swizzle[c] for c in range(4) if row["write_mask"] >> c & 1} or set(swizzle)
