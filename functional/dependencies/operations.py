"""The operations of a stream in order, and which of them the wanted ones depend on."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .frames import Frames
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


def showing(memory: Numbers) -> Access:
    """Access of a frame that shows some memory."""
    return Access("", memory)


SHOWN = -1
"""In place of a call: what some memory holds is shown by the frame."""


@dataclass(frozen=True)
class Dependencies:
    """Operations up to the last wanted frame, and those that the wanted ones do not depend on.

    Attributes
    ----------
    skipped
        Calls that need not be executed.
    operations, unneeded
        Number of operations in all and of those to skip, by kind: draw, clear, copy …
    last_work
        Call of the last draw or dispatch that is wanted, if only some of a frame are.
    """

    skipped: Container[int] = frozenset()
    operations: Counter[str] = field(default_factory=Counter)
    unneeded: Counter[str] = field(default_factory=Counter)
    last_work: int | None = None


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
    """Operations in the order of their calls. Equal accesses are stored once, as programs repeat themselves.

    Attributes
    ----------
    frames, calls, accesses
        By operation: frame that it is in; number of its call, `SHOWN` for memory that the frame shows; place of its
        access in `distinct`.
    distinct
        The different accesses.
    """

    def __init__(self) -> None:
        self.frames, self.calls, self.accesses = array("i"), array("q"), array("i")
        self.distinct: list[Access] = []
        self._numbers: dict[Access, int] = {}
        self._latest = SHOWN, 0

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int]], distinct: Iterable[Access]) -> Operations:
        """Operations from rows of frame, call, place of the access, and the different accesses."""
        made = cls()
        made.distinct = list(distinct)
        for frame, call, access in rows:
            made.frames.append(frame)
            made.calls.append(call)
            made.accesses.append(access)
        return made

    def add(self, call: int, access: Access, frame: int) -> None:
        """Append an operation of a frame, or a part of the last one, if the call is the same."""
        latest, place = self._latest
        if latest == call:
            self.accesses[place] = self._number(self.distinct[self.accesses[place]].joined(access))
            return
        self._latest = call, len(self.calls)
        self._append(frame, call, access)

    def add_again(self, call: int, access: int, shown: int | None, frame: int) -> None:
        """Append an operation, and that a frame then shows what some memory holds, by the places of both in `distinct`;
        it shows nothing if that is None."""
        frames, calls, accesses = self.frames, self.calls, self.accesses
        self._latest = call, len(calls)
        frames.append(frame)
        calls.append(call)
        accesses.append(access)
        if shown is not None:
            frames.append(frame)
            calls.append(SHOWN)
            accesses.append(shown)

    def need(self, shown: Access, frame: int) -> None:
        """Note that a frame shows what some memory holds at this point; see `showing`."""
        if shown.reads:
            self._append(frame, SHOWN, shown)

    def place_of(self, access: Access) -> int:
        """Place of an access that was added in `distinct`."""
        return self._numbers[access]

    def _append(self, frame: int, call: int, access: Access) -> None:
        self.frames.append(frame)
        self.calls.append(call)
        self.accesses.append(self._number(access))

    def _number(self, access: Access) -> int:
        number = self._numbers.get(access)
        if number is None:
            number = self._numbers[access] = len(self.distinct)
            self.distinct.append(access)
        return number

    def needed_by(self, wanted: Frames, inputs: Mapping[int, Numbers] | None = None) -> Dependencies:
        """Dependencies of some frames; operations after the last of them do not count.

        Parameters
        ----------
        wanted
            The frames.
        inputs
            Memory that what some calls write depends on, by call, if these are wanted and not all that frames show.
        """
        calls, kinds, unneeded = CallSet(max(self.calls, default=0)), Counter[str](), Counter[str]()
        chosen = [frame in wanted for frame in range(max(self.frames, default=-1) + 1)]
        end = len(self.frames) if wanted.last is None else bisect_left(self.frames, wanted.last)
        needed: set[int] = set()
        for place in reversed(range(end)):
            frame, call, access = self.frames[place], self.calls[place], self.distinct[self.accesses[place]]
            if call == SHOWN:
                needed |= access.reads if chosen[frame] and inputs is None else NONE
                continue
            kinds[access.kind] += bool(access.writes)
            if inputs is not None and call in inputs:
                needed -= access.replaces
                needed |= inputs[call]
            elif (inputs is None and chosen[frame]) or not needed.isdisjoint(access.writes):
                needed -= access.replaces
                needed |= access.reads
            elif access.writes:
                calls.add(call)
                unneeded[access.kind] += 1
            else:
                needed -= access.replaces
            needed |= access.steers
        return Dependencies(calls, +kinds, unneeded, max(inputs) if inputs else None)
