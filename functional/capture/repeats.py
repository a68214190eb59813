"""Recognizes repeated calls by the bytes of their events: programs make the same calls in every frame."""

from __future__ import annotations

from collections import Counter

from .call import Call, Signature, Value
from .shape_layout import NoShape
from .shapes import Shape

MAX_BYTES, MAX_SIZES, MAX_REPEATED = 512, 8, 1 << 13
"""Limits of remembered calls: bytes of an event, different lengths per function, and calls in all."""
SHORT_BYTES, MAX_MET = 64, 1 << 14
"""Events up to `SHORT_BYTES` are remembered at once. Longer ones are remembered when they are seen a second time, for
which up to `MAX_MET` hashes are kept."""
FEW_NEW, LONG_RUN, MAX_MANY, MAX_SHAPES = 16, 64, 32, 1 << 10
"""Calls of a function are matched by shape after `FEW_NEW` new ones if they are long, after `LONG_RUN` new ones in a
row, or if they filled more than 1/`MAX_MANY` of the remembered calls. `MAX_SHAPES` limits the shapes in all."""
VARIES = b""
"""Marks functions whose calls do not all return the same."""
_RETURNS = [bytes((1, 0x80 | low)) for low in range(128)]
"""First bytes of a return event by the lowest 7 bits of the call's number, for numbers of 128 and more."""


class Known:
    """A call that was seen before.

    Attributes
    ----------
    signature, arguments, thread, fake
        As in `Call`.
    event
        Bytes of its event without the first; empty if the call was matched by a shape.
    told, result
        Bytes after the number in its last return event, and the result they encode.
    following
        The call that last came after it, which is the best guess for what comes next.
    shape
        Shape that the call was matched by, if any.
    """

    __slots__ = ("arguments", "event", "fake", "following", "result", "shape", "signature", "thread", "told")

    def __init__(self, call: Call, event: bytes = b"", shape: Shape | None = None) -> None:
        self.signature, self.arguments, self.thread, self.fake = call.signature, call.arguments, call.thread, call.fake
        self.event, self.shape = event, shape
        self.following: Known | None = None
        self.told: bytes = b"\0"
        self.result: Value = None

    def entered(self, number: int) -> Call:
        """Make the call again."""
        call = Call(number, self.signature, self.arguments.copy(), self.thread)
        call.fake = self.fake
        return call

    def returned(self, told: bytes, call: Call) -> None:
        """Remember how the call returned, if the return holds nothing but an immutable result."""
        more = call.fake or call.thread != self.thread or isinstance(call.result, list)
        if len(told) <= MAX_BYTES and not more and call.arguments == self.arguments:
            kept = self if self.shape is None else self.shape
            kept.told, kept.result = told, call.result


Found = tuple[Known, int]


