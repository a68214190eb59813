"""Vector code of each opcode: a table keyed by opcode.

Entries take and return float vectors (of whatever bits). Opcodes without an entry are left to the reference back end.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from . import bits
from .transcendental import exp2, log2, power, sine
from .vectors import Value, Vectors

Operation = Callable[..., Value]
SIGNED, UNSIGNED, ORDERED, UNORDERED = "icmp_signed", "icmp_unsigned", "fcmp_ordered", "fcmp_unordered"
"""Tests of the builder."""


def _floats(name: str) -> Operation:
    return lambda v, a, b: getattr(v.builder, name)(a, b)


def _intrinsic(name: str) -> Operation:
    return lambda v, *operands: v.call(name, *operands)


def _integers(name: str) -> Operation:
    return lambda v, a, b: v.to_floats(getattr(v.builder, name)(v.to_ints(a), v.to_ints(b)))


def _shift(name: str) -> Operation:
    def shift(v: Vectors, a: Value, b: Value) -> Value:
        count = v.builder.and_(v.to_ints(b), v.integer(31))
        return v.to_floats(getattr(v.builder, name)(v.to_ints(a), count))

    return shift


def _compared(test: str, sign: str, result: Operation) -> Operation:
    """Emit a comparison by a test of the builder: of floats, or of integers."""

    def compare(v: Vectors, a: Value, b: Value) -> Value:
        operands = (a, b) if test.startswith("f") else (v.to_ints(a), v.to_ints(b))
        return result(v, getattr(v.builder, test)(sign, *operands), a, b)

    return compare


def _mask(v: Vectors, condition: Value, _: Value, __: Value) -> Value:
    return v.mask(condition)


def _chosen(v: Vectors, condition: Value, a: Value, b: Value) -> Value:
    return v.builder.select(condition, a, b)


def _one_or_zero(v: Vectors, condition: Value, _: Value, __: Value) -> Value:
    return v.builder.select(condition, v.number(1), v.number(0))


def _sign(v: Vectors, a: Value) -> Value:
    b = v.builder
    negative = b.select(b.fcmp_ordered("<", a, v.number(0)), v.number(-1), a)
    return b.select(b.fcmp_ordered(">", a, v.number(0)), v.number(1), negative)


def _to_int(v: Vectors, a: Value) -> Value:
    b = v.builder
    low = b.fcmp_ordered(">=", a, v.number(-(2.0**31)))
    fits = b.and_(low, b.fcmp_ordered("<", a, v.number(2.0**31)))
    converted = b.fptosi(b.select(fits, a, v.number(0)), v.ints)
    return v.to_floats(b.select(fits, converted, v.integer(-(2**31))))


def _to_unsigned(v: Vectors, a: Value) -> Value:
    b = v.builder
    positive = b.select(b.fcmp_ordered(">", a, v.number(0)), a, v.number(0))
    fits = b.fcmp_ordered("<", positive, v.number(2.0**32))
    converted = b.fptoui(b.select(fits, positive, v.number(0)), v.ints)
    return v.to_floats(b.select(fits, converted, v.integer(0xFFFFFFFF)))


def _quotient(v: Vectors, a: Value, b: Value) -> Value:
    """Unsigned integers divided in double precision, cut off: their quotient is further from the next integer than it
    is rounded. Processors have no vectors of integer divisions. The divisor must not be 0."""
    builder = v.builder
    ratio = builder.fdiv(builder.uitofp(a, v.doubles), builder.uitofp(b, v.doubles))
    return builder.fptoui(ratio, v.ints)


def _divided(signed: bool, remainder: bool, at_zero: int) -> Operation:
    """Integer division; the least integer divided by -1 is itself."""

    def divide(v: Vectors, a: Value, b: Value) -> Value:
        builder, dividend, divisor = v.builder, v.to_ints(a), v.to_ints(b)
        zero = builder.icmp_unsigned("==", divisor, v.integer(0))
        divisor = builder.select(zero, v.integer(1), divisor)
        if signed:
            quotient = _quotient(v, *(v.to_ints(_magnitude(v, v.to_floats(x))) for x in (dividend, divisor)))
            opposed = builder.icmp_signed("<", builder.xor(dividend, divisor), v.integer(0))
            quotient = builder.select(opposed, builder.sub(v.integer(0), quotient), quotient)
        else:
            quotient = _quotient(v, dividend, divisor)
        result = builder.sub(dividend, builder.mul(quotient, divisor)) if remainder else quotient
        return v.to_floats(builder.select(zero, v.integer(at_zero), result))

    return divide


def _magnitude(v: Vectors, a: Value) -> Value:
    b = v.builder
    bits = v.to_ints(a)
    return v.to_floats(b.select(b.icmp_signed("<", bits, v.integer(0)), b.sub(v.integer(0), bits), bits))


def _integer_sign(v: Vectors, a: Value) -> Value:
    b = v.builder
    bits = v.to_ints(a)
    positive = b.zext(b.icmp_signed(">", bits, v.integer(0)), v.ints)
    return v.to_floats(b.or_(positive, b.ashr(bits, v.integer(31))))


def _function(name: str, body: Operation, operands: int) -> Operation:
    """An operation as a function of the module; LLVM decides where to inline it."""

    def call(v: Vectors, *values: Value) -> Value:
        module = v.builder.module
        function = module.globals.get(name)
        if function is None:
            function = ir.Function(module, ir.FunctionType(v.floats, [v.floats] * operands), name)
            function.linkage = "private"
            inside = ir.IRBuilder(function.append_basic_block("entry"))
            inside.ret(body(Vectors(inside, v.width), *function.args))
        return v.builder.call(function, values)

    return call


def saturate(v: Vectors, a: Value) -> Value:
    """Clamp to [0, 1]; NaN becomes 0."""
    b = v.builder
    low = b.select(b.fcmp_ordered(">", a, v.number(0)), a, v.number(0))
    return b.select(b.fcmp_ordered("<", low, v.number(1)), low, v.number(1))


def dot(v: Vectors, a: list[Value], b: list[Value]) -> Value:
    """Sum of products, from the first on."""
    total = v.builder.fmul(a[0], b[0])
    for x, y in zip(a[1:], b[1:], strict=True):
        total = v.builder.fadd(total, v.builder.fmul(x, y))
    return total


OPERATIONS: dict[str, Operation] = {
    **bits.OPERATIONS,
    "MOV": lambda v, a: a,
    "UARL": lambda v, a: a,
    "ADD": _floats("fadd"),
    "MUL": _floats("fmul"),
    "MAD": lambda v, a, b, c: v.builder.fadd(v.builder.fmul(a, b), c),
    "DIV": _floats("fdiv"),
    "MIN": _intrinsic("minnum"),
    "MAX": _intrinsic("maxnum"),
    "LRP": lambda v, a, b, c: v.builder.fadd(v.builder.fmul(v.builder.fsub(b, c), a), c),
    "FLR": _intrinsic("floor"),
    "CEIL": _intrinsic("ceil"),
    "TRUNC": _intrinsic("trunc"),
    "ROUND": _intrinsic("rint"),
    "FRC": lambda v, a: v.builder.fsub(a, v.call("floor", a)),
    "SSG": _sign,
    "SLT": _compared(ORDERED, "<", _one_or_zero),
    "SGE": _compared(ORDERED, ">=", _one_or_zero),
    "FSLT": _compared(ORDERED, "<", _mask),
    "FSGE": _compared(ORDERED, ">=", _mask),
    "FSEQ": _compared(ORDERED, "==", _mask),
    "FSNE": _compared(UNORDERED, "!=", _mask),
    "DDX": lambda v, a: v.builder.fsub(v.of_quad(a, 1), v.of_quad(a, 0)),
    "DDY": lambda v, a: v.builder.fsub(v.of_quad(a, 2), v.of_quad(a, 0)),
    "RCP": lambda v, a: v.builder.fdiv(v.number(1), a),
    "RSQ": lambda v, a: v.builder.fdiv(v.number(1), v.call("sqrt", a)),
    "SQRT": _intrinsic("sqrt"),
    "EX2": _function("exp2", exp2, 1),
    "LG2": _function("log2", log2, 1),
    "POW": _function("power", power, 2),
    "SIN": _function("sine", lambda v, a: sine(v, a, 0), 1),
    "COS": _function("cosine", lambda v, a: sine(v, a, 1), 1),
    "F2I": _to_int,
    "F2U": _to_unsigned,
    "I2F": lambda v, a: v.builder.sitofp(v.to_ints(a), v.floats),
    "U2F": lambda v, a: v.builder.uitofp(v.to_ints(a), v.floats),
    "UADD": _integers("add"),
    "UMUL": _integers("mul"),
    "IDIV": _divided(True, False, 0),
    "UDIV": _divided(False, False, -1),
    "MOD": _divided(True, True, -1),
    "UMOD": _divided(False, True, -1),
    "INEG": lambda v, a: v.to_floats(v.builder.sub(v.integer(0), v.to_ints(a))),
    "IABS": _magnitude,
    "ISSG": _integer_sign,
    "IMIN": _compared(SIGNED, "<", _chosen),
    "IMAX": _compared(SIGNED, ">", _chosen),
    "UMIN": _compared(UNSIGNED, "<", _chosen),
    "UMAX": _compared(UNSIGNED, ">", _chosen),
    "ISLT": _compared(SIGNED, "<", _mask),
    "ISGE": _compared(SIGNED, ">=", _mask),
    "USLT": _compared(UNSIGNED, "<", _mask),
    "USGE": _compared(UNSIGNED, ">=", _mask),
    "USEQ": _compared(UNSIGNED, "==", _mask),
    "USNE": _compared(UNSIGNED, "!=", _mask),
    "SHL": _shift("shl"),
    "ISHR": _shift("ashr"),
    "USHR": _shift("lshr"),
    "AND": _integers("and_"),
    "OR": _integers("or_"),
    "XOR": _integers("xor"),
    "NOT": lambda v, a: v.to_floats(v.builder.xor(v.to_ints(a), v.integer(-1))),
    "UCMP": lambda v, a, b, c: v.builder.select(v.builder.icmp_signed("!=", v.to_ints(a), v.integer(0)), b, c),
}
"""Component-wise and replicating opcodes, and loads of address registers."""
