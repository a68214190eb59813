"""Pixels that a primitive covers, from its row: spans, cut into 2x2 quads in drawing order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile import helper, inlined, kernel
from ...compile.blocks import Flags, Halves, Integers, Words
from .small_triangles import MAX_SIDE, is_small, pixel_box, small_quads
from .spans import SUBPIXELS, edge_walk_spans, line_spans, point_spans, triangle_spans

WHOLE = 15
"""Coverage of a quad whose pixels are all covered."""
LEAST_WHOLE = 8
"""Least number of quads that are worth adding together."""
NOWHERE = 1 << 30
SMALL_QUADS = (MAX_SIDE // 2 + 1) ** 2
"""Most quads of a small triangle."""


@helper
def _span(row: int, first: int, last: int, left: Integers, right: Integers, flip_height: int) -> Any:
    """Initial ends of a row, y up; an empty row begins at the far right and ends at the far left."""
    if not first <= row < last:
        return NOWHERE, -NOWHERE
    memory = flip_height - 1 - row if flip_height else row
    if left[memory] >= right[memory]:
        return NOWHERE, -NOWHERE
    return int(left[memory]), int(right[memory])


@helper
def _whole_quads(
    primitive: int, begin: int, end: int, quad_y: int, out: tuple[Integers, Halves, Halves, Halves], count: int
) -> Any:
    """Add fully covered quads; the new count."""
    out_primitive, out_x, out_y, out_coverage = out
    following = count + end - begin
    # Unsigned, because indices that may be negative prevent vectorization.
    for i in range(np.uint64(count), np.uint64(following)):
        out_primitive[i] = primitive
        out_x[i] = begin - count + int(i)
        out_y[i] = quad_y
        out_coverage[i] = WHOLE
    return following


@inlined
def emit_quads(
    primitive: int,
    first: int,
    last: int,
    left: Integers,
    right: Integers,
    flip_height: int,
    out: tuple[Integers, Halves, Halves, Halves],
    count: int,
) -> Any:
    """Cut spans into quads, bottom row first, left to right.

    Parameters
    ----------
    flip_height
        0, or the framebuffer's height to flip rows if they count from the top.
    out
        (primitive int32, x uint16, y uint16, coverage uint16) arrays to fill from `count` on.

    Returns
    -------
    int
        New count.
    """
    out_primitive, out_x, out_y, out_coverage = out
    if flip_height:
        first, last = flip_height - last, flip_height - first
    for quad_y in range(first >> 1, (last + 1) >> 1):
        left0, right0 = _span(2 * quad_y, first, last, left, right, flip_height)
        left1, right1 = _span(2 * quad_y + 1, first, last, left, right, flip_height)
        begin, end = min(left0, left1) >> 1, (max(right0, right1) + 1) >> 1
        # Quads between the edges are fully covered; the other row may be empty.
        inner = min((max(left0, left1) + 1) >> 1, end)
        outer = max(min(right0, right1) >> 1, inner)
        if outer - inner < LEAST_WHOLE:
            inner = end
        quad_x = begin
        while quad_x < end:
            if quad_x == inner:
                count = _whole_quads(primitive, inner, outer, quad_y, out, count)
                quad_x = outer
                continue
            x0, x1 = 2 * quad_x, 2 * quad_x + 1
            mask = 0
            if left0 <= x0 < right0:
                mask |= 1
            if left0 <= x1 < right0:
                mask |= 2
            if left1 <= x0 < right1:
                mask |= 4
            if left1 <= x1 < right1:
                mask |= 8
            if mask:
                out_primitive[count], out_x[count], out_y[count], out_coverage[count] = primitive, quad_x, quad_y, mask
                count += 1
            quad_x += 1
    return count


@inlined
def _most_quads(x: Words, rows: int) -> Any:
    """Upper bound for the quads of a triangle, from its bounding box."""
    widest = (max(x[0], x[1], x[2]) - min(x[0], x[1], x[2])) // SUBPIXELS + 1
    return (widest // 2 + 2) * (max(rows, 0) + 2) + 2


@helper
def _bound(corners: int, first: int, last: int, left: Integers, right: Integers) -> Any:
    """Upper bound for the quads of spans."""
    widest = 0
    for row in range(first, last):
        widest = max(widest, right[row] - left[row])
    bound = (widest // 2 + 2) * ((last - first) // 2 + 2) if corners == 1 or widest * (last - first) < 64 else 0
    if bound == 0:
        for row in range(first, last):
            bound += max(0, right[row] - left[row]) // 2 + 2
        bound += 2
    return bound


class Shapes(NamedTuple):
    """Primitives to cover.

    Parameters
    ----------
    corners
        3 triangles, 2 lines, 1 points.
    snapped
        Whether triangles have snapped coordinates with subpixel bits.
    x, y
        int64, (primitives, 3): corners in 1/256 pixel, y up.
    window_x, window_y
        float32, (primitives, 3): corners in pixels in memory orientation, for unsnapped triangles.
    extent
        float32, (primitives,): point size or line width.
    """

    corners: Any
    snapped: Any
    x: Any
    y: Any
    window_x: Any
    window_y: Any
    extent: Any


@kernel
def cover(
    start: int,
    shapes: Shapes,
    drawn: Flags,
    box: Words,
    flip_height: int,
    ends: tuple[Integers, Integers],
    out: tuple[Integers, Halves, Halves, Halves],
) -> Any:
    """Emit the quads of as many primitives as fit, in order.

    Parameters
    ----------
    start
        First primitive to cover.
    shapes
        All primitives.
    drawn
        bool, (primitives,): false for culled ones; set to false for those that cover nothing.
    box
        int64, (4,): x0, y0, x1, y1 of the pixels that may be covered, y up.
    flip_height
        Framebuffer height if memory rows count from the top and triangles are not snapped, otherwise 0.
    ends
        Two arrays of int32 scratch, (framebuffer height,).
    out
        Arrays to fill; see `emit_quads`.

    Returns
    -------
    int, int
        Next primitive to cover, number of quads.
    """
    corners, snapped, x, y, window_x, window_y, extent = shapes
    left, right = ends
    count = 0
    capacity = len(out[0])
    memory_box = box.copy()
    flip = flip_height if corners == 3 and not snapped else 0
    if flip:
        memory_box[1], memory_box[3] = flip - box[3], flip - box[1]
    for p in range(start, len(drawn)):
        drawn[p] &= box[0] < box[2] and box[1] < box[3]
        if not drawn[p]:
            continue
        if corners == 3 and snapped:
            pixels = pixel_box(x[p], y[p])
            if pixels[0] >= pixels[2] or pixels[1] >= pixels[3]:
                drawn[p] = False
                continue
            if is_small(pixels, box) and count + SMALL_QUADS <= capacity:
                before, count = count, small_quads(p, x[p], y[p], pixels, out, count)
                drawn[p] = count > before
                continue
        if corners == 1:
            first, last = point_spans(x[p, 0], y[p, 0], extent[p], memory_box, left, right)
        elif corners == 2:
            first, last = line_spans(x[p], y[p], extent[p], memory_box, left, right)
        elif snapped:
            first, last = triangle_spans(x[p], y[p], memory_box, left, right)
        else:
            first, last = edge_walk_spans(window_x[p], window_y[p], memory_box, left, right)
        bound = 0
        if corners == 3 and snapped:
            bound = _most_quads(x[p], last - first)
        if count + bound > capacity or bound == 0:
            bound = _bound(corners, first, last, left, right)
        if count + bound > capacity and count > 0:
            return p, count
        before = count
        count = emit_quads(p, first, last, left, right, flip, out, count)
        drawn[p] = count > before
    return len(drawn), count
