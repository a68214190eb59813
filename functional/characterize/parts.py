"""Ranges of frames that several processes characterize at the same time."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ..capture import CaptureError, Trace
from ..errors import UserError
from ..execute.choice import choose_backend
from ..frame_numbers import FrameNumbers
from ..frame_ranges import FrameRange, lacking
from ..gles.errors import InternalError
from ..gles.frame_ends import find_frame_ends
from ..player import check_whole
from .count import CountedRange, OnFrame, Options, count_frames
from .journal import Journal

POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Part:
    """Work of a process: a range of frames, and the journal that it fills."""

    source: Path
    journal: Journal
    options: Options
    back_end: str


def count_in_parts(parts: Sequence[Part], on_frame: OnFrame) -> CountedRange:
    """Fill the journals of all parts, a process each.

    Parameters
    ----------
    parts
        What is to be done.
    on_frame
        Called with the number of frames that are done and their share.

    Raises
    ------
    UserError
        That of a process.
    InternalError
        A process ended without a result.
    """
    total = sum(_length(part.options.frames) for part in parts)
    counted: dict[int, CountedRange] = {}
    with _processes(parts) as pipes:
        running = {pipe: number for number, pipe in enumerate(pipes)}
        while running:
            for pipe in wait(list(running), POLL_SECONDS):
                assert isinstance(pipe, Connection)
                counted[running.pop(pipe)] = _result(pipe)
            done = sum(len(part.journal) for part in parts)
            on_frame(done, done / total)
    warnings = dict.fromkeys(line for _, one in sorted(counted.items()) for line in one.warnings)
    # The last range has executed or skipped all that is before it.
    return CountedRange(counted[len(parts) - 1].operations, list(warnings))


def _result(pipe: Connection) -> CountedRange:
    try:
        result = pipe.recv()
    except EOFError:
        raise InternalError(
            "a process that counts frames died; was there enough memory? --jobs 1 needs least"
        ) from None
    if isinstance(result, BaseException):
        raise result
    assert isinstance(result, CountedRange)
    return result


def _length(frames: FrameRange) -> int:
    assert frames.last is not None
    return frames.last - frames.first


@contextmanager
def _processes(parts: Sequence[Part]) -> Iterator[list[Connection]]:
    context = get_context("spawn")
    pipes, processes = [], []
    try:
        for part in parts:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_serve, args=(part, theirs), daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        yield pipes
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _serve(part: Part, pipe: Any) -> None:
    """Main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    options = replace(part.options, backend=choose_backend(part.back_end)[0])
    try:
        with part.journal:
            pipe.send(count_frames(part.source, options, part.journal, lambda number, fraction: None))
    except (UserError, InternalError, OSError) as error:
        pipe.send(error)


def ranges(frames: FrameRange, total: int, parts: int) -> list[FrameRange]:
    """A range of frames in parts of equal length.

    Parameters
    ----------
    frames
        All of them.
    total
        Frames of the stream.
    parts
        How many at most; there are no empty ones unless all are.
    """
    first, last = frames.first, total if frames.last is None else min(frames.last, total)
    count = min(parts, max(1, last - first))
    cuts = [first + (last - first) * k // count for k in range(count + 1)]
    return [FrameRange(a, b) for a, b in zip(cuts, cuts[1:], strict=False)]


def frames_of(source: Path, options: Options) -> int:
    """Number of frames of a stream, from its calls alone.

    Raises
    ------
    CaptureError
        It breaks off and must not, or lacks some of the frames.
    """
    numbers, trace = FrameNumbers(options.frames_at or find_frame_ends(source)), Trace(source)
    last = options.frames.last
    for call in trace:
        numbers.follow(call)
        if last is not None and numbers.number >= last:
            return last
    check_whole(trace, options.allow_truncated)
    if numbers.number and (shortfall := lacking(options.frames, numbers.number)):
        raise CaptureError(f"{source}: {shortfall}")
    return numbers.number
