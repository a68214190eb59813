"""Built-in functions as operations (chapter 8), on operands."""

import math

from ..ssa import Builder, Operand, is_constant
from . import bits, matrices, numeric
from .numeric import Expander, each, number
from .operators import Leaves, all_of, any_of, dot, widen


def _like(builder: Builder, value: float, operand: Operand) -> Operand:
    return number(builder, value, len(operand.swizzle))


def _scale(factor: float) -> Expander:
    return lambda b, x: b.alu("MUL", x, _like(b, factor, x))


def _scalar(opcode: str) -> Expander:
    return lambda b, *operands: each(b, opcode, *operands)


def _vector(opcode: str) -> Expander:
    return lambda b, *operands: b.alu(opcode, *operands)


def _tan(b: Builder, x: Operand) -> Operand:
    return b.alu("DIV", each(b, "SIN", x), each(b, "COS", x))


def _asin(b: Builder, x: Operand, cubic: float = -0.03102955, square: float = 0.086566724) -> Operand:
    """Polynomial of Abramowitz and Stegun 4.4.46 with Mesa's coefficients: error below 0.0005."""
    magnitude = b.absolute(x)
    inner = b.alu("ADD", b.alu("MUL", magnitude, _like(b, cubic, x)), _like(b, square, x))
    inner = b.alu("ADD", b.alu("MUL", magnitude, inner), _like(b, math.pi / 4 - 1, x))
    inner = b.alu("ADD", b.alu("MUL", magnitude, inner), _like(b, math.pi / 2, x))
    root = each(b, "SQRT", b.alu("ADD", _like(b, 1.0, x), b.negate(magnitude)))
    outer = b.alu("ADD", _like(b, math.pi / 2, x), b.negate(b.alu("MUL", root, inner)))
    return b.alu("MUL", b.alu("SSG", x), outer)


def _acos(b: Builder, x: Operand) -> Operand:
    return b.alu("ADD", _like(b, math.pi / 2, x), b.negate(_asin(b, x, -0.02363318, 0.08132463)))


def _atan(b: Builder, x: Operand) -> Operand:
    """Minimax polynomial of odd powers on [0, 1], with the reciprocal argument beyond 1: error below 2e-6."""
    magnitude = b.absolute(x)
    one = _like(b, 1.0, x)
    reduced = b.alu("DIV", b.alu("MIN", magnitude, one), b.alu("MAX", magnitude, one))
    square = b.alu("MUL", reduced, reduced)
    total = _like(b, -0.0121323213, x)
    for coefficient in (0.0536813784, -0.1173503194, 0.1938924977, -0.3326756418, 0.9999793128):
        total = b.alu("ADD", b.alu("MUL", total, square), _like(b, coefficient, x))
    angle = b.alu("MUL", total, reduced)
    beyond = b.alu("ADD", _like(b, math.pi / 2, x), b.negate(angle))
    angle = b.alu("UCMP", b.alu("FSLT", one, magnitude), beyond, angle)
    return b.alu("MUL", b.alu("SSG", x), angle)


def _atan2(b: Builder, y: Operand, x: Operand) -> Operand:
    zero, half = _like(b, 0.0, x), _like(b, math.pi / 2, x)
    slope = b.alu("DIV", y, x)
    angle = _atan(b, slope)
    side = b.alu("UCMP", b.alu("FSGE", y, zero), _like(b, math.pi, x), _like(b, -math.pi, x))
    angle = b.alu("UCMP", b.alu("FSLT", x, zero), b.alu("ADD", angle, side), angle)
    upright = b.alu("MUL", b.alu("SSG", y), half)
    return b.alu("UCMP", b.alu("FSEQ", x, zero), upright, angle)


def _exp(b: Builder, x: Operand) -> Operand:
    return each(b, "EX2", b.alu("MUL", x, _like(b, math.log2(math.e), x)))


def _log(b: Builder, x: Operand) -> Operand:
    return b.alu("MUL", each(b, "LG2", x), _like(b, math.log(2.0), x))


def _mod(b: Builder, x: Operand, y: Operand) -> Operand:
    whole = b.alu("FLR", b.alu("DIV", x, y))
    return b.alu("ADD", x, b.negate(b.alu("MUL", y, whole)))


def _clamp(b: Builder, x: Operand, low: Operand, high: Operand) -> Operand:
    if is_constant(low, 0) and is_constant(high, 0x3F800000):
        return b.saturate(x)
    return b.alu("MIN", b.alu("MAX", x, low), high)


def _step(b: Builder, edge: Operand, x: Operand) -> Operand:
    return b.alu("SGE", x, edge)


def _smoothstep(b: Builder, low: Operand, high: Operand, x: Operand) -> Operand:
    span = b.alu("ADD", high, b.negate(low))
    t = b.saturate(b.alu("DIV", b.alu("ADD", x, b.negate(low)), span))
    bracket = b.alu("ADD", _like(b, 3.0, x), b.negate(b.alu("MUL", _like(b, 2.0, x), t)))
    return b.alu("MUL", t, b.alu("MUL", t, bracket))


def _length(b: Builder, x: Operand) -> Operand:
    return b.absolute(x) if len(x.swizzle) == 1 else b.alu("SQRT", dot(b, x, x))


def _normalize(b: Builder, x: Operand) -> Operand:
    if len(x.swizzle) == 1:
        return b.alu("SSG", x)
    return b.alu("MUL", x, widen(b, b.alu("RSQ", dot(b, x, x)), len(x.swizzle)))


