"""Frames of a recording that do not record what constants were set in them.

A recording begins without constants, so the first draw of each program has all of them, also those that were set before
the recording began. A frame that signs what it has would never equal a later one, which sets less.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .state import NAME


@dataclass
class Met:
    """Programs that were drawn with or linked before a frame."""

    frame: int = -1
    programs: set[int] = field(default_factory=set)


def whole_constants(source: Any) -> bool:
    """Whether a frame has the first draw of a program that was linked before the recording began.

    A program that is linked while recording has all its constants to be set, so that its first draw is reliable.
    """
    met = source.carried.kept.get(NAME)
    if met is None or met.frame > source.frame:
        met = source.carried.kept[NAME] = Met()
    for number in source.activity.frames:
        if met.frame <= number < source.frame:
            met.programs |= _drawn(source.activity, number) | _linked(source.activity, number)
            met.frame = number + 1
    drawn = _drawn(source.activity, source.frame)
    return bool(drawn - met.programs - _linked(source.activity, source.frame))


def _drawn(activity: Any, frame: int) -> set[int]:
    return set(activity.frame("draws", frame, ["program"])["program"].to_pylist())


def _linked(activity: Any, frame: int) -> set[int]:
    rows = activity.frame("events", frame, ["kind", "program"]).to_pylist()
    return {row["program"] for row in rows if row["kind"] == "link"}
