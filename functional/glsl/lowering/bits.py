"""Built-in functions of ESSL 3.10 on bits, wide numbers and exponents (sections 8.3, 8.4 and 8.8)."""

from collections.abc import Callable

from ..ssa import Builder, Operand
from .numeric import Expander, bits, modulus, number, opcode, signed_steps, unsigned_steps

BYTE_SHIFTS = (0, 8, 16, 24)
MANTISSA_BITS = 23
HALF, SIGN_AND_FRACTION, INFINITE_EXPONENT = 0x3F000000, 0x807FFFFF, 255
LEAST_NORMAL = 2.0**-126


def _integer(b: Builder, value: int, like: Operand) -> Operand:
    return b.immediate(*(value & 0xFFFFFFFF,) * len(like.swizzle))


def _extract(opcode: str) -> Expander:
    """A field of bits; the opcode counts modulo 32, so that it cannot extract all of them."""

    def expand(b: Builder, value: Operand, offset: Operand, count: Operand) -> Operand:
        whole = b.alu("USEQ", count, _integer(b, 32, count))
        return b.alu("UCMP", whole, value, b.alu(opcode, value, offset, count))

    return expand


def _insert(b: Builder, base: Operand, inserted: Operand, offset: Operand, count: Operand) -> Operand:
    whole = b.alu("USEQ", count, _integer(b, 32, count))
    return b.alu("UCMP", whole, inserted, b.alu("BFI", base, inserted, offset, count))


def _pack(b: Builder, whole: Operand) -> Operand:
    """Four integers as the bytes of a word, the first one lowest."""
    parts = b.alu("SHL", b.alu("AND", whole, b.immediate(*(255,) * 4)), b.immediate(*BYTE_SHIFTS))
    x, y, z, w = (b.select(parts, (i,)) for i in range(4))
    return b.alu("OR", b.alu("OR", x, y), b.alu("OR", z, w))


def _unpack_signed(b: Builder, word: Operand) -> Operand:
    upmost = b.alu("SHL", b.select(word, (0,) * 4), b.immediate(*BYTE_SHIFTS[::-1]))
    scaled = b.alu("DIV", b.alu("I2F", b.alu("ISHR", upmost, b.immediate(*(24,) * 4))), number(b, 127.0, 4))
    return b.alu("MAX", scaled, number(b, -1.0, 4))


def _unpack_unsigned(b: Builder, word: Operand) -> Operand:
    shifted = b.alu("USHR", b.select(word, (0,) * 4), b.immediate(*BYTE_SHIFTS))
    return b.alu("DIV", b.alu("U2F", b.alu("AND", shifted, b.immediate(*(255,) * 4))), number(b, 255.0, 4))


EXPANDERS: dict[str, Expander] = {
    "ldexp": opcode("LDEXP"),
    "fma": lambda b, x, y, z: b.alu("ADD", b.alu("MUL", x, y), z),
    "packSnorm4x8": lambda b, x: _pack(b, signed_steps(b, x, 127.0)),
    "packUnorm4x8": lambda b, x: _pack(b, unsigned_steps(b, x, 255.0)),
    "unpackSnorm4x8": _unpack_signed,
    "unpackUnorm4x8": _unpack_unsigned,
    "bitfieldInsert": _insert,
    "bitfieldReverse": opcode("BREV"),
    "bitCount": opcode("POPC"),
    "findLSB": opcode("LSB"),
}
INTEGER_OPCODES: dict[tuple[str, str], Expander] = {
    ("bitfieldExtract", "int"): _extract("IBFE"),
    ("bitfieldExtract", "uint"): _extract("UBFE"),
    ("findMSB", "int"): opcode("IMSB"),
    ("findMSB", "uint"): opcode("UMSB"),
}


def _significand_and_exponent(b: Builder, x: Operand) -> tuple[Operand, Operand]:
    """Zero, infinity and NaN are their own significand, with the exponent 0."""
    scale = number(b, 2.0**MANTISSA_BITS, len(x.swizzle))
    subnormal = b.alu("FSLT", b.absolute(x), number(b, LEAST_NORMAL, len(x.swizzle)))
    normal = b.alu("UCMP", subnormal, b.alu("MUL", x, scale), x)
    pattern = bits(b, normal)
    field = b.alu("AND", b.alu("USHR", pattern, _integer(b, MANTISSA_BITS, x)), _integer(b, 255, x))
    bias = b.alu("UCMP", subnormal, _integer(b, -126 - MANTISSA_BITS, x), _integer(b, -126, x))
    number_itself = b.alu("AND", pattern, _integer(b, SIGN_AND_FRACTION, x))
    significand = b.alu("OR", number_itself, _integer(b, HALF, x))
    plain = b.alu(
        "AND",
        b.alu("FSNE", normal, number(b, 0.0, len(x.swizzle))),
        b.alu("USNE", field, _integer(b, INFINITE_EXPONENT, x)),
    )
    exponent = b.alu("AND", plain, b.alu("UADD", field, bias))
    return b.alu("UCMP", plain, significand, x), exponent


def _sum_and_carry(b: Builder, x: Operand, y: Operand) -> tuple[Operand, Operand]:
    total = b.alu("UADD", x, y)
    return total, b.alu("AND", b.alu("USLT", total, x), _integer(b, 1, x))


def _difference_and_borrow(b: Builder, x: Operand, y: Operand) -> tuple[Operand, Operand]:
    return b.alu("UADD", x, b.alu("INEG", y)), b.alu("AND", b.alu("USLT", x, y), _integer(b, 1, x))


def _product(opcode: str) -> Callable[..., tuple[Operand, ...]]:
    return lambda b, x, y: (b.alu(opcode, x, y), b.alu("UMUL", x, y))


WRITING: dict[str, Callable[..., tuple[Operand, ...]]] = {
    "modf": modulus,
    "frexp": _significand_and_exponent,
    "uaddCarry": _sum_and_carry,
    "usubBorrow": _difference_and_borrow,
    "umulExtended": _product("UMUL_HI"),
    "imulExtended": _product("IMUL_HI"),
}
"""Functions that write arguments: all results, the function's own first where it has one."""
