"""The operations of a stream in order, and which of them the wanted ones depend on."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import NamedTuple

from .memory import NONE, Numbers


class Access(NamedTuple):
    """Memory that an operation accesses.

    Attributes
    ----------
    kind
        draw, clear, copy …
    reads
        Memory that its result depends on.
    writes
        Memory that it changes, perhaps in part.
    replaces
        Memory that it overwrites completely, so that earlier writes to it do not matter any more.
    steers
        Memory that decides more than its result: what the stream's objects look like afterwards. It has to be right
        even if the result is not needed.
    """

    kind: str
    reads: Numbers = NONE
    writes: Numbers = NONE
    replaces: Numbers = NONE
    steers: Numbers = NONE

    def joined(self, other: Access) -> Access:
        """Both as one operation."""
        return Access(self.kind, *(a | b for a, b in zip(self[1:], other[1:], strict=True)))


class CallSet:
    """A set of calls by number."""

    def __init__(self, most: int) -> None:
        self._marks = bytearray(most + 1)
        self.count = 0

    def add(self, call: int) -> None:
        """Add a call."""
        self.count += not self._marks[call]
        self._marks[call] = 1

    def __contains__(self, call: object) -> bool:
        return isinstance(call, int) and call < len(self._marks) and self._marks[call] == 1


class Operations:
    """Operations in the order of their calls. Equal accesses are stored once, as programs repeat themselves."""

    def __init__(self) -> None:
        self._calls, self._accesses, self._wanted = array("q"), array("q"), array("b")
        self._numbers: dict[Access, int] = {}
        self._distinct: list[Access] = []

    def add(self, call: int, access: Access, wanted: bool) -> None:
        """Append an operation, or a part of the last one, if the call is the same; wanted ones are executed anyway."""
        if self._calls and self._calls[-1] == call:
            self._accesses[-1] = self._number(self._distinct[self._accesses[-1]].joined(access))
            return
        self._calls.append(call)
        self._accesses.append(self._number(access))
        self._wanted.append(wanted)

    def need(self, reads: Numbers) -> None:
        """Note that what some memory holds at this point is needed."""
        if reads:
            self._calls.append(-1)
            self._accesses.append(self._number(Access("", reads)))
            self._wanted.append(True)

    def _number(self, access: Access) -> int:
        number = self._numbers.get(access)
        if number is None:
            number = self._numbers[access] = len(self._distinct)
            self._distinct.append(access)
        return number

    def skipped(self) -> tuple[CallSet, Counter[str]]:
        """Calls that no wanted operation depends on, and their number by kind."""
        calls, kinds = CallSet(max(self._calls, default=0)), Counter[str]()
        needed: set[int] = set()
        for place in reversed(range(len(self._calls))):
            access = self._distinct[self._accesses[place]]
            if self._wanted[place] or not needed.isdisjoint(access.writes):
                needed -= access.replaces
                needed |= access.reads
            elif access.writes:
                calls.add(self._calls[place])
                kinds[access.kind] += 1
            else:
                needed -= access.replaces
            needed |= access.steers
        return calls, kinds

    def kinds(self) -> Counter[str]:
        """Number of operations by kind."""
        counted = Counter[str]()
        for number in self._accesses:
            if self._distinct[number].writes:
                counted[self._distinct[number].kind] += 1
        return counted
