"""Vector code of the opcodes on fields of bits, wide products and exponents."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from .vectors import BOOL, LONG, Value, Vectors

Operation = Callable[..., Value]
EXPONENTS = 300
"""Powers of 2 up to this one make any float 0 or infinite, and are doubles."""


def _wide(v: Vectors, value: int) -> Value:
    """A constant of 64 bits in all lanes."""
    return ir.Constant(ir.VectorType(LONG, v.width), [ir.Constant(LONG, value)] * v.width)


def _upper_half(signed: bool) -> Operation:
    def multiply(v: Vectors, a: Value, b: Value) -> Value:
        builder = v.builder
        wide = ir.VectorType(LONG, v.width)
        widened = builder.sext if signed else builder.zext
        product = builder.mul(widened(v.to_ints(a), wide), widened(v.to_ints(b), wide))
        return v.to_floats(builder.trunc(builder.lshr(product, _wide(v, 32)), v.ints))

    return multiply


def _extracted(shift: str) -> Operation:
    """A field of bits, filled as ``shift`` fills; 0 if it has no bits."""

    def extract(v: Vectors, a: Value, first: Value, count: Value) -> Value:
        b = v.builder
        offset, bits = (b.and_(v.to_ints(x), v.integer(31)) for x in (first, count))
        room = b.sub(v.integer(32), b.add(offset, bits))
        empty = b.icmp_signed("==", bits, v.integer(0))
        # Shifting by 32, as without bits, has no meaning.
        unshifted = b.or_(empty, b.icmp_signed("<", room, v.integer(0)))
        above = b.select(unshifted, v.integer(0), room)
        field = getattr(b, shift)(b.shl(v.to_ints(a), above), b.add(above, offset))
        return v.to_floats(b.select(empty, v.integer(0), field))

    return extract


def _inserted(v: Vectors, a: Value, inserted: Value, first: Value, count: Value) -> Value:
    b = v.builder
    offset, bits = (b.and_(v.to_ints(x), v.integer(31)) for x in (first, count))
    mask = b.shl(b.sub(b.shl(v.integer(1), bits), v.integer(1)), offset)
    kept = b.and_(v.to_ints(a), b.xor(mask, v.integer(-1)))
    return v.to_floats(b.or_(kept, b.and_(b.shl(v.to_ints(inserted), offset), mask)))


def _intrinsic(name: str) -> Operation:
    return lambda v, a: v.to_floats(v.call(name, v.to_ints(a), of=v.ints))


def _highest(v: Vectors, bits: Value) -> Value:
    zeros = v.intrinsic(f"llvm.ctlz.v{v.width}i32", v.ints, bits, ir.Constant(BOOL, 0))
    return v.to_floats(v.builder.sub(v.integer(31), zeros))


def _lowest(v: Vectors, a: Value) -> Value:
    bits = v.to_ints(a)
    return _highest(v, v.builder.and_(bits, v.builder.sub(v.integer(0), bits)))


def _highest_unlike_sign(v: Vectors, a: Value) -> Value:
    bits = v.to_ints(a)
    return _highest(v, v.builder.xor(bits, v.builder.ashr(bits, v.integer(31))))


def _scaled(v: Vectors, a: Value, exponent: Value) -> Value:
    """In double precision, where neither factor nor product overflows: rounded once."""
    b = v.builder
    limited = v.call("smax", v.to_ints(exponent), v.integer(-EXPONENTS), of=v.ints)
    limited = v.call("smin", limited, v.integer(EXPONENTS), of=v.ints)
    biased = b.zext(b.add(limited, v.integer(1023)), ir.VectorType(LONG, v.width))
    power = b.bitcast(b.shl(biased, _wide(v, 52)), v.doubles)
    return b.fptrunc(b.fmul(b.fpext(a, v.doubles), power), v.floats)


OPERATIONS: dict[str, Operation] = {
    "IBFE": _extracted("ashr"),
    "UBFE": _extracted("lshr"),
    "BFI": _inserted,
    "BREV": _intrinsic("bitreverse"),
    "POPC": _intrinsic("ctpop"),
    "LSB": _lowest,
    "IMSB": _highest_unlike_sign,
    "UMSB": lambda v, a: _highest(v, v.to_ints(a)),
    "IMUL_HI": _upper_half(True),
    "UMUL_HI": _upper_half(False),
    "LDEXP": _scaled,
}
