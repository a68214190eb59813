"""`tilegpu render`: a captured stream to images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from tilegpu.functional.work import DEFAULT_MAX_WORK

from .console import progress, several, tell, warn_of
from .options import (
    AsJson,
    BackEnd,
    Frames,
    FramesAtOption,
    FromStart,
    Jobs,
    MaxWork,
    Profile,
    Size,
    Snap,
    Strict,
    TraceFile,
    parse_frames,
    parse_frames_at,
    parse_jobs,
    parse_size,
    parse_snap,
)
from .outputs import Force, frame_folder


def render(
    file: TraceFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for frame_0000.png and so on.")],
    frames: Frames = "",
    frames_at: FramesAtOption = "",
    from_start: FromStart = False,
    alpha: Annotated[bool, typer.Option("--alpha", help="Keep the alpha channel of the window.")] = False,
    size: Size = "",
    snap: Snap = "8",
    backend: BackEnd = "",
    jobs: Jobs = 0,
    profile: Profile = False,
    max_work: MaxWork = DEFAULT_MAX_WORK,
    strict: Strict = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Render a captured application to images.

    Writes frame_0000.png, frame_0001.png … into the folder, one image per buffer swap, frames counted from 0. Images
    are opaque, as a display shows them.

    Example: tilegpu render scene.trace -o images --frames 0:5
    """
    from tilegpu.functional.stage_clock import FRAMES, SilentClock, StageClock
    from tilegpu.interface import render as render_frames

    from .backends import chosen_backend
    from .first_use import compile_kernels
    from .stage_table import print_stages

    clock = StageClock() if profile else SilentClock()
    rendering = render_frames(
        file,
        parse_frames(frames),
        size=parse_size(size),
        snap=parse_snap(snap),
        backend=chosen_backend(backend),
        jobs=parse_jobs(jobs),
        clock=clock,
        frames_at=parse_frames_at(frames_at),
        alpha=alpha,
        from_start=from_start,
        max_work=max_work,
    )
    written: list[dict[str, float]] = []
    with frame_folder(output, force) as write, progress("rendering") as (bar, task):
        compile_kernels("render", file, backend, bar, task)
        for frame in rendering:
            with clock.stage(FRAMES):
                write(frame.number, frame.pixels)
            written.append({"frame": frame.number, "cpu_seconds": round(frame.cpu_seconds, 6)})
            bar.update(
                task,
                completed=rendering.fraction,
                note=f"frame {frame.number}: {frame.cpu_seconds * 1000:.0f} ms",
            )
    line = f"{several(len(written), 'frame')} in {output}, {cpu_time([frame['cpu_seconds'] for frame in written])}"
    tell(as_json, line, folder=str(output), frames=written, warnings=list(rendering.warnings))
    if isinstance(clock, StageClock) and not as_json:
        print_stages(clock)
    warn_of(rendering.warnings, strict)


def cpu_time(seconds: Sequence[float]) -> str:
    """CPU time of frames in words, that of the first apart: it has what is compiled or read once."""
    once = "with what is compiled or read once"
    if len(seconds) < 2:
        return f"{1000 * sum(seconds):.0f} ms of CPU time {once}"
    return f"{1000 * median(seconds[1:]):.0f} ms of CPU time per frame; the first {1000 * seconds[0]:.0f} ms, {once}"
