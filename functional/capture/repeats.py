"""Calls that are known by their bytes: programs make the same ones in every frame."""

from __future__ import annotations

from .call import Call

MAX_BYTES, MAX_SIZES, MAX_REPEATED = 128, 8, 1 << 13
"""Calls that are remembered: how long, of how many lengths of a function, and how many of all."""
SHORT_BYTES, MAX_MET = 64, 1 << 14
"""Calls that are remembered at once, and how many longer ones are noted to be remembered when they come again."""
_RETURNS = [bytes((1, 0x80 | low)) for low in range(128)]
"""How the return of a call begins, by the lowest bits of its number, for numbers of more than these."""


class Known:
    """A call that was met.

    Attributes
    ----------
    signature, arguments, thread
        As in `Call`.
    told, result
        What followed the number when it last returned, in bytes, and the result in it.
    """

    __slots__ = ("arguments", "result", "signature", "thread", "told")

    def __init__(self, call: Call) -> None:
        self.signature, self.arguments, self.thread = call.signature, call.arguments.copy(), call.thread
        self.told, self.result = b"\0", call.result

    def entered(self, number: int) -> Call:
        """The call, made again."""
        return Call(number, self.signature, self.arguments.copy(), self.thread)

    def returned(self, told: bytes, call: Call) -> None:
        """Remember how the call returned, if that told no more than a result, and one that nobody can change."""
        more = call.fake or call.thread != self.thread or isinstance(call.result, list)
        if len(told) <= MAX_BYTES and not more and call.arguments == self.arguments:
            self.told, self.result = told, call.result


Found = tuple[Known, int]


class RepeatedCalls:
    """Calls by the bytes of their events, which say where they end: equal bytes are equal calls."""

    def __init__(self) -> None:
        self._known: dict[bytes, Known] = {}
        self._sizes: dict[bytes, list[int]] = {}
        self._met: set[int] = set()

    def find(self, data: bytes, begin: int) -> Found | None:
        """The call that an event is, which begins before a place, and the length of its rest; None if it is new."""
        for size in self._sizes.get(data[begin : begin + 2], ()):
            known = self._known.get(data[begin : begin + size])
            if known is not None:
                return known, size
        return None

    def remember(self, event: bytes, call: Call) -> Known | None:
        """Remember a call by the bytes of its event but the first; None where there is no room for it.

        Long ones are remembered when they are met again: most are matrices, of which some programs make new ones all
        the time.
        """
        if len(event) > SHORT_BYTES and not self._again(event):
            return None
        if len(self._known) >= MAX_REPEATED:
            self._known.clear()
            self._sizes.clear()
        sizes = self._sizes.setdefault(event[:2], [])
        if len(event) not in sizes:
            if len(sizes) == MAX_SIZES:
                return None
            sizes.append(len(event))
        known = self._known[event] = Known(call)
        return known

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
        get_sizes, get_known = self._sizes.get, self._known.get
        high = -1
        while len(done) < most:
            first = at + 1
            for size in get_sizes(data[first : first + 2], ()):
                known = get_known(data[first : first + size])
                if known is not None:
                    break
            else:
                return at, number, None
            if number >> 7 != high:
                high = number >> 7
                rest = _rest(high)
            returned = _RETURNS[number & 0x7F] + rest + known.told
            end = first + size
            behind = end + len(returned)
            if data[at] or data[end:behind] != returned:
                return at, number, (known, size)
            call = Call(number, known.signature, known.arguments.copy(), known.thread)
            call.result = known.result
            call.complete = True
            done.append(call)
            number += 1
            at = behind
        return at, number, self.find(data, at + 1)


def _rest(high: int) -> bytes:
    """A number but for its lowest bits."""
    number = bytearray()
    while high >= 0x80:
        number.append(high & 0x7F | 0x80)
        high >>= 7
    return bytes((*number, high))