class RepeatedCalls:
    """Finds calls by the bytes of their events. Equal bytes mean equal calls, and an event's bytes imply its length.

    Calls of functions whose arguments keep changing are matched by shape instead.

    Parameters
    ----------
    version
        Version of the format.
    """

    def __init__(self, version: int) -> None:
        self._version = version
        self._many: set[bytes] = set()
        self._new: dict[bytes, int] = {}
        self._shapes: dict[bytes, list[Shape]] = {}
        self._shape_count = 0
        self._run, self._run_key, self._run_end = 0, b"", -1
        self._told: dict[Signature, bytes] = {}
        self._known: dict[bytes, Known] = {}
        self._sizes: dict[bytes, list[int]] = {}
        self._met: set[int] = set()
        self._latest = Known(Call(0, Signature("", ()), []))

    def find(self, data: bytes, begin: int) -> Found | None:
        """The known call whose event's second byte is at `begin`, and its length from there; None if it is new."""
        key = data[begin : begin + 2]
        # In a long run of new calls, another repetition is unlikely.
        running = self._run > LONG_RUN and key == self._run_key
        for size in () if running else self._sizes.get(key, ()):
            known = self._known.get(data[begin : begin + size])
            if known is not None:
                return known, size
        for shape in self._shapes.get(key, ()):
            if shape.fits(event := data[begin : begin + shape.size]):
                return Known(shape.call(0, event), shape=shape), shape.size
        return None

    def remember(self, event: bytes, call: Call) -> Known | None:
        """Remember a call by the bytes of its event without the first; None if it is not remembered.

        Long calls, and calls in a long run of new ones, are remembered only when they are seen again: most are matrices
        that change in every frame, or queries at the start. Calls that the tracer added are matched by shape only:
        most are client-side arrays.
        """
        key = event[:2]
        new = self._new[key] = self._new.get(key, 0) + 1
        follows = key == self._run_key and call.number == self._run_end + 1
        self._run_key, self._run_end, self._run = key, call.number, self._run + 1 if follows else 1
        long, running = len(event) > SHORT_BYTES, self._run > LONG_RUN
        if new >= FEW_NEW and (long or running or call.fake or key in self._many) and self._shaped(event, call):
            return None
        if call.fake or ((long or running) and not self._again(event)):
            return None
        if len(self._known) >= MAX_REPEATED:
            self._forget()
        sizes = self._sizes.setdefault(key, [])
        if len(event) not in sizes:
            if len(sizes) == MAX_SIZES:
                return None
            sizes.append(len(event))
        known = self._known[event] = Known(call, event)
        known.arguments = call.arguments.copy()
        return known

    def answered(self, call: Call, told: bytes) -> None:
        """Note what a call returned: functions with varying results are not matched by shape."""
        earlier = self._told.get(call.signature)
        if earlier is None and len(self._told) < MAX_SHAPES:
            self._told[call.signature] = told if len(told) <= MAX_BYTES else VARIES
        elif earlier not in (None, told, VARIES):
            self._told[call.signature] = VARIES

    def _forget(self) -> None:
        """Forget all calls, but note the functions that had too many of them."""
        functions = Counter(event[:2] for event in self._known)
        self._many |= {key for key, calls in functions.items() if calls >= MAX_REPEATED // MAX_MANY}
        self._known.clear()
        self._sizes.clear()

    def _shaped(self, event: bytes, call: Call) -> bool:
        """Remember the shape of a new call of a function whose arguments keep changing; whether that was possible."""
        key = event[:2]
        shapes = self._shapes.get(key, [])
        full = len(shapes) == MAX_SIZES or self._shape_count == MAX_SHAPES
        if full or self._told.get(call.signature) == VARIES:
            return False
        try:
            shapes.append(Shape(event, call, self._version))
        except NoShape:
            # Do not try again soon.
            self._new[key] = -MAX_REPEATED
            return False
        self._shapes[key] = shapes
        self._many.add(key)
        self._shape_count += 1
        return True

    def _again(self, event: bytes) -> bool:
        """Whether an event was seen before."""
        key = hash(event)
        if key in self._met:
            return True
        if len(self._met) >= MAX_MET:
            self._met.clear()
        self._met.add(key)
        return False

    def take(self, data: bytes, at: int, number: int, done: list[Call], most: int) -> tuple[int, int, Found | None]:
        """Append known calls for as long as they follow each other, return at once and return the same as before.

        Parameters
        ----------
        data, at
            Buffer, and offset of an event in it.
        number
            Number of the next call.
        done, most
            List that the calls are appended to, and its greatest length.

        Returns
        -------
        int, int, tuple or None
            Offset of the first event that was not taken, number of the next call, and the result of `find` for it.
        """
        get_sizes, get_known, get_shapes = self._sizes.get, self._known.get, self._shapes.get
        latest, high, shape = self._latest, -1, None
        while len(done) < most:
            first = at + 1
            known = latest.following
            if known is None or not data.startswith(known.event, first):
                key = data[first : first + 2]
                known = None
                if shape is None or key != shape.key or not shape.fits(event := data[first : first + shape.size]):
                    shape = None
                    for size in get_sizes(key, ()):
                        known = get_known(data[first : first + size])
                        if known is not None:
                            latest.following = known
                            break
                    else:
                        for shape in get_shapes(key, ()):
                            if shape.fits(event := data[first : first + shape.size]):
                                break
                        else:
                            self._latest = latest
                            return at, number, None
            if number >> 7 != high:
                high = number >> 7
                rest = _rest(high)
            if known is not None:
                end, told, latest = first + len(known.event), known.told, known
            elif shape is not None:
                end, told = first + shape.size, shape.told
            returned = _RETURNS[number & 0x7F] + rest + told
            if data[at] or not data.startswith(returned, end):
                break
            if known is not None:
                call = Call(number, known.signature, known.arguments.copy(), known.thread)
                call.result = known.result
            elif shape is not None:
                call = Call(number, shape.signature, shape.arguments(event), shape.thread)
                call.fake, call.result = shape.fake, shape.result
            call.complete = True
            done.append(call)
            number += 1
            at = end + len(returned)
        self._latest = latest
        return at, number, self.find(data, at + 1)


def _rest(high: int) -> bytes:
    """Encoded bits of a number above its lowest 7."""
    number = bytearray()
    while high >= 0x80:
        number.append(high & 0x7F | 0x80)
        high >>= 7
    return bytes((*number, high))
