"""Which tiles a primitive falls into, from its snapped corners."""

from __future__ import annotations

from typing import Any

from .compiled import helper, kernel

SUBPIXELS = 256


@helper
def outside(x0: int, y0: int, x1: int, y1: int, left: int, bottom: int, right: int, top: int, turn: int) -> bool:
    """Whether a box lies entirely outside the edge from corner 0 to corner 1 of a triangle that turns to `turn`."""
    # The corner of the box that is farthest inside decides.
    dx, dy = (x1 - x0) * turn, (y1 - y0) * turn
    x = left if dy > 0 else right
    y = top if dx > 0 else bottom
    return dx * (y - y0) - dy * (x - x0) < 0


@helper
def touches(x: Any, y: Any, left: int, bottom: int, right: int, top: int) -> bool:
    """Whether a triangle meets a box (1/256 pixel)."""
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    turn = 1 if area > 0 else -1
    return not (
        outside(x[0], y[0], x[1], y[1], left, bottom, right, top, turn)
        or outside(x[1], y[1], x[2], y[2], left, bottom, right, top, turn)
        or outside(x[2], y[2], x[0], y[0], left, bottom, right, top, turn)
    )


@kernel
def overlaps(
    kept: Any,
    x: Any,
    y: Any,
    corners: Any,
    extent: Any,
    box: Any,
    size: Any,
    tile_width: int,
    tile_height: int,
    exact: bool,
    out_primitive: Any,
    out_x: Any,
    out_y: Any,
) -> int:
    """Pairs of primitive and tile, in order of primitives.

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
    exact
        Only tiles that triangles touch, not all of their bounding boxes.
    out_primitive, out_x, out_y
        Arrays to fill with primitive and tile column and row; what does not fit is counted but not written.

    Returns
    -------
    int
        Number of pairs.
    """
    count = 0
    for p in range(len(kept)):
        if not kept[p]:
            continue
        low_x, high_x, low_y, high_y = x[p, 0], x[p, 0], y[p, 0], y[p, 0]
        for i in range(1, corners[p]):
            low_x, high_x = min(low_x, x[p, i]), max(high_x, x[p, i])
            low_y, high_y = min(low_y, y[p, i]), max(high_y, y[p, i])
        first_x = max((low_x - extent[p]) // SUBPIXELS, box[p, 0], 0)
        last_x = min((high_x + extent[p]) // SUBPIXELS, box[p, 2] - 1, size[p, 0] - 1)
        first_y = max((low_y - extent[p]) // SUBPIXELS, box[p, 1], 0)
        last_y = min((high_y + extent[p]) // SUBPIXELS, box[p, 3] - 1, size[p, 1] - 1)
        if first_x > last_x or first_y > last_y:
            continue
        for tile_y in range(first_y // tile_height, last_y // tile_height + 1):
            for tile_x in range(first_x // tile_width, last_x // tile_width + 1):
                left, bottom = tile_x * tile_width * SUBPIXELS, tile_y * tile_height * SUBPIXELS
                right, top = left + tile_width * SUBPIXELS, bottom + tile_height * SUBPIXELS
                if exact and corners[p] == 3 and not touches(x[p], y[p], left, bottom, right, top):
                    continue
                if count < len(out_primitive):
                    out_primitive[count] = p
                    out_x[count] = tile_x
                    out_y[count] = tile_y
                count += 1
    return count
