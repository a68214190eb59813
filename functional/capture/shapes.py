"""Calls that differ in their numbers alone: programs make the same kinds of them, with new numbers, in every frame.

A shape is read off the event of a call. It says which bits are the same in all calls of the shape, and where the others
hold floats, the digits of integers and blobs: such calls are read without a look at every byte.
"""

from __future__ import annotations

import struct

from .call import Call, Pointer, Value

CONSTANTS, NEGATIVE, UNSIGNED, FLOAT, DOUBLE = (0, 1, 2), 3, 4, 5, 6
BLOB, ENUM, BITMASK, ARRAY, POINTER = 8, 9, 10, 11, 13
ARGUMENT, FLAGS = 1, 5
"""Details of a call."""
MAX_ARGUMENTS, MAX_ELEMENTS = 128, 64
"""Arguments, the numbers of which take a byte, and elements of an array, that a shape has at most."""


class NoShape(Exception):
    """An event holds more than a shape says."""


class Shape:
    """Calls of one function and thread whose arguments are numbers that take the same room, and so do blobs where the
    tracer made up the calls: client-side arrays are of few sizes, images of many.

    Parameters
    ----------
    event
        Bytes of the event of a call, but for the first.
    call
        What they say.
    version
        Of the format.

    Attributes
    ----------
    signature, thread, fake
        Of all the calls, as in `Call`.
    size
        Bytes of an event.

    Raises
    ------
    NoShape
        The event holds more than that.
    """

    __slots__ = (
        "_arguments",
        "_integers",
        "_mask",
        "_same",
        "_singles",
        "_unpack",
        "_vectors",
        "fake",
        "signature",
        "size",
        "thread",
    )

    def __init__(self, event: bytes, call: Call, version: int) -> None:
        layout = _Layout(event, call.fake)
        if version >= 4:
            layout.same_number()
        layout.same_number()
        left = set(range(min(len(call.arguments), MAX_ARGUMENTS)))
        while (detail := layout.same()) in (ARGUMENT, FLAGS):
            if detail == FLAGS:
                layout.same_number()
                continue
            place = layout.same()
            if place not in left:
                raise NoShape
            left.remove(place)
            layout.argument(place, version)
        if detail != 0 or layout.at != len(event):
            raise NoShape
        self.signature, self.thread, self.fake, self.size = call.signature, call.thread, call.fake, len(event)
        self._mask = int.from_bytes(layout.mask, "little")
        self._same = int.from_bytes(event, "little") & self._mask
        self._unpack = struct.Struct(f"<{layout.format}").unpack
        self._arguments = call.arguments.copy()
        self._singles, self._vectors, self._integers = layout.singles, layout.vectors, layout.integers

    def fits(self, event: bytes) -> bool:
        """Whether some bytes, as many as there are left of `size`, are the event of a call of the shape."""
        return int.from_bytes(event, "little") & self._mask == self._same and len(event) == self.size

    def call(self, number: int, event: bytes) -> Call:
        """The call of the shape that an event is."""
        call = Call(number, self.signature, self.arguments(event), self.thread)
        call.fake = self.fake
        return call

    def arguments(self, event: bytes) -> list[Value]:
        """Arguments of a call of the shape."""
        numbers = self._unpack(event)
        arguments = self._arguments.copy()
        for place, number in self._singles:
            arguments[place] = numbers[number]
        for place, first, last in self._vectors:
            arguments[place] = list(numbers[first:last])
        for place, first, last, kind in self._integers:
            value = 0
            for digit in numbers[last:first:-1]:
                value = value << 7 | digit & 0x7F
            value = value << 7 | numbers[first] & 0x7F
            arguments[place] = -value if kind == NEGATIVE else Pointer(value) if kind == POINTER else value
        return arguments


class _Layout:
    """Goes through an event and notes where its numbers are, and its blobs if it may have some.

    Attributes
    ----------
    at
        The next byte.
    format
        The event as `struct` takes it apart: floats, blobs, and the digits of integers.
    singles
        Place of an argument, and which of the numbers it is.
    vectors
        The same of arrays, with the first and last but one of the numbers.
    integers
        The same of integers, from the first to the last digit, with the kind.
    """

    def __init__(self, event: bytes, blobs: bool) -> None:
        self._event, self._blobs, self.at, self._numbers = event, blobs, 0, 0
        self.mask, self.format = bytearray(b"\xff" * len(event)), ""
        self.singles: list[tuple[int, int]] = []
        self.vectors: list[tuple[int, int, int]] = []
        self.integers: list[tuple[int, int, int, int]] = []

    def same(self) -> int:
        """A byte that is the same in all events of the shape."""
        if self.at == len(self._event):
            raise NoShape
        self.at += 1
        self.format += "x"
        return self._event[self.at - 1]

    def same_number(self) -> int:
        """The same of an integer of any length, the first digit of which is given back."""
        first = byte = self.same()
        while byte >= 0x80:
            byte = self.same()
        return first

    def argument(self, place: int, version: int) -> None:
        """The value of an argument."""
        kind = self.same()
        if kind in (FLOAT, DOUBLE):
            self.singles.append((place, self._numbers))
            self._float(kind)
        elif kind in (UNSIGNED, NEGATIVE, POINTER):
            self._integer(place, kind)
        elif kind == ENUM and version >= 3:
            self.same_number()
            self._integer(place, NEGATIVE if self.same() == NEGATIVE else UNSIGNED)
        elif kind == BITMASK:
            self.same_number()
            self._integer(place, UNSIGNED)
        elif kind == ARRAY:
            self._vector(place)
        elif kind == BLOB and self._blobs:
            self._blob(place)
        elif kind not in CONSTANTS:
            raise NoShape

    def _vector(self, place: int) -> None:
        size, first = self.same_number(), self._numbers
        if size > MAX_ELEMENTS:
            raise NoShape
        for _ in range(size):
            if self.same() != FLOAT:
                raise NoShape
            self._float(FLOAT)
        self.vectors.append((place, first, self._numbers))

    def _blob(self, place: int) -> None:
        start, size = self.at, 0
        self.same_number()
        for digit in reversed(self._event[start : self.at]):
            size = size << 7 | digit & 0x7F
        self.singles.append((place, self._numbers))
        self._take(size, f"{size}s")

    def _float(self, kind: int) -> None:
        self._take(*((4, "f") if kind == FLOAT else (8, "d")))

    def _take(self, size: int, kind: str) -> None:
        """A value of some bytes, as `struct` has it, that differs from event to event."""
        if self.at + size > len(self._event):
            raise NoShape
        self.mask[self.at : self.at + size] = bytes(size)
        self.at += size
        self.format += kind
        self._numbers += 1

    def _integer(self, place: int, kind: int) -> None:
        """Only the highest bits of its bytes, which say whether more digits follow, are the same."""
        first = self._numbers
        more = True
        while more:
            if self.at == len(self._event):
                raise NoShape
            more = self._event[self.at] >= 0x80
            self.mask[self.at] = 0x80
            self.at += 1
            self.format += "B"
            self._numbers += 1
        if kind == UNSIGNED and self._numbers == first + 1:
            self.singles.append((place, first))
        else:
            self.integers.append((place, first, self._numbers - 1, kind))
