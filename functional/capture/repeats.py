"""Calls that are known by their bytes: programs make the same ones in every frame."""

from __future__ import annotations

from collections import Counter

from .call import Call, Signature, Value
from .shape_layout import NoShape
from .shapes import Shape

MAX_BYTES, MAX_SIZES, MAX_REPEATED = 512, 8, 1 << 13
"""Calls that are remembered: how long, of how many lengths of a function, and how many of all."""
SHORT_BYTES, MAX_MET = 64, 1 << 14
"""Calls that are remembered at once, and how many longer ones are noted to be remembered when they come again."""
FEW_NEW, LONG_RUN, MAX_MANY, MAX_SHAPES = 16, 64, 32, 1 << 10
"""A function goes by shapes after `FEW_NEW` new calls if they are long, after `LONG_RUN` new calls in a row, or if its
calls filled more than one part in `MAX_MANY` of the memory. `MAX_SHAPES` limits the shapes of all functions."""
VARIES = b""
"""Stands for what the returns of a function tell where they do not all tell the same."""
_RETURNS = [bytes((1, 0x80 | low)) for low in range(128)]
"""How the return of a call begins, by the lowest bits of its number, for numbers of more than these."""


class Known:
    """A call that was met.

    Attributes
    ----------
    signature, arguments, thread, fake
        As in `Call`.
    event
        Its bytes but the first; none of one that goes by a shape.
    told, result
        What followed the number when it last returned, in bytes, and the result in it.
    following
        The call that last came after it: most often, it does so again.
    shape
        Shape of the call, where it goes by one.
    """

    __slots__ = ("arguments", "event", "fake", "following", "result", "shape", "signature", "thread", "told")

    def __init__(self, call: Call, event: bytes = b"", shape: Shape | None = None) -> None:
        self.signature, self.arguments, self.thread, self.fake = call.signature, call.arguments, call.thread, call.fake
        self.event, self.shape = event, shape
        self.following: Known | None = None
        self.told: bytes = b"\0"
        self.result: Value = None

    def entered(self, number: int) -> Call:
        """The call, made again."""
        call = Call(number, self.signature, self.arguments.copy(), self.thread)
        call.fake = self.fake
        return call

    def returned(self, told: bytes, call: Call) -> None:
        """Remember how the call returned, if that told no more than a result, and one that nobody can change."""
        more = call.fake or call.thread != self.thread or isinstance(call.result, list)
        if len(told) <= MAX_BYTES and not more and call.arguments == self.arguments:
            kept = self if self.shape is None else self.shape
            kept.told, kept.result = told, call.result


Found = tuple[Known, int]


class RepeatedCalls:
    """Calls by the bytes of their events, which say where they end: equal bytes are equal calls.

    Calls of functions that are given new numbers all the time go by their shapes instead.

    Parameters
    ----------
    version
        Of the format.
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
        """The call that an event is, which begins before a place, and the length of its rest; None if it is new."""
        key = data[begin : begin + 2]
        # In a long run of new calls nothing comes again.
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
        """Remember a call by the bytes of its event but the first; None where there is no room for it.

        Long ones, and those in a long run of new ones, are remembered when they are met again: most are matrices, of
        which some programs make new ones all the time, or queries at the start. Those that the tracer made up go by
        shapes alone: most are client-side arrays.
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
        """Note what a return told: functions that tell something else each time do not go by shapes."""
        earlier = self._told.get(call.signature)
        if earlier is None and len(self._told) < MAX_SHAPES:
            self._told[call.signature] = told if len(told) <= MAX_BYTES else VARIES
        elif earlier not in (None, told, VARIES):
            self._told[call.signature] = VARIES

    def _forget(self) -> None:
        """Remember calls anew; functions of which there were too many are noted."""
        functions = Counter(event[:2] for event in self._known)
        self._many |= {key for key, calls in functions.items() if calls >= MAX_REPEATED // MAX_MANY}
        self._known.clear()
        self._sizes.clear()

    def _shaped(self, event: bytes, call: Call) -> bool:
        """Note the shape of a new call of a function that has new ones all the time; whether it was noted."""
        key = event[:2]
        shapes = self._shapes.get(key, [])
        full = len(shapes) == MAX_SIZES or self._shape_count == MAX_SHAPES
        if full or self._told.get(call.signature) == VARIES:
            return False
        try:
            shapes.append(Shape(event, call, self._version))
        except NoShape:
            # Seldom looked at again.
            self._new[key] = -MAX_REPEATED
            return False
        self._shapes[key] = shapes
        self._many.add(key)
        self._shape_count += 1
        return True

    def _again(self, event: bytes) -> bool:
        """Whether an event was met before."""
        key = hash(event)
        if key in self._met:
            return True
        if len(self._met) >= MAX_MET:
            self._met.clear()
        self._met.add(key)
        return False

    def take(self, data: bytes, at: int, number: int, done: list[Call], most: int) -> tuple[int, int, Found | None]:
        """Append known calls that return at once, and as they did, for as long as they follow each other.

        Parameters
        ----------
        data, at
            Where an event begins.
        number
            Of the next call that is entered.
        done, most
            What they are appended to, and how long it may become.

        Returns
        -------
        int, int, tuple or None
            Where the first event begins that was not taken, the number of the next call, and what `find` says of it.
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
    """A number but for its lowest bits."""
    number = bytearray()
    while high >= 0x80:
        number.append(high & 0x7F | 0x80)
        high >>= 7
    return bytes((*number, high))
