"""Records an activity from a captured stream: the whole functional pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .activity import ActivityWriter, Manifest
from .claim import claimed
from .dependencies.operations import Operations
from .execute.backend import Backend
from .execute.choice import choose_backend
from .frame_ranges import FrameRange, FrameSet
from .gles.errors import faults_are_ours
from .gles.frame_ends import FramesAt
from .player import Frame, Player
from .provenance import sha256_of, tool_version
from .recording.collisionable import Collisionable
from .recording.listener import ActivityListener, Level
from .recording.row_writing import RowWriting
from .stage_clock import FRAMES, SilentClock
from .text import legible
from .work import DEFAULT_MAX_WORK


@dataclass(frozen=True)
class Recorded:
    """Result of a recording: frames, rows per table, warnings."""

    frames: int
    rows: dict[str, int]
    warnings: list[str]


def record(
    source: Path,
    folder: Path,
    frames: FrameRange | FrameSet | None = None,
    level: Level = "visible",
    groups: frozenset[str] = frozenset(),
    size: tuple[int, int] | None = None,
    snap: Literal["8", "none"] = "8",
    replace: bool = False,
    backend: Backend | None = None,
    jobs: int = 1,
    on_frame: Callable[[Frame, float], None] = lambda frame, fraction: None,
    clock: SilentClock | None = None,
    collisionable: Sequence[str] = (),
    frames_at: FramesAt | None = None,
    from_start: bool = False,
    operations: Operations | None = None,
    max_work: int = DEFAULT_MAX_WORK,
    allow_truncated: bool = False,
) -> Recorded:
    """Record the activity of a captured stream.

    Parameters
    ----------
    source
        apitrace file.
    folder
        Folder to write; it appears only when it is complete.
    frames
        Frames to record; all by default.
    level
        summary, visible or all; see docs/activity.md.
    groups
        Optional groups: inputs, colors, pass_images.
    size, snap
        As for `Player`.
    replace
        Whether an activity already in the folder may be replaced.
    backend
        Back end that runs shaders; by default the fastest one available.
    jobs
        Number of threads; the activity does not depend on it. With more than one, tables are written concurrently.
    on_frame
        Called with each frame and the fraction of the source that has been read.
    clock
        Notified of the stages.
    collisionable
        Shell patterns for the debug labels of objects that take part in collision detection, in addition to those whose
        label says so.
    frames_at, from_start, operations, max_work
        As for `Player`.
    allow_truncated
        Whether the file may break off before the last of the frames, as where the application was killed.

    Raises
    ------
    CaptureError, ActivityError
        The source cannot be read or breaks off, or the folder cannot be written.
    InternalError
        tilegpu itself has a fault.
    """
    chosen = frames if frames is not None else FrameRange()
    clock = clock or SilentClock()
    with (
        claimed(folder),
        ActivityWriter(folder, replace, groups) as writer,
        RowWriting(writer, 1 if clock.measures else jobs) as writing,
    ):
        colliding = Collisionable(collisionable)
        listener = ActivityListener(writer, writing, level, groups, chosen, colliding)
        back_end = backend or choose_backend()[0]
        player = Player(source, chosen, size, snap, back_end, jobs, clock, listener, frames_at=frames_at)
        player.from_start, player.operations = from_start, operations
        player.max_work, player.allow_truncated = max_work, allow_truncated
        for frame in player.run():
            on_frame(frame, player.fraction)
        with clock.stage(FRAMES), faults_are_ours("writing tables"):
            listener.write_rows()
            writing.wait()
            listener.finish()
        writer.finish(
            Manifest(
                tool_version=tool_version(),
                source_name=legible(source.name),
                source_sha256=sha256_of(source),
                level=level,
                groups=tuple(sorted(groups)),
                back_end=player.backend.name,
                snap=snap,
                frames=tuple(listener.recorded),
                row_groups=tuple(writing.row_groups),
                rows=writer.rows,
            )
        )
        unused = [f"--collisionable {pattern}: no label matches" for pattern in colliding.unused()]
        return Recorded(len(listener.recorded), dict(writer.rows), [*player.warnings, *unused])
