"""Tiles that a primitive falls into, from its snapped corners."""

from __future__ import annotations

from typing import Any, NamedTuple

from .compiled import helper, kernel

SUBPIXELS = 256


class Box(NamedTuple):
    """Box in 1/256 pixel, y up."""

    left: int
    bottom: int
    right: int
    top: int


class Outlines(NamedTuple):
    """Primitives to be binned, n of them.

    Parameters
    ----------
    kept
        bool, (n,): primitives to bin.
    x, y
        int64, (n, 3): corners in 1/256 pixel, y up.
    corners
        int, (n,): 1 point, 2 line, 3 triangle.
    extent
        int64, (n,): half the point's size or the line's width, in 1/256 pixel.
    box
        int64, (n, 4): x0, y0, x1, y1 in pixels that the draw's scissor leaves.
    size
        int64, (n, 2): width and height of the pass in pixels.
    """

    kept: Any
    x: Any
    y: Any
    corners: Any
    extent: Any
    box: Any
    size: Any


class Pairs(NamedTuple):
    """Arrays of pairs of a primitive and a tile, by its column and row."""

    primitive: Any
    x: Any
    y: Any


@helper
def outside(x0: int, y0: int, x1: int, y1: int, box: Box, turn: int) -> bool:
    """Whether a box lies entirely outside the edge from corner 0 to corner 1 of a triangle that turns to `turn`."""
    # The corner of the box that is farthest inside decides.
    dx, dy = (x1 - x0) * turn, (y1 - y0) * turn
    x = box.left if dy > 0 else box.right
    y = box.top if dx > 0 else box.bottom
    return bool(dx * (y - y0) - dy * (x - x0) < 0)


@helper
def touches(x: Any, y: Any, box: Box) -> bool:
    """Whether a triangle meets a box."""
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    turn = 1 if area > 0 else -1
    return not (
        outside(x[0], y[0], x[1], y[1], box, turn)
        or outside(x[1], y[1], x[2], y[2], box, turn)
        or outside(x[2], y[2], x[0], y[0], box, turn)
    )


@kernel
def overlaps(outlines: Outlines, tile_width: int, tile_height: int, exact: bool, pairs: Pairs) -> int:
    """Find pairs of primitive and tile, in order of primitives.

    Parameters
    ----------
    outlines
        Primitives.
    tile_width, tile_height
        Size of a tile in pixels.
    exact
        Only tiles that triangles touch, not all of their bounding boxes.
    pairs
        Arrays to fill; what does not fit is counted but not written.

    Returns
    -------
    int
        Number of pairs.
    """
    x, y, corners, extent, limits, size = (
        outlines.x, outlines.y, outlines.corners, outlines.extent, outlines.box, outlines.size
    )  # fmt: skip
    count = 0
    for p in range(len(outlines.kept)):
        if not outlines.kept[p]:
            continue
        low_x, high_x, low_y, high_y = x[p, 0], x[p, 0], y[p, 0], y[p, 0]
        for i in range(1, corners[p]):
            low_x, high_x = min(low_x, x[p, i]), max(high_x, x[p, i])
            low_y, high_y = min(low_y, y[p, i]), max(high_y, y[p, i])
        first_x = max((low_x - extent[p]) // SUBPIXELS, limits[p, 0], 0)
        last_x = min((high_x + extent[p]) // SUBPIXELS, limits[p, 2] - 1, size[p, 0] - 1)
        first_y = max((low_y - extent[p]) // SUBPIXELS, limits[p, 1], 0)
        last_y = min((high_y + extent[p]) // SUBPIXELS, limits[p, 3] - 1, size[p, 1] - 1)
        if first_x > last_x or first_y > last_y:
            continue
        for tile_y in range(first_y // tile_height, last_y // tile_height + 1):
            for tile_x in range(first_x // tile_width, last_x // tile_width + 1):
                left, bottom = tile_x * tile_width * SUBPIXELS, tile_y * tile_height * SUBPIXELS
                right, top = left + tile_width * SUBPIXELS, bottom + tile_height * SUBPIXELS
                if exact and corners[p] == 3 and not touches(x[p], y[p], Box(left, bottom, right, top)):
                    continue
                if count < len(pairs.primitive):
                    pairs.primitive[count] = p
                    pairs.x[count] = tile_x
                    pairs.y[count] = tile_y
                count += 1
    return count
