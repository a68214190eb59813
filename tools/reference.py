"""`tilegpu reference`: a recorded scene on a real OpenGL driver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import several, tell, warn_of
from .options import (
    AsJson,
    Frames,
    FramesAtOption,
    Size,
    Strict,
    TraceFile,
    parse_frames,
    parse_frames_at,
    parse_size,
)
from .outputs import Force, frame_folder


def reference(
    file: TraceFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for frame_0000.png and so on.")],
    frames: Frames = "",
    size: Size = "",
    frames_at: FramesAtOption = "",
    strict: Strict = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Render a recorded scene with the OpenGL driver of this machine, to compare with `tilegpu render`.

    Needs moderngl (pip install 'tilegpu[reference]') and EGL; Mesa's software drivers will do, no display is needed.
    Draws that moderngl cannot express (stencil, polygon offset, instancing …) end in an error that names them.

    Without a GPU the driver is mostly Mesa's llvmpipe, which differs from softpipe in some per cent of the pixels, by
    more than 2/255, and from us as much: what README says of differences is against softpipe (docs/correctness.md).

    Example: tilegpu reference scene.trace -o reference && tilegpu compare images reference
    """
    from tilegpu.functional.player import Player
    from tilegpu.functional.reference import ReferenceRenderer, SourceListener

    renderer = ReferenceRenderer()
    player = Player(
        file,
        parse_frames(frames),
        parse_size(size),
        listener=SourceListener(renderer),
        renderer=renderer,
        frames_at=parse_frames_at(frames_at),
    )
    written = []
    with frame_folder(output, force) as write:
        for frame in player.run():
            write(frame.number, frame.pixels)
            written.append(frame.number)
    outcome = {"folder": str(output), "driver": renderer.driver, "frames": written, "warnings": list(player.warnings)}
    tell(as_json, f"{several(len(written), 'frame')} in {output}, drawn by {renderer.driver}", **outcome)
    warn_of(player.warnings, strict)
