"""Functions of a program: each is translated once for all calls with arguments of the same kinds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir

from ..errors import UserError
from .kinds import BYTE, NOTHING, POINTER, WORD, Kind
from .outline import Outline, OutlineChanged
from .parts import definition, names_of
from .statements import Statements
from .values import CannotTranslate, Value


class ProgramError(UserError):
    """A part of a program says what programs do not have; names its file and line."""


class Translated(NamedTuple):
    """A function in LLVM's code, the kind of its result, and whether it may fail: then a bit that says so comes before
    the result. One that hands on arrays takes the address of its caller's memory after its other arguments."""

    function: ir.Function
    result: Kind
    fails: bool
    hands_on: bool


class Functions:
    """Functions of one module of LLVM.

    Parameters
    ----------
    module
        Where they are added.
    """

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self._translated: dict[tuple[Any, tuple[Kind, ...]], Translated] = {}
        self._stored: dict[bytes, ir.GlobalVariable] = {}
        self._free_all: ir.Function | None = None
        self._node: ast.AST | None = None

    def at(self, node: ast.AST) -> None:
        """Note which part of the text is being translated."""
        self._node = node

    def translated(self, function: Callable[..., Any], kinds: tuple[Kind, ...], inlined: bool = False) -> Translated:
        """A function for arguments of some kinds.

        Raises
        ------
        ProgramError
            If its text says something that programs do not have.
        """
        key, node = (function, kinds), self._node
        if key not in self._translated:
            self._translated[key] = self._translate(function, kinds, inlined)
        self._node = node
        return self._translated[key]

    def stored(self, array: np.ndarray[Any, Any]) -> ir.Value:
        """Address of a constant array."""
        content = np.ascontiguousarray(array).tobytes()
        if content not in self._stored:
            kind = ir.ArrayType(BYTE, len(content))
            variable = ir.GlobalVariable(self.module, kind, f"constant.{len(self._stored)}")
            variable.initializer = ir.Constant(kind, bytearray(content))
            variable.global_constant, variable.linkage, variable.align = True, "internal", 16
            self._stored[content] = variable
        return self._stored[content]

    def malloc(self, builder: ir.IRBuilder, size_bytes: ir.Value) -> ir.Value:
        """Memory of the C library; null if there is none."""
        return builder.call(self._native("malloc", POINTER, [WORD]), [size_bytes])

    def free(self, builder: ir.IRBuilder, pointer: ir.Value) -> None:
        """Free such memory."""
        builder.call(self._native("free", ir.VoidType(), [POINTER]), [pointer])

    def free_all(self, builder: ir.IRBuilder, first: ir.Value) -> None:
        """Free memory and all that it is chained to: each begins with the address of the next one."""
        if self._free_all is None:
            self._free_all = self._made_free_all()
        builder.call(self._free_all, [first])

    def _native(self, name: str, result: ir.Type, parameters: list[ir.Type]) -> ir.Function:
        function = self.module.globals.get(name)
        return function or ir.Function(self.module, ir.FunctionType(result, parameters), name)

    def _made_free_all(self) -> ir.Function:
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [POINTER]), "free_all")
        function.linkage = "internal"
        start, test, body, end = (function.append_basic_block() for _ in range(4))
        builder = ir.IRBuilder(start)
        builder.branch(test)
        builder.position_at_end(test)
        at = builder.phi(POINTER)
        at.add_incoming(function.args[0], start)
        builder.cbranch(builder.icmp_unsigned("==", at, ir.Constant(POINTER, None)), end, body)
        builder.position_at_end(body)
        at.add_incoming(builder.load(at, typ=POINTER), body)
        self.free(builder, at)
        builder.branch(test)
        builder.position_at_end(end)
        builder.ret_void()
        return function

    def _translate(self, function: Callable[..., Any], kinds: tuple[Kind, ...], inlined: bool) -> Translated:
        outline = Outline()
        try:
            node = definition(function)
            names = [each.arg for each in node.args.args]
            if len(names) != len(kinds):
                raise CannotTranslate(f"{function.__name__} takes {len(names)} arguments, not {len(kinds)}")
            while True:
                made = ir.Function(
                    self.module, _type(kinds, NOTHING.llvm, outline), self.module.get_unique_name(function.__name__)
                )
                made.linkage = "internal"
                made.attributes.add("nounwind")
                if inlined:
                    made.attributes.add("alwaysinline")
                try:
                    self._fill(made, function, node, outline, kinds)
                    changed = outline.unfinished
                except OutlineChanged:
                    changed = True
                if changed:
                    del self.module.globals[made.name]
                    outline.unfinished = False
                    continue
                _returns(made, _type(kinds, outline.returned, outline))
                return Translated(made, outline.kinds["return"], outline.fails, outline.hands_on)
        except CannotTranslate as problem:
            line = getattr(self._node, "lineno", function.__code__.co_firstlineno)
            raise ProgramError(f"{function.__code__.co_filename}:{line}: {problem}") from None

    def _fill(
        self,
        made: ir.Function,
        function: Callable[..., Any],
        node: ast.FunctionDef,
        outline: Outline,
        kinds: tuple[Kind, ...],
    ) -> None:
        builder = ir.IRBuilder(made.append_basic_block())
        heap = made.args[-1] if outline.hands_on else None
        body = Statements(builder, self, names_of(function), outline, heap)
        for parameter, argument, kind in zip(node.args.args, made.args, kinds, strict=False):
            body.assign(parameter.arg, Value(kind, argument))
        body.body(node.body)


def _type(kinds: Sequence[Kind], result: ir.Type, outline: Outline) -> ir.FunctionType:
    return ir.FunctionType(result, [*(kind.llvm for kind in kinds), *[POINTER] * outline.hands_on])


def _returns(function: ir.Function, type_: ir.FunctionType) -> None:
    """Give a function that has no callers yet the type that its text turned out to have."""
    function.ftype = type_
    function.type = type_.as_pointer()
    function.return_value = ir.values.ReturnValue(function, type_.return_type)
