"""A frame as a folder: the window after each draw, draws.json, and how often pixels are covered and written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.capture import CaptureError
from tilegpu.functional.frame_view.complexity import Complexity, complexity_image
from tilegpu.functional.frame_view.contents import contents, picture
from tilegpu.functional.frame_view.listener import FrameListener
from tilegpu.functional.frame_view.operations import DrawDetail, Operation
from tilegpu.functional.images import write_png

from .console import print_table, say
from .outputs import holds, is_png

FILES = {
    r"draw_\d{4,}\.png": is_png,
    r"(overdraw|depth_complexity)\.png": is_png,
    r"draws\.json": holds(b'"fragments_written"'),
}
"""By name, files in a folder of images of draws."""


class _DrawPicture(NamedTuple):
    """A draw, and the window after it; None if it has another target."""

    operation: Operation
    detail: DrawDetail
    window: NDArray[np.uint8] | None


def write_folder(frame: FrameListener, output: Path, draw: int | None) -> None:
    """Write all draws of a frame, or one, and print them.

    Raises
    ------
    CaptureError
        There is no draw with that number.
    """
    _check(frame, draw)
    table = Table("draw", "call", "topology", "vertices", "quads", "fragments written", "way", box=None)
    described = []
    for drawn in _draws(frame):
        if draw not in (None, drawn.operation.number):
            continue
        detail, described_draw = drawn.detail, _described(drawn)
        if drawn.window is not None:
            write_png(drawn.window, output / described_draw["image"])
        described.append(described_draw)
        row = (drawn.operation.number, drawn.operation.call, detail.row["topology"], detail.row["count"])
        table.add_row(*map(str, (*row, detail.covered, detail.fragments)), way(detail.ways))
    with whole_file(output / "draws.json") as unfinished:
        unfinished.write_text(json.dumps(described, indent=1) + "\n")
    print_table(table)
    if frame.complexity is not None:
        _write_complexity(frame.complexity, output)


def _check(frame: FrameListener, draw: int | None) -> None:
    works = {operation.number: operation for operation in frame.operations if operation.number is not None}
    if draw is None:
        return
    if draw not in works:
        raise CaptureError(f"draw {draw}: the frame has {len(works)} draws and dispatches, numbered from 0")
    if works[draw].detail is None:
        raise CaptureError(f"{works[draw].name} draws nothing")


def _draws(frame: FrameListener) -> Iterator[_DrawPicture]:
    for operation, planes in contents(frame):
        if operation.detail is None:
            continue
        colors = (key for key in operation.planes if key.kind == "color" and key in planes)
        window = next(colors, None) if operation.detail.row["framebuffer"] == 0 else None
        yield _DrawPicture(operation, operation.detail, None if window is None else picture(planes[window]))


def _described(drawn: _DrawPicture) -> dict[str, Any]:
    """Entry of draws.json."""
    operation, detail, window = drawn
    return {
        "draw": operation.number,
        "call": operation.call,
        "image": None if window is None else f"draw_{operation.number:04d}.png",
        "quads": detail.covered,
        "fragments_written": detail.fragments,
        "ways": dict(zip(("primitives", "fragments"), detail.ways, strict=True)),
        **detail.row,
    }


def _write_complexity(complexity: Complexity, output: Path) -> None:
    for name, counts in (("depth_complexity", complexity.covered), ("overdraw", complexity.written)):
        write_png(complexity_image(counts), output / f"{name}.png")
        touched = counts[counts > 0]
        mean = float(touched.mean()) if len(touched) else 0.0
        say(f"{name}.png: {mean:.2f} times per touched pixel, {int(counts.max())} at most")


def way(ways: tuple[str, str]) -> str:
    """Way of executing the halves of a draw; one word if both are fused."""
    primitives, fragments = ways
    return primitives if primitives == fragments else f"primitives {primitives}; fragments {fragments}"
