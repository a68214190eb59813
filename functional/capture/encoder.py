"""Encodes apitrace files (version 6)."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from .call import Call, Pointer, Signature, Value

VERSION = SEMANTIC_VERSION = 6
FAKE = 1


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
    data = text.encode("utf-8", "surrogateescape")
    return uint(len(data)) + data


def value(content: Value) -> bytes:
    """A value with its tag; floats are written as float32, the type OpenGL ES takes."""
    if content is None:
        return b"\x00"
    if isinstance(content, bool):
        return b"\x02" if content else b"\x01"
    if isinstance(content, Pointer):
        return b"\x0d" + uint(content)
    if isinstance(content, int):
        return b"\x04" + uint(content) if content >= 0 else b"\x03" + uint(-content)
    if isinstance(content, float):
        return b"\x05" + struct.pack("<f", content)
    if isinstance(content, str):
        return b"\x07" + string(content)
    if isinstance(content, bytes):
        return b"\x08" + uint(len(content)) + content
    return b"\x0b" + uint(len(content)) + b"".join(value(v) for v in content)


class Encoder:
    """Encodes calls and remembers which signatures were written."""

    def __init__(self) -> None:
        self._known: dict[Signature, int] = {}

    def header(self, properties: dict[str, str]) -> bytes:
        """Header of a file."""
        pairs = b"".join(string(k) + string(v) for k, v in properties.items())
        return uint(VERSION) + uint(SEMANTIC_VERSION) + pairs + string("")

    def call(self, call: Call, filled: Iterable[int]) -> bytes:
        """Both events of a call; arguments at the positions `filled` are part of the return."""
        late = set(filled)
        out = bytearray(b"\x00" + uint(call.thread) + self._signature(call.signature))
        out += b"".join(b"\x01" + uint(i) + value(a) for i, a in enumerate(call.arguments) if i not in late)
        if call.fake:
            out += b"\x05" + uint(FAKE)
        out += b"\x00" + b"\x01" + uint(call.number)
        out += b"".join(b"\x01" + uint(i) + value(call.arguments[i]) for i in sorted(late))
        if call.result is not None:
            out += b"\x02" + value(call.result)
        return bytes(out + b"\x00")

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
