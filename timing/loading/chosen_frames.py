"""Frames that are asked for, among those that an activity has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .source import ActivityError


class Range(Protocol):
    """Numbers from `first` to `last` - 1, or to the end where `last` is None."""

    @property
    def first(self) -> int:
        """The first."""

    @property
    def last(self) -> int | None:
        """The one after the last."""

    def __contains__(self, number: object) -> bool: ...


def frames_in(wanted: Range, recorded: Sequence[int], option: str) -> list[int]:
    """Recorded frames of a range.

    Parameters
    ----------
    wanted
        The range.
    recorded
        Numbers of the recorded frames, ascending.
    option
        Names the range in messages, such as `--frames 5:9`.

    Raises
    ------
    ActivityError
        If the range begins before the first recorded frame or ends after the last.
    """
    ends = [wanted.first] if wanted.last is None else [wanted.first, wanted.last - 1]
    frames = [number for number in recorded if number in wanted]
    if not frames or not all(recorded[0] <= end <= recorded[-1] for end in ends):
        raise ActivityError(f"{option}: the activity has {described(recorded)}, as the capture numbers them")
    return frames


def check_frames(wanted: Sequence[int], recorded: Sequence[int]) -> None:
    """ActivityError if frames are not among those that are known."""
    for number in wanted:
        if number not in recorded:
            raise ActivityError(f"frame {number}: the activity has {described(recorded)}")


def described(frames: Sequence[int]) -> str:
    """Numbers in words, such as "frames 0 to 7"."""
    if not frames:
        return "no frame"
    if len(frames) == 1:
        return f"frame {frames[0]} only"
    if frames[-1] - frames[0] + 1 == len(frames):
        return f"frames {frames[0]} to {frames[-1]}"
    shown = ", ".join(map(str, frames[:12]))
    return f"frames {shown}{f' and so on to {frames[-1]}' if len(frames) > 12 else ''}"
