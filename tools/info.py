"""`tilegpu info`: what a captured stream holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .console import EXIT_DIFFERENT, print_json, print_table, say, several, warn
from .options import FramesAtOption, Strict, TraceFile, parse_frames_at

if TYPE_CHECKING:
    from tilegpu.functional.inspection import StreamInfo


def info(
    file: TraceFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    top: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many of the most frequent calls the table lists; 0 for all.")
    ] = 20,
    frames_at: FramesAtOption = "",
    check: Annotated[
        bool, typer.Option("--check", help="Do everything but the drawing, and list the GL errors and gaps that arise.")
    ] = False,
    strict: Strict = False,
) -> None:
    """Describe a captured application: frames, size, GL version, calls, and features that tilegpu lacks for it.

    Nothing is rendered. Calls listed as unsupported would have no effect.

    Example: tilegpu info scene.trace
    """
    from tilegpu.functional.inspection import inspect_stream

    stream = inspect_stream(file, check, parse_frames_at(frames_at))
    if as_json:
        print_json(stream.as_dict())
    else:
        _print(stream, top)
        for line in stream.warnings:
            warn(line)
    if strict and (stream.unsupported or stream.problems or stream.warnings):
        raise typer.Exit(EXIT_DIFFERENT)


def _api(stream: StreamInfo) -> str:
    if stream.desktop:
        return "desktop OpenGL, served as OpenGL ES"
    return f"OpenGL ES {stream.gl_version}" if stream.gl_version else "no context"


_ENDS = {
    "swap": "buffer swaps",
    "flush": "glFlush and glFinish on a single-buffered surface",
    "read": "glReadPixels of a whole framebuffer",
}


def _print(stream: StreamInfo, calls: int) -> None:
    from tilegpu.functional.capture.signatures import VERSIONS

    size = f"{stream.width}x{stream.height}" if stream.width else "unknown"
    say(
        f"[bold]{stream.name}[/bold]: {several(stream.frames, 'frame')}, {size}, {_api(stream)}, "
        f"{several(stream.total_calls, 'call')}, apitrace version {stream.container_version} ({stream.compression})"
    )
    say(f"frames end at {_ENDS[stream.frames_at]}")
    if stream.process:
        say(f"recorded from {stream.process}")
    table = Table("call", "count", "")
    ranked = sorted(stream.calls.items(), key=lambda item: (-item[1], item[0]))
    for name, count in ranked[: calls or None]:
        table.add_row(name, f"{count:,}", "[red]unsupported[/red]" if name in stream.unsupported else "")
    print_table(table)
    if calls and len(ranked) > calls:
        say(f"and {len(ranked) - calls} more kinds of calls (--top 0 lists them)")
    for name, count in stream.unsupported.items():
        version = VERSIONS.get(name)
        others = "desktop OpenGL alone" if stream.desktop else "an extension, or unknown"
        whose = f"OpenGL ES {version}" if version else others
        say(f"[red]unsupported[/red]: {name} ({whose}), {count:,} call{'s' * (count > 1)}")
    if not stream.unsupported:
        say("every call is supported")
    for line in stream.limits:
        say(f"[yellow]lower limit[/yellow]: {line}")
    for line in stream.problems or ():
        say(line.replace("[", "\\["))
    if stream.problems == []:
        say("no GL errors, nothing unsupported")
