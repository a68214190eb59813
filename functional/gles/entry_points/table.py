"""The table of entry points: name to implementation. Suffixed names of extensions lead to the same function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...capture import Call

if TYPE_CHECKING:
    from ..context import Context

Handler = Callable[["Context", Call], None]
Implementation = Callable[..., None]


class EntryPoints:
    """A set of entry points, filled by decorating their implementations."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}

    def __call__(self, *names: str) -> Callable[[Implementation], Implementation]:
        """Register a function that takes the context and the call's arguments by position."""

        def register(function: Implementation) -> Implementation:
            for name in names or (function.__name__,):
                self.handlers[name] = _positional(function)
            return function

        return register

    def with_call(self, *names: str) -> Callable[[Handler], Handler]:
        """Register a function that takes the context and the whole call, result included."""

        def register(function: Handler) -> Handler:
            for name in names:
                self.handlers[name] = function
            return function

        return register


def _positional(function: Implementation) -> Handler:
    def handler(context: Context, call: Call) -> None:
        function(context, *call.arguments)

    return handler
