"""Values of programs while they are translated, and operations on them that need no control flow."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from .kinds import (
    BIT,
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    SINGLE,
    UNSIGNED,
    WHOLE,
    WORD,
    Array,
    Function,
    Kind,
    Scalar,
    Tables,
    Tuple,
    common,
)


@dataclass(frozen=True)
class Value:
    """A value that the program computes.

    Parameters
    ----------
    kind
        Of it.
    ir
        LLVM's value; None of `NOTHING`.
    constant
        The number, if it is known.
    """

    kind: Kind
    ir: Any
    constant: int | float | None = None


@dataclass(frozen=True)
class PythonObject:
    """A Python object that the source text names: a module, a function, a class, a tuple, an array."""

    object: Any


class CannotTranslate(Exception):
    """A construct that programs do not have; the caller knows where it is."""


def constant(number: float) -> Value:
    """A number in the source text."""
    if isinstance(number, bool):
        return Value(BOOL, ir.Constant(BIT, int(number)), number)
    if isinstance(number, int):
        if not -(1 << 63) <= number < 1 << 64:
            raise CannotTranslate(f"{number} does not fit into 64 bits")
        return Value(INT if number < 1 << 63 else UNSIGNED, ir.Constant(WORD, number), number)
    return Value(FLOAT, ir.Constant(FLOAT.llvm, float(number)), number)


NONE = Value(NOTHING, None)

_WHOLE = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_FLOATING = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Operations:
    """Operations on values, as Python defines them.

    Parameters
    ----------
    builder
        LLVM's, at the place where instructions are added.
    """

    def __init__(self, builder: ir.IRBuilder) -> None:
        self.builder = builder

    def convert(self, value: Value, kind: Kind) -> Value:
        """A value as one of a kind that holds it."""
        if value.kind is kind:
            return value
        if isinstance(value.kind, Scalar) and isinstance(kind, Scalar):
            return self._convert_number(value, value.kind, kind)
        both = isinstance(value.kind, Tuple | Tables) and isinstance(kind, Tuple)
        if both and len(value.kind.members) == len(kind.members):  # type: ignore[union-attr]
            members = [self.item(value, k) for k in range(len(kind.members))]  # type: ignore[union-attr]
            return self.pack([self.convert(*each) for each in zip(members, kind.members, strict=True)], kind)  # type: ignore[union-attr,arg-type]
        if isinstance(value.kind, Array) and isinstance(kind, Array) and common([value.kind, kind]) is kind:
            return self.opened(value, kind)
        raise CannotTranslate(f"a {value.kind.name} is no {kind.name}")

    def item(self, owner: Value, k: int) -> Value:
        """Member of a tuple or of tables."""
        raise NotImplementedError

    def opened(self, array: Value, kind: Array) -> Value:
        """The same array as one of which fewer lengths are constant."""
        raise NotImplementedError

    def _convert_number(self, value: Value, old: Scalar, new: Scalar) -> Value:
        b, x = self.builder, value.ir
        if new is BOOL:
            return self.truth(value)
        if old in WHOLE:
            if value.constant is not None and new is not UNSIGNED:
                number = int(value.constant) if new is INT else float(value.constant)
                return Value(new, ir.Constant(new.llvm, number), number)
            if new in WHOLE:
                return Value(new, b.zext(x, WORD) if old is BOOL else x)
            return Value(new, b.sitofp(x, new.llvm) if old is INT else b.uitofp(x, new.llvm))
        if new in WHOLE:
            return Value(new, b.fptosi(x, WORD) if new is INT else b.fptoui(x, WORD))
        return Value(new, b.fpext(x, new.llvm) if new is FLOAT else b.fptrunc(x, new.llvm))

    def together(self, values: Sequence[Value]) -> list[Value]:
        """Some values as values of one kind."""
        kind = common([value.kind for value in values])
        if kind is None:
            raise CannotTranslate(f"{' and '.join(value.kind.name for value in values)} have no kind in common")
        return [self.convert(value, kind) for value in values]

    def truth(self, value: Value) -> Value:
        """Whether a number is not 0."""
        if value.kind is BOOL:
            return value
        if value.constant is not None:
            return constant(bool(value.constant))
        if value.kind in WHOLE:
            return Value(BOOL, self.builder.icmp_signed("!=", value.ir, ir.Constant(WORD, 0)))
        if isinstance(value.kind, Function):
            return Value(BOOL, self.builder.icmp_unsigned("!=", value.ir, ir.Constant(WORD, 0)))
        if isinstance(value.kind, Scalar):
            return Value(BOOL, self.builder.fcmp_unordered("!=", value.ir, ir.Constant(value.kind.llvm, 0.0)))
        raise CannotTranslate(f"a {value.kind.name} is neither true nor false")

    def binary(self, operator: ast.operator, left: Value, right: Value) -> Value:
        """Result of a binary operator."""
        if not (isinstance(left.kind, Scalar) and isinstance(right.kind, Scalar)):
            raise CannotTranslate(f"cannot calculate with {left.kind.name} and {right.kind.name}")
        kind = type(operator)
        if left.kind is right.kind is BOOL and kind in (ast.BitAnd, ast.BitOr, ast.BitXor):
            return Value(BOOL, getattr(self.builder, _WHOLE[kind])(left.ir, right.ir))
        left, right = self.together([left, right])
        if kind is ast.Div or left.kind in (SINGLE, FLOAT):
            return self._floating(kind, left, right)
        if left.kind is UNSIGNED:
            return self._unsigned(kind, left, right)
        left, right = self.convert(left, INT), self.convert(right, INT)
        if kind in (ast.FloorDiv, ast.Mod):
            return self._divided(kind, left, right)
        if kind not in _WHOLE:
            raise CannotTranslate(f"programs have no operator {kind.__name__}")
        return Value(INT, getattr(self.builder, _WHOLE[kind])(left.ir, right.ir))

    def _unsigned(self, kind: type[ast.operator], left: Value, right: Value) -> Value:
        name = "lshr" if kind is ast.RShift else _WHOLE.get(kind)
        if name is None:
            raise CannotTranslate(f"programs have no operator {kind.__name__} of unsigned numbers")
        return Value(UNSIGNED, getattr(self.builder, name)(left.ir, right.ir))

    def _floating(self, kind: type[ast.operator], left: Value, right: Value) -> Value:
        if kind is ast.Div and left.kind is not SINGLE:
            left, right = self.convert(left, FLOAT), self.convert(right, FLOAT)
        if kind not in _FLOATING:
            raise CannotTranslate(f"programs have no operator {kind.__name__} of floating-point numbers")
        return Value(left.kind, getattr(self.builder, _FLOATING[kind])(left.ir, right.ir))

    def _divided(self, kind: type[ast.operator], left: Value, right: Value) -> Value:
        """Quotient or remainder, rounded down; 0 where the divisor is 0."""
        b, by = self.builder, right.constant
        if isinstance(by, int) and by > 0 and by & (by - 1) == 0:
            if kind is ast.Mod:
                return Value(INT, b.and_(left.ir, ir.Constant(WORD, by - 1)))
            return Value(INT, b.ashr(left.ir, ir.Constant(WORD, by.bit_length() - 1)))
        zero, one = ir.Constant(WORD, 0), ir.Constant(WORD, 1)
        nothing = None if by else b.icmp_signed("==", right.ir, zero)
        divisor = right.ir if nothing is None else b.select(nothing, one, right.ir)
        quotient, rest = b.sdiv(left.ir, divisor), b.srem(left.ir, divisor)
        down = b.and_(
            b.icmp_signed("!=", rest, zero),
            b.icmp_signed("<", b.xor(rest, divisor), zero),
        )
        rounded = (
            b.sub(quotient, b.zext(down, WORD)) if kind is ast.FloorDiv else b.select(down, b.add(rest, divisor), rest)
        )
        return Value(INT, rounded if nothing is None else b.select(nothing, zero, rounded))

    def unary(self, operator: ast.unaryop, value: Value) -> Value:
        """Result of a unary operator."""
        if isinstance(operator, ast.Not):
            truth = self.truth(value)
            return Value(BOOL, self.builder.not_(truth.ir))
        if value.kind in (SINGLE, FLOAT):
            if isinstance(operator, ast.USub):
                return Value(value.kind, self.builder.fneg(value.ir))
            raise CannotTranslate("programs have no such operator of floating-point numbers")
        value = value if value.kind is UNSIGNED else self.convert(value, INT)
        if value.constant is not None:
            number = int(value.constant)
            return constant({ast.USub: -number, ast.Invert: ~number, ast.UAdd: number}[type(operator)])
        if isinstance(operator, ast.USub):
            return Value(value.kind, self.builder.neg(value.ir))
        return Value(value.kind, self.builder.not_(value.ir)) if isinstance(operator, ast.Invert) else value

    def compared(self, operator: ast.cmpop, left: Value, right: Value) -> Value:
        """Result of a comparison of numbers."""
        sign = _COMPARED.get(type(operator))
        left, right = self.together([left, right])
        if sign is None or not isinstance(left.kind, Scalar):
            raise CannotTranslate(f"cannot compare {left.kind.name} like this")
        if left.kind in (SINGLE, FLOAT):
            compare = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered
            return Value(BOOL, compare(sign, left.ir, right.ir))
        compare = self.builder.icmp_signed if left.kind is INT else self.builder.icmp_unsigned
        return Value(BOOL, compare(sign, left.ir, right.ir))

    def least(self, values: Sequence[Value], sign: str) -> Value:
        """The smallest (`<`) or largest (`>`) of some numbers."""
        best, *others = self.together(values)
        for other in others:
            if best.kind in (SINGLE, FLOAT):
                better = self.builder.fcmp_ordered(sign, other.ir, best.ir)
            else:
                better = self.compared({"<": ast.Lt, ">": ast.Gt}[sign](), other, best).ir
            best = Value(best.kind, self.builder.select(better, other.ir, best.ir))
        return best

    def pack(self, members: Sequence[Value], kind: Tuple) -> Value:
        """A tuple of values, which are of the kinds of its members."""
        packed = ir.Constant(kind.llvm, ir.Undefined)
        for k, member in enumerate(members):
            packed = self.builder.insert_value(packed, member.ir, k)
        return Value(kind, packed)

    def member(self, value: Value, k: int) -> Value:
        """A member of a tuple."""
        assert isinstance(value.kind, Tuple)
        return Value(value.kind.members[k], self.builder.extract_value(value.ir, k))
