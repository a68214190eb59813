"""Encodes apitrace files (version 6)."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from ..text import octets
from .call import Call, Double, Pointer, Signature, Value
from .wire_format import (
    ARGUMENT,
    ARRAY,
    BLOB,
    DOUBLE,
    END,
    ENTER,
    FAKE,
    FALSE,
    FLAGS,
    FLOAT,
    LATEST_VERSION,
    LEAVE,
    NEGATIVE,
    NULL,
    POINTER,
    RESULT,
    SEMANTIC_VERSION,
    STRING,
    TRUE,
    UNSIGNED,
)

POINTERS = ("eglCreate", "eglGet", "eglQueryString", "glMapBuffer", "glFenceSync", "glGetString", "glXCreate", "glXGet")
"""Functions that return a pointer: None is a null pointer, which apitrace's replayer looks for; elsewhere there is no
result."""


def uint(value: int) -> bytes:
    """Variable-length unsigned number."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(text: str) -> bytes:
    """Length and UTF-8 bytes."""
    data = octets(text)
    return uint(len(data)) + data


def value(content: Value) -> bytes:
    """A value with its tag; floats but `Double` are written as float32, the type OpenGL ES takes."""
    if content is None:
        return uint(NULL)
    if isinstance(content, bool):
        return uint(TRUE if content else FALSE)
    if isinstance(content, Pointer):
        return uint(POINTER) + uint(content)
    if isinstance(content, int):
        return uint(UNSIGNED) + uint(content) if content >= 0 else uint(NEGATIVE) + uint(-content)
    if isinstance(content, Double):
        return uint(DOUBLE) + struct.pack("<d", content)
    if isinstance(content, float):
        return uint(FLOAT) + struct.pack("<f", content)
    if isinstance(content, str):
        return uint(STRING) + string(content)
    if isinstance(content, bytes):
        return uint(BLOB) + uint(len(content)) + content
    return uint(ARRAY) + uint(len(content)) + b"".join(value(v) for v in content)


def _argument(place: int, content: Value) -> bytes:
    return uint(ARGUMENT) + uint(place) + value(content)


class Encoder:
    """Encodes calls and remembers which signatures were written."""

    def __init__(self) -> None:
        self._known: dict[Signature, int] = {}

    def header(self, properties: dict[str, str]) -> bytes:
        """Header of a file."""
        pairs = b"".join(string(k) + string(v) for k, v in properties.items())
        return uint(LATEST_VERSION) + uint(SEMANTIC_VERSION) + pairs + string("")

    def call(self, call: Call, filled: Iterable[int]) -> bytes:
        """Both events of a call; arguments at the positions `filled` are part of the return."""
        late = set(filled)
        out = bytearray(uint(ENTER) + uint(call.thread) + self._signature(call.signature))
        out += b"".join(_argument(i, a) for i, a in enumerate(call.arguments) if i not in late)
        if call.fake:
            out += uint(FLAGS) + uint(FAKE)
        out += uint(END)
        out += uint(LEAVE) + uint(call.number) + b"".join(_argument(i, call.arguments[i]) for i in sorted(late))
        if call.result is not None or call.name.startswith(POINTERS):
            out += uint(RESULT) + value(call.result)
        return bytes(out + uint(END))

    def _signature(self, signature: Signature) -> bytes:
        if signature in self._known:
            return uint(self._known[signature])
        number = self._known[signature] = len(self._known)
        return (
            uint(number)
            + string(signature.name)
            + uint(len(signature.arguments))
            + b"".join(string(a) for a in signature.arguments)
        )
