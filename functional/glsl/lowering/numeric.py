"""Built-in functions of ESSL 3.00 on numbers and bits (sections 8.1 to 8.4)."""

import math
import struct
from collections.abc import Callable

from ..ssa import Builder, Operand

Expander = Callable[..., Operand]


def number(builder: Builder, value: float, width: int = 1) -> Operand:
    """A float constant, repeated."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return builder.immediate(*(bits,) * width)


def each(builder: Builder, opcode: str, *operands: Operand) -> Operand:
    """An opcode that takes scalars, applied to every component."""
    parts = [
        builder.alu(opcode, *(builder.select(operand, (i,)) for operand in operands))
        for i in range(len(operands[0].swizzle))
    ]
    return builder.vector(parts)


def _like(builder: Builder, value: float, operand: Operand) -> Operand:
    return number(builder, value, len(operand.swizzle))


def _sum(b: Builder, x: Operand, y: Operand) -> Operand:
    return b.alu("ADD", x, y)


def _difference(b: Builder, x: Operand, y: Operand) -> Operand:
    return b.alu("ADD", x, b.negate(y))


def _natural_logarithm(b: Builder, x: Operand) -> Operand:
    return b.alu("MUL", each(b, "LG2", x), _like(b, math.log(2.0), x))


def _exponentials(b: Builder, x: Operand) -> tuple[Operand, Operand]:
    """The exponentials of x and -x."""
    scaled = b.alu("MUL", x, _like(b, math.log2(math.e), x))
    return each(b, "EX2", scaled), each(b, "EX2", b.negate(scaled))


def _sinh(b: Builder, x: Operand) -> Operand:
    return b.alu("MUL", _difference(b, *_exponentials(b, x)), _like(b, 0.5, x))


def _cosh(b: Builder, x: Operand) -> Operand:
    return b.alu("MUL", _sum(b, *_exponentials(b, x)), _like(b, 0.5, x))


def _tanh(b: Builder, x: Operand) -> Operand:
    """Bound of the argument: beyond 10 the result is exactly 1, and the exponentials must stay finite."""
    limited = b.alu("MIN", b.alu("MAX", x, _like(b, -10.0, x)), _like(b, 10.0, x))
    grown, shrunk = _exponentials(b, limited)
    return b.alu("DIV", _difference(b, grown, shrunk), _sum(b, grown, shrunk))


def _asinh(b: Builder, x: Operand) -> Operand:
    magnitude = b.absolute(x)
    root = each(b, "SQRT", _sum(b, b.alu("MUL", x, x), _like(b, 1.0, x)))
    return b.alu("MUL", b.alu("SSG", x), _natural_logarithm(b, _sum(b, magnitude, root)))


def _acosh(b: Builder, x: Operand) -> Operand:
    root = each(b, "SQRT", _sum(b, b.alu("MUL", x, x), _like(b, -1.0, x)))
    return _natural_logarithm(b, _sum(b, x, root))


def _atanh(b: Builder, x: Operand) -> Operand:
    one = _like(b, 1.0, x)
    ratio = b.alu("DIV", _sum(b, one, x), _difference(b, one, x))
    return b.alu("MUL", _natural_logarithm(b, ratio), _like(b, 0.5, x))


def _is_infinite(b: Builder, x: Operand) -> Operand:
    return b.alu("FSEQ", b.absolute(x), b.immediate(*(0x7F800000,) * len(x.swizzle)))


def bits(b: Builder, x: Operand) -> Operand:
    """A float as its bits; modifiers of its sign are applied."""
    return b.shared("MOV", len(x.swizzle), (x,)) if x.negate or x.absolute else x


def _joined(b: Builder, halves: Operand) -> Operand:
    """Two 16-bit integers as one word, the first one in the low half."""
    mask = b.immediate(0xFFFF)
    low = b.alu("AND", b.select(halves, (0,)), mask)
    return b.alu("OR", low, b.alu("SHL", b.select(halves, (1,)), b.immediate(16)))


def _parted(b: Builder, word: Operand, shift: str) -> Operand:
    """The two halves of a word; ``shift`` extends them with signs or zeros."""
    both = b.vector([b.alu("SHL", word, b.immediate(16)), word])
    return b.alu(shift, both, b.immediate(16, 16))


def signed_steps(b: Builder, x: Operand, most: float) -> Operand:
    """Numbers from -1 to 1 as integers from -most to most."""
    limited = b.alu("MIN", b.alu("MAX", x, _like(b, -1.0, x)), _like(b, 1.0, x))
    return b.alu("F2I", b.alu("ROUND", b.alu("MUL", limited, _like(b, most, x))))


def unsigned_steps(b: Builder, x: Operand, most: float) -> Operand:
    """Numbers from 0 to 1 as integers from 0 to most."""
    return b.alu("F2U", b.alu("ROUND", b.alu("MUL", b.saturate(x), _like(b, most, x))))


def _unpack_signed(b: Builder, word: Operand) -> Operand:
    scaled = b.alu("MUL", b.alu("I2F", _parted(b, word, "ISHR")), number(b, 1 / 32767, 2))
    return b.alu("MIN", b.alu("MAX", scaled, number(b, -1.0, 2)), number(b, 1.0, 2))


def _unpack_unsigned(b: Builder, word: Operand) -> Operand:
    return b.alu("MUL", b.alu("U2F", _parted(b, word, "USHR")), number(b, 1 / 65535, 2))


def modulus(b: Builder, x: Operand) -> tuple[Operand, Operand]:
    """Fractional and whole part, both with the sign of x (modf)."""
    whole = b.alu("TRUNC", x)
    return _difference(b, x, whole), whole


def opcode(name: str) -> Expander:
    """The function that is an opcode."""
    return lambda b, *operands: b.alu(name, *operands)


def _clamped(least: str, greatest: str) -> Expander:
    return lambda b, x, low, high: b.alu(least, b.alu(greatest, x, low), high)


EXPANDERS: dict[str, Expander] = {
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "asinh": _asinh,
    "acosh": _acosh,
    "atanh": _atanh,
    "trunc": opcode("TRUNC"),
    "round": opcode("ROUND"),
    "roundEven": opcode("ROUND"),
    "isnan": lambda b, x: b.alu("FSNE", x, x),
    "isinf": _is_infinite,
    "floatBitsToInt": bits,
    "floatBitsToUint": bits,
    "intBitsToFloat": bits,
    "uintBitsToFloat": bits,
    "packSnorm2x16": lambda b, x: _joined(b, signed_steps(b, x, 32767.0)),
    "packUnorm2x16": lambda b, x: _joined(b, unsigned_steps(b, x, 65535.0)),
    "unpackSnorm2x16": _unpack_signed,
    "unpackUnorm2x16": _unpack_unsigned,
    "packHalf2x16": lambda b, x: _joined(b, b.alu("F2H", x)),
    "unpackHalf2x16": lambda b, x: b.alu("H2F", _parted(b, x, "USHR")),
}
INTEGER_OPCODES: dict[tuple[str, str], Expander] = {
    ("abs", "int"): opcode("IABS"),
    ("sign", "int"): opcode("ISSG"),
    ("min", "int"): opcode("IMIN"),
    ("max", "int"): opcode("IMAX"),
    ("clamp", "int"): _clamped("IMIN", "IMAX"),
    ("min", "uint"): opcode("UMIN"),
    ("max", "uint"): opcode("UMAX"),
    ("clamp", "uint"): _clamped("UMIN", "UMAX"),
}
NOT_WIDENED = ("packSnorm2x16", "packUnorm2x16", "packHalf2x16")
