"""Tiles that a primitive falls into, from its snapped corners."""

from __future__ import annotations

from typing import Any, NamedTuple

from tilegpu.functional.activity.kernels.tiles import bounds, box_of_tile, touches

from .compiled import kernel


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
        first_x, last_x, first_y, last_y = bounds(x[p], y[p], corners[p], extent[p], limits[p], size[p, 0], size[p, 1])
        if first_x > last_x or first_y > last_y:
            continue
        for tile_y in range(first_y // tile_height, last_y // tile_height + 1):
            for tile_x in range(first_x // tile_width, last_x // tile_width + 1):
                box = box_of_tile(tile_x, tile_y, tile_width, tile_height)
                if exact and corners[p] == 3 and not touches(x[p], y[p], box):
                    continue
                if count < len(pairs.primitive):
                    pairs.primitive[count] = p
                    pairs.x[count] = tile_x
                    pairs.y[count] = tile_y
                count += 1
    return count
