"""Finds what frames depend on."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from ..capture import Trace
from ..gles.display import Display
from ..gles.frame_ends import FramesAt
from ..pipeline.draw import Outcome
from ..work import long_calls_told
from .frames import Frames
from .observer import Observer
from .operations import Dependencies


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
    observer = Observer(frames)
    display = Display(lambda draw, sink: Outcome(), observer, observer.frame, size, None, True, frames_at)
    display.skipped = EVERYTHING
    execute = observer.executor(display)
    with long_calls_told(display):
        for call in Trace(path):
            execute(call)
            if frames.last is not None and observer.number >= frames.last:
                break
    return observer.operations.needed_by(frames)
