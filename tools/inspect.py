"""`tilegpu inspect`: a frame, draw by draw."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from tilegpu.functional.errors import UserError

from .console import progress, say, several, warn_of
from .options import FramesAtOption, Size, Snap, Strict, TraceFile, parse_frames_at, parse_size, parse_snap
from .outputs import Force, check_files_in

if TYPE_CHECKING:
    from tilegpu.functional.frame_view.follow import FollowedFrame
    from tilegpu.functional.gles.frame_ends import FramesAt


class _Options(NamedTuple):
    frame: int
    size: tuple[int, int] | None
    snap: Literal["8", "none"]
    frames_at: FramesAt | None


def inspect(
    file: TraceFile,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="PAGE.html|DIR", help="Page, or folder for images and draws.json."),
    ],
    frame: Annotated[int, typer.Option(metavar="N", min=0, help="Number of the frame, from 0.")] = 0,
    draw: Annotated[
        int | None,
        typer.Option(metavar="K", help="This draw only: draws and dispatches of a frame are counted from 0."),
    ] = None,
    overdraw: Annotated[
        bool, typer.Option("--overdraw", help="Also write how often each pixel was covered, and how often written.")
    ] = False,
    frames_at: FramesAtOption = "",
    size: Size = "",
    snap: Snap = "8",
    results: Annotated[
        Path | None, typer.Option(metavar="R", help="Results of a replay of the frame: the page shows costs of tiles.")
    ] = None,
    strict: Strict = False,
    force: Force = False,
) -> None:
    """Show a frame, operation by operation: on one page or, in a folder, as images and JSON.

    A page needs no other file and no network. It has draws, clears and copies with their debug groups, what each
    changed, state, uniforms, textures, vertices, shaders, calls, and the history of every pixel.

    In a folder, draw_0000.png … show the window after each draw; draws.json has one entry per draw: the call, viewport,
    tests, blending, textures, program, how many quads it covered, and how render executes it: by kernels of several
    stages (fused), or stage by stage, and why. With --overdraw, depth_complexity.png shows how often pixels were
    covered and overdraw.png how often they were written.

    Example: tilegpu inspect scene.trace --frame 3 -o frame3.html
    """
    from .inspect_folder import FILES, write_folder
    from .report.page import PAGES

    options = _Options(frame, parse_size(size), parse_snap(snap), parse_frames_at(frames_at))
    if output.suffix.lower() in PAGES:
        if draw is not None or overdraw:
            raise UserError("--draw and --overdraw write images: name a folder with -o, not a page")
        followed = _write_page(file, output, options, results, force)
    elif results is not None:
        raise UserError("--results is for pages: name one with -o, such as frame.html")
    else:
        check_files_in(output, FILES, force)
        followed = _follow(file, options, overdraw)
        write_folder(followed.followed, output, draw)
    warn_of(followed.warnings, strict)


def _follow(file: Path, options: _Options, overdraw: bool = False) -> FollowedFrame:
    from tilegpu.functional.frame_view.follow import follow_frame

    with progress(f"following frame {options.frame}") as (bar, task):
        return follow_frame(file, *options, overdraw=overdraw, progress=lambda share: bar.update(task, completed=share))


def _write_page(file: Path, output: Path, options: _Options, results: Path | None, force: bool) -> FollowedFrame:
    from .inspect_page.results import frame_results
    from .inspect_page.write import write_frame_page
    from .report.page import check_page

    check_page(output, force)
    replayed = None if results is None else frame_results(results, file, options.frame)
    frame = _follow(file, options)
    with progress("writing the page") as (bar, task):
        write = partial(write_frame_page, output, file.name, frame, replayed, force=force)
        write(progress=lambda share: bar.update(task, completed=share))
    operations = several(len(frame.followed.operations), "operation")
    say(f"{operations} on one page of {output.stat().st_size / 1e6:.1f} MB: {output}")
    return frame
