"""Follows one frame of a stream."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..capture import CaptureError
from ..execute.choice import choose_backend
from ..frame_ranges import FrameRange
from ..gles.frame_ends import FramesAt
from ..pipeline.draw import Renderer
from ..player import Player
from .calls import MAX_CALLS, CallText, calls_between
from .listener import FrameListener


@dataclass(frozen=True)
class FollowedFrame:
    """A frame, operation by operation.

    Attributes
    ----------
    number
        From 0.
    followed
        Operations, planes, programs and textures.
    calls
        All calls of the frame, in the order in which they returned.
    warnings
        What was skipped or wrong up to its end.
    """

    number: int
    followed: FrameListener
    calls: list[CallText]
    warnings: list[str]


def follow_frame(
    path: Path,
    frame: int,
    size: tuple[int, int] | None = None,
    snap: Literal["8", "none"] = "8",
    frames_at: FramesAt | None = None,
    overdraw: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> FollowedFrame:
    """Render a stream up to a frame, and note what each operation of the frame does.

    Parameters
    ----------
    path
        apitrace file.
    frame
        Number of the frame, from 0.
    size, snap, frames_at
        As for `Player`.
    overdraw
        Whether to count how often pixels of the window are covered and written.
    progress
        Is given the share of the stream that has been read, from time to time.

    Raises
    ------
    CaptureError
        The stream cannot be read or has no such frame.
    """
    backend = choose_backend()[0]
    listener = FrameListener(frame, Renderer(backend, snap == "8"), overdraw)
    frames = FrameRange(0, frame + 1, may_be_fewer=True)
    player = Player(path, frames, size, snap, backend, listener=listener, frames_at=frames_at)
    for _ in player.run():
        progress(player.fraction)
    if listener.number <= frame:
        raise CaptureError(f"{path}: has {listener.number} frames, so there is no frame {frame}")
    calls, warnings = calls_between(path, *listener.ends), list(player.warnings)
    if len(calls) == MAX_CALLS:
        warnings.append(f"{path}: frame {frame} has more calls than the {MAX_CALLS:,} that are kept")
    return FollowedFrame(frame, listener, calls, warnings)
