"""Decodes apitrace's events (versions 1 to 6).

The decoder consists of closures over one buffer because every user waits for it first: a method call and an attribute
look-up per byte would make it several times slower.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from .call import Call, CaptureError, Pointer, Signature, Value
from .repeats import MAX_BYTES, Known, RepeatedCalls

MAX_ARGUMENTS = 1 << 10
MAX_NESTING = 64
MAX_CALLS = 256
"""Most calls decoded ahead. The limit exists because Python's garbage collector visits all waiting calls repeatedly."""
FAKE = 1


class Incomplete(Exception):
    """The buffer ends inside an event; at least `missing` more bytes are needed."""

    def __init__(self, missing: int = 1) -> None:
        super().__init__(missing)
        self.missing = missing


def events_decoder(
    version: int, source: str, pending: dict[int, Call]
) -> Callable[[bytes, int], tuple[list[Call], int, int]]:
    """Make the function that decodes the events of a buffer from an offset on.

    It returns the completed calls, at most `MAX_CALLS`, the offset of the first event that was not decoded, and the
    least number of bytes missing from this event, 0 if it may be complete. A cut or damaged event leaves no state behind.
    """
    functions: dict[int, Signature] = {}
    kinds: dict[tuple[int, int], Any] = {}
    learned: list[tuple[dict[Any, Any], Any]] = []
    buffer = b""
    at = 0
    depth = 0
    entered = 0
    repeats = RepeatedCalls(version)
    latest: Known | None = None
    looked, ahead, met = -1, None, False
    unpack_float = struct.Struct("<f").unpack_from
    unpack_double = struct.Struct("<d").unpack_from
    float_arrays: dict[int, Callable[[bytes, int], tuple[Any, ...]]] = {}

    def uint() -> int:
        nonlocal at
        data, place = buffer, at
        byte = data[place]
        if byte < 0x80:
            at = place + 1
            return byte
        value = byte & 0x7F
        shift = 7
        while True:
            place += 1
            byte = data[place]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                at = place + 1
                return value
            shift += 7
            if shift > 70:
                raise CaptureError(f"{source}: a number has more than 64 bits; the file is damaged")

    def take(size: int) -> bytes:
        nonlocal at
        end = at + size
        if end > len(buffer):
            raise Incomplete(end - len(buffer))
        data = buffer[at:end]
        at = end
        return data

    def text() -> str:
        return take(uint()).decode("utf-8", "surrogateescape")

    def count() -> int:
        """Number of elements that follow; each takes at least one byte."""
        size = uint()
        if at + size > len(buffer):
            raise Incomplete(at + size - len(buffer))
        return size

    def remember(table: dict[Any, Any], key: Any, value: Any) -> None:
        table[key] = value
        learned.append((table, key))

    def signed() -> int:
        nonlocal at
        tag = buffer[at]
        number = buffer[at + 1]
        at += 2
        if number >= 0x80:
            at -= 1
            number = uint()
        return -number if tag == 3 else number

    def v_float() -> float:
        nonlocal at
        if at + 4 > len(buffer):
            raise Incomplete
        (value,) = unpack_float(buffer, at)
        at += 4
        return value  # type: ignore[no-any-return]

    def v_double() -> float:
        nonlocal at
        if at + 8 > len(buffer):
            raise Incomplete
        (value,) = unpack_double(buffer, at)
        at += 8
        return value  # type: ignore[no-any-return]

    def skip_names(names: int) -> None:
        """Skip the names and values of an enum: OpenGL's has thousands, and nothing needs them."""
        nonlocal at
        data, place = buffer, at
        for _ in range(names):
            size = data[place]
            value_place = place + size + 2
            if size < 0x80 and data[value_place] < 0x80:
                place = value_place + 1
            elif size < 0x80 and data[value_place + 1] < 0x80:
                place = value_place + 2
            elif size < 0x80 and data[value_place + 2] < 0x80:
                place = value_place + 3
            else:
                at = place
                text()
                signed()
                place = at
        at = place

    def v_enum() -> Value:
        key = (9, uint())
        if key not in kinds:
            if version < 3:
                text()
                remember(kinds, key, value())
            else:
                skip_names(count())
                remember(kinds, key, None)
        return kinds[key] if version < 3 else signed()  # type: ignore[no-any-return]

    def v_bitmask() -> int:
        key = (10, uint())
        if key not in kinds:
            for _ in range(count()):
                text()
                uint()
            remember(kinds, key, None)
        return uint()

    def v_array() -> list[Value]:
        nonlocal at
        size = buffer[at]
        at += 1
        if size >= 0x80:
            at -= 1
            size = uint()
        end = at + 5 * size
        if size > 1 and buffer[at : at + 1] == b"\x05" and end <= len(buffer) and buffer[at:end:5] == b"\x05" * size:
            unpack = float_arrays.get(size)
            if unpack is None and len(float_arrays) < 4096:
                unpack = float_arrays[size] = struct.Struct("<" + "xf" * size).unpack_from
            if unpack is not None:
                values = list(unpack(buffer, at))
                at = end
                return values
        if at + size > len(buffer):
            raise Incomplete(at + size - len(buffer))
        return [value() for _ in range(size)]

    def v_struct() -> list[Value]:
        key = (12, uint())
        if key not in kinds:
            text()
            remember(kinds, key, [text() for _ in range(count())])
        return [value() for _ in kinds[key]]

    def v_representation() -> Value:
        value()
        return value()

    def v_wide() -> str:
        return "".join(chr(c) if c < 0x110000 else "\ufffd" for c in [uint() for _ in range(count())])

    readers: list[Callable[[], Value]] = [
        lambda: None,
        lambda: False,
        lambda: True,
        lambda: -uint(),
        uint,
        v_float,
        v_double,
        text,
        lambda: take(uint()),
        v_enum,
        v_bitmask,
        v_array,
        v_struct,
        lambda: Pointer(uint()),
        v_representation,
        v_wide,
    ]
    nested = {11, 12, 14}

    def value() -> Value:
        nonlocal at, depth
        tag = buffer[at]
        at += 1
        if tag > 15:
            raise CaptureError(f"{source}: byte {tag:#04x} starts no value; the file is damaged")
        if tag not in nested:
            return readers[tag]()
        depth += 1
        if depth > MAX_NESTING:
            raise CaptureError(f"{source}: values nested deeper than {MAX_NESTING}; the file is damaged")
        result = readers[tag]()
        depth -= 1
        return result

    def signature() -> Signature:
        key = uint()
        known = functions.get(key)
        if known is None:
            name = text()
            if not name.isidentifier():
                raise CaptureError(f"{source}: {name!r:.40} is not the name of a function; the file is damaged")
            known = Signature(name, tuple(text() for _ in range(count())))
            remember(functions, key, known)
        return known

    def backtrace() -> None:
        nonlocal at
        for _ in range(count()):
            key = (-1, uint())
            if key not in kinds:
                while (tag := buffer[at]) != 0:
                    at += 1
                    if tag <= 3:
                        text()
                    else:
                        uint()
                at += 1
                remember(kinds, key, None)

    def details(call: Call) -> None:
        # Most arguments are small numbers, enums, addresses or short strings: decoding them inline saves calls.
        nonlocal at
        arguments = call.arguments
        data = buffer
        while True:
            tag = data[at]
            if tag == 1 and (place := data[at + 1]) < len(arguments):
                kind = data[at + 2]
                if kind == 4 or kind == 13:
                    number = data[at + 3]
                    at += 4
                    if number >= 0x80:
                        at -= 1
                        number = uint()
                    arguments[place] = number if kind == 4 else Pointer(number)
                elif kind == 7 and (size := data[at + 3]) < 0x80 and (end := at + 4 + size) <= len(data):
                    arguments[place] = data[at + 4 : end].decode("utf-8", "surrogateescape")
                    at = end
                elif kind == 9 and version >= 3 and (9, data[at + 3]) in kinds and data[at + 3] < 0x80:
                    at += 4
                    arguments[place] = signed()
                else:
                    at += 2
                    arguments[place] = value()
                continue
            at += 1
            if tag == 0:
                return
            if tag == 1:
                argument(call)
            elif tag == 2:
                call.result = value()
            elif tag == 3:
                call.thread = uint()
            elif tag == 4:
                backtrace()
            elif tag == 5:
                call.fake = bool(uint() & FAKE)
            else:
                raise CaptureError(
                    f"{source}: call {call.number} {call.name}: byte {tag:#04x} starts no detail; the file is damaged"
                )

    def argument(call: Call) -> None:
        """An argument beyond those of the signature."""
        place = uint()
        content = value()
        if place >= MAX_ARGUMENTS:
            raise CaptureError(f"{source}: call {call.number} {call.name} has {place} arguments; the file is damaged")
        call.arguments.extend([None] * (place + 1 - len(call.arguments)))
        call.arguments[place] = content

    def enter() -> None:
        nonlocal at, entered, latest, met
        begin, data = at, buffer
        found = ahead if looked == at else repeats.find(data, at)
        met = found is not None
        if found is not None:
            latest, size = found
            pending[entered] = latest.entered(entered)
            entered += 1
            at += size
            return
        thread = 0
        if version >= 4:
            thread = data[at]
            at += 1
            if thread >= 0x80:
                at -= 1
                thread = uint()
        shape = functions.get(data[at]) if data[at] < 0x80 else None
        if shape is None:
            shape = signature()
        else:
            at += 1
        call = Call(entered, shape, [None] * len(shape.arguments), thread)
        details(call)
        pending[entered] = call
        entered += 1
        if at - begin <= MAX_BYTES and not learned and call.result is None:
            latest = repeats.remember(data[begin:at], call)
        else:
            latest = None

    def leave() -> Call | None:
        nonlocal at
        low, middle, high = buffer[at : at + 3].ljust(3, b"\x80")
        if low >= 0x80 and middle >= 0x80 > high:
            # The usual length, decoded inline.
            number = low & 0x7F | (middle & 0x7F) << 7 | high << 14
            at += 3
        else:
            number = uint()
        call = pending.get(number)
        if call is None:
            details(Call(number, Signature("?", ()), []))
            return None
        if buffer[at] == 0:
            at += 1
        else:
            # Values that an incomplete event stored in the call are overwritten when the event is decoded again.
            told = at
            details(call)
            repeats.answered(call, buffer[told:at])
            if latest is not None and number == entered - 1 and not learned:
                latest.returned(buffer[told:at], call)
        call.complete = True
        del pending[number]
        return call

    def events(data: bytes, start: int) -> tuple[list[Call], int, int]:
        nonlocal buffer, at, depth, entered, looked, ahead
        buffer = data
        at = start
        looked = -1
        done: list[Call] = []
        size = len(data)
        missing = 1
        try:
            while at < size:
                start = at
                tag = data[at]
                at += 1
                if tag == 0:
                    enter()
                elif tag == 1:
                    if (call := leave()) is not None:
                        done.append(call)
                        if met:
                            at, entered, ahead = repeats.take(data, at, entered, done, MAX_CALLS)
                            looked = at + 1
                        if len(done) == MAX_CALLS:
                            learned.clear()
                            missing = 0
                            break
                else:
                    raise CaptureError(
                        f"{source}: byte {tag:#04x} after call {entered - 1} starts no event; the file is damaged"
                    )
                if learned:
                    learned.clear()
            start = at
        except IndexError:
            pass
        except Incomplete as stop:
            missing = stop.missing
        except CaptureError:
            # The calls before the damage come first; it is met again when decoding goes on.
            if not done:
                raise
            missing = 0
        depth = 0
        for table, key in learned:
            table.pop(key, None)
        learned.clear()
        return done, start, missing

    return events
