"""A draw left out: the most that any change of it alone can save, but for what it hides."""

from __future__ import annotations

from tilegpu.functional.capture import Call

from ..captured import CapturedFrame
from ..declare import RefusedError, Transformation


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """All calls but the one that draws."""
    drawn = frame.draw(draw)
    if drawn.captures:
        raise RefusedError("transform feedback takes down what it draws")
    return [*frame.calls[: drawn.place], *frame.calls[drawn.place + 1 :]]


TRANSFORMATION = Transformation(
    "leave_out",
    "left out",
    "all that it draws",
    apply,
)
