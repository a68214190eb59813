"""Calls as text, as `apitrace dump` writes them: number, function, arguments by name, result."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from .capture import Call, Pointer, Value
from .capture.named_values import NamedNumber, Struct
from .capture.signatures import RETURNING
from .opengl.enum_names import enum_name

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_RETURNING = "eglCreate", "eglGet", "eglQuery"
"""Beginnings of names of functions that may return a null pointer."""
_NameOf = Callable[[int], str | None]


def call_text(call: Call) -> str:
    """A call in one line: name(argument = value, ...) = result, without its number.

    Enums have names where the stream has them (see `Trace`) or, in streams that hold only numbers, where this version
    knows the argument. Blobs are given by their size.
    """
    signature = call.signature
    names = [*signature.arguments, *(f"arg{n}" for n in range(len(signature.arguments), len(call.arguments)))]
    parts = [f"{name} = {argument_text(call, name, value)}" for name, value in zip(names, call.arguments, strict=False)]
    returns = call.result is not None or call.name in RETURNING or call.name.startswith(_RETURNING)
    result = f" = {_text(call.result, _no_name)}" if returns else ""
    notes = [note for note, holds in (("fake", call.fake), ("incomplete", not call.complete)) if holds]
    return f"{call.name}({', '.join(parts)}){result}" + (f" // {', '.join(notes)}" if notes else "")


def argument_text(call: Call, name: str, value: Value) -> str:
    """The value of an argument."""
    return _text(value, lambda number: enum_name(call.name, name, number))


@lru_cache(1 << 14)
def float_text(value: float) -> str:
    """Fewest digits that give the same 32-bit float or, for a number that is none, the same double."""
    with np.errstate(over="ignore"):
        single = float(np.float32(value)) == value
        for digits in range(6, 9) if single else range(15, 17):
            text = f"{value:.{digits}g}"
            if (float(np.float32(text)) if single else float(text)) == value:
                return text
    return f"{value:.{9 if single else 17}g}"


def _no_name(number: int) -> str | None:
    return None


def _text(value: Value, name_of: _NameOf) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).lower()
        case NamedNumber():
            return value.name
        case Pointer():
            return f"0x{value:x}"
        case int():
            return name_of(value) or str(value)
        case float():
            return float_text(value)
        case str():
            return f'"{_printable(value.translate(_ESCAPES))}"'
        case bytes():
            return f"blob({len(value)})"
        case Struct():
            members = zip(value.names, value, strict=False)
            return "{" + ", ".join(f"{name} = {_text(member, _no_name)}" for name, member in members) + "}"
        case list():
            elements = [_text(element, name_of) for element in value]
            return f"&{elements[0]}" if len(elements) == 1 else "{" + ", ".join(elements) + "}"


def _printable(text: str) -> str:
    """Text without control characters, which a terminal would obey, and without halves of characters."""
    if text.isprintable():
        return text
    return "".join(
        c
        if c.isprintable()
        else f"\\x{ord(c) & 0xFF:02x}"
        if ord(c) < 0xA0 or 0xDC80 <= ord(c) <= 0xDCFF
        else f"\\u{ord(c):04x}"
        for c in text
    )
