"""Vectors of lanes in LLVM IR: types, constants, and basic operations."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

from llvmlite import ir

FLOAT, INT, BOOL, LONG, BYTE = ir.FloatType(), ir.IntType(32), ir.IntType(1), ir.IntType(64), ir.IntType(8)
DOUBLE, SHORT, HALF = ir.DoubleType(), ir.IntType(16), ir.HalfType()
Value = Any


class Literal(ir.Constant):  # type: ignore[misc]
    """A constant as LLVM's assembly language writes it, as short as that allows: `ir.Constant` spells out every element
    of a vector, and most of a module's text would be those."""

    def __init__(self, kind: ir.Type, text: str) -> None:
        self.type, self._text = kind, text

    def get_reference(self) -> str:
        """The constant without its type."""
        return self._text

    def __str__(self) -> str:
        return f"{self.type} {self._text}"


@lru_cache(maxsize=4096)
def integers(values: tuple[int, ...]) -> Value:
    """A constant vector; making one takes longer than most instructions."""
    return ir.Constant(ir.VectorType(INT, len(values)), [ir.Constant(INT, value) for value in values])


@lru_cache(maxsize=4096)
def repeated(value: int, width: int) -> Value:
    """A constant vector of one integer."""
    return Literal(ir.VectorType(INT, width), f"splat (i32 {value})")


@lru_cache(maxsize=4096)
def repeated_bits(pattern: int, width: int) -> Value:
    """A constant vector of one float, by its bits."""
    of = repeated(pattern, width)
    floats = ir.VectorType(FLOAT, width)
    return Literal(floats, f"bitcast ({of} to {floats})")


def undefined(kind: ir.Type) -> Value:
    """Any value of a type."""
    return Literal(kind, "undef")


class Vectors:
    """Emits operations on vectors of ``width`` lanes at the end of a block.

    Floats and integers are the same 32 bits; values are float vectors unless a method says otherwise.

    Parameters
    ----------
    builder
        Where instructions go.
    width : int
        Lanes: a multiple of 4, whole quads, or one per quad.

    Attributes
    ----------
    floats, ints, doubles, flags
        Types of vectors.
    numbers
        The number of each lane, an integer.
    """

    def __init__(self, builder: ir.IRBuilder, width: int) -> None:
        self.builder = builder
        self.width = width
        self.floats = ir.VectorType(FLOAT, width)
        self.ints = ir.VectorType(INT, width)
        self.doubles = ir.VectorType(DOUBLE, width)
        self.flags = ir.VectorType(BOOL, width)
        self.numbers = integers(tuple(range(width)))

    def number(self, value: float) -> Value:
        """A float in all lanes."""
        return self.bits(struct.unpack("<I", struct.pack("<f", value))[0])

    def bits(self, pattern: int) -> Value:
        """A bit pattern in all lanes, as a float."""
        return repeated_bits(pattern & 0xFFFFFFFF, self.width)

    def integer(self, value: int) -> Value:
        """An integer in all lanes."""
        return repeated(value & 0xFFFFFFFF, self.width)

    def double(self, value: float) -> Value:
        """A double in all lanes."""
        return ir.Constant(self.doubles, [ir.Constant(DOUBLE, value)] * self.width)

    def to_ints(self, value: Value) -> Value:
        """The same bits as integers."""
        return self.builder.bitcast(value, self.ints)

    def to_floats(self, value: Value) -> Value:
        """The same bits as floats."""
        return self.builder.bitcast(value, self.floats)

    def mask(self, condition: Value) -> Value:
        """All bits where a condition holds, none elsewhere."""
        return self.to_floats(self.builder.sext(condition, self.ints))

    def splat(self, scalar: Value) -> Value:
        """A scalar float in all lanes."""
        empty = undefined(self.floats)
        first = self.builder.insert_element(empty, scalar, ir.Constant(INT, 0))
        return self.builder.shuffle_vector(first, empty, integers((0,) * self.width))

    def splat_integer(self, scalar: Value) -> Value:
        """A scalar integer in all lanes."""
        return self.to_ints(self.splat(self.builder.bitcast(scalar, FLOAT)))

    def flag(self, value: bool) -> Value:
        """A condition that holds in all lanes, or in none."""
        return Literal(self.flags, f"splat (i1 {int(value)})")

    def of_quad(self, value: Value, lane: int) -> Value:
        """One lane of each quad, in all lanes of it."""
        order = integers(tuple(4 * (i // 4) + lane for i in range(self.width)))
        return self.builder.shuffle_vector(value, undefined(self.floats), order)

    def quads(self) -> Vectors:
        """Vectors of one lane per quad."""
        return Vectors(self.builder, self.width // 4)

    def taken_of_quads(self, value: Value, lane: int) -> Value:
        """One lane of each quad, for `quads`."""
        return self.builder.shuffle_vector(value, undefined(self.floats), integers(tuple(range(lane, self.width, 4))))

    def given_to_quads(self, value: Value) -> Value:
        """A value of `quads`, in all lanes of each."""
        order = integers(tuple(lane // 4 for lane in range(self.width)))
        return self.builder.shuffle_vector(value, undefined(value.type), order)

    def call(self, name: str, *operands: Value, of: Value = None) -> Value:
        """An LLVM intrinsic on whole vectors (float vectors unless ``of`` is another type), e.g. "floor"."""
        kind = self.floats if of is None else of
        letter = {FLOAT: "f32", DOUBLE: "f64", INT: "i32"}[kind.element]
        return self.intrinsic(f"llvm.{name}.v{self.width}{letter}", kind, *operands)

    def intrinsic(self, name: str, result: ir.Type, *operands: Value) -> Value:
        """A call of a function that LLVM knows by its name."""
        module, kind = self.builder.module, ir.FunctionType(result, [operand.type for operand in operands])
        return self.builder.call(module.globals.get(name) or ir.Function(module, kind, name), operands)

    def is_nan(self, value: Value) -> Value:
        """Mask of the lanes whose value is NaN."""
        return self.builder.fcmp_unordered("uno", value, value)

    def polynomial(self, x: Value, *coefficients: float) -> Value:
        """A polynomial by Horner's rule, highest power first."""
        b = self.builder
        total = self.number(coefficients[0])
        for coefficient in coefficients[1:]:
            total = b.fadd(b.fmul(total, x), self.number(coefficient))
        return total
