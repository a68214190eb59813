"""Operations on scalars that an instruction on vectors becomes on Arm's machines with scalar lanes, sorted by the units
that may execute them.

After Mesa's compiler for Bifrost and Valhall (`bifrost_compile.c`, `bifrost_compile.h`, and the instruction sets in
`bifrost/ISA.xml` and `valhall/ISA.xml`): it makes fused multiply-adds of products and sums, packs two half floats into
an operation where components do the same, and lowers what has no instruction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Row = Mapping[str, Any]


class Operations(NamedTuple):
    """Operations of a thread, sorted by the units of Bifrost (FMA, ADD) and the pipes of Valhall (FMA, CVT, SFU) that
    execute them.

    Attributes
    ----------
    product
        FMA and FMA: FMA, FMA_RSCALE, FADD_LSCALE.
    sum
        Either and FMA: FADD.
    compare
        Either and CVT: comparisons of floats (FCMP), rounding (FROUND), exponents (FREXPE), selections (MUX on the ADD
        unit, for which Mesa's scheduler takes CSEL on the other), sums of integers (IADD, likewise IADDC), moves,
        conversions between floats.
    convert
        ADD and CVT: minima and maxima of floats (FMIN, FMAX), comparisons of integers (ICMP), their differences and
        absolute values (ISUB, IABS), conversions between floats and integers, discarding and jumping.
    choose
        FMA and CVT: minima and maxima of integers (CSEL), leading zeros (CLZ).
    special
        ADD and SFU: reciprocals and their roots, logarithms, exponentials, tables, values of other lanes (CLPER).
    bits
        FMA and SFU: shifts, logic, products of integers.
    message
        ADD and none: messages to fixed units.
    """

    product: int = 0
    sum: int = 0
    compare: int = 0
    convert: int = 0
    choose: int = 0
    special: int = 0
    bits: int = 0
    message: int = 0

    def times(self, n: int) -> Operations:
        """The same, `n` times."""
        return Operations(*(n * value for value in self))


def total(parts: Iterable[Operations]) -> Operations:
    """All operations of several instructions."""
    return Operations(*map(sum, zip(*[Operations(), *parts], strict=True)))


PRODUCT, SUM, COMPARE, CONVERT = Operations(1), Operations(0, 1), Operations(compare=1), Operations(convert=1)
CHOOSE, SPECIAL = Operations(choose=1), Operations(special=1)
BITS, MESSAGE = Operations(bits=1), Operations(message=1)
DIVISION = Operations(product=4, sum=4, compare=2, convert=4, special=1)

PER_COMPONENT = {
    "MUL": PRODUCT,
    "MAD": PRODUCT,
    "ADD": SUM,
    "DIV": PRODUCT,
    "LRP": PRODUCT.times(2),
    "FRC": total((SUM, COMPARE)),
    "SSG": total((SUM, COMPARE.times(2))),
    "DDX": total((SUM, SPECIAL.times(2))),
    "DDY": total((SUM, SPECIAL.times(2))),
    **dict.fromkeys(("IDIV", "UDIV"), DIVISION),
    **dict.fromkeys(("MOD", "UMOD"), total((DIVISION, PRODUCT, SUM))),
    **dict.fromkeys(("SLT", "SGE", "FSLT", "FSGE", "FSEQ", "FSNE"), COMPARE),
    **dict.fromkeys(("UCMP", "UADD", "FLR", "CEIL", "TRUNC", "ROUND", "F2H", "H2F"), COMPARE),
    **dict.fromkeys(("MIN", "MAX", "F2I", "F2U", "I2F", "U2F", "INEG", "IABS"), CONVERT),
    **dict.fromkeys(("ISLT", "ISGE", "USLT", "USGE", "USEQ", "USNE"), CONVERT),
    **dict.fromkeys(("IMIN", "IMAX", "UMIN", "UMAX"), CHOOSE),
    **dict.fromkeys(("AND", "OR", "XOR", "NOT", "SHL", "ISHR", "USHR", "UMUL", "POPC", "BREV"), BITS),
    **dict.fromkeys(("IBFE", "UBFE"), BITS.times(2)),
    "BFI": BITS.times(3),
    "UMSB": total((CHOOSE, CONVERT)),
    **dict.fromkeys(("IMSB", "LSB"), total((BITS, CHOOSE, CONVERT))),
    "ISSG": CHOOSE.times(2),
    "LDEXP": CONVERT,
    **dict.fromkeys(("IMUL_HI", "UMUL_HI"), total((BITS.times(6), COMPARE.times(4)))),
    "UARL": COMPARE,
}
"""Operations for each component written; another instruction on components is a sum. DIV has a reciprocal for each
divisor besides, LRP is two multiply-adds (`lower_flrp32`), FRC a difference to the rounded value (`lower_ffract`), SSG
the difference of two comparisons, derivatives exchange values of two lanes, highest bits are leading zeros and a
difference. Divisions of integers, products of 64 bits and fields of bits are assumed."""
PACKED = frozenset(
    ("MUL", "MAD", "ADD", "MIN", "MAX", "DIV", "LRP", "FRC", "SSG", "UCMP", "MOV", "FLR", "CEIL", "TRUNC", "ROUND")
    + ("SLT", "SGE", "FSLT", "FSGE", "FSEQ", "FSNE")
)
"""Instructions of which an operation does two components in half precision."""
EXPONENTIAL = Operations(product=1, convert=1, special=1)
LOGARITHM = Operations(product=2, compare=1, convert=1, special=1)
SINE = Operations(product=5, sum=2, special=2)
WHOLE = {
    "RCP": SPECIAL,
    "RSQ": SPECIAL,
    "SQRT": SPECIAL.times(2),
    "EX2": EXPONENTIAL,
    "LG2": LOGARITHM,
    "POW": total((LOGARITHM, EXPONENTIAL)),
    "SIN": SINE,
    "COS": SINE,
}
"""Operations of what gives one value. The argument of an exponential is scaled, which multiplies it by a power's
exponent as well, and converted to fixed point (`bi_fexp_32`); that of a logarithm is taken apart (`bi_flog2_32`); a
root is the reciprocal of a reciprocal root (`lower_fsqrt`); sine and cosine are looked up and corrected
(`bi_lower_fsincos_32`)."""
DOTS = {"DP2": 2, "DP3": 3, "DP4": 4}
"""Products of what gives one value: a chain of multiply-adds, of which halves cannot be packed."""
SELECTIONS = frozenset({"UIF"})
"""Branches: Mesa turns those of up to 64 instructions into selections, of which one is counted."""
JUMPS = frozenset({"BRK", "CONT", "ENDLOOP", "KILL", "KILL_IF"})
"""Jumps and discards; these compare by themselves."""


def operations(row: Row) -> Operations:
    """Operations of an instruction, without those that load what it reads.

    Parameters
    ----------
    row
        Row of the activity's table `instructions`.
    """
    opcode, kind = row["opcode"], row["class"]
    if kind == "flow":
        return COMPARE if opcode in SELECTIONS else CONVERT if opcode in JUMPS else Operations()
    if kind in ("tex", "mem"):
        return MESSAGE
    if opcode in WHOLE:
        return WHOLE[opcode]
    if opcode in DOTS:
        return PRODUCT.times(DOTS[opcode])
    width = max(1, (row["write_mask"] & 15).bit_count())
    packed = -(-width // 2) if row["half"] and opcode in PACKED else width
    if opcode == "MOV":
        return COMPARE.times(packed) if moves(row) else Operations()
    counts = PER_COMPONENT.get(opcode, SUM).times(packed)
    if opcode == "DIV":
        counts = total((counts, SPECIAL.times(len(components(row, 1)))))
    return counts


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
