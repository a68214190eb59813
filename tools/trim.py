"""`tilegpu trim`: some frames of a captured stream as a stream of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilegpu.functional.frame_ranges import FrameRange

from .console import progress, several, tell, warn_of
from .options import AsJson, FramesAtOption, Strict, TraceFile, parse_draws, parse_frames_at
from .outputs import Force, check_file, has_property


def trim(
    file: TraceFile,
    frames: Annotated[
        str, typer.Option(metavar="A:B", help="Frames A to B-1, counted from 0; A: to the end, A for one.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Captured stream to write.")],
    draws: Annotated[
        str,
        typer.Option(
            metavar="A:B",
            help="Only draws and dispatches A to B-1 of one frame, as `dump --draws` numbers them, and what they "
            "depend on; A for one.",
        ),
    ] = "",
    frames_at: FramesAtOption = "",
    strict: Strict = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write some frames of a captured application, with all that they depend on, as a smaller capture.

    The frames show the same pictures, in tilegpu and in apitrace's eglretrace; frame A becomes frame 0. Of the calls
    before, those stay that make the state and the objects, and the draws, clears, copies and dispatches whose results
    the frames use; values, buffers and texels that are overwritten or deleted before anything uses them go.

    With --draws, of one frame the operations stay that these draws depend on: those that make their textures and
    buffers, and those before them in their own targets if they test or blend with what is there.

    Example: tilegpu trim game.trace --frames 500:510 -o small.trace
    """
    from tilegpu.functional.trimming import trim as write_trimmed
    from tilegpu.functional.trimming.trim import TRIMMED

    some, ends = FrameRange.parse(frames), parse_frames_at(frames_at)
    if not (output.exists() and file.exists() and output.samefile(file)):
        check_file(output, has_property(TRIMMED), force)
    with progress("trimming"):
        done = write_trimmed(file, output, some, ends, parse_draws(draws) if draws else None)
    operations = done.dependencies.operations.total()
    needed = operations - done.dependencies.unneeded.total()
    before, after = (f"{size / 1e6:.2f}" for size in done.size_bytes)
    line = (
        f"{several(done.frames, 'frame')} in {output}: {done.calls[1]:,} of {done.calls[0]:,} calls, "
        f"{after} of {before} MB, {needed:,} of {operations:,} draws and other operations"
    )
    summary = {"calls": list(done.calls), "size_bytes": list(done.size_bytes), "operations": [operations, needed]}
    tell(as_json, line, file=str(output), frames=done.frames, **summary, warnings=list(done.warnings))
    warn_of(done.warnings, strict)
