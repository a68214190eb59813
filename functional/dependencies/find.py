"""Finds what frames depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ..capture import Call, Trace
from ..gles.desktop import DesktopCaptureError
from ..gles.display import Display
from ..gles.frame_ends import FramesAt
from ..gles.surfaces import Picture
from ..pipeline.draw import Outcome
from .observer import Observer


class Frames(Protocol):
    """Some frames; see `FrameRange` and `FrameSet`."""

    @property
    def first(self) -> int:
        """The first of them."""

    @property
    def last(self) -> int | None:
        """The number after the last of them; None for all to the end."""

    def __contains__(self, number: object) -> bool: ...


@dataclass(frozen=True)
class Dependencies:
    """Operations up to the last wanted frame, and those that the wanted ones do not depend on.

    Attributes
    ----------
    skipped
        Calls that need not be executed.
    operations, unneeded
        Number of operations in all and of those to skip, by kind: draw, clear, copy …
    """

    skipped: Container[int] = frozenset()
    operations: Counter[str] = field(default_factory=Counter)
    unneeded: Counter[str] = field(default_factory=Counter)


class _Everything:
    def __contains__(self, call: object) -> bool:
        return True


EVERYTHING: Container[int] = _Everything()
"""All calls: nothing is written by any operation."""


def find_dependencies(
    path: Path, frames: Frames, frames_at: FramesAt, size: tuple[int, int] | None = None
) -> Dependencies:
    """Execute the calls of a stream without rendering and find what some of its frames depend on.

    Parameters
    ----------
    path
        apitrace file.
    frames
        Frames that are wanted.
    frames_at
        Calls that end a frame; see `Display`.
    size
        Size of the window in pixels, or None to derive it from the stream.

    Raises
    ------
    CaptureError
        The file cannot be read.
    """
    observer = Observer()
    number = 0

    def on_frame(picture: Picture, call: Call) -> None:
        nonlocal number
        observer.frame(picture)
        number += 1
        observer.wanted = number in frames

    observer.wanted = 0 in frames
    display = Display(lambda draw, sink: Outcome(), observer, on_frame, size, None, True, frames_at)
    display.skipped = EVERYTHING
    for call in Trace(path):
        try:
            observer.execute(display, call)
        except DesktopCaptureError:
            # The player reports it when it comes to this call.
            break
        if frames.last is not None and number >= frames.last:
            break
    skipped, unneeded = observer.operations.skipped()
    return Dependencies(skipped, observer.operations.kinds(), unneeded)
