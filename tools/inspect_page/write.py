"""Writes the page about one frame."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from tilegpu.functional.frame_view.follow import FollowedFrame

from ..report.page import Section, data_html, write_page
from .blobs import Blobs
from .content import page_data


def write_frame_page(
    path: Path,
    capture: str,
    frame: FollowedFrame,
    tiles: dict[str, Any] | None = None,
    progress: Callable[[float], None] = lambda share: None,
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
    tiles
        Costs of tiles by pass, as `frame_tiles` gives them; None without results.
    progress
        Is given the share that is done.
    """
    blobs = Blobs()
    data = page_data(frame, blobs, progress)
    if tiles is not None:
        data["tiles"] = tiles
    package = files(__package__)
    html = data_html(data, "frame-data") + blobs.html() + package.joinpath("page.html").read_text("utf-8")
    scripts = tuple(package.joinpath(name).read_text("utf-8") for name in ("store.js", "details.js", "view.js"))
    section = Section("Frame", html, own_scripts=scripts, style=package.joinpath("inspect.css").read_text("utf-8"))
    draws = sum(operation.kind == "draw" for operation in frame.followed.operations)
    told = f"{len(frame.followed.operations)} operations, {draws} of them draws; {len(frame.calls):,} calls"
    write_page(path, f"{capture}, frame {frame.number}", [section], told)
