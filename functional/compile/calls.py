"""Calls in programs: of other functions, and of the built-in ones."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from llvmlite import ir

from .builtins import METHODS, NUMBERS, OBJECTS
from .expressions import NAMED_TUPLE, Expressions
from .kinds import INT, NOTHING, WORD, Array, Function, Scalar
from .native import NO_MEMORY
from .parts import Part
from .values import NONE, CannotTranslate, PythonObject, Value


class Calls(Expressions):
    """Calls in one function."""

    def _Call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise CannotTranslate("programs pass arguments by position")
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            owner = self.translate(node.func.value)
            if isinstance(owner, Value) and isinstance(owner.kind, Array | Scalar):
                return METHODS[node.func.attr](self, owner, *[self.translate(each) for each in node.args])
        called = self.translate(node.func)
        if isinstance(called, Value) and isinstance(called.kind, Function):
            return self._call_apart(called, called.kind, self.spread(node.args))
        if isinstance(called, Value):
            raise CannotTranslate(f"a {called.kind.name} cannot be called")
        translated = self._arguments(node)
        builtin = OBJECTS.get(called.object) if getattr(called.object, "__hash__", None) else None
        if builtin is not None:
            return builtin(self, *translated)
        arguments = [each if isinstance(each, Value) else self.value_of(each) for each in translated]
        self.functions.at(node)
        return self._called(called.object, arguments)

    def _call_apart(self, function: Value, kind: Function, arguments: Sequence[Value]) -> Value:
        """Result of a function that was compiled apart."""
        values = [self.convert(each, INT).ir for each in arguments]
        prototype = ir.FunctionType(kind.result.llvm, [WORD] * len(values))
        returned = self.builder.call(self.builder.inttoptr(function.ir, prototype.as_pointer()), values)
        if kind.result is NOTHING:
            return NONE
        self.fail_if(self.builder.icmp_signed("==", returned, ir.Constant(WORD, NO_MEMORY)))
        return Value(INT, returned)

    def _arguments(self, node: ast.Call) -> list[Value | PythonObject]:
        arguments: list[Value | PythonObject] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                arguments.extend(self.members(each.value))
            else:
                arguments.append(self.translate(each))
        return arguments

    def _called(self, function: Any, arguments: Sequence[Value]) -> Value:
        if isinstance(function, type) and hasattr(function, NAMED_TUPLE):
            names = getattr(function, NAMED_TUPLE)
            if len(arguments) != len(names):
                raise CannotTranslate(f"{function.__name__} has {len(names)} members")
            return self.tupled(arguments, names)
        builtin = NUMBERS.get(function) if getattr(function, "__hash__", None) else None
        if builtin is not None:
            return builtin(self, *arguments)
        text = getattr(function, "py_func", function)
        if not isinstance(text, FunctionType):
            raise CannotTranslate(f"{getattr(function, '__name__', function)} is no part of a program")
        defaults = text.__defaults__ or ()
        missing = text.__code__.co_argcount - len(arguments)
        if 0 < missing <= len(defaults):
            arguments = [*arguments, *(self.value_of(PythonObject(each)) for each in defaults[-missing:])]
        return self.call(text, arguments, isinstance(function, Part) and function.inlined)

    def call(self, function: FunctionType, arguments: Sequence[Value], inlined: bool) -> Value:
        """Result of another function."""
        raise NotImplementedError

    def fail_if(self, condition: Any) -> None:
        """End the function as failed if a bit is set."""
        raise NotImplementedError
