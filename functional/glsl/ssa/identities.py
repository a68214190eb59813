"""Algebraic identities: operations that equal their operand, another operation, or a constant.

Like every GL compiler, this treats floats as real numbers where that helps (x * 0 is 0), but keeps the order of
operations.
"""

from collections.abc import Callable
from typing import Protocol

from .values import Operand, bits_of


class Builder(Protocol):
    """Interface with which the rules build their results; see `builder.Builder`."""

    def immediate(self, *bits: int) -> Operand: ...
    def alu(self, op: str, *operands: Operand) -> Operand: ...
    def vector(self, components: list[Operand]) -> Operand: ...
    def select(self, operand: Operand, components: tuple[int, ...]) -> Operand: ...
    def negate(self, operand: Operand) -> Operand: ...
    def saturate(self, operand: Operand) -> Operand: ...


Rule = Callable[[Builder, tuple[Operand, ...]], Operand | None]

ZERO, ONE, MINUS_ONE, TWO, TRUE = 0, 0x3F800000, 0xBF800000, 0x40000000, 0xFFFFFFFF
INVERSE = {"FSLT": "FSGE", "FSGE": "FSLT", "FSEQ": "FSNE", "FSNE": "FSEQ", "ISLT": "ISGE", "ISGE": "ISLT"}
INVERSE.update({"USLT": "USGE", "USGE": "USLT", "USEQ": "USNE", "USNE": "USEQ"})


def _all(operand: Operand, *patterns: int) -> bool:
    return operand.value.op == "IMM" and all(bits in patterns for bits in bits_of(operand))


def _zero(operand: Operand) -> bool:
    return _all(operand, 0, 0x80000000)


def _add(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    x, y = args
    if _zero(y):
        return x
    if _zero(x):
        return y
    if x == b.negate(y):
        return b.immediate(*(0,) * len(x.swizzle))
    return None


def _mul(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    for x, y in (args, args[::-1]):
        if _all(y, ONE):
            return x
        if _zero(y):
            return b.immediate(*(0,) * len(x.swizzle))
        if _all(y, MINUS_ONE):
            return b.negate(x)
    x, y = args
    return b.alu("MUL", b.negate(x), b.negate(y)) if x.negate and y.negate else None


def _div(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    x, y = args
    if _all(y, ONE):
        return x
    if _all(x, ONE) and len(set(y.swizzle)) == 1:
        reciprocal = b.alu("RCP", b.select(y, (0,)))
        return b.select(reciprocal, (0,) * len(y.swizzle))
    return None


def _lrp(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    a, x, y = args
    if _all(a, ONE) or x == y:
        return x
    if _zero(a):
        return y
    if _zero(y):
        return b.alu("MUL", x, a)
    return None


def _pow(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    x, y = args
    if _all(y, ONE):
        return x
    return b.alu("MUL", x, x) if _all(y, TWO) else None


def _not(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    value = args[0].value
    if value.op == "NOT":
        return b.select(value.args[0], args[0].swizzle)
    inverse = INVERSE.get(value.op)
    if inverse is None:
        return None
    return b.alu(inverse, *(b.select(a, args[0].swizzle) for a in value.args))


def _and(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    x, y = args
    for p, q in (args, args[::-1]):
        if _all(q, TRUE) or p == q:
            return p
        if _all(q, ZERO):
            return q
    if x.value.op == y.value.op == "FSLT" and len(x.swizzle) == 1:
        (a, p), (c, q) = ([b.select(o, s.swizzle) for o in s.value.args] for s in (x, y))
        if a == c and _zero(a):
            return b.alu("FSLT", a, b.alu("MIN", q, p))
    return None


def _or(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    for p, q in (args, args[::-1]):
        if _all(q, ZERO) or p == q:
            return p
        if _all(q, TRUE):
            return q
    return None


def _xor(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    for p, q in (args, args[::-1]):
        if _all(q, ZERO):
            return p
        if _all(q, TRUE):
            return b.alu("NOT", p)
    return None


def _ucmp(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    condition, x, y = args
    if x == y or y.value.op == "UNDEF":
        return x
    if x.value.op == "UNDEF":
        return y
    if condition.value.op == "IMM":
        picks = [x if bit else y for bit in bits_of(condition)]
        return b.vector([b.select(pick, (i,)) for i, pick in enumerate(picks)])
    if condition.value.op == "NOT":
        return b.alu("UCMP", b.select(condition.value.args[0], condition.swizzle), y, x)
    if _all(x, TRUE) and _all(y, ZERO) and is_boolean(condition):
        return condition
    if _all(x, ZERO) and _all(y, TRUE) and is_boolean(condition):
        return b.alu("NOT", condition)
    if _all(x, ONE) and _all(y, ZERO) and is_boolean(condition):
        return b.alu("AND", condition, x)
    return None


def is_boolean(operand: Operand) -> bool:
    """Whether the operand is known to have all bits set or none."""
    value = operand.value
    if value.op in INVERSE:
        return True
    return value.op in ("AND", "OR", "XOR", "NOT") and all(is_boolean(a) for a in value.args)


def _uadd(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    for p, q in (args, args[::-1]):
        if _all(q, ZERO):
            return p
        if q.value.op == "IMM" and p.value.op == "UADD":
            for x, added in (p.value.args, p.value.args[::-1]):
                if added.value.op == "IMM":
                    return b.alu("UADD", b.select(x, p.swizzle), b.alu("UADD", b.select(added, p.swizzle), q))
    return None


def _umul(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    for p, q in (args, args[::-1]):
        if _all(q, ZERO):
            return q
        if _all(q, 1):
            return p
    return None


def _shift(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    return args[0] if _all(args[1], ZERO) else None


def _min(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    """min(max(x, 0), 1) is a saturation."""
    for p, q in (args, args[::-1]):
        if _all(q, ONE) and p.value.op == "MAX" and p[2:] == (False, False):
            for x, low in (p.value.args, p.value.args[::-1]):
                if _zero(low):
                    return b.saturate(b.select(x, p.swizzle))
    return _idempotent(b, args)


def _idempotent(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    return args[0] if args[0] == args[1] else None


def _dot(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    """Leave out zero components; if one remains, it is a product."""
    x, y = args
    if x.negate and y.negate:
        return b.alu(f"DP{len(x.swizzle)}", b.negate(x), b.negate(y))
    kept = [i for i in range(len(x.swizzle)) if not _zero(b.select(x, (i,))) and not _zero(b.select(y, (i,)))]
    if len(kept) == len(x.swizzle):
        return None
    if not kept:
        return b.immediate(0)
    p, q = b.select(x, tuple(kept)), b.select(y, tuple(kept))
    return b.alu("MUL", p, q) if len(kept) == 1 else b.alu(f"DP{len(kept)}", p, q)


_RULES: dict[str, Rule] = {
    "ADD": _add,
    "MUL": _mul,
    "DIV": _div,
    "LRP": _lrp,
    "POW": _pow,
    "NOT": _not,
    "AND": _and,
    "OR": _or,
    "XOR": _xor,
    "UCMP": _ucmp,
    "UADD": _uadd,
    "UMUL": _umul,
    "SHL": _shift,
    "ISHR": _shift,
    "USHR": _shift,
    "MIN": _min,
    "MAX": _idempotent,
    "IMIN": _idempotent,
    "IMAX": _idempotent,
    "DP2": _dot,
    "DP3": _dot,
    "DP4": _dot,
}


def simplify(builder: Builder, op: str, args: tuple[Operand, ...]) -> Operand | None:
    """The operand that the operation equals, or None if it has to be built."""
    rule = _RULES.get(op)
    return rule(builder, args) if rule else None
