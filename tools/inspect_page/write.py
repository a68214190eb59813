"""Writes the page about one frame."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from tilegpu.functional.frame_view.follow import FollowedFrame

from ..console import several
from ..report.page import PageError, Section, data_html, write_page
from .blobs import Blobs
from .content import page_data

SCRIPTS = ("store", "details", "costs", "resources", "lines", "view")


def passes_of(frame: FollowedFrame) -> int:
    """Number of passes of a frame."""
    numbers = [o.pass_number for o in frame.followed.operations if o.pass_number is not None]
    return max(numbers, default=-1) + 1


def write_frame_page(
    path: Path,
    capture: str,
    frame: FollowedFrame,
    results: dict[str, Any] | None = None,
    progress: Callable[[float], None] = lambda share: None,
    force: bool = False,
) -> None:
    """Write a page that needs no other file and no network; see `write_page` for errors.

    Parameters
    ----------
    path
        File, .html.
    capture
        Name of the stream.
    frame
        The frame.
    results
        As `frame_results` gives them; None without any.
    progress
        Is given the share that is done.
    force
        Whether another file may be replaced.
    """
    tiled = passes_of(frame) if results is None else len(results["tiles"]["passes"])
    if tiled != passes_of(frame):
        counts = f"{tiled} passes with tiles, the frame {passes_of(frame)}"
        raise PageError(f"the results have {counts}: they do not belong together")
    blobs = Blobs()
    data = page_data(frame, blobs, progress) | (results or {})
    package = files(__package__)
    html = data_html(data, "frame-data") + blobs.html() + package.joinpath("page.html").read_text("utf-8")
    scripts = tuple(package.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    section = Section("Frame", html, own_scripts=scripts, style=package.joinpath("inspect.css").read_text("utf-8"))
    draws = sum(operation.kind == "draw" for operation in frame.followed.operations)
    operations, calls = several(len(frame.followed.operations), "operation"), several(len(frame.calls), "call")
    subtitle = f"{operations}, {several(draws, 'draw')} among them; {calls}"
    name = capture.encode("utf-8", "replace").decode()
    write_page(path, f"{name}, frame {frame.number}", [section], subtitle, force)
