"""The table of entry points, from name to implementation. Suffixed names of extensions map to the same function.

A stream may hold anything, so arguments are checked against the implementation's annotations before it is called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...capture import ArgumentError, Call, Value
from ..arguments import MAX_INTEGER, blob, blob_or_none, handle, integers, number, numbers, text, texts, whole
from ..effects import ANYTHING, HARMLESS, Effect

if TYPE_CHECKING:
    from ..context import Context

Handler = Callable[["Context", Call], None]
Joining = Callable[["Context", Call], bool]
Implementation = Callable[..., None]
Query = Callable[..., Value]


class EntryPoints:
    """A set of entry points, filled by decorating their implementations."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.effects: dict[str, Effect] = {}
        self.joining: dict[str, Joining] = {}
        """What lets a draw join those that wait, where that is all there is to do; tried before its entry point."""

    def __call__(self, *names: str, effect: Effect = ANYTHING) -> Callable[[Implementation], Implementation]:
        """Register a function that takes the context and the call's arguments by position."""

        def register(function: Implementation) -> Implementation:
            self._enter(names or (function.__name__,), _positional(function), effect)
            return function

        return register

    def answers(self, *names: str, effect: Effect = HARMLESS) -> Callable[[Query], Query]:
        """Register a query: a function that returns the answer for the program."""

        def register(function: Query) -> Query:
            self._enter(names or (function.__name__,), _positional(function), effect)
            return function

        return register

    def with_call(self, *names: str, effect: Effect = ANYTHING) -> Callable[[Handler], Handler]:
        """Register a function that takes the context and the whole call, including its result."""

        def register(function: Handler) -> Handler:
            self._enter(names, function, effect)
            return function

        return register

    def _enter(self, names: tuple[str, ...], handler: Handler, effect: Effect) -> None:
        self.handlers.update(dict.fromkeys(names, handler))
        self.effects.update(dict.fromkeys(names, effect))


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "int": whole,
    "float": number,
    "str": text,
    "Sequence[int]": integers,
    "Sequence[int] | int": integers,
    "Sequence[float]": numbers,
    "Sequence[str]": texts,
    "Handle": handle,
    "bytes": blob,
    "bytes | None": blob_or_none,
}


def _positional(function: Implementation | Query) -> Handler:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    checks = [_CHECKS.get(str(p.annotation)) for p in parameters]
    variable = bool(parameters) and parameters[-1].kind is inspect.Parameter.VAR_POSITIONAL
    rest = checks.pop() if variable else None

    # Nearly all arguments are valid integers; the list is copied only for the others.
    places = [i for i, check in enumerate(checks) if check is whole]
    plain = rest is None and all(check in (whole, None) for check in checks)
    count = len(checks) if plain else -1
    least = sum(p.default is p.empty for p in parameters[: len(checks)])

    def handler(context: Context, call: Call) -> None:
        arguments = call.arguments
        if len(arguments) == count:
            for place in places:
                value: Any = arguments[place]
                if type(value) is not int or not -MAX_INTEGER < value < MAX_INTEGER:
                    break
            else:
                result = function(context, *arguments)
                if result is not None:
                    context.answer(call, result)
                return
        if len(arguments) < least or (not variable and len(arguments) > len(checks)):
            raise ArgumentError(f"{len(arguments)} arguments where {least} are expected")
        kinds = checks if len(arguments) == len(checks) else checks + [rest] * (len(arguments) - len(checks))
        result = function(context, *[check(a) if check else a for check, a in zip(kinds, arguments, strict=False)])
        if result is not None:
            context.answer(call, result)

    def of_one_number(context: Context, call: Call) -> None:
        arguments = call.arguments
        if len(arguments) == 1:
            value: Any = arguments[0]
            if type(value) is int and -MAX_INTEGER < value < MAX_INTEGER:
                result = function(context, value)
                if result is not None:
                    context.answer(call, result)
                return
        handler(context, call)

    def of_two_numbers(context: Context, call: Call) -> None:
        arguments: list[Any] = call.arguments
        if len(arguments) == 2:
            first, second = arguments
            plain = type(first) is int and type(second) is int
            if plain and -MAX_INTEGER < first < MAX_INTEGER and -MAX_INTEGER < second < MAX_INTEGER:
                result = function(context, first, second)
                if result is not None:
                    context.answer(call, result)
                return
        handler(context, call)

    return {1: of_one_number, 2: of_two_numbers}.get(count if len(places) == count else -1, handler)
