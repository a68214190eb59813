"""Calls that changes add to a capture."""

from __future__ import annotations

from tilegpu.functional.capture import Call, Value
from tilegpu.functional.capture.signatures import SIGNATURES


def call(name: str, *arguments: Value, thread: int = 0) -> Call:
    """A call of a function of OpenGL ES that returns nothing."""
    new = Call(0, SIGNATURES[name], list(arguments), thread)
    new.complete = True
    return new
