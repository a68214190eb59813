"""`tilegpu trace`: a captured stream to an activity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from tilegpu.functional.errors import UserError
from tilegpu.functional.work import DEFAULT_MAX_WORK

from .choices import WARM_UP_FRAMES
from .console import progress, several, tell, warn_of
from .options import (
    AllowTruncated,
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

if TYPE_CHECKING:
    from tilegpu.functional.player import Frame


def trace(
    file: TraceFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write the activity to.")],
    frames: Frames = "",
    frames_at: FramesAtOption = "",
    from_start: FromStart = False,
    plan: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Record the frames that a plan of `tilegpu sample` chose, and those that warm up before each.",
        ),
    ] = None,
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", min=0, help="Frames before each of a plan's, to warm up caches.")
    ] = WARM_UP_FRAMES,
    level: Annotated[
        str,
        typer.Option(
            metavar="summary|visible|all",
            help="summary: counts only. visible: shades what passes early "
            "depth in program order. all: shades occluded quads too, for techniques that change the order.",
        ),
    ] = "visible",
    groups: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="GROUPS",
            help="Optional groups, comma-separated: inputs (vertex attributes as "
            "fetched), colors (shaded colour per quad), pass_images.",
        ),
    ] = "",
    collisionable: Annotated[
        list[str] | None,
        typer.Option(
            "--collisionable",
            metavar="PATTERN",
            help="Debug labels of objects that take part in collision detection, as a shell pattern such as 'car*'; "
            "may be given several times. Objects whose label begins with 'collisionable:' always do.",
        ),
    ] = None,
    size: Size = "",
    snap: Snap = "8",
    force: Annotated[bool, typer.Option("--force", help="Replace an activity that is already there.")] = False,
    backend: BackEnd = "",
    jobs: Jobs = 0,
    profile: Profile = False,
    max_work: MaxWork = DEFAULT_MAX_WORK,
    strict: Strict = False,
    allow_truncated: AllowTruncated = False,
    as_json: AsJson = False,
) -> None:
    """Record what every pipeline stage does for a captured application.

    The activity is a folder of Parquet tables (docs/activity.md lists every column) that pandas and DuckDB open, and
    that `tilegpu replay` runs through a hardware model.

    Example: tilegpu trace scene.trace -o activity --frames 0:5
    """
    from tilegpu.functional.activity import GROUPS
    from tilegpu.functional.activity.writer import check_folder
    from tilegpu.functional.recording.listener import Level
    from tilegpu.functional.stage_clock import SilentClock, StageClock
    from tilegpu.interface import record

    from .backends import chosen_backend
    from .first_use import compile_kernels
    from .sampling.frames import frames_of_plan, operations_for
    from .stage_table import print_stages

    if level not in get_args(Level):
        raise UserError(f"level {level!r}: choose summary, visible or all")
    chosen = frozenset(g for g in groups.split(",") if g)
    if unknown := chosen - set(GROUPS):
        raise UserError(f"--with {','.join(sorted(unknown))}: the groups are {', '.join(GROUPS)}")
    # Wrong options are reported before anything is compiled.
    window, snapping = parse_size(size), parse_snap(snap)
    some = parse_frames(frames) if plan is None else frames_of_plan(plan, warm_up, file, frames)
    executing, threads, ends = chosen_backend(backend), parse_jobs(jobs), parse_frames_at(frames_at)
    check_folder(output, force)
    clock = StageClock() if profile else SilentClock()
    with progress("recording") as (bar, task):
        compile_kernels("record", file, backend, bar, task)

        def on_frame(frame: Frame, fraction: float) -> None:
            bar.update(task, completed=fraction, note=f"frame {frame.number}: {frame.cpu_seconds * 1000:.0f} ms")

        recorded = record(
            file,
            output,
            some,
            cast(Level, level),
            chosen,
            size=window,
            snap=snapping,
            replace=force,
            backend=executing,
            jobs=threads,
            on_frame=on_frame,
            clock=clock,
            collisionable=collisionable or (),
            frames_at=ends,
            from_start=from_start,
            max_work=max_work,
            allow_truncated=allow_truncated,
            operations=None if plan is None or from_start else operations_for(plan, window, ends),
        )
    rows = recorded.rows
    computed = f", {rows['dispatches']:,} dispatches" if rows["dispatches"] else ""
    line = (
        f"{several(recorded.frames, 'frame')} in {output}: "
        f"{several(rows['draws'], 'draw')}, {rows['vertices']:,} vertices, {several(rows['primitives'], 'primitive')}, "
        f"{several(rows['quads'], 'quad')}, {several(rows['texture_reads'], 'texture read')}{computed}"
    )
    summary = {"folder": str(output), "frames": recorded.frames, "rows": dict(rows)}
    tell(as_json, line, **summary, warnings=list(recorded.warnings))
    if isinstance(clock, StageClock) and not as_json:
        print_stages(clock)
    warn_of(recorded.warnings, strict)
