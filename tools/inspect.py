"""`tilegpu inspect`: a frame, draw by draw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.images import write_png
from tilegpu.functional.inspect_draws import chosen_steps, complexity_image, inspect_frame

from .console import print_table, say
from .options import FramesAtOption, Size, Snap, TraceFile, parse_frames_at, parse_size, parse_snap


def inspect(
    file: TraceFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for images and draws.json.")],
    frame: Annotated[int, typer.Option(min=0, help="Number of the frame, from 0.")] = 0,
    draw: Annotated[int | None, typer.Option(metavar="K", help="This draw only, from 0 within the frame.")] = None,
    overdraw: Annotated[
        bool, typer.Option("--overdraw", help="Also write how often each pixel was covered, and how often written.")
    ] = False,
    frames_at: FramesAtOption = "",
    size: Size = "",
    snap: Snap = "8",
) -> None:
    """Write the image after each draw of a frame, and the state that drew it.

    draw_0000.png … show the window after each draw; draws.json has one entry per draw: the call, viewport, tests,
    blending, textures, program, how many quads it covered, and how render executes it: by kernels of several stages
    (fused), or stage by stage, and why. With --overdraw, depth_complexity.png shows how often
    pixels were covered and overdraw.png how often they were written.

    Example: tilegpu inspect scene.trace --frame 3 -o frame3 --overdraw
    """
    inspected = inspect_frame(file, frame, parse_size(size), parse_snap(snap), parse_frames_at(frames_at))
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
    with whole_file(output / "draws.json") as partial:
        partial.write_text(json.dumps(described, indent=1) + "\n")
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
