"""Frames by number: a range, or some of them."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import UserError


@dataclass(frozen=True)
class FrameRange:
    """Frames `first` to `last` - 1; `last` None means to the end."""

    first: int = 0
    last: int | None = None

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
    """Some frames, at least one."""

    numbers: frozenset[int]

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
