"""Results of the arithmetic opcodes, as plain numpy functions on arrays of equal length.

Used to fold constants, and as the reference for back ends. Registers hold 32 bits; the functions take and
return float32 or int32 arrays according to the opcode's kind; comparisons return int32 masks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import bits
from .opcodes import OPCODES

Array = NDArray[Any]


def _mask(values: Array) -> Array:
    return -values.astype(np.int32)


def _unsigned(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    return lambda a, b: np.asarray(function(a.view(np.uint32), b.view(np.uint32)))


def _guarded(function: Callable[[Array, Array], Array], at_zero: int) -> Callable[[Array, Array], Array]:
    def divide(a: Array, b: Array) -> Array:
        safe = np.where(b == 0, np.ones_like(b), b)
        return np.where(b == 0, np.array(at_zero).astype(b.dtype), function(a, safe))

    return divide


def _quotient(a: Array, b: Array) -> Array:
    wide = a.astype(np.int64), b.astype(np.int64)
    magnitude = np.abs(wide[0]) // np.abs(wide[1])
    return np.asarray((magnitude * np.sign(wide[0]) * np.sign(wide[1])).astype(np.int32))


def to_int(values: Array) -> Array:
    """float32 to int32 towards zero; values that do not fit become the least integer."""
    wide = np.trunc(values.astype(np.float64))
    fits = (wide >= -(2.0**31)) & (wide < 2.0**31)
    return np.where(fits, wide, -(2.0**31)).astype(np.int64).astype(np.int32)


def to_unsigned(values: Array) -> Array:
    """float32 to uint32 bits towards zero, clamped to the range."""
    wide = np.trunc(np.nan_to_num(values.astype(np.float64), nan=0.0))
    return np.clip(wide, 0.0, 4294967295.0).astype(np.uint32).view(np.int32)


FUNCTIONS: dict[str, Callable[..., Array]] = {
    **bits.FUNCTIONS,
    "MOV": lambda a: a,
    "ADD": np.add,
    "MUL": np.multiply,
    "MAD": lambda a, b, c: a * b + c,
    "DIV": np.divide,
    "MIN": np.fmin,
    "MAX": np.fmax,
    "LRP": lambda a, b, c: a * (b - c) + c,
    "FLR": np.floor,
    "CEIL": np.ceil,
    "TRUNC": np.trunc,
    "ROUND": np.rint,
    "FRC": lambda a: a - np.floor(a),
    "SSG": np.sign,
    "SLT": lambda a, b: (a < b).astype(np.float32),
    "SGE": lambda a, b: (a >= b).astype(np.float32),
    "FSLT": lambda a, b: _mask(a < b),
    "FSGE": lambda a, b: _mask(a >= b),
    "FSEQ": lambda a, b: _mask(a == b),
    "FSNE": lambda a, b: _mask(a != b),
    "RCP": lambda a: np.float32(1) / a,
    "RSQ": lambda a: np.float32(1) / np.sqrt(a),
    "SQRT": np.sqrt,
    "EX2": np.exp2,
    "LG2": np.log2,
    "POW": np.power,
    "SIN": np.sin,
    "COS": np.cos,
    "F2I": to_int,
    "F2U": to_unsigned,
    "I2F": lambda a: a.astype(np.float32),
    "U2F": lambda a: a.view(np.uint32).astype(np.float32),
    "F2H": lambda a: a.astype(np.float16).view(np.uint16).astype(np.int32),
    "H2F": lambda a: a.astype(np.uint16).view(np.float16).astype(np.float32),
    "UADD": np.add,
    "UMUL": np.multiply,
    "INEG": np.negative,
    "IABS": np.abs,
    "ISSG": np.sign,
    "IDIV": _guarded(_quotient, 0),
    "UDIV": _unsigned(_guarded(np.floor_divide, -1)),
    "MOD": _guarded(lambda a, b: a - _quotient(a, b) * b, -1),
    "UMOD": _unsigned(_guarded(np.remainder, -1)),
    "IMIN": np.minimum,
    "IMAX": np.maximum,
    "UMIN": _unsigned(np.minimum),
    "UMAX": _unsigned(np.maximum),
    "ISLT": lambda a, b: _mask(a < b),
    "ISGE": lambda a, b: _mask(a >= b),
    "USLT": _unsigned(lambda a, b: _mask(a < b)),
    "USGE": _unsigned(lambda a, b: _mask(a >= b)),
    "USEQ": lambda a, b: _mask(a == b),
    "USNE": lambda a, b: _mask(a != b),
    "SHL": lambda a, b: a << (b & 31),
    "ISHR": lambda a, b: a >> (b & 31),
    "USHR": _unsigned(lambda a, b: a >> (b & np.uint32(31))),
    "AND": np.bitwise_and,
    "OR": np.bitwise_or,
    "XOR": np.bitwise_xor,
    "NOT": np.invert,
    "UCMP": lambda a, b, c: np.asarray(np.where(a.view(np.int32) != 0, b, c)),
}


def evaluate(opcode: str, operands: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Apply a component-wise, replicating or dot opcode to constants.

    Parameters
    ----------
    opcode : str
        An opcode of the instruction set that is not a texture, flow or derivative operation.
    operands : list of tuple of int
        Components as 32-bit patterns, all of the same count.

    Returns
    -------
    tuple of int
        The result's components as 32-bit patterns (one for dot products).
    """
    info = OPCODES[opcode]
    dtype: Any = np.int32 if info.kind == "int" else np.float32
    arrays = [np.array(bits, dtype=np.uint32).view(dtype) for bits in operands]
    with np.errstate(all="ignore"):
        if info.shape.startswith("dot"):
            products = arrays[0] * arrays[1]
            total = products[0]
            for product in products[1:]:
                total = total + product
            result = np.array([total], dtype=np.float32)
        else:
            result = np.asarray(FUNCTIONS[opcode](*arrays))
    return tuple(int(bits) for bits in result.view(np.uint32))
