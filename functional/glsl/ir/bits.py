"""Results of the opcodes on fields of bits, wide products and exponents, as `semantics` has those of the others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def _extracted(a: Array, first: Array, count: Array) -> Array:
    """A field of bits, extended as numbers of its type are; 0 if it has no bits."""
    first, count = first & 31, count & 31
    above = 32 - np.minimum(first + count, 32)
    field = a << np.minimum(above, 31) >> np.minimum(above + first, 31)
    return np.where(count == 0, np.zeros_like(a), field)


def _inserted(a: Array, b: Array, first: Array, count: Array) -> Array:
    mask = ((np.int32(1) << (count & 31)) - np.int32(1)) << (first & 31)
    return np.asarray(a & ~mask | b << (first & 31) & mask)


def _halves(bits: Array, distance: int, mask: int) -> tuple[Array, Array]:
    """Of every group of twice ``distance`` bits, the upper and the lower half, both at the place of the lower."""
    return bits >> np.uint32(distance) & np.uint32(mask), bits & np.uint32(mask)


_GROUPS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF), (16, 0x0000FFFF))


def _reversed(a: Array) -> Array:
    bits = a.view(np.uint32)
    for distance, mask in _GROUPS:
        upper, lower = _halves(bits, distance, mask)
        bits = upper | lower << np.uint32(distance)
    return bits.view(np.int32)


def _counted(a: Array) -> Array:
    bits = a.view(np.uint32)
    for distance, mask in _GROUPS:
        upper, lower = _halves(bits, distance, mask)
        bits = upper + lower
    return bits.view(np.int32)


def _highest(a: Array) -> Array:
    """Number of the highest bit that is set, from the exponent of the number as a double; -1 for 0."""
    return np.asarray(np.frexp(a.view(np.uint32).astype(np.float64))[1].astype(np.int32) - np.int32(1))


def _upper_half(of: Any, wide: Any) -> Callable[[Array, Array], Array]:
    def multiply(a: Array, b: Array) -> Array:
        product = a.view(of).astype(wide) * b.view(of).astype(wide)
        return np.asarray((product >> wide(32)).astype(of).view(np.int32))

    return multiply


def _scaled(a: Array, exponent: Array) -> Array:
    """In double precision, where neither factor nor product overflows: rounded once."""
    wide = np.ldexp(a.view(np.float32).astype(np.float64), np.clip(exponent, -300, 300))
    return np.asarray(wide.astype(np.float32))


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "IBFE": _extracted,
    "UBFE": lambda a, b, c: _extracted(a.view(np.uint32), b.view(np.uint32), c.view(np.uint32)),
    "BFI": _inserted,
    "BREV": _reversed,
    "POPC": _counted,
    "LSB": lambda a: _highest(a & -a),
    "IMSB": lambda a: _highest(a ^ a >> 31),
    "UMSB": _highest,
    "IMUL_HI": _upper_half(np.int32, np.int64),
    "UMUL_HI": _upper_half(np.uint32, np.uint64),
    "LDEXP": _scaled,
}
