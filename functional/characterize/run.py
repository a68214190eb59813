"""Characterizes a captured stream: renders it, and counts what each frame does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..claim import claimed
from ..execute.backend import Backend
from ..execute.choice import choose_backend
from ..gles.errors import faults_are_ours
from ..gles.frame_ends import FramesAt
from ..pipeline.fused.counted_state import TileSize
from ..player import Frame, FrameRange, Player
from ..record import sha256_of, tool_version
from .counter import DrawCounter
from .files import Writer
from .journal import Journal, Rows
from .listener import CharacterizingListener
from .manifest import Manifest

TILE = TileSize(32, 32)


@dataclass(frozen=True)
class Options:
    """How a stream is characterized.

    Attributes
    ----------
    frames
        Frames to characterize.
    tile
        Width and height of a tile in pixels.
    size, snap, frames_at, from_start
        As for `Player`.
    backend
        Back end that runs shaders; by default the fastest one available.
    """

    frames: FrameRange = FrameRange()
    tile: tuple[int, int] = TILE
    size: tuple[int, int] | None = None
    snap: Literal["8", "none"] = "8"
    frames_at: FramesAt | None = None
    backend: Backend | None = None
    from_start: bool = False


@dataclass(frozen=True)
class Characterized:
    """Result of a characterization: its manifest and warnings."""

    manifest: Manifest
    warnings: list[str]


def characterize(
    source: Path,
    folder: Path,
    options: Options | None = None,
    replace: bool = False,
    on_frame: Callable[[Frame, float], None] = lambda frame, fraction: None,
) -> Characterized:
    """Characterize the frames of a captured stream.

    A run that was interrupted goes on where it was, if source and options are the same.

    Parameters
    ----------
    source
        apitrace file.
    folder
        Folder to write; it appears only when it is complete.
    options
        How; all frames by default.
    replace
        Whether a characterization already in the folder may be replaced.
    on_frame
        Called with each frame and the fraction of the source that has been read.

    Raises
    ------
    CaptureError, CharacterizationError
        The source cannot be read, or the folder cannot be written.
    InternalError
        tilegpu itself has a fault.
    """
    how, version, digest = options or Options(), tool_version(), sha256_of(source)
    backend = how.backend or choose_backend()[0]
    metadata = {"source_name": source.name, "source_sha256": digest, "tool_version": version}
    purpose = metadata | _purpose(how, backend)
    with claimed(folder), Journal(folder, purpose) as journal, Writer(folder, metadata, replace) as writer:
        for rows in journal.done:
            _write(writer, rows)
        frames, warnings = _rest(source, dataclasses.replace(how, backend=backend), journal, writer, on_frame)
        manifest = Manifest(
            tool_version=version,
            source_name=source.name,
            source_sha256=digest,
            back_end=backend.name,
            snap=how.snap,
            tile=how.tile,
            first_frame=how.frames.first,
            frames=len(journal.done) + frames,
            rows=writer.rows,
        )
        writer.finish(manifest)
    return Characterized(manifest, warnings)


def _purpose(how: Options, backend: Backend) -> dict[str, Any]:
    """Options that decide what is counted."""
    options = dataclasses.asdict(how)
    del options["backend"], options["from_start"]
    return options | {"back_end": backend.name}


def _rest(
    source: Path,
    how: Options,
    journal: Journal,
    writer: Writer,
    on_frame: Callable[[Frame, float], None],
) -> tuple[int, list[str]]:
    """Characterize the frames that are not done; their number and warnings."""
    assert how.backend is not None
    frames = FrameRange(how.frames.first + len(journal.done), how.frames.last)
    counter = DrawCounter(TileSize(*how.tile))
    listener = CharacterizingListener(counter, frames)
    player = Player(
        source,
        frames,
        how.size,
        how.snap,
        how.backend,
        listener=listener,
        counter=counter,
        frames_at=how.frames_at,
        from_start=how.from_start,
    )
    number = 0
    for frame in player.run():
        number += 1
        with faults_are_ours("writing tables"):
            rows = listener.take()
            _write(writer, rows)
            journal.add(rows)
        on_frame(frame, player.fraction)
    return number, player.warnings


def _write(writer: Writer, rows: Rows) -> None:
    for name, added in rows.items():
        writer.add(name, added)
