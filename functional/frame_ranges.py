"""Frames by number: a range, or some of them."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import UserError


@dataclass(frozen=True)
class FrameRange:
    """Frames `first` to `last` - 1; `last` None means to the end.

    With `may_be_fewer` a stream may end before; otherwise it has to have all of them.
    """

    first: int = 0
    last: int | None = None
    may_be_fewer: bool = False

    @classmethod
    def parse(cls, text: str) -> FrameRange:
        """Parse "A:B" (A to B - 1), "A:", ":B" or "A" (only that frame); UserError otherwise."""
        try:
            first, colon, last = text.partition(":")
            begin = int(first) if first else 0
            end = (int(last) if last else None) if colon else begin + 1
        except ValueError:
            begin, end = -1, None
        if begin < 0 or (end is not None and end <= begin):
            raise UserError(
                f"frames {text!r}: write A:B for frames A to B-1, A: to the end, or A for one frame, from 0"
            )
        return cls(begin, end)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number >= self.first and (self.last is None or number < self.last)


@dataclass(frozen=True)
class FrameSet:
    """Some frames, at least one; a stream has to have all of them unless it `may_be_fewer`."""

    numbers: frozenset[int]
    may_be_fewer: bool = False

    @property
    def first(self) -> int:
        """The first of them."""
        return min(self.numbers)

    @property
    def last(self) -> int:
        """The number after the last of them."""
        return max(self.numbers) + 1

    def __contains__(self, number: object) -> bool:
        return number in self.numbers


def lacking(wanted: FrameRange | FrameSet, count: int) -> str:
    """Frames that a stream of `count` frames lacks of those that are wanted, in words; "" if it has them."""
    has = f"has {count} frame{'s' * (count != 1)}"
    if wanted.first >= count:
        return f"{has}, none of the requested ones"
    if wanted.last is None or wanted.last <= count or wanted.may_be_fewer:
        return ""
    return f"{has}, so there is no frame {wanted.last - 1}; {wanted.first}: goes from {wanted.first} to the end"
