"""`tilegpu inspect`: a frame, draw by draw."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer
from rich.table import Table

from tilegpu.functional.errors import UserError

from .console import EXIT_DIFFERENT, print_table, progress, say, several, warn
from .options import FramesAtOption, Size, Snap, Strict, TraceFile, parse_frames_at, parse_size, parse_snap
from .outputs import Force, check_files_in, holds, is_png

if TYPE_CHECKING:
    from tilegpu.functional.gles.frame_ends import FramesAt
    from tilegpu.functional.inspect_draws import Inspected

FILES = {
    r"draw_\d{4,}\.png": is_png,
    r"(overdraw|depth_complexity)\.png": is_png,
    r"draws\.json": holds(b'"fragments_written"'),
}
"""By name, files in a folder of images of draws."""


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
    from tilegpu.functional.inspect_draws import inspect_frame

    from .report.page import PAGES

    options = _Options(frame, parse_size(size), parse_snap(snap), parse_frames_at(frames_at))
    if output.suffix.lower() in PAGES:
        if draw is not None or overdraw:
            raise UserError("--draw and --overdraw write images: name a folder with -o, not a page")
        if _write_page(file, output, options, results, force) and strict:
            raise typer.Exit(EXIT_DIFFERENT)
    elif results is not None:
        raise UserError("--results is for pages: name one with -o, such as frame.html")
    else:
        check_files_in(output, FILES, force)
        _write_folder(inspect_frame(file, *options), output, draw, overdraw)


def _write_page(file: Path, output: Path, options: _Options, results: Path | None, force: bool) -> list[str]:
    """Write the page, and give what was unsupported, wrong or missing."""
    from tilegpu.functional.frame_view.follow import follow_frame

    from .inspect_page.results import frame_results
    from .inspect_page.write import write_frame_page
    from .report.page import check_page

    check_page(output, force)
    told = None if results is None else frame_results(results, file, options.frame)
    with progress(f"following frame {options.frame}") as (bar, task):
        frame = follow_frame(file, *options, progress=lambda share: bar.update(task, completed=0.7 * share))
        done = partial(write_frame_page, output, file.name, frame, told, force=force)
        done(progress=lambda share: bar.update(task, completed=0.7 + 0.3 * share))
    for line in frame.warnings:
        warn(line)
    operations = several(len(frame.followed.operations), "operation")
    say(f"{operations} on one page of {output.stat().st_size / 1e6:.1f} MB: {output}")
    return frame.warnings


def _write_folder(inspected: Inspected, output: Path, draw: int | None, overdraw: bool) -> None:
    from tilegpu.functional.activity.output import whole_file
    from tilegpu.functional.images import write_png
    from tilegpu.functional.inspect_draws import chosen_steps, complexity_image

    steps = list(chosen_steps(inspected, draw))
    table = Table("draw", "call", "topology", "vertices", "quads", "fragments written", "way", box=None)
    described = []
    for step in steps:
        image = None
        if step.image is not None:
            image = f"draw_{step.number:04d}.png"
            write_png(step.image, output / image)
        counts = {"quads": step.quads, "fragments_written": step.fragments}
        ways = dict(zip(("primitives", "fragments"), step.ways, strict=True))
        described.append({"draw": step.number, "call": step.call, "image": image, **counts, "ways": ways, **step.state})
        row = (step.number, step.call, step.state["topology"], step.state["count"], step.quads, step.fragments)
        table.add_row(*(str(v) for v in row), way(step.ways))
    with whole_file(output / "draws.json") as unfinished:
        unfinished.write_text(json.dumps(described, indent=1) + "\n")
    print_table(table)
    if overdraw and inspected.complexity is not None:
        complexity = inspected.complexity
        for name, counts_of in (("depth_complexity", complexity.covered), ("overdraw", complexity.written)):
            write_png(complexity_image(counts_of), output / f"{name}.png")
            touched = counts_of[counts_of > 0]
            mean = float(touched.mean()) if len(touched) else 0.0
            say(f"{name}.png: {mean:.2f} times per touched pixel, {int(counts_of.max())} at most")


def way(ways: tuple[str, str]) -> str:
    """How the halves of a draw are executed, in a word where both are fused."""
    primitives, fragments = ways
    return primitives if primitives == fragments else f"primitives {primitives}; fragments {fragments}"
