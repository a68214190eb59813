"""Functions of a program: each is translated once for all calls with arguments of the same kinds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from ...errors import UserError
from .kinds import BYTE, NOTHING, Kind
from .parts import definition, names_of
from .statements import Statements, WiderKind
from .values import CannotTranslate, Value


class ProgramError(UserError):
    """A part of a program says what programs do not have; names its file and line."""


class Functions:
    """Functions of one module of LLVM.

    Parameters
    ----------
    module
        Where they are added.
    """

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self._made: dict[tuple[Any, tuple[Kind, ...]], tuple[ir.Function, Kind]] = {}
        self._stored: dict[bytes, ir.GlobalVariable] = {}
        self._node: ast.AST | None = None

    def at(self, node: ast.AST) -> None:
        """Note which part of the text is being translated."""
        self._node = node

    def call(
        self, builder: ir.IRBuilder, function: Callable[..., Any], arguments: Sequence[Value], inlined: bool
    ) -> Value:
        """Result of calling a function."""
        node = self._node
        made, result = self.made(function, tuple(each.kind for each in arguments), inlined)
        self._node = node
        return Value(result, builder.call(made, [each.ir for each in arguments]))

    def made(
        self, function: Callable[..., Any], kinds: tuple[Kind, ...], inlined: bool = False
    ) -> tuple[ir.Function, Kind]:
        """A function for arguments of some kinds, and the kind of its result.

        Raises
        ------
        ProgramError
            If its text says something that programs do not have.
        """
        if (function, kinds) not in self._made:
            self._made[function, kinds] = self._translated(function, kinds, inlined)
        return self._made[function, kinds]

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

    def _translated(
        self, function: Callable[..., Any], kinds: tuple[Kind, ...], inlined: bool
    ) -> tuple[ir.Function, Kind]:
        kinds_of_names: dict[str, Kind] = {}
        try:
            node = definition(function)
            names = [each.arg for each in node.args.args]
            if len(names) != len(kinds):
                raise CannotTranslate(f"{function.__name__} takes {len(names)} arguments, not {len(kinds)}")
            while True:
                made = ir.Function(self.module, _type(kinds, NOTHING), self.module.get_unique_name(function.__name__))
                made.linkage = "internal"
                made.attributes.add("nounwind")
                if inlined:
                    made.attributes.add("alwaysinline")
                try:
                    self._fill(made, function, node, kinds_of_names, kinds)
                except WiderKind:
                    del self.module.globals[made.name]
                    continue
                _returns(made, kinds, kinds_of_names["return"])
                return made, kinds_of_names["return"]
        except CannotTranslate as problem:
            line = getattr(self._node, "lineno", function.__code__.co_firstlineno)
            raise ProgramError(f"{function.__code__.co_filename}:{line}: {problem}") from None

    def _fill(
        self,
        made: ir.Function,
        function: Callable[..., Any],
        node: ast.FunctionDef,
        kinds_of_names: dict[str, Kind],
        kinds: tuple[Kind, ...],
    ) -> None:
        body = Statements(ir.IRBuilder(made.append_basic_block()), self, names_of(function), kinds_of_names)
        for parameter, argument, kind in zip(node.args.args, made.args, kinds, strict=True):
            body.assign(parameter.arg, Value(kind, argument))
        body.body(node.body)


def _type(kinds: Sequence[Kind], result: Kind) -> ir.FunctionType:
    return ir.FunctionType(result.llvm, [kind.llvm for kind in kinds])


def _returns(function: ir.Function, kinds: Sequence[Kind], result: Kind) -> None:
    """Give a function that has no callers yet the type of the result that its text turned out to have."""
    function.ftype = _type(kinds, result)
    function.type = function.ftype.as_pointer()
    function.return_value = ir.values.ReturnValue(function, result.llvm)