def _cross(b: Builder, x: Operand, y: Operand) -> Operand:
    first = b.alu("MUL", b.select(x, (1, 2, 0)), b.select(y, (2, 0, 1)))
    second = b.alu("MUL", b.select(x, (2, 0, 1)), b.select(y, (1, 2, 0)))
    return b.alu("ADD", b.negate(second), first)


def _faceforward(b: Builder, normal: Operand, incident: Operand, reference: Operand) -> Operand:
    facing = b.alu("FSLT", dot(b, reference, incident), number(b, 0.0))
    return b.alu("UCMP", widen(b, facing, len(normal.swizzle)), normal, b.negate(normal))


def _reflect(b: Builder, incident: Operand, normal: Operand) -> Operand:
    twice = b.alu("MUL", dot(b, normal, incident), number(b, 2.0))
    along = b.alu("MUL", widen(b, twice, len(normal.swizzle)), normal)
    return b.alu("ADD", b.negate(along), incident)


def _refract(b: Builder, incident: Operand, normal: Operand, eta: Operand) -> Operand:
    width = len(normal.swizzle)
    one = number(b, 1.0)
    cosine = dot(b, normal, incident)
    rest = b.alu("ADD", one, b.negate(b.alu("MUL", cosine, cosine)))
    k = b.alu("ADD", one, b.negate(b.alu("MUL", eta, b.alu("MUL", eta, rest))))
    factor = b.alu("ADD", b.alu("MUL", eta, cosine), b.alu("SQRT", k))
    bent = b.alu(
        "ADD",
        b.alu("MUL", widen(b, eta, width), incident),
        b.negate(b.alu("MUL", widen(b, factor, width), normal)),
    )
    total = widen(b, b.alu("FSLT", k, number(b, 0.0)), width)
    return b.alu("UCMP", total, number(b, 0.0, width), bent)


def _fwidth(b: Builder, x: Operand) -> Operand:
    return b.alu("ADD", b.absolute(b.alu("DDX", x)), b.absolute(b.alu("DDY", x)))


def _mix(b: Builder, x: Operand, y: Operand, a: Operand) -> Operand:
    return b.alu("LRP", a, y, x)


_EXPANDERS: dict[str, Expander] = {
    **numeric.EXPANDERS,
    **bits.EXPANDERS,
    "radians": _scale(math.pi / 180),
    "degrees": _scale(180 / math.pi),
    "sin": _scalar("SIN"),
    "cos": _scalar("COS"),
    "tan": _tan,
    "asin": _asin,
    "acos": _acos,
    "pow": _scalar("POW"),
    "exp": _exp,
    "log": _log,
    "exp2": _scalar("EX2"),
    "log2": _scalar("LG2"),
    "sqrt": _scalar("SQRT"),
    "inversesqrt": _scalar("RSQ"),
    "abs": lambda b, x: b.absolute(x),
    "sign": _vector("SSG"),
    "floor": _vector("FLR"),
    "ceil": _vector("CEIL"),
    "fract": _vector("FRC"),
    "mod": _mod,
    "min": _vector("MIN"),
    "max": _vector("MAX"),
    "clamp": _clamp,
    "mix": _mix,
    "step": _step,
    "smoothstep": _smoothstep,
    "length": _length,
    "distance": lambda b, x, y: _length(b, b.alu("ADD", x, b.negate(y))),
    "dot": dot,
    "cross": _cross,
    "normalize": _normalize,
    "faceforward": _faceforward,
    "reflect": _reflect,
    "refract": _refract,
    "any": any_of,
    "all": all_of,
    "not": _vector("NOT"),
    "dFdx": _vector("DDX"),
    "dFdy": _vector("DDY"),
    "fwidth": _fwidth,
}
_COMPARISONS = {
    "lessThan": ("FSLT", "ISLT", False),
    "greaterThan": ("FSLT", "ISLT", True),
    "lessThanEqual": ("FSGE", "ISGE", True),
    "greaterThanEqual": ("FSGE", "ISGE", False),
    "equal": ("FSEQ", "USEQ", False),
    "notEqual": ("FSNE", "USNE", False),
}
_INTEGER_OPCODES = {**numeric.INTEGER_OPCODES, **bits.INTEGER_OPCODES}
_NOT_WIDENED = frozenset(("refract", "dot", "length", "distance", "any", "all", *numeric.NOT_WIDENED))


def expand(builder: Builder, name: str, base: str, arguments: list[Leaves], base_of_last: str = "float") -> Leaves:
    """The result of a built-in function.

    Parameters
    ----------
    base, base_of_last : str
        Base types of the first and the last argument.
    arguments : list of tuple of Operand
        Leaves of every argument.
    """
    if name == "matrixCompMult":
        return tuple(builder.alu("MUL", x, y) for x, y in zip(*arguments, strict=True))
    if name in matrices.EXPANDERS:
        return matrices.EXPANDERS[name](builder, *arguments)
    operands = [leaves[0] for leaves in arguments]
    if name not in _NOT_WIDENED:
        width = max(len(operand.swizzle) for operand in operands)
        operands = [widen(builder, operand, width) for operand in operands]
    if name in _COMPARISONS:
        floating, integer, swapped = _COMPARISONS[name]
        opcode = floating if base == "float" else integer
        if base == "uint":
            opcode = opcode.replace("IS", "US")
        return (builder.alu(opcode, *(operands[::-1] if swapped else operands)),)
    if name == "atan":
        return ((_atan if len(operands) == 1 else _atan2)(builder, *operands),)
    of_integers = _INTEGER_OPCODES.get((name, base))
    if of_integers is not None:
        return (of_integers(builder, *operands),)
    if name == "mix" and base_of_last == "bool":
        return (builder.alu("UCMP", operands[2], operands[1], operands[0]),)
    return (_EXPANDERS[name](builder, *operands),)
