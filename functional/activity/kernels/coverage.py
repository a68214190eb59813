"""Which pixels a primitive covers, from its row: spans, cut into 2x2 quads in drawing order."""

from __future__ import annotations

from typing import Any

from ..compiled import helper, kernel
from .spans import edge_walk_spans, line_spans, point_spans, triangle_spans


@helper
def emit_quads(
    primitive: Any, first: Any, last: Any, left: Any, right: Any, flip_height: Any, out: Any, count: Any
) -> Any:
    """Cut spans into quads, bottom row first, left to right.

    Parameters
    ----------
    flip_height
        0, or the framebuffer's height where rows count from the top: they are turned round.
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
        begin, end = 1 << 30, -(1 << 30)
        row0, row1 = 2 * quad_y, 2 * quad_y + 1
        in0, in1 = first <= row0 < last, first <= row1 < last
        memory0 = flip_height - 1 - row0 if flip_height else row0
        memory1 = flip_height - 1 - row1 if flip_height else row1
        if in0 and left[memory0] < right[memory0]:
            begin, end = left[memory0], right[memory0]
        else:
            in0 = False
        if in1 and left[memory1] < right[memory1]:
            begin, end = min(begin, left[memory1]), max(end, right[memory1])
        else:
            in1 = False
        for quad_x in range(begin >> 1, (end + 1) >> 1):
            mask = 0
            for lane in range(2):
                pixel = 2 * quad_x + lane
                if in0 and left[memory0] <= pixel < right[memory0]:
                    mask |= 1 << lane
                if in1 and left[memory1] <= pixel < right[memory1]:
                    mask |= 4 << lane
            if mask:
                out_primitive[count] = primitive
                out_x[count] = quad_x
                out_y[count] = quad_y
                out_coverage[count] = mask
                count += 1
    return count


@kernel
def cover(
    start: Any,
    corners: Any,
    x: Any,
    y: Any,
    window_x: Any,
    window_y: Any,
    extent: Any,
    drawn: Any,
    box: Any,
    flip_height: Any,
    snapped: Any,
    left: Any,
    right: Any,
    out: Any,
) -> Any:
    """Quads of as many primitives as fit, in order.

    Parameters
    ----------
    start
        First primitive to cover.
    corners
        3 triangles, 2 lines, 1 points.
    x, y
        int64, (primitives, 3): corners in 1/256 pixel, y up.
    window_x, window_y
        float32, (primitives, 3): corners in pixels in memory orientation, for unsnapped triangles.
    extent
        float32, (primitives,): point size or line width.
    drawn
        bool, (primitives,): false for what is culled.
    box
        int64, (4,): x0, y0, x1, y1 that may be covered, y up.
    flip_height
        Framebuffer height where memory rows count from the top and triangles are not snapped, else 0.
    left, right
        int32 scratch, (framebuffer height,).
    out
        Arrays to fill; see `emit_quads`.

    Returns
    -------
    int, int
        Next primitive to cover, number of quads.
    """
    count = 0
    capacity = len(out[0])
    memory_box = box.copy()
    flip = flip_height if corners == 3 and not snapped else 0
    if flip:
        memory_box[1], memory_box[3] = flip - box[3], flip - box[1]
    for p in range(start, len(drawn)):
        if not drawn[p] or box[0] >= box[2] or box[1] >= box[3]:
            continue
        if corners == 1:
            first, last = point_spans(x[p, 0], y[p, 0], extent[p], memory_box, left, right)
        elif corners == 2:
            first, last = line_spans(x[p], y[p], extent[p], memory_box, left, right)
        elif snapped:
            first, last = triangle_spans(x[p], y[p], memory_box, left, right)
        else:
            first, last = edge_walk_spans(window_x[p], window_y[p], memory_box, left, right)
        widest = 0
        for row in range(first, last):
            widest = max(widest, right[row] - left[row])
        bound = (widest // 2 + 2) * ((last - first) // 2 + 2) if corners == 1 or widest * (last - first) < 64 else 0
        if bound == 0:
            for row in range(first, last):
                bound += max(0, right[row] - left[row]) // 2 + 2
            bound += 2
        if count + bound > capacity and count > 0:
            return p, count
        count = emit_quads(p, first, last, left, right, flip, out, count)
    return len(drawn), count
