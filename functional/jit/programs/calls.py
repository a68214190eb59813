"""Calls in programs: of other functions, of what Python and numpy have for numbers, of LLVM's own functions."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir

from .expressions import NAMED_TUPLE, Expressions
from .kinds import BIT, BOOL, FLOAT, HALF_WORD, INT, SINGLE, WORD, Scalar
from .parts import Part, lowest_bit
from .values import CannotTranslate, PythonObject, Value, constant


class Calls(Expressions):
    """Calls in one function."""

    def _Call(self, node: ast.Call) -> Value:
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise CannotTranslate("programs pass arguments by position")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "view":
            return self._bits(self.value(node.func.value))
        called = self.translate(node.func)
        if isinstance(called, Value):
            raise CannotTranslate(f"a {called.kind.name} cannot be called")
        translated = [self.translate(each) for each in node.args]
        if called.object is len and isinstance(translated[0], PythonObject):
            return constant(len(translated[0].object))
        arguments = [each if isinstance(each, Value) else self.value_of(each) for each in translated]
        self.functions.at(node)
        return self._called(called.object, arguments)

    def _bits(self, value: Value) -> Value:
        """The bits of a float32 as an integer: `value.view(numpy.int32)`."""
        if value.kind is not SINGLE:
            raise CannotTranslate(f"programs have no view of {value.kind.name}")
        return Value(INT, self.builder.sext(self.builder.bitcast(value.ir, HALF_WORD), WORD))

    def _called(self, function: Any, arguments: Sequence[Value]) -> Value:
        if isinstance(function, type) and hasattr(function, NAMED_TUPLE):
            names = getattr(function, NAMED_TUPLE)
            if len(arguments) != len(names):
                raise CannotTranslate(f"{function.__name__} has {len(names)} members")
            return self.tupled(arguments, names)
        builtin = BUILTINS.get(function) if getattr(function, "__hash__", None) else None
        if builtin is not None:
            return builtin(self, *arguments)
        text = getattr(function, "py_func", function)
        if not isinstance(text, FunctionType):
            raise CannotTranslate(f"{getattr(function, '__name__', function)} is no part of a program")
        options = getattr(function, "targetoptions", {})
        inlined = function.inlined if isinstance(function, Part) else bool(options.get("forceinline"))
        return self.functions.call(self.builder, text, arguments, inlined)


def _number(kind: Scalar) -> Callable[[Calls, Value], Value]:
    return lambda body, value: body.convert(value, kind)


def _short(body: Calls, value: Value) -> Value:
    return Value(INT, body.builder.sext(body.builder.trunc(body.convert(value, INT).ir, HALF_WORD), WORD))


def _bit(body: Calls, mask: Value) -> Value:
    return body.intrinsic("llvm.cttz.i64", INT, [body.convert(mask, INT).ir, ir.Constant(BIT, 1)])


def _root(body: Calls, value: Value) -> Value:
    return body.intrinsic("llvm.sqrt.f64", FLOAT, [body.convert(value, FLOAT).ir])


def _floor(body: Calls, value: Value) -> Value:
    return body.intrinsic("llvm.floor.f64", FLOAT, [body.convert(value, FLOAT).ir])


def _magnitude(body: Calls, value: Value) -> Value:
    return body.least([value, body.unary(ast.USub(), value)], ">")


def _extreme(sign: str) -> Callable[..., Value]:
    return lambda body, *values: body.least(values, sign)


BUILTINS: dict[Any, Callable[..., Value]] = {
    int: _number(INT),
    float: _number(FLOAT),
    bool: _number(BOOL),
    len: lambda body, array: body.length(array),
    min: _extreme("<"),
    max: _extreme(">"),
    abs: _magnitude,
    math.sqrt: _root,
    np.floor: _floor,
    lowest_bit: _bit,
    np.int64: _number(INT),
    np.int32: _short,
    np.float32: _number(SINGLE),
    np.float64: _number(FLOAT),
}
"""Functions that are no parts, with what makes their code."""
