"""Frames that are wanted."""

from __future__ import annotations

from typing import Protocol


class Frames(Protocol):
    """Some frames; see `FrameRange` and `FrameSet`."""

    @property
    def first(self) -> int:
        """The first of them."""

    @property
    def last(self) -> int | None:
        """The number after the last of them; None for all to the end."""

    def __contains__(self, number: object) -> bool: ...
