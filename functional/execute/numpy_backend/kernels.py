"""One operation on one row: closures over row numbers, called with the register file.

All of them write in place, so that a run allocates nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...glsl.ir.semantics import FUNCTIONS
from .registers import Registers

Operation = Callable[[Registers], None]
ZERO, ONE = np.zeros(1, np.float32), np.ones(1, np.float32)
LEAST_EXPONENT, LEAST_POWER = np.full(1, -126, np.float32), np.full(1, 2.0**-126, np.float32)

_FLOAT_UFUNCS: dict[str, Any] = {
    "DIV": np.divide,
    "MIN": np.fmin,
    "MAX": np.fmax,
    "FLR": np.floor,
    "CEIL": np.ceil,
    "TRUNC": np.trunc,
    "ROUND": np.rint,
    "SSG": np.sign,
    "SQRT": np.sqrt,
    "LG2": np.log2,
    "SIN": np.sin,
    "COS": np.cos,
}
_INT_UFUNCS: dict[str, Any] = {
    "UADD": np.add,
    "UMUL": np.multiply,
    "INEG": np.negative,
    "IABS": np.abs,
    "ISSG": np.sign,
    "IMIN": np.minimum,
    "IMAX": np.maximum,
    "AND": np.bitwise_and,
    "OR": np.bitwise_or,
    "XOR": np.bitwise_xor,
    "NOT": np.invert,
}
_COMPARISONS: dict[str, tuple[Any, bool]] = {
    "FSLT": (np.less, True),
    "FSGE": (np.greater_equal, True),
    "FSEQ": (np.equal, True),
    "FSNE": (np.not_equal, True),
    "ISLT": (np.less, False),
    "ISGE": (np.greater_equal, False),
    "USEQ": (np.equal, False),
    "USNE": (np.not_equal, False),
}


def unary(ufunc: Any, d: int, a: int) -> Operation:
    """A float function of one row."""

    def run(s: Registers) -> None:
        f = s.floats
        ufunc(f[a], f[d])

    return run


def binary(ufunc: Any, d: int, a: int, b: int) -> Operation:
    """A float function of two rows."""

    def run(s: Registers) -> None:
        f = s.floats
        ufunc(f[a], f[b], f[d])

    return run


def copy(d: int, a: int) -> Operation:
    """A row into another."""

    def run(s: Registers) -> None:
        np.copyto(s.ints[d], s.ints[a])

    return run


def copy_where_active(d: int, a: int) -> Operation:
    """A row into another, in the lanes that execute."""

    def run(s: Registers) -> None:
        np.copyto(s.ints[d], s.ints[a], where=s.mask)  # type: ignore[arg-type]

    return run


def multiply_add(d: int, operands: Sequence[int], scratch: int, signs: tuple[bool, bool]) -> Operation:
    """a * b + c with the product and c negated by ``signs``."""
    a, b, c = operands
    product = scratch if d == c else d
    negate_product, negate_addend = signs

    def run(s: Registers) -> None:
        f = s.floats
        p, out = f[product], f[d]
        np.multiply(f[a], f[b], p)
        if negate_product:
            if negate_addend:
                np.add(p, f[c], out)
                np.negative(out, out)
            else:
                np.subtract(f[c], p, out)
        elif negate_addend:
            np.subtract(p, f[c], out)
        else:
            np.add(p, f[c], out)

    return run


def dot(d: int, a: Sequence[int], b: Sequence[int], scratch: int, negate: bool) -> Operation:
    """Sum of products; ``d`` is none of the operands."""

    def run(s: Registers) -> None:
        f = s.floats
        total, term = f[d], f[scratch]
        np.multiply(f[a[0]], f[b[0]], total)
        for x, y in zip(a[1:], b[1:], strict=True):
            np.multiply(f[x], f[y], term)
            np.add(total, term, total)
        if negate:
            np.negative(total, total)

    return run


def interpolate(d: int, operands: Sequence[int], scratch: int) -> Operation:
    """a * (b - c) + c."""
    a, b, c = operands

    def run(s: Registers) -> None:
        f = s.floats
        t = f[scratch]
        np.subtract(f[b], f[c], t)
        np.multiply(t, f[a], t)
        np.add(t, f[c], f[d])

    return run


def fraction(d: int, a: int, scratch: int) -> Operation:
    """a - floor(a)."""

    def run(s: Registers) -> None:
        f = s.floats
        np.floor(f[a], f[scratch])
        np.subtract(f[a], f[scratch], f[d])

    return run


def reciprocal(d: int, a: int, root: bool) -> Operation:
    """1 / a, or 1 / sqrt(a)."""

    def run(s: Registers) -> None:
        f = s.floats
        if root:
            np.sqrt(f[a], f[d])
            np.divide(ONE, f[d], f[d])
        else:
            np.divide(ONE, f[a], f[d])

    return run


def exponential(d: int, operands: Sequence[int]) -> Operation:
    """2 to the power a, or a to the power b as 2 to the power b * log2(a).

    Results too small for a normal float become 0, as on GPUs: numpy takes a hundred times as long for them.
    Subtracting the least normal number does that, and changes only tiny results.
    """
    a = operands[0]

    def run(s: Registers) -> None:
        f = s.floats
        out, exponent = f[d], f[a]
        if len(operands) == 2:
            if d == operands[1]:
                exponent = np.log2(exponent) * f[operands[1]]
            else:
                np.log2(exponent, out)
                exponent = np.multiply(out, f[operands[1]], out)
        np.maximum(exponent, LEAST_EXPONENT, out=out)
        np.exp2(out, out)
        np.subtract(out, LEAST_POWER, out)

    return run


def compare(opcode: str, d: int, a: int, b: int, uniform: bool) -> Operation:
    """A comparison as a mask of all bits or none."""
    ufunc, floating = _COMPARISONS[opcode]

    def run(s: Registers) -> None:
        rows: Any = s.floats if floating else s.ints
        flag = s.flags[uniform]
        ufunc(rows[a], rows[b], flag)
        np.copyto(s.ints[d], flag)
        np.negative(s.ints[d], s.ints[d])

    return run


def select(d: int, operands: Sequence[int], narrow: bool, again: bool) -> Operation:
    """b where a has bits, otherwise c; ``d`` is not b. ``again`` uses the flags of the previous selection."""
    a, b, c = operands

    def run(s: Registers) -> None:
        flag = s.flags[narrow]
        if not again:
            np.not_equal(s.ints[a], 0, flag)
        np.copyto(s.ints[d], s.ints[c])
        np.copyto(s.ints[d], s.ints[b], where=flag)

    return run


def integer(opcode: str, d: int, operands: Sequence[int]) -> Operation:
    """An integer function."""
    ufunc = _INT_UFUNCS[opcode]

    def run(s: Registers) -> None:
        g = s.ints
        ufunc(*[g[o] for o in operands], out=g[d])

    return run


def general(opcode: str, d: int, operands: Sequence[int], kind: str) -> Operation:
    """Any other opcode, by its reference function, with temporaries."""
    function = FUNCTIONS[opcode]

    def run(s: Registers) -> None:
        rows: Any = s.ints if kind == "int" else s.floats
        result = function(*[rows[o] for o in operands])
        np.copyto(s.ints[d], result.view(np.int32))

    return run


def saturate(d: int) -> Operation:
    """Clamp a row to [0, 1] in place."""

    def run(s: Registers) -> None:
        row = s.floats[d]
        np.fmax(row, ZERO, row)
        np.fmin(row, ONE, row)

    return run


def derivative(d: int, a: int, vertical: bool) -> Operation:
    """Difference inside the quad: from lane 0 to lane 1 or 2, the same for all four."""
    other = 2 if vertical else 1

    def run(s: Registers) -> None:
        if len(s.floats[a]) == 1:
            s.floats[d].fill(0)
            return
        quads = s.floats[a].reshape(-1, 4)
        difference = quads[:, other] - quads[:, 0]
        s.floats[d].reshape(-1, 4)[:] = difference[:, None]

    return run


def elementary(opcode: str, d: int, operands: Sequence[int]) -> Operation | None:
    """The opcode as a single numpy function, if it is one."""
    if opcode in _FLOAT_UFUNCS:
        ufunc = _FLOAT_UFUNCS[opcode]
        return unary(ufunc, d, operands[0]) if len(operands) == 1 else binary(ufunc, d, *operands)
    return integer(opcode, d, operands) if opcode in _INT_UFUNCS else None


def is_comparison(opcode: str) -> bool:
    """Whether :func:`compare` knows the opcode."""
    return opcode in _COMPARISONS
