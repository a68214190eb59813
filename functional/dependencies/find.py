"""Finds what frames depend on."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from ..capture import CaptureError, Trace
from ..gles.display import Display
from ..gles.frame_ends import FramesAt
from ..pipeline.draw import Outcome
from ..work import long_calls_told
from .frames import Frames
from .observer import Observer
from .operations import Dependencies
from .works import WorkObserver


class _Everything:
    def __contains__(self, call: object) -> bool:
        return True


EVERYTHING: Container[int] = _Everything()
"""All calls: nothing is written by any operation."""


def find_dependencies(
    path: Path,
    frames: Frames,
    frames_at: FramesAt,
    size: tuple[int, int] | None = None,
    works: range | None = None,
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
    works
        Numbers of the draws and dispatches that are wanted of the frame, instead of its picture.

    Raises
    ------
    CaptureError
        The file cannot be read, or the frame has not these draws.
    """
    observer = Observer(frames) if works is None else WorkObserver(frames, works)
    joins = works is None
    display = Display(lambda draw, sink: Outcome(), observer, observer.frame, size, None, joins, frames_at)
    display.skipped = EVERYTHING
    execute = observer.executor(display)
    with long_calls_told(display):
        for call in Trace(path):
            execute(call)
            if frames.last is not None and observer.number >= frames.last:
                break
    if not isinstance(observer, WorkObserver):
        return observer.operations.needed_by(frames)
    if works is not None and works.stop > observer.count:
        raise CaptureError(
            f"{path}: frame {frames.first} has {observer.count} draws and dispatches, so there is no {works.stop - 1}"
        )
    return observer.operations.needed_by(frames, observer.inputs)
