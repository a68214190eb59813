"""`tilegpu dump`: the calls of a captured stream as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated

import typer

from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_ranges import FrameRange, lacking

from .console import warn
from .options import Frames, FramesAtOption, TraceFile, parse_frames, parse_frames_at

if TYPE_CHECKING:
    from tilegpu.functional.capture import Call, Trace
    from tilegpu.functional.gles.frame_ends import FramesAt
    from tilegpu.functional.work_numbers import WorkNumbers


def dump(
    file: TraceFile,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN", help="Functions of such a name only, as 'glDraw*'; may be given several times."
        ),
    ] = None,
    calls: Annotated[
        str, typer.Option(metavar="A:B", help="Calls A to B-1, counted from 0; A: to the end, A for one.")
    ] = "",
    frames: Frames = "",
    frames_at: FramesAtOption = "",
    draws: Annotated[
        bool,
        typer.Option(
            "--draws",
            help="Number draws and dispatches, // draw 60, as pages and tables do: takes as long as info --check.",
        ),
    ] = False,
    threads: Annotated[
        bool, typer.Option("--threads", help="Begin lines with @ and the number of the thread.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print an object for each call, one in a line: call, thread, name, text.")
    ] = False,
) -> None:
    """Print the calls of a stream, one in a line: number, function, arguments by name, result.

    Enums and flags are given by name, data by their size. Calls that the tracer added end with // fake.

    Example: tilegpu dump scene.trace --frames 3 --draws --name 'glDraw*'
    """
    from tilegpu.functional.call_text import call_text
    from tilegpu.functional.capture import Trace
    from tilegpu.functional.work_numbers import WorkNumbers

    trace, works = Trace(file, named=True), WorkNumbers() if draws else None
    ends = parse_frames_at(frames_at)
    shown = _of_frames(trace, parse_frames(frames), ends, works) if frames or draws else iter(trace)
    for call in _in_range(shown, _call_range(calls)):
        if not name or any(fnmatchcase(call.name, pattern) for pattern in name):
            thread = f"@{call.thread} " if threads else ""
            numbers = works.latest[1] if works is not None and works.latest[0] == call.number else []
            if as_json:
                row = {"call": call.number, "thread": call.thread, "name": call.name, "text": call_text(call)}
                typer.echo(json.dumps(row | ({"draws": numbers} if draws else {})))
                continue
            note = f" // {', '.join(numbers)}" if numbers else ""
            typer.echo(f"{thread}{call.number} {call_text(call)}{note}")
    for line in trace.warnings:
        warn(line)


def _of_frames(
    trace: Trace, frames: FrameRange, frames_at: FramesAt | None, works: WorkNumbers | None
) -> Iterator[Call]:
    from tilegpu.functional.capture import CaptureError
    from tilegpu.functional.frame_numbers import FrameNumbers
    from tilegpu.functional.gles.frame_ends import find_frame_ends

    numbers = FrameNumbers(frames_at or find_frame_ends(trace.path), every_call=works is not None, listener=works)
    for call in trace:
        number = numbers.follow(call)
        if number in frames:
            yield call
        elif number >= frames.first:
            return
    if frames != FrameRange() and (shortfall := lacking(frames, numbers.number)):
        raise CaptureError(f"{trace.path}: {shortfall}")


def _in_range(calls: Iterator[Call], numbers: FrameRange) -> Iterator[Call]:
    """Calls of some numbers; each is there once, though threads may mix their order."""
    remaining = None if numbers.last is None else numbers.last - numbers.first
    for call in calls:
        if call.number in numbers:
            yield call
            remaining = None if remaining is None else remaining - 1
            if remaining == 0:
                return


def _call_range(text: str) -> FrameRange:
    """Numbers of calls from their option; UserError where they are none."""
    try:
        return parse_frames(text)
    except UserError:
        raise UserError(f"--calls {text!r}: write A:B for calls A to B-1, A: to the end, or A for one call") from None
