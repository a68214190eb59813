"""Options that several verbs take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_ranges import FrameRange

if TYPE_CHECKING:
    from tilegpu.functional.gles.frame_ends import FramesAt

MAX_JOBS = 64

TraceFile = Annotated[Path, typer.Argument(metavar="FILE", help="Captured stream: an apitrace .trace file.")]
Frames = Annotated[str, typer.Option(metavar="A:B", help="Frames A to B-1, counted from 0; A: to the end, A for one.")]
FramesAtOption = Annotated[
    str,
    typer.Option(
        "--frames-at",
        metavar="swap|flush|read",
        help="Calls that end a frame: buffer swaps, glFlush and glFinish on a single-buffered surface, or glReadPixels "
        "of a whole framebuffer. By default swaps or, in a program without any, flushes or else reads.",
    ),
]
Size = Annotated[
    str,
    typer.Option(metavar="WxH", help="Size of the window in pixels, where the stream's own is wrong or unknown."),
]
Snap = Annotated[
    str,
    typer.Option(
        metavar="8|none",
        help="Subpixel bits of window coordinates: 8 as in hardware, or none (float32, as Mesa's softpipe).",
    ),
]
BackEnd = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar="llvm|numpy",
        help="How shaders run: as machine code (the default where it loads), or with numpy, the readable reference.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        help="Threads that share the fragments of large draws; 0 for one per processor. Results do not depend on it.",
    ),
]
Profile = Annotated[
    bool,
    typer.Option(
        "--profile",
        help="Print where the time goes, stage by stage, and which ways draws go; on one thread, a little slower.",
    ),
]
FromStart = Annotated[
    bool,
    typer.Option(
        "--from-start",
        help="Render all frames before the chosen ones, not only what these depend on: slower, with the same results.",
    ),
]
MaxWork = Annotated[
    int,
    typer.Option(
        "--max-work",
        metavar="N",
        min=1,
        help="Most work that one call may ask for before the command ends: invocations of shaders for the vertices of "
        "instances or of compute shaders, or texels to make mipmaps of.",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit with status 1 when anything was unsupported, wrong or missing.")
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ByFrame = Annotated[bool, typer.Option("--by-frame", help="Print every frame, too.")]
AllowTruncated = Annotated[
    bool,
    typer.Option("--allow-truncated", help="Take a capture that breaks off as far as it goes; otherwise an error."),
]


def parse_jobs(number: int) -> int:
    """Threads from their option; UserError where there can be no such number."""
    if not 0 <= number <= MAX_JOBS:
        raise UserError(f"--jobs {number}: choose 1 to {MAX_JOBS}, or 0 for one per processor")
    return number or min(MAX_JOBS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


def parse_frames(text: str) -> FrameRange:
    """Frames from their option; "" is all."""
    return FrameRange.parse(text) if text else FrameRange()


def parse_draws(text: str) -> FrameRange:
    """Draws of a frame from their option: "A:B" or "A". UserError where they are none."""
    first, colon, last = text.partition(":")
    numbers = [first, last] if colon else [first]
    if not all(number.isdecimal() and len(number) < 10 for number in numbers) or (colon and int(last) <= int(first)):
        raise UserError(f"draws {text!r}: write A:B for draws A to B-1, or A for one draw, from 0")
    return FrameRange(int(first), int(last) if colon else int(first) + 1)


def parse_frames_at(text: str) -> FramesAt | None:
    """Calls that end frames from their option; "" is None. UserError where they are none of the choices."""
    from tilegpu.functional.gles.frame_ends import CHOICES

    if not text:
        return None
    for choice in CHOICES:
        if text == choice:
            return choice
    raise UserError(f"--frames-at {text!r}: choose {', '.join(CHOICES)}")


def parse_size(text: str) -> tuple[int, int] | None:
    """Size from its option; "" is None. UserError where it is no size."""
    if not text:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 0 < int(width) <= 8192 and 0 < int(height) <= 8192):
        raise UserError(f"size {text!r}: write WxH in pixels, e.g. 1280x720, each at most 8192")
    return int(width), int(height)


def parse_snap(text: str) -> Literal["8", "none"]:
    """Snapping from its option; UserError where it is neither."""
    if text == "8":
        return "8"
    if text == "none":
        return "none"
    raise UserError(f"snap {text!r}: choose 8 or none")
