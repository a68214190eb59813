"""Recognizes repeated calls by the bytes of their events: programs make the same calls in every frame."""

from __future__ import annotations

from collections import Counter

from .call import Call, Signature, Value
from .encoder import uint
from .shape_layout import NoShape
from .shapes import Shape
from .wire_format import LEAVE

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
_RETURNS = [bytes((LEAVE, 0x80 | low)) for low in range(128)]
"""First bytes of a return event by the lowest 7 bits of the call's number, for numbers of 128 and more."""


class RepeatedCall:
    """A call that was seen before.

    Attributes
    ----------
    event, size
        Bytes of its event, and how many.
    signature, arguments, thread
        Of the call.
    answer, result
        Bytes after the number in its last return event, and the result they encode.
    following
        The known call that last came after it, which is the best guess for what comes next.
    """

    __slots__ = ("answer", "arguments", "event", "following", "result", "signature", "size", "thread")

    def __init__(self, event: bytes, call: Call) -> None:
        self.signature, self.arguments, self.thread = call.signature, call.arguments.copy(), call.thread
        self.event, self.size = event, len(event)
        self.answer: bytes = b"\0"
        self.result: Value = None
        self.following: RepeatedCall | None = None

    def call(self, number: int, data: bytes, at: int) -> Call:
        """Make the call again."""
        return Call(number, self.signature, self.arguments.copy(), self.thread)


Pattern = RepeatedCall | Shape


class RepeatedCalls:
    """Finds calls by the bytes of their events. Equal bytes mean equal calls, and an event's bytes imply its length.

    Calls of functions whose arguments keep changing are matched by shape instead.

    Parameters
    ----------
    version
        Version of the format.
    named
        Whether values have names.
    """

    def __init__(self, version: int, named: bool = False) -> None:
        self._version, self._named = version, named
        self._many: set[bytes] = set()
        self._new: dict[bytes, int] = {}
        self._shapes: dict[bytes, list[Shape]] = {}
        self._shape_count = 0
        self._run, self._run_key, self._run_end = 0, b"", -1
        self._answers: dict[Signature, bytes] = {}
        self._known: dict[bytes, RepeatedCall] = {}
        self._sizes: dict[bytes, list[int]] = {}
        self._met: set[int] = set()
        self._latest = RepeatedCall(b"", Call(0, Signature("", ()), []))

    def take(self, data: bytes, at: int, number: int, done: list[Call], most: int) -> tuple[int, int, Pattern | None]:
        """Append known calls for as long as they follow each other, return at once and return the same as before.

        Most calls of a stream are decoded here, at a cost of two comparisons of bytes and two Python calls.

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
        int, int, Pattern or None
            Offset of the first event that was not taken, number of the next call, and what matches this event if it is
            the event of a known call.
        """
        latest, shape, high = self._latest, None, -1
        while True:
            guess = latest.following
            pattern: Pattern | None
            if guess is not None and data.startswith(guess.event, at):
                pattern = latest = guess
            elif shape is not None and shape.fits(data, at):
                pattern = shape
            else:
                pattern = self._find(data, at)
                if pattern is None:
                    break
                if isinstance(pattern, RepeatedCall):
                    latest.following = pattern
                    latest = pattern
                else:
                    shape = pattern
            if number >> 7 != high:
                high = number >> 7
                high_bytes = uint(high)
            returned = _RETURNS[number & 0x7F] + high_bytes + pattern.answer
            end = at + pattern.size
            if len(done) == most or not data.startswith(returned, end):
                break
            if pattern is latest:
                # Most calls; what `Known.call` does.
                call = Call(number, latest.signature, latest.arguments.copy(), latest.thread, latest.result)
            else:
                call = pattern.call(number, data, at)
                call.result = pattern.result
            call.complete = True
            done.append(call)
            number += 1
            at = end + len(returned)
        self._latest = latest
        return at, number, pattern

    def _find(self, data: bytes, at: int) -> Pattern | None:
        """The known call or shape that the event at an offset belongs to; None if it is new or no call."""
        key = data[at + 1 : at + 3]
        # In a long run of new calls, another repetition is unlikely.
        if key != self._run_key or self._run <= LONG_RUN:
            for size in self._sizes.get(key, ()):
                pattern = self._known.get(data[at : at + size])
                if pattern is not None:
                    return pattern
        for shape in self._shapes.get(key, ()):
            if shape.fits(data, at):
                return shape
        return None

    def remember(self, event: bytes, call: Call) -> RepeatedCall | None:
        """Remember a call by the bytes of its event; None if it is not remembered.

        Long calls, and calls in a long run of new ones, are remembered only when they are seen again: most are matrices
        that change in every frame, or queries at the start. Calls that the tracer added are matched by shape only:
        most are client-side arrays.
        """
        if len(event) > MAX_BYTES:
            return None
        key = event[1:3]
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
        pattern = self._known[event] = RepeatedCall(event, call)
        return pattern

    def answered(self, call: Call, answer: bytes) -> None:
        """Note what a call returned: functions with varying results are not matched by shape."""
        earlier = self._answers.get(call.signature)
        if earlier is None and len(self._answers) < MAX_SHAPES:
            self._answers[call.signature] = answer if len(answer) <= MAX_BYTES else VARIES
        elif earlier not in (None, answer, VARIES):
            self._answers[call.signature] = VARIES

    def _forget(self) -> None:
        """Forget all calls, but note the functions that had too many of them."""
        functions = Counter(event[1:3] for event in self._known)
        self._many |= {key for key, calls in functions.items() if calls >= MAX_REPEATED // MAX_MANY}
        self._known.clear()
        self._sizes.clear()

    def _shaped(self, event: bytes, call: Call) -> bool:
        """Remember the shape of a new call of a function whose arguments keep changing; whether that was possible."""
        key = event[1:3]
        shapes = self._shapes.get(key, [])
        full = len(shapes) == MAX_SIZES or self._shape_count == MAX_SHAPES
        if full or self._answers.get(call.signature) == VARIES:
            return False
        try:
            shapes.append(Shape(event, call, self._version, self._named))
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
