"""Matches calls that differ only in their numbers: programs make them with new numbers in every frame.

A shape is derived from the event of one call. It says which bits are the same in all calls of the shape, and where the
others hold floats, integers and blobs, so that such calls are decoded without a look at every byte.
"""

from __future__ import annotations

import struct

from .call import Call, Value
from .shape_layout import Layout, NoShape

ARGUMENT, FLAGS = 1, 5
"""Tags of a call's details."""
MAX_ARGUMENTS = 128
"""Most arguments of a shape, so that their positions take one byte."""


class Shape:
    """Calls of one function and thread whose numeric arguments are encoded in the same number of bytes.

    Calls that the tracer made up may have blobs, also of one size: client-side arrays have few sizes, images many.

    Parameters
    ----------
    event
        Bytes of a call's event without the first.
    call
        The call they encode.
    version
        Version of the format.

    Attributes
    ----------
    signature, thread, fake
        Common to all the calls, as in `Call`.
    key, size
        First two bytes of an event, and how many it has.
    told, result
        Bytes after the number in the last return event of such a call, and the result they encode.

    Raises
    ------
    NoShape
        The event holds something else.
    """

    __slots__ = (
        "_arguments",
        "_arrays",
        "_integers",
        "_mask",
        "_same",
        "_singles",
        "_unpack",
        "_vectors",
        "fake",
        "key",
        "result",
        "signature",
        "size",
        "thread",
        "told",
    )

    def __init__(self, event: bytes, call: Call, version: int) -> None:
        layout = Layout(event, call.fake)
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
        self.key = event[:2]
        self._mask = int.from_bytes(layout.mask, "little")
        self._same = int.from_bytes(event, "little") & self._mask
        self._unpack = struct.Struct(f"<{layout.format}").unpack
        self._arguments = call.arguments.copy()
        self._singles, self._vectors = layout.singles, layout.vectors
        self._integers, self._arrays = layout.integers, layout.arrays
        self.told: bytes = b"\0"
        self.result: Value = None

    def fits(self, event: bytes) -> bool:
        """Whether up to `size` bytes are the event of a call of the shape."""
        return int.from_bytes(event, "little") & self._mask == self._same and len(event) == self.size

    def call(self, number: int, event: bytes) -> Call:
        """The call that an event of the shape encodes."""
        call = Call(number, self.signature, self.arguments(event), self.thread)
        call.fake = self.fake
        return call

    def arguments(self, event: bytes) -> list[Value]:
        """The arguments that an event of the shape encodes."""
        numbers = self._unpack(event)
        arguments = self._arguments.copy()
        for place, number in self._singles:
            arguments[place] = numbers[number]
        for place, first, last in self._vectors:
            arguments[place] = list(numbers[first:last])
        for place, number, decode in self._integers:
            arguments[place] = decode(numbers[number])
        if self._arrays:
            for place, first, decoders in self._arrays:
                arguments[place] = [decode(numbers[first + k]) for k, decode in enumerate(decoders)]
        return arguments
