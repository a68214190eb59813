"""Pixels that draws cover in the picture of a frame, and their outlines on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.activity.reader import Activity

LINE = 2
"""Width of an outline in pixels."""
WINDOW = "default_color"


class Covered(NamedTuple):
    """Pixels that a draw covers, (height, width), row 0 at the top; none of draws to anything but the window."""

    draw: int
    mask: NDArray[np.bool_]

    @property
    def centre(self) -> tuple[float, float]:
        """A place in the middle of its widest part, as shares of the picture's width and height from the top left."""
        rows = self.mask.sum(axis=1)
        row = int(rows.argmax())
        columns = np.flatnonzero(self.mask[row])
        height, width = self.mask.shape
        return float(columns[len(columns) // 2]) / width, row / height


def covered_by(activity: Activity, frame: int, draws: Sequence[int], shape: tuple[int, ...]) -> list[Covered]:
    """Pixels of the window that draws of a frame cover.

    Parameters
    ----------
    activity
        Of the frame.
    frame
        Its number.
    draws
        Numbers of draws.
    shape
        Height and width of the picture, and whatever follows.
    """
    surfaces = activity.table("surfaces", ["surface", "kind"]).to_pylist()
    windows = {row["surface"] for row in surfaces if row["kind"] == WINDOW}
    shown = {
        row["pass"]
        for row in activity.frame("passes", frame, ["pass", "attachments"]).to_pylist()
        if any(each["slot"] == "color0" and each["surface"] in windows for each in row["attachments"])
    }
    numbers = {
        row["number"]: row["draw"]
        for row in activity.frame("draws", frame, ["draw", "number", "pass"]).to_pylist()
        if row["pass"] in shown
    }
    of_primitive = activity.frame("primitives", frame, ["draw"])["draw"].to_numpy()
    quads = activity.frame("quads", frame, ["primitive", "x", "y", "coverage"])
    of, coverage = of_primitive[quads["primitive"].to_numpy()], quads["coverage"].to_numpy()
    places = 2 * quads["x"].to_numpy().astype(np.int64), 2 * quads["y"].to_numpy().astype(np.int64)
    return [Covered(n, _mask(places, coverage, of == numbers.get(n, -1), (shape[0], shape[1]))) for n in draws]


def _mask(
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    coverage: NDArray[np.uint16],
    chosen: NDArray[np.bool_],
    size: tuple[int, int],
) -> NDArray[np.bool_]:
    mask = np.zeros((size[0] + 2, size[1] + 2), bool)
    x, y, covered = places[0][chosen], places[1][chosen], coverage[chosen]
    for lane in range(4):
        # Samples of a lane are every fourth bit.
        inside = (covered >> lane & 0x1111) != 0
        inside &= (x + (lane & 1) < size[1]) & (y + (lane >> 1) < size[0])
        mask[y[inside] + (lane >> 1), x[inside] + (lane & 1)] = True
    return np.ascontiguousarray(mask[: size[0], : size[1]][::-1])


def outlined(
    picture: NDArray[np.uint8], covered: Sequence[Covered], colours: Sequence[tuple[int, int, int]]
) -> NDArray[np.uint8]:
    """A picture with the outlines of draws, the first of them on top.

    Parameters
    ----------
    picture
        uint8, (height, width, 3).
    covered
        Pixels of each draw.
    colours
        Red, green and blue of each.
    """
    out = picture.copy()
    for each, colour in reversed(list(zip(covered, colours, strict=True))):
        out[_edge(each.mask)] = colour
    return out


def _edge(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pixels of a mask that are near one outside of it, or near the picture's edge."""
    inner = np.pad(mask, 1)
    for _ in range(LINE):
        core = inner.copy()
        core[1:] &= inner[:-1]
        core[:-1] &= inner[1:]
        core[:, 1:] &= inner[:, :-1]
        core[:, :-1] &= inner[:, 1:]
        inner = core
    return np.asarray(mask & ~inner[1:-1, 1:-1])
