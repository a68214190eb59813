"""Tiles that a primitive falls into, from its snapped corners."""

from __future__ import annotations

from typing import NamedTuple

from ...compile import helper
from ...compile.blocks import Words
from .spans import SUBPIXELS


class Box(NamedTuple):
    """Box in 1/256 pixel, y up."""

    left: int
    bottom: int
    right: int
    top: int


class Pixels(NamedTuple):
    """First and last column and row of pixels, y up; the last ones lie before the first if there are none."""

    first_x: int
    last_x: int
    first_y: int
    last_y: int


@helper
def outside(x0: int, y0: int, x1: int, y1: int, box: Box, turn: int) -> bool:
    """Whether a box lies entirely outside the edge from corner 0 to corner 1 of a triangle that turns to `turn`."""
    # The corner of the box that is farthest inside decides.
    dx, dy = (x1 - x0) * turn, (y1 - y0) * turn
    x = box.left if dy > 0 else box.right
    y = box.top if dx > 0 else box.bottom
    return bool(dx * (y - y0) - dy * (x - x0) < 0)


@helper
def touches(x: Words, y: Words, box: Box) -> bool:
    """Whether a triangle meets a box."""
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    turn = 1 if area > 0 else -1
    return not (
        outside(x[0], y[0], x[1], y[1], box, turn)
        or outside(x[1], y[1], x[2], y[2], box, turn)
        or outside(x[2], y[2], x[0], y[0], box, turn)
    )


@helper
def box_of_tile(column: int, row: int, width: int, height: int) -> Box:
    """The box of a tile of some pixels."""
    first_x, bottom = column * width * SUBPIXELS, row * height * SUBPIXELS
    return Box(first_x, bottom, first_x + width * SUBPIXELS, bottom + height * SUBPIXELS)


@helper
def bounds(x: Words, y: Words, corners: int, extent: int, limits: Words, width: int, height: int) -> Pixels:
    """Pixels of a primitive's bounding box.

    Parameters
    ----------
    x, y
        int64, (3,): corners in 1/256 pixel, y up.
    corners
        1 point, 2 line, 3 triangle.
    extent
        Half the point's size or the line's width, in 1/256 pixel.
    limits
        int64, (4,): x0, y0, x1, y1 in pixels that may be covered.
    width, height
        Pixels of the image.
    """
    low_x, high_x, low_y, high_y = x[0], x[0], y[0], y[0]
    for i in range(1, corners):
        low_x, high_x = min(low_x, x[i]), max(high_x, x[i])
        low_y, high_y = min(low_y, y[i]), max(high_y, y[i])
    return Pixels(
        max((low_x - extent) // SUBPIXELS, limits[0], 0),
        min((high_x + extent) // SUBPIXELS, limits[2] - 1, width - 1),
        max((low_y - extent) // SUBPIXELS, limits[1], 0),
        min((high_y + extent) // SUBPIXELS, limits[3] - 1, height - 1),
    )
