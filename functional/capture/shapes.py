"""Matches calls that differ only in their numbers: programs make them with new numbers in every frame.

A shape is derived from the event of one call. It says which bits are the same in all calls of the shape, and where the
others hold floats, integers and blobs, so that such calls are decoded without a look at every byte.
"""

from __future__ import annotations

import struct

from .call import Call, Value
from .shape_layout import Layout, NoShape
from .wire_format import ARGUMENT, END, FLAGS, THREADS_SINCE

MAX_ARGUMENTS = 128
"""Most arguments of a shape, so that their positions take one byte."""


class Shape:
    """Calls of one function and thread whose numeric arguments are encoded in the same number of bytes.

    Calls that the tracer made up may have blobs, also of one size: client-side arrays have few sizes, images many.

    Parameters
    ----------
    event
        Bytes of a call's event.
    call
        The call they encode.
    version
        Version of the format.
    named
        Whether values have names, which belong to their numbers.

    Attributes
    ----------
    size
        Bytes of an event.
    answer, result
        Bytes after the number in the last return event of such a call, and the result they encode.

    Raises
    ------
    NoShape
        The event holds something else.
    """

    __slots__ = (
        "_arguments",
        "_arrays",
        "_fake",
        "_integers",
        "_mask",
        "_prefix",
        "_same",
        "_signature",
        "_singles",
        "_thread",
        "_unpack",
        "_vectors",
        "answer",
        "result",
        "size",
    )

    def __init__(self, event: bytes, call: Call, version: int, named: bool = False) -> None:
        layout = Layout(event, call.fake, named)
        layout.same()
        if version >= THREADS_SINCE:
            layout.same_number()
        layout.same_number()
        unchecked = set(range(min(len(call.arguments), MAX_ARGUMENTS)))
        while (detail := layout.same()) in (ARGUMENT, FLAGS):
            if detail == FLAGS:
                layout.same_number()
                continue
            place = layout.same()
            if place not in unchecked:
                raise NoShape
            unchecked.remove(place)
            layout.argument(place, version)
        if detail != END or layout.at != len(event):
            raise NoShape
        self.size = len(event)
        self._prefix = event[: layout.begin]
        self._mask = int.from_bytes(layout.mask, "little")
        self._same = int.from_bytes(event, "little") & self._mask
        self._unpack = struct.Struct(f"<{layout.format}").unpack_from
        self._signature, self._thread, self._fake = call.signature, call.thread, call.fake
        self._arguments = call.arguments.copy()
        self._singles, self._vectors = layout.singles, layout.vectors
        self._integers, self._arrays = layout.integers, layout.arrays
        self.answer: bytes = b"\0"
        self.result: Value = None

    def fits(self, data: bytes, at: int) -> bool:
        """Whether the event at an offset of a buffer is that of a call of the shape."""
        if not data.startswith(self._prefix, at):
            return False
        event = data[at : at + self.size]
        return int.from_bytes(event, "little") & self._mask == self._same and len(event) == self.size

    def call(self, number: int, data: bytes, at: int) -> Call:
        """The call that an event of the shape encodes."""
        numbers = self._unpack(data, at)
        arguments = self._arguments.copy()
        for place, index in self._singles:
            arguments[place] = numbers[index]
        for place, first, last in self._vectors:
            arguments[place] = list(numbers[first:last])
        for place, index, decode in self._integers:
            arguments[place] = decode(numbers[index])
        if self._arrays:
            for place, first, decoders in self._arrays:
                arguments[place] = [decode(numbers[first + k]) for k, decode in enumerate(decoders)]
        call = Call(number, self._signature, arguments, self._thread)
        call.fake = self._fake
        return call
