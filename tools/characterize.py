"""`tilegpu characterize`: what each frame of a captured stream does, counted while it is rendered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilegpu.functional.work import DEFAULT_MAX_WORK

from .console import progress, several, tell, warn_of
from .options import (
    AllowTruncated,
    AsJson,
    BackEnd,
    Frames,
    FramesAtOption,
    FromStart,
    MaxWork,
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


def characterize(
    file: TraceFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write the tables to.")],
    frames: Frames = "",
    frames_at: FramesAtOption = "",
    from_start: FromStart = False,
    tile: Annotated[
        str, typer.Option(metavar="WxH", help="Size of a tile in pixels, for the columns of tiles.")
    ] = "32x32",
    size: Size = "",
    snap: Snap = "8",
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            help="Processes that count ranges of frames at the same time, each with memory of its own; 0 for one per "
            "processor. Results do not depend on it.",
        ),
    ] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace a characterization that is already there.")] = False,
    backend: BackEnd = "",
    max_work: MaxWork = DEFAULT_MAX_WORK,
    strict: Strict = False,
    allow_truncated: AllowTruncated = False,
    as_json: AsJson = False,
) -> None:
    """Count what each frame of a captured application does, for little more than the cost of rendering it.

    DIR gets frames.parquet, a row per frame (draws, primitives, tile entries, fragments, texels, overdraw), and
    programs.parquet, a row per frame, program and stage (invocations, instructions executed); docs/frame_counts.md
    lists every column, pandas and DuckDB open both. The counts are those of the full activity of the same frames, whose
    tables of vertices and quads are not written.

    The columns of papers follow from a recorded activity: `tilegpu stats`.

    The same command continues an interrupted run.

    Example: tilegpu characterize game.trace -o frames
    """
    from tilegpu.functional.characterize.count import Options
    from tilegpu.functional.characterize.manifest import check_folder
    from tilegpu.functional.characterize.run import characterize as run

    from .backends import chosen_backend
    from .first_use import compile_kernels

    # Wrong options are reported before anything is compiled.
    some, window, snapping = parse_frames(frames), parse_size(size), parse_snap(snap)
    tiles, executing, ends = parse_size(tile), chosen_backend(backend), parse_frames_at(frames_at)
    assert tiles is not None
    processes = parse_jobs(jobs)
    check_folder(output, force)
    with progress("characterizing") as (bar, task):
        compile_kernels("characterize", file, backend, bar, task)

        def on_frame(frames: int, share: float) -> None:
            bar.update(task, completed=share, note=f"{frames:,} frames")

        options = Options(some, tiles, window, snapping, ends, executing, from_start, max_work, allow_truncated)
        done = run(file, output, options, force, on_frame, processes)
    rows = done.manifest.rows
    line = f"{several(done.manifest.frames, 'frame')} in {output}: {rows['programs']:,} rows of programs and stages"
    summary = {"folder": str(output), "frames": done.manifest.frames, "rows": dict(rows)}
    tell(as_json, line, **summary, warnings=list(done.warnings))
    warn_of(done.warnings, strict)
