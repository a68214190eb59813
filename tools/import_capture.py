"""`tilegpu import`: a capture of another tool as a captured stream."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import EXIT_DIFFERENT, progress, several, tell, warn
from .options import AsJson, Strict
from .outputs import Force, check_file, check_not_input, has_property


def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="RenderDoc capture: .rdc, or the .zip.xml that RenderDoc exports.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Captured stream to write.")],
    strict: Strict = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a captured stream of another tool's capture, such as RenderDoc's, for all other verbs.

    RenderDoc captures one frame of a program of OpenGL ES, on Android and desktops; of desktop OpenGL, what OpenGL ES
    has as well is taken. In the stream frame 0 makes the objects and the state that the program had and draws nothing;
    frame 1 is the one that was captured. An .rdc is read with RenderDoc's own renderdoccmd; without it, save the
    capture in RenderDoc as .zip.xml (File, Export As) and keep the .zip beside it. What is not carried over is named.

    Example: tilegpu import frame.rdc -o frame.trace; then tilegpu inspect frame.trace --frame 1 -o frame.html
    """
    from tilegpu.functional.importers import IMPORTED, import_capture

    check_not_input(output, file)
    check_file(output, has_property(IMPORTED), force)
    with progress("importing") as (bar, task):
        imported = import_capture(file, output, lambda done: bar.update(task, completed=done))
    missing = [f"{file}: not carried over: {what} ({several(n, 'time')})" for what, n in imported.missing.items()]
    for line in missing:
        warn(line)
    line = f"{several(imported.frames, 'frame')} in {output}, captured with {imported.tool} from {imported.api}"
    origin = {"tool": imported.tool, "api": imported.api, "missing": imported.missing}
    tell(as_json, line, file=str(output), frames=imported.frames, **origin, warnings=missing)
    if strict and missing:
        raise typer.Exit(EXIT_DIFFERENT)
