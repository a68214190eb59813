"""The table of entry points, from name to implementation. Suffixed names of extensions map to the same function.

A stream may hold anything, so arguments are checked against the implementation's annotations before it is called.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ...capture import ArgumentError, Call, Value
from ..argument_types import FORMATS, RANGES, types_of
from ..arguments import WORD, Range, blob, blob_or_none, handle, integers, number, numbers, text, texts, whole
from ..effects import ANYTHING, HARMLESS, Effect

if TYPE_CHECKING:
    from ..context import Context

Handler = Callable[["Context", Call], None]
Joining = Callable[["Context", Call], bool]
Implementation = Callable[..., None]
Query = Callable[..., Value]
Check = Callable[[Any], Any]


class EntryPoints:
    """A set of entry points, filled by decorating their implementations."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.effects: dict[str, Effect] = {}
        self.joining: dict[str, Joining] = {}
        """Function that lets a draw join those that wait, if there is nothing else to do; tried before its entry
        point."""

    def __call__(self, *names: str, effect: Effect = ANYTHING) -> Callable[[Implementation], Implementation]:
        """Register a function that takes the context and the call's arguments by position."""

        def register(function: Implementation) -> Implementation:
            self._enter_checked(names or (function.__name__,), function, effect)
            return function

        return register

    def answers(self, *names: str, effect: Effect = HARMLESS) -> Callable[[Query], Query]:
        """Register a query: a function that returns the answer for the program."""

        def register(function: Query) -> Query:
            self._enter_checked(names or (function.__name__,), function, effect)
            return function

        return register

    def with_call(self, *names: str, effect: Effect = ANYTHING) -> Callable[[Handler], Handler]:
        """Register a function that takes the context and the whole call, including its result."""

        def register(function: Handler) -> Handler:
            self._enter(names, function, effect)
            return function

        return register

    def _enter_checked(self, names: tuple[str, ...], function: Implementation | Query, effect: Effect) -> None:
        """Register a function under names whose arguments may have different types."""
        for types in {types_of(name) for name in names}:
            same = tuple(name for name in names if types_of(name) == types)
            self._enter(same, _positional(function, types), effect)

    def _enter(self, names: tuple[str, ...], handler: Handler, effect: Effect) -> None:
        self.handlers.update(dict.fromkeys(names, handler))
        self.effects.update(dict.fromkeys(names, effect))


_INTEGERS = {"int": whole, "Sequence[int]": integers, "Sequence[int] | int": integers}
_CHECKS: dict[str, Check] = {
    "float": number,
    "str": text,
    "Sequence[float]": numbers,
    "Sequence[str]": texts,
    "Handle": handle,
    "bytes": blob,
    "bytes | None": blob_or_none,
}


class _Arguments:
    """Checks of the arguments of an entry point.

    Parameters
    ----------
    function
        The implementation, whose annotations say what it takes after the context.
    types
        Types of the arguments in C; see `types_of`.

    Attributes
    ----------
    bounds
        Place, least and greatest value of each argument that is an integer.
    count
        Number of arguments, if all are integers or anything at all; otherwise -1.
    """

    def __init__(self, function: Implementation | Query, types: str) -> None:
        parameters = list(inspect.signature(function).parameters.values())[1:]
        self.bounds: list[tuple[int, int, int]] = []
        self._checks: list[Check | None] = []
        for place, parameter in enumerate(parameters):
            kind, valid = str(parameter.annotation), RANGES.get(types[place : place + 1], WORD)
            if kind in _INTEGERS:
                self._checks.append(partial(_INTEGERS[kind], valid=valid))
            else:
                self._checks.append(_CHECKS.get(kind))
            if kind == "int":
                self.bounds.append((place, *valid))
        self._variable = bool(parameters) and parameters[-1].kind is inspect.Parameter.VAR_POSITIONAL
        self._rest = self._checks.pop() if self._variable else None
        integers_only = len(self.bounds) == sum(check is not None for check in self._checks)
        self.count = len(self._checks) if integers_only and self._rest is None and not self._variable else -1
        self._least = sum(p.default is p.empty for p in parameters[: len(self._checks)])

    def checked(self, arguments: list[Value]) -> list[Any]:
        """The arguments as the function takes them."""
        given, checks = len(arguments), self._checks
        if given < self._least or (not self._variable and given > len(checks)):
            raise ArgumentError(f"{given} arguments where {self._least} are expected")
        kinds = checks if given == len(checks) else checks + [self._rest] * (given - len(checks))
        return [check(a) if check else a for check, a in zip(kinds, arguments, strict=False)]

    @property
    def layout(self) -> struct.Struct | None:
        """Packs arguments that are all integers of their types, and nothing else; None where some are not."""
        if self.count < 3 or len(self.bounds) != self.count:
            return None
        return struct.Struct("=" + "".join(_LETTERS[low, high] for _, low, high in self.bounds))


_LETTERS = {valid: FORMATS[letter] for letter, valid in RANGES.items()}


def _positional(function: Implementation | Query, types: str) -> Handler:
    """A handler that checks the arguments and passes them by position."""
    declared = _Arguments(function, types)
    checked, bounds, count = declared.checked, declared.bounds, declared.count

    def handler(context: Context, call: Call) -> None:
        result = function(context, *checked(call.arguments))
        if result is not None:
            context.answer(call, result)

    # Nearly all arguments are valid integers; the list is copied only for the others.
    def of_integers(context: Context, call: Call) -> None:
        arguments: list[Any] = call.arguments
        if len(arguments) == count:
            for place, low, high in bounds:
                value = arguments[place]
                if type(value) is not int or not low <= value <= high:
                    break
            else:
                result = function(context, *arguments)
                if result is not None:
                    context.answer(call, result)
                return
        handler(context, call)

    layout = declared.layout
    if layout is not None:
        return _packed(function, layout, handler)
    if len(bounds) == count == 1:
        return _of_one_number(function, bounds[0][1:], handler)
    if len(bounds) == count == 2:
        return _of_two_numbers(function, bounds[0][1:], bounds[1][1:], handler)
    return of_integers if count >= 0 else handler


def _packed(function: Implementation | Query, layout: struct.Struct, otherwise: Handler) -> Handler:
    """A handler for arguments that are all integers: packing tells at once whether they are and fit."""
    pack, unpack = layout.pack, layout.unpack

    def handler(context: Context, call: Call) -> None:
        try:
            arguments = unpack(pack(*call.arguments))
        except struct.error:
            otherwise(context, call)
            return
        result = function(context, *arguments)
        if result is not None:
            context.answer(call, result)

    return handler


def _of_one_number(function: Implementation | Query, valid: Range, otherwise: Handler) -> Handler:
    low, high = valid

    def handler(context: Context, call: Call) -> None:
        arguments: list[Any] = call.arguments
        if len(arguments) == 1:
            value = arguments[0]
            if type(value) is int and low <= value <= high:
                result = function(context, value)
                if result is not None:
                    context.answer(call, result)
                return
        otherwise(context, call)

    return handler


def _of_two_numbers(function: Implementation | Query, valid: Range, also: Range, otherwise: Handler) -> Handler:
    (low, high), (lower, higher) = valid, also

    def handler(context: Context, call: Call) -> None:
        arguments: list[Any] = call.arguments
        if len(arguments) == 2:
            first, second = arguments
            plain = type(first) is int and type(second) is int
            if plain and low <= first <= high and lower <= second <= higher:
                result = function(context, first, second)
                if result is not None:
                    context.answer(call, result)
                return
        otherwise(context, call)

    return handler
