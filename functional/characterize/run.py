"""Characterizes a captured stream: renders it, and counts what each frame does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from glob import escape
from itertools import chain
from pathlib import Path

from ..claim import claimed
from ..execute.choice import choose_backend
from ..provenance import sha256_of, tool_version
from ..text import legible
from .count import CountedRange, OnFrame, Options, count_frames
from .files import Writer
from .journal import Journal
from .manifest import Manifest
from .parts import Part, count_in_parts, frames_of, ranges
from .stored import rows_of
from .used_blocks import with_first_uses


@dataclass(frozen=True)
class Characterized:
    """Result of a characterization: its manifest and warnings."""

    manifest: Manifest
    warnings: list[str]


def characterize(
    source: Path,
    folder: Path,
    options: Options | None = None,
    replaces: bool = False,
    on_frame: OnFrame = lambda frames, share: None,
    jobs: int = 1,
) -> Characterized:
    """Characterize the frames of a captured stream.

    A run that was interrupted goes on where it was, if source, options and number of jobs are the same.

    Parameters
    ----------
    source
        apitrace file.
    folder
        Folder to write; it appears only when it is complete.
    options
        Frames and settings; all frames by default.
    replaces
        Whether a characterization already in the folder may be replaced.
    on_frame
        Called with the number of frames that are done, and a share of the whole.
    jobs
        Processes that count ranges of frames; results do not depend on it.

    Raises
    ------
    CaptureError, CharacterizationError
        The source cannot be read, or the folder cannot be written.
    InternalError
        tilegpu itself has a fault.
    """
    chosen, version, digest = options or Options(), tool_version(), sha256_of(source)
    back_end = (chosen.backend or choose_backend()[0]).name
    metadata = {"source_name": legible(source.name), "source_sha256": digest, "tool_version": version}
    with claimed(folder), Writer(folder, metadata, replaces) as writer:
        journals, counted = _count(source, folder, chosen, metadata | {"back_end": back_end}, jobs, on_frame)
        frames = [rows for journal in journals for rows in journal.read()]
        for rows in chain(with_first_uses(frames), [rows_of(counted.operations)]):
            for name, added in rows.items():
                writer.add(name, added)
        manifest = Manifest(
            tool_version=version,
            source_name=legible(source.name),
            source_sha256=digest,
            back_end=back_end,
            snap=chosen.snap,
            size=chosen.size,
            frames_at=chosen.frames_at,
            tile=chosen.tile,
            first_frame=chosen.frames.first,
            frames=len(frames),
            rows=writer.rows,
        )
        writer.finish(manifest)
        for path in folder.absolute().parent.glob(escape(_journal(folder).name) + "*"):
            path.unlink()
    return Characterized(manifest, counted.warnings)


def _journal(folder: Path, part: str = "") -> Path:
    return folder.absolute().with_name(f".{folder.name}.characterizing{part}")


def _count(
    source: Path, folder: Path, options: Options, purpose: dict[str, str], jobs: int, on_frame: OnFrame
) -> tuple[Sequence[Journal], CountedRange]:
    """Complete journals of all frames, with operations and warnings."""
    # A range without frames is an error that the player words.
    several = ranges(options.frames, frames_of(source, options), jobs) if jobs > 1 else []
    if len(several) < 2:
        journal = Journal(_journal(folder), purpose | _counted(options))
        with journal:
            return [journal], count_frames(source, options, journal, on_frame)
    parts = []
    for number, frames in enumerate(several):
        own = replace(options, frames=frames, backend=None)
        journal = Journal(_journal(folder, f"-{number}"), purpose | _counted(own))
        parts.append(Part(source, journal, own, purpose["back_end"]))
    return [part.journal for part in parts], count_in_parts(parts, on_frame)


def _counted(options: Options) -> dict[str, object]:
    """Options that the counts depend on."""
    fields = asdict(replace(options, backend=None))
    for name in ("backend", "from_start", "max_work", "allow_truncated"):
        del fields[name]
    return fields
