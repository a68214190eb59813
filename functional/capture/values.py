"""Values of arguments and results, read from a buffer."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from .call import Double, Pointer, Value
from .cursor import Cursor, Incomplete
from .wire_format import ENUM_NAMES_SINCE, FLOAT, NEGATIVE, WIDE_STRING

MAX_NESTING = 64
MAX_VALUES = 1 << 21
"""Most values in the arrays and structs of an event; data of buffers and textures are one value."""
MAX_DESCRIPTIONS, MAX_DESCRIPTION_CHARACTERS = 1 << 17, 1 << 14
"""Most functions, enums and structs that a stream describes, and characters of a description."""
FLOAT_BYTES = 5
"""Size of an encoded float, with its tag."""
_unpack_float = struct.Struct("<f").unpack_from
_unpack_double = struct.Struct("<d").unpack_from


class Values(Cursor):
    """A cursor that reads values, a method per kind.

    The stream describes an enum, a bitmask or a struct where it uses it for the first time. An event that the buffer
    cuts is decoded again from its beginning, so its descriptions have to be forgotten: see `forget`.

    Parameters
    ----------
    source
        Name for error messages.
    version
        Version of the format.

    Attributes
    ----------
    learned
        Descriptions in the current event, by table and key. An event without any means the same wherever it is.
    described
        Number of all descriptions.
    taken
        Values in the arrays and structs of the current event.
    """

    __slots__ = (
        "_bitmasks",
        "_depth",
        "_enums",
        "_members",
        "_named_values",
        "described",
        "learned",
        "taken",
        "version",
    )

    def __init__(self, source: str, version: int) -> None:
        super().__init__(source)
        self.version = version
        # Nothing needs the names of values, and old files describe values instead of enums.
        self._enums: dict[int, None] = {}
        self._named_values: dict[int, Value] = {}
        self._bitmasks: dict[int, None] = {}
        self._members: dict[int, int] = {}
        self._depth = 0
        self.learned: list[tuple[dict[int, Any], int]] = []
        self.described = self.taken = 0

    def learn(self, table: dict[int, Any], key: int, described: object) -> None:
        """Add a description to a table."""
        self.described += 1
        if self.described > MAX_DESCRIPTIONS:
            raise self.damaged(f"more than {MAX_DESCRIPTIONS:,} functions, enums and structs are described")
        table[key] = described
        self.learned.append((table, key))

    def forget(self) -> None:
        """Undo what the current event has changed, to decode it again."""
        self._depth = self.taken = 0
        for table, key in self.learned:
            table.pop(key, None)
        self.described -= len(self.learned)
        self.learned.clear()

    def value(self) -> Value:
        """A value of any kind."""
        tag = self.data[self.at]
        self.at += 1
        if tag > WIDE_STRING:
            raise self.damaged(f"byte {tag:#04x} starts no value")
        return _READERS[tag](self)

    def signed(self) -> int:
        """A number after the tag that says its sign."""
        negative = self.data[self.at] == NEGATIVE
        self.at += 1
        return -self.uint() if negative else self.uint()

    def take(self, number: int) -> None:
        """Count values of an array or struct of the current event."""
        self.taken += number
        if self.taken > MAX_VALUES:
            raise self.damaged(f"a call has more than {MAX_VALUES:,} values")

    def _inner(self, number: int) -> list[Value]:
        """Values that make up another value."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self.damaged(f"values nested deeper than {MAX_NESTING}")
        self.take(number)
        values = [self.value() for _ in range(number)]
        self._depth -= 1
        return values

    def _null(self) -> None:
        return None

    def _false(self) -> bool:
        return False

    def _true(self) -> bool:
        return True

    def _negative(self) -> int:
        return -self.uint()

    def _float(self) -> float:
        return self._unpacked(_unpack_float, 4)

    def _double(self) -> Double:
        return Double(self._unpacked(_unpack_double, 8))

    def _unpacked(self, unpack: Callable[[bytes, int], tuple[float]], size: int) -> float:
        begin = self.at
        if begin + size > len(self.data):
            raise Incomplete
        self.at = begin + size
        return unpack(self.data, begin)[0]

    def _enum(self) -> Value:
        key = self.uint()
        if key in self._enums:
            return self.signed()
        if self.version >= ENUM_NAMES_SINCE:
            self._skip_names(self.count())
            self.learn(self._enums, key, None)
            return self.signed()
        if key not in self._named_values:
            self.text()
            self.learn(self._named_values, key, self._inner(1)[0])
        return self._named_values[key]

    def _skip_names(self, number: int) -> None:
        """Skip the names and values of an enum.

        OpenGL's enum has thousands, so those of usual lengths, texts up to 127 bytes and numbers up to 3, are skipped
        without a call.
        """
        data, at = self.data, self.at
        for _ in range(number):
            size = data[at]
            last = at + size + 2
            if size < 0x80 and (data[last] < 0x80 or data[last := last + 1] < 0x80 or data[last := last + 1] < 0x80):
                at = last + 1
            else:
                self.at = at
                self.text()
                self.signed()
                at = self.at
        self.at = at

    def _bitmask(self) -> int:
        key = self.uint()
        if key not in self._bitmasks:
            for _ in range(self.count()):
                self.text()
                self.uint()
            self.learn(self._bitmasks, key, None)
        return self.uint()

    def _array(self) -> list[Value]:
        size, begin = self.count(), self.at
        end = begin + FLOAT_BYTES * size
        # Most arrays are vectors, matrices and vertices. Bytes at the distance of floats tell whether all are floats.
        if end <= len(self.data) and self.data[begin:end:FLOAT_BYTES] == _FLOAT * size:
            self.at = end
            self.take(size)
            return list(_unpack_floats(size)(self.data, begin))
        return self._inner(size)

    def _struct(self) -> list[Value]:
        key = self.uint()
        if key not in self._members:
            self.text()
            members = self.count()
            for _ in range(members):
                self.text()
            self.learn(self._members, key, members)
        return self._inner(self._members[key])

    def _pointer(self) -> Pointer:
        return Pointer(self.uint())

    def _representation(self) -> Value:
        return self._inner(2)[1]

    def _wide_string(self) -> str:
        size = self.count()
        self.take(size)
        return "".join(_character(self.uint()) for _ in range(size))


def _character(code: int) -> str:
    """A character; U+FFFD for numbers that are none."""
    return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"


_FLOAT = bytes((FLOAT,))


@lru_cache(1 << 12)
def _unpack_floats(number: int) -> Callable[[bytes, int], tuple[float, ...]]:
    return struct.Struct("<" + "xf" * number).unpack_from


_READERS: tuple[Callable[[Values], Value], ...] = (
    Values._null,
    Values._false,
    Values._true,
    Values._negative,
    Values.uint,
    Values._float,
    Values._double,
    Values.text,
    Values.blob,
    Values._enum,
    Values._bitmask,
    Values._array,
    Values._struct,
    Values._pointer,
    Values._representation,
    Values._wide_string,
)
"""Methods by the tags in `wire_format`."""
