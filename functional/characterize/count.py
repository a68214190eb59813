"""Counts the frames of a range while it renders them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ..dependencies.left_out import ColorsNeeded
from ..dependencies.observer import Observer
from ..dependencies.operations import Operations
from ..execute.backend import Backend
from ..execute.choice import choose_backend
from ..frame_ranges import FrameRange
from ..gles.errors import faults_are_ours
from ..gles.frame_ends import FramesAt
from ..pipeline.fused.counted_state import TileSize
from ..player import Player
from ..work import DEFAULT_MAX_WORK
from .counter import Colors, DrawCounter
from .journal import Journal
from .listener import CharacterizingListener
from .signatures import DISTANCES

TILE = TileSize(32, 32)
OnFrame = Callable[[int, float], None]
"""Called with the number of frames that are done, and a share: of the source that was read, or of the frames."""


@dataclass(frozen=True)
class Options:
    """Options of characterizing a stream.

    Attributes
    ----------
    frames
        Frames to characterize.
    tile
        Width and height of a tile in pixels.
    size, snap, frames_at, from_start, max_work
        As for `Player`.
    backend
        Back end that runs shaders; by default the fastest one available.
    allow_truncated
        Whether the file may break off before the last of the frames.
    """

    frames: FrameRange = FrameRange()
    tile: tuple[int, int] = TILE
    size: tuple[int, int] | None = None
    snap: Literal["8", "none"] = "8"
    frames_at: FramesAt | None = None
    backend: Backend | None = None
    from_start: bool = False
    max_work: int = DEFAULT_MAX_WORK
    allow_truncated: bool = False


@dataclass(frozen=True)
class CountedRange:
    """Operations of a stream up to the end of a range of frames that was counted, and warnings."""

    operations: Operations
    warnings: list[str]


def count_frames(source: Path, options: Options, journal: Journal, on_frame: OnFrame) -> CountedRange:
    """Characterize the frames of a range that a journal lacks, and append them to it.

    Parameters
    ----------
    source
        apitrace file.
    options
        Frames and settings.
    journal
        Gets the rows.
    on_frame
        Called after each frame.
    """
    for colors in ("none", "images"):
        with suppress(ColorsNeeded):
            return _count(source, options, journal, on_frame, colors)
    return _count(source, options, journal, on_frame, "all")


def _count(source: Path, options: Options, journal: Journal, on_frame: OnFrame, colors: Colors) -> CountedRange:
    """Count while some colours are drawn; `ColorsNeeded` if something depends on others."""
    options = replace(options, frames=FrameRange(options.frames.first + len(journal), options.frames.last))
    counter = DrawCounter(TileSize(*options.tile), colors=colors)
    listener = CharacterizingListener(counter, options.frames)
    observer = Observer(FrameRange(), listener, counter.leaves_out_colors)
    # The first frames are compared with those before them.
    player = Player(
        source,
        FrameRange(max(0, options.frames.first - max(DISTANCES)), options.frames.last),
        options.size,
        options.snap,
        options.backend or choose_backend()[0],
        listener=listener,
        counter=counter,
        frames_at=options.frames_at,
        from_start=options.from_start,
        max_work=options.max_work,
        observer=observer,
        images=False,
        allow_truncated=options.allow_truncated,
    )
    for frame in player.run():
        if frame.number not in options.frames:
            continue
        with faults_are_ours("writing tables"):
            journal.add(listener.take())
        on_frame(len(journal), player.fraction)
    return CountedRange(observer.operations, player.warnings)
