"""Finds the numbers in an event, from which the shape of a call is made."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from .call import Double, Pointer, Value
from .wire_format import (
    ARRAY,
    BITMASK,
    BLOB,
    DOUBLE,
    ENUM,
    ENUM_NAMES_SINCE,
    FALSE,
    FLOAT,
    NEGATIVE,
    NULL,
    POINTER,
    TRUE,
    UNSIGNED,
)

MAX_ELEMENTS = 64
"""Most elements of an array in a shape."""
MAX_INTEGERS = 1 << 12
"""Size of the cache of decoded integers: handles and enums repeat."""


class NoShape(Exception):
    """An event holds something that shapes do not cover."""


@lru_cache(MAX_INTEGERS)
def _unsigned(digits: bytes) -> int:
    value = 0
    for digit in reversed(digits):
        value = value << 7 | digit & 0x7F
    return value


@lru_cache(MAX_INTEGERS)
def _pointer(digits: bytes) -> Pointer:
    return Pointer(_unsigned(digits))


@lru_cache(MAX_INTEGERS)
def _negative(digits: bytes) -> int:
    return -_unsigned(digits)


def _itself(value: Value) -> Value:
    return value


Decoder = Callable[[Any], Value]
_DECODERS: dict[int, Decoder] = {UNSIGNED: _unsigned, NEGATIVE: _negative, POINTER: _pointer}


class Layout:
    """Walks through an event and notes where its numbers are, and its blobs where those are allowed.

    Attributes
    ----------
    at
        Offset of the next byte.
    mask
        Bits that are the same in all events, as long as an event.
    format
        `struct` format that unpacks an event into floats, blobs and encoded integers.
    singles
        Position of an argument, and index of its value among those that `struct` unpacks.
    vectors
        The same for arrays, with the first index and the one after the last.
    integers
        The same for integers that have to be decoded, with their decoder.
    arrays
        The same for arrays of such integers, with the first index and a decoder per element.
    """

    def __init__(self, event: bytes, blobs: bool, named: bool) -> None:
        self._event, self._blobs, self._named, self.at, self._numbers = event, blobs, named, 0, 0
        self.mask, self.format = bytearray(b"\xff" * len(event)), ""
        self.singles: list[tuple[int, int]] = []
        self.vectors: list[tuple[int, int, int]] = []
        self.integers: list[tuple[int, int, Decoder]] = []
        self.arrays: list[tuple[int, int, list[Decoder]]] = []

    @property
    def begin(self) -> int:
        """Number of bytes at the beginning that are the same in all events."""
        return next((place for place, bits in enumerate(self.mask) if bits != 0xFF), len(self.mask))

    def same(self) -> int:
        """A byte that is the same in all events of the shape."""
        if self.at == len(self._event):
            raise NoShape
        self.at += 1
        self.format += "x"
        return self._event[self.at - 1]

    def same_number(self) -> int:
        """Skip an integer that is the same in all events; its first byte."""
        first = byte = self.same()
        while byte >= 0x80:
            byte = self.same()
        return first

    def argument(self, place: int, version: int) -> None:
        """Note the value of the argument at a position."""
        kind = self.same()
        if kind in (FLOAT, DOUBLE, UNSIGNED, NEGATIVE, POINTER):
            self._single(place, kind)
        elif kind == ENUM and version >= ENUM_NAMES_SINCE:
            self.same_number()
            self._single_or_name(place, NEGATIVE if self.same() == NEGATIVE else UNSIGNED)
        elif kind == BITMASK:
            self.same_number()
            self._single_or_name(place, UNSIGNED)
        elif kind == ARRAY:
            self._vector(place)
        elif kind == BLOB and self._blobs:
            self._blob(place)
        elif kind not in (NULL, FALSE, TRUE):
            raise NoShape

    def _single_or_name(self, place: int, kind: int) -> None:
        """Note an integer; one that has a name is the same in all events of the shape."""
        if self._named:
            self.same_number()
        else:
            self._single(place, kind)

    def _single(self, place: int, kind: int) -> None:
        number = self._numbers
        decode = self._number(kind)
        if decode is None:
            self.singles.append((place, number))
        else:
            self.integers.append((place, number, decode))

    def _vector(self, place: int) -> None:
        size, first = self.same_number(), self._numbers
        if size > MAX_ELEMENTS:
            raise NoShape
        decoders = [self._number(self.same()) for _ in range(size)]
        if any(decoders):
            self.arrays.append((place, first, [decode or _itself for decode in decoders]))
        else:
            self.vectors.append((place, first, self._numbers))

    def _blob(self, place: int) -> None:
        start, size = self.at, 0
        self.same_number()
        for digit in reversed(self._event[start : self.at]):
            size = size << 7 | digit & 0x7F
        self.singles.append((place, self._numbers))
        self._take(size, f"{size}s")

    def _number(self, kind: int) -> Decoder | None:
        """Note a number; the decoder of what `struct` unpacks, None if that is the value itself."""
        if kind == FLOAT:
            self._take(4, "f")
            return None
        if kind == DOUBLE:
            self._take(8, "d")
            return Double
        if kind not in _DECODERS:
            raise NoShape
        start = self.at
        while self._masked_digit() >= 0x80:
            pass
        plain = kind == UNSIGNED and self.at == start + 1
        self.format += "B" if plain else f"{self.at - start}s"
        self._numbers += 1
        return None if plain else _DECODERS[kind]

    def _take(self, size: int, kind: str) -> None:
        """Note a value of a `struct` kind that may differ from event to event."""
        if self.at + size > len(self._event):
            raise NoShape
        self.mask[self.at : self.at + size] = bytes(size)
        self.at += size
        self.format += kind
        self._numbers += 1

    def _masked_digit(self) -> int:
        """A byte of an integer. Only its highest bit, which says whether another follows, is the same in all events."""
        if self.at == len(self._event):
            raise NoShape
        self.mask[self.at] = 0x80
        self.at += 1
        return self._event[self.at - 1]
