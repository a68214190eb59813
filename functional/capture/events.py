"""Calls from the events in a buffer: one event when a call is entered, one when it returns."""

from __future__ import annotations

from .call import Call, CaptureError, Signature, Value
from .cursor import Incomplete
from .named_values import NamedValues
from .repeats import MAX_BYTES, Pattern, RepeatedCalls
from .values import MAX_DESCRIPTION_CHARACTERS, Values
from .wire_format import (
    ARGUMENT,
    BACKTRACE,
    END,
    ENTER,
    FAKE,
    FLAGS,
    FRAME_TEXTS,
    LEAVE,
    RESULT,
    THREAD,
    THREADS_SINCE,
)

MAX_ARGUMENTS = 1 << 10
MAX_PENDING = 1 << 14
"""Most calls that have not returned: one for each thread, and those that never return."""
MAX_CALLS = 256
"""Most calls decoded ahead. The limit exists because Python's garbage collector visits all waiting calls repeatedly."""
_ENTER = bytes((ENTER,))


class Events:
    """Decodes the events of a stream, buffer by buffer.

    Parameters
    ----------
    version
        Version of the format.
    source
        Name for error messages.
    named
        Whether values keep the names that the stream gives them.

    Attributes
    ----------
    pending
        Calls that have not returned, by number.
    """

    def __init__(self, version: int, source: str, named: bool = False) -> None:
        self.pending: dict[int, Call] = {}
        self._values = NamedValues(source, version) if named else Values(source, version)
        self._functions: dict[int, Signature] = {}
        self._frames: dict[int, None] = {}
        self._repeats = RepeatedCalls(version, named)
        self._entered = 0
        self._latest: Pattern | None = None
        self._inputs: list[Value] = []

    def decode(self, data: bytes, start: int) -> tuple[list[Call], int, int]:
        """Decode the events in a buffer from an offset on.

        Parameters
        ----------
        data, start
            Buffer, and offset of an event.

        Returns
        -------
        list of Call, int, int
            Calls that returned, at most `MAX_CALLS`; offset of the first event that was not decoded; least number of
            bytes missing from this event, 0 if it may be complete. A cut or damaged event leaves no state behind.

        Raises
        ------
        CaptureError
            The first event is damaged.
        """
        values, repeats, size = self._values, self._repeats, len(data)
        values.data = data
        done: list[Call] = []
        missing = 1
        try:
            while start < size and len(done) < MAX_CALLS:
                tag = data[start]
                if tag == ENTER:
                    start, self._entered, pattern = repeats.take(data, start, self._entered, done, MAX_CALLS)
                    values.at = start
                    if pattern is not None:
                        self._enter_again(pattern)
                    elif data.startswith(_ENTER, start):
                        self._enter_new()
                elif tag == LEAVE:
                    values.at = start + 1
                    if (call := self._leave()) is not None:
                        done.append(call)
                else:
                    raise values.damaged(f"byte {tag:#04x} after call {self._entered - 1} starts no event")
                start = values.at
                values.learned.clear()
                values.taken = 0
            if start < size:
                missing = 0
        except Incomplete as stop:
            missing = stop.missing
        except IndexError:
            pass
        except CaptureError:
            # The calls before the damage come first; it is met again when decoding goes on.
            if not done:
                raise
            missing = 0
        values.forget()
        return done, start, missing

    def _enter_again(self, pattern: Pattern) -> None:
        """Enter a call that is known, but does not return at once or returns something else."""
        values = self._values
        call = pattern.call(self._entered, values.data, values.at)
        values.at += pattern.size
        self._enter(call, pattern)

    def _enter_new(self) -> None:
        """Decode the event that enters a call."""
        values = self._values
        begin = values.at
        values.at += 1
        thread = values.uint() if values.version >= THREADS_SINCE else 0
        signature = self._signature()
        call = Call(self._entered, signature, [None] * len(signature.arguments), thread)
        self._details(call)
        simple = not values.learned and call.result is None
        self._enter(call, self._repeats.remember(values.data[begin : values.at], call) if simple else None)

    def _enter(self, call: Call, pattern: Pattern | None) -> None:
        if len(self.pending) >= MAX_PENDING:
            raise self._values.damaged(f"more than {MAX_PENDING:,} calls have not returned")
        self.pending[self._entered] = call
        self._entered += 1
        self._latest = pattern
        if pattern is not None:
            self._inputs = call.arguments.copy()

    def _leave(self) -> Call | None:
        """Decode the return of a call; None if it was never entered."""
        values = self._values
        number = values.uint()
        call = self.pending.get(number)
        if call is None:
            self._details(Call(number, Signature("?", ()), []))
            return None
        begin = values.at
        if values.data[begin] == END:
            values.at += 1
        else:
            # Values that an incomplete event stored in the call are overwritten when the event is decoded again.
            self._details(call)
            self._answered(call, values.data[begin : values.at])
        call.complete = True
        del self.pending[number]
        return call

    def _answered(self, call: Call, answer: bytes) -> None:
        """Remember how a call returned, if the return holds nothing but an immutable result."""
        self._repeats.answered(call, answer)
        latest = self._latest
        if latest is None or call.number != self._entered - 1 or self._values.learned or len(answer) > MAX_BYTES:
            return
        if not call.fake and not isinstance(call.result, list) and call.arguments == self._inputs:
            latest.answer, latest.result = answer, call.result

    def _signature(self) -> Signature:
        values = self._values
        key = values.uint()
        signature = self._functions.get(key)
        if signature is None:
            name = values.text()
            if not name.isidentifier():
                raise values.damaged(f"{name!r:.40} is not the name of a function")
            count = values.count()
            if count > MAX_ARGUMENTS:
                raise values.damaged(f"{name:.40} has {count} arguments")
            signature = Signature(name, tuple(values.text() for _ in range(count)))
            if len(name) + sum(map(len, signature.arguments)) > MAX_DESCRIPTION_CHARACTERS:
                raise values.damaged(f"{name:.40} and its arguments have names that are too long")
            values.learn(self._functions, key, signature)
        return signature

    def _details(self, call: Call) -> None:
        """Decode the details of an event into a call, up to the event's end."""
        values, data, arguments = self._values, self._values.data, call.arguments
        while True:
            tag = data[values.at]
            values.at += 1
            if tag == ARGUMENT:
                place = values.uint()
                content = values.value()
                if place >= len(arguments):
                    self._extend(call, place)
                arguments[place] = content
            elif tag == END:
                return
            elif tag == RESULT:
                call.result = values.value()
            elif tag == THREAD:
                call.thread = values.uint()
            elif tag == BACKTRACE:
                self._skip_backtrace()
            elif tag == FLAGS:
                call.fake = bool(values.uint() & FAKE)
            else:
                raise values.damaged(f"call {call.number} {call.name}: byte {tag:#04x} starts no detail")

    def _extend(self, call: Call, place: int) -> None:
        """Make room for an argument beyond those of the signature."""
        if place >= MAX_ARGUMENTS:
            raise self._values.damaged(f"call {call.number} {call.name} has {place} arguments")
        call.arguments.extend([None] * (place + 1 - len(call.arguments)))

    def _skip_backtrace(self) -> None:
        values = self._values
        for _ in range(values.count()):
            key = values.uint()
            if key not in self._frames:
                while (tag := values.byte()) != END:
                    if tag in FRAME_TEXTS:
                        values.text()
                    else:
                        values.uint()
                values.learn(self._frames, key, None)
