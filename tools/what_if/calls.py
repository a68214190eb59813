"""Calls that changes add to a capture."""

from __future__ import annotations

from collections.abc import Sequence

from tilegpu.functional.capture import Call, Value
from tilegpu.functional.capture.signatures import SIGNATURES


def call(name: str, *arguments: Value, thread: int = 0) -> Call:
    """A call of a function of OpenGL ES that returns nothing."""
    made = Call(0, SIGNATURES[name], list(arguments), thread)
    made.complete = True
    return made


def changed(original: Call, arguments: Sequence[Value]) -> Call:
    """The same call with other arguments."""
    made = Call(original.number, original.signature, list(arguments), original.thread, original.result)
    made.fake, made.complete = original.fake, original.complete
    return made
