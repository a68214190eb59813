"""Workloads of a study: found by name, their traces made, their activities recorded, both kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from tilegpu import functional
from tilegpu.functional.characterize.count import Options
from tilegpu.functional.characterize.parts import frames_of as frames_of_stream
from tilegpu.functional.compile import sources_key
from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_ranges import FrameRange, FrameSet
from tilegpu.functional.record import record

from ..workloads.cache import cached_trace, kept
from ..workloads.twin import Twin
from ..workloads.twin_files import find_twin, twin_names
from .declare import AtTimes, Frames, Study, StudyError

CAPTURES = "TILEGPU_CAPTURES"
SMALLEST = 16
NUMBERED = re.compile(r"(.+)@([^@/\\]+)(?<!\.trace)(?<!\.toml)")
"""A workload, and numbers of its frames."""


@dataclass(frozen=True)
class Workload:
    """Workload to replay: a twin, or the trace of an application.

    Attributes
    ----------
    name
        As the study calls it.
    twin
        Drawn on the screen of the study; None for an application.
    trace
        The application's.
    at_times
        Writes the trace with frames at other moments; None for a trace that is taken as it is.
    numbers
        Frames of the trace that count, as the capture numbers them; None for as many as the study has.
    """

    name: str
    twin: Twin | None = None
    trace: Path | None = None
    at_times: AtTimes | None = None
    numbers: FrameRange | None = None

    @property
    def folder(self) -> str:
        """Its name as that of a folder."""
        return re.sub(r"[:/\\]", "-", self.name)

    @property
    def pixels(self) -> int:
        """Pixels of its screen; a guess for an application."""
        return self.twin.width * self.twin.height if self.twin else 1280 * 720


def find_workload(name: str, study: Study, scale: float) -> Workload | None:
    """A workload by name: a twin or its TOML file, `scene:NAME`, `capture:NAME`, or a .trace file.

    Behind the last three may stand frames that count, as `game.trace@40:42`.

    Parameters
    ----------
    name
        Name.
    study
        Says which screen twins are drawn at.
    scale
        Of the screen, each way.

    Returns
    -------
    Workload or None
        None for a capture that is not at hand.

    Raises
    ------
    StudyError, TwinError
        If there is no such workload.
    """
    if (numbered := NUMBERED.fullmatch(name)) and name not in study.traces:
        return _with_numbers(name, find_workload(numbered[1], study, scale), numbered[2])
    if name in study.traces:
        trace = study.traces[name]
        return Workload(name, trace=trace, at_times=study.at_times.get(name)) if trace.is_file() else None
    kind, _, rest = name.partition(":")
    if kind == "scene" and rest:
        return Workload(
            name, trace=_existing(Path(str(files("tilegpu.data").joinpath("scenes", f"{rest}.trace"))), name)
        )
    if kind == "capture" and rest:
        path = Path(os.environ.get(CAPTURES, "")) / f"{rest}.trace"
        return Workload(name, trace=path) if os.environ.get(CAPTURES) and path.is_file() else None
    if name.endswith(".trace"):
        return Workload(Path(name).stem, trace=_existing(Path(name), name))
    if not name.endswith(".toml") and name.partition("+")[0] not in twin_names():
        raise StudyError(f"workload {name!r}: there is no such twin; name one (`tilegpu workloads list`) or a file")
    twin = find_twin(name)
    width, height = study.screens.get(name) or study.screen or (twin.width, twin.height)
    return Workload(twin.name, twin.at(max(SMALLEST, round(width * scale)), max(SMALLEST, round(height * scale))))


def _with_numbers(name: str, workload: Workload | None, text: str) -> Workload | None:
    """A workload of which frames are named."""
    if workload is None:
        return None
    if workload.trace is None or workload.at_times is not None:
        raise StudyError(f"workload {name!r}: only frames of captures have numbers; leave @{text} out")
    try:
        numbers = FrameRange.parse(text)
    except UserError as error:
        raise StudyError(f"workload {name!r}: {error}") from None
    if numbers.last is None:
        numbers = replace(numbers, last=frames_of_stream(workload.trace, Options(numbers)))
    return replace(workload, name=f"{workload.name}@{text}", numbers=numbers)


def _existing(path: Path, name: str) -> Path:
    if not path.is_file():
        raise StudyError(f"workload {name!r}: there is no file {path}")
    return path


def frames_of(workload: Workload, frames: Frames) -> Frames:
    """Moments of a workload that are drawn: a twin's, the frames of an application that are named, or as many of it."""
    if workload.numbers is not None and workload.numbers.last is not None:
        return frames.numbered(range(workload.numbers.first, workload.numbers.last))
    return frames if workload.twin is not None or workload.at_times is not None else frames.of_application()


def trace_of(workload: Workload, times: Sequence[int]) -> Path:
    """The trace of a workload, made if it is not there."""
    if workload.twin is not None:
        return cached_trace(workload.twin, times)
    assert workload.trace is not None
    if workload.at_times is None:
        return workload.trace
    at_times, trace = workload.at_times, workload.trace
    key = hashlib.sha256(f"{_content(trace)} {list(times)} {_writer()}".encode()).hexdigest()[:16]
    return kept(f"{workload.folder}-{key}.trace", lambda path: at_times(trace, path, times))


def activity_of(workload: Workload, study: Study, times: Sequence[int], jobs: int) -> Path:
    """The activity of a workload at the level that the study asks for, recorded if it is not there.

    Raises
    ------
    CaptureError, ActivityError
        If it cannot be recorded.
    """
    trace = trace_of(workload, times)
    numbers = None if workload.numbers is None else sorted(times)
    description = f"{_content(trace)} {numbers or len(times)} {study.level} {sorted(study.groups)} {_renderer()}"
    key = hashlib.sha256(description.encode()).hexdigest()[:16]
    # Of an application without numbers there may be fewer; `fewer_frames` tells.
    first = FrameRange(0, len(times), may_be_fewer=workload.twin is None)
    frames = first if numbers is None else FrameSet(frozenset(numbers))
    return kept(
        f"{workload.folder}-{study.level}-{key}.activity",
        lambda path: record(trace, path, frames, study.level, study.groups, jobs=jobs),
    )


def _content(path: Path) -> str:
    """Hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _writer() -> str:
    """Hash of the sources that write traces of studies: those of another version are made anew."""
    return sources_key([Path(__file__).parent])


@cache
def _renderer() -> str:
    """Hash of the sources that record: activities of another version are recorded anew."""
    return sources_key([Path(str(functional.__file__)).parent])
