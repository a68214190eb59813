"""Declaration of a change: one `Transformation` in a file of `changes`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tilegpu.functional.capture import Call
from tilegpu.functional.errors import UserError

from .captured import CapturedFrame


class RefusedError(UserError):
    """A change that does not apply to a draw, or would be wrong; the message says why."""


@dataclass(frozen=True)
class Transformation:
    """A change of a captured frame.

    Parameters
    ----------
    name
        Name of its file.
    title
        What it does, as in "textures at half size".
    may_change
        What it may change in the picture.
    apply
        `apply(frame, draw)`: the calls of the changed capture, those that stay in their order. `draw` is the number of
        a draw of the frame, or None for a change of the whole frame. Raises `RefusedError` where it does not apply.
    reasons
        Reasons for which a draw holds the frame (`tilegpu.timing.declare.reasons`) that suggest it; empty for any.
    whole_frame
        Whether it changes the frame and not a draw.
    shares
        What draws share that it changes with the draw: `textures`, `program` or nothing.
    exact
        Whether it is wrong if any pixel changes.
    pictured
        Whether the picture, rendered in 32 bits, shows what it changes.
    caution
        What the saving depends on, for people.
    """

    name: str
    title: str
    may_change: str
    apply: Callable[[CapturedFrame, int | None], list[Call]]
    reasons: frozenset[str] = field(default_factory=frozenset)
    whole_frame: bool = False
    shares: Literal["", "textures", "program"] = ""
    exact: bool = False
    pictured: bool = True
    caution: str = ""
