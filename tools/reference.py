"""`tilegpu reference`: a recorded scene on a real OpenGL driver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import say, warn
from .options import Frames, Size, TraceFile, parse_frames, parse_size
from .outputs import Force, frame_folder


def reference(
    file: TraceFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for frame_0000.png and so on.")],
    frames: Frames = "",
    size: Size = "",
    force: Force = False,
) -> None:
    """Render a recorded scene with the OpenGL driver of this machine, to compare with `tilegpu render`.

    Needs moderngl (pip install 'tilegpu[reference]') and EGL; Mesa's software drivers will do, no display is needed.
    Draws that moderngl cannot express (stencil, polygon offset, instancing …) end in an error that names them.

    Example: tilegpu reference scene.trace -o reference && tilegpu compare images reference
    """
    from tilegpu.functional.player import Player
    from tilegpu.functional.reference import ReferenceRenderer, SourceListener

    renderer = ReferenceRenderer()
    player = Player(file, parse_frames(frames), parse_size(size), listener=SourceListener(renderer), renderer=renderer)
    written = 0
    with frame_folder(output, force) as write:
        for frame in player.run():
            write(frame.number, frame.pixels)
            written += 1
    for line in player.warnings:
        warn(line)
    say(f"{written} frame{'s' * (written > 1)} in {output}, drawn by {renderer.driver}")
