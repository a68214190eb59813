"""Spans: the pixels of each row that a primitive covers.

Every primitive is convex, so it covers one span of each row. For triangles in fixed point (8 subpixel bits) the ends of
the span are exact integers. A centre exactly on an edge belongs to the triangle to its right, or above it: the top-left
rule with row 0 of the window, where OpenGL's origin is, as the top. Unsnapped triangles are walked along their edges in
float32, like in Mesa's softpipe, so that coverage can be compared count for count.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import helper, inlined
from ...compile.blocks import Floats, Integers, Words

SUBPIXEL_BITS = 8
SUBPIXELS = 1 << SUBPIXEL_BITS
HALF = SUBPIXELS // 2


@helper
def first_pixel(position: int, scale: int) -> Any:
    """First pixel whose centre is at or right of `position / (SUBPIXELS * scale)`, for scale > 0."""
    return -((HALF * scale - position) // (SUBPIXELS * scale))


@inlined
def triangle_spans(x: Words, y: Words, box: Words, left: Integers, right: Integers) -> Any:
    """Spans of a snapped triangle.

    Parameters
    ----------
    x, y
        int, (3,): corners in 1/256 pixel, y up, any winding, of non-zero area.
    box
        int, (4,): x0, y0, x1, y1 in pixels; nothing outside is covered.
    left, right
        int32 scratch, one element per row of the framebuffer: first covered pixel, and one past the last one.

    Returns
    -------
    int, int
        First row, and one past the last row; rows in between may be empty (left >= right).
    """
    # The rows end with the triangle, so horizontal edges exclude none of them.
    first = max(box[1], first_pixel(min(y[0], y[1], y[2]), 1))
    last = min(box[3], first_pixel(max(y[0], y[1], y[2]), 1))
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    has_left = has_right = False
    for i in range(3):
        a, b = i, (i + 1) % 3
        if area < 0:
            a, b = b, a
        dx, dy = x[b] - x[a], y[b] - y[a]
        if dy == 0 or first >= last:
            continue
        # first_pixel of the edge's crossing with each row, stepping quotient and remainder instead of dividing per row.
        scale = abs(dy)
        turn = 1 if dy > 0 else -1
        begin = HALF * scale - turn * (dx * (first * SUBPIXELS + HALF - y[a]) + dy * x[a])
        steps, divisor = -turn * dx, SUBPIXELS * scale
        quotient, step, remainder, rest = begin // divisor, 0, 0, 0
        if last - first > 1:
            step = steps // scale
            remainder, rest = begin - quotient * divisor, SUBPIXELS * (steps - step * scale)
        for row in range(first, last):
            if dy > 0:
                right[row] = min(right[row] if has_right else box[2], -quotient)
            else:
                left[row] = max(left[row] if has_left else box[0], -quotient)
            quotient, remainder = quotient + step, remainder + rest
            if remainder >= divisor:
                quotient, remainder = quotient + 1, remainder - divisor
        has_left, has_right = has_left or dy < 0, has_right or dy > 0
    return first, last


@helper
def edge_walk_spans(x: Floats, y: Floats, box: Words, left: Integers, right: Integers) -> Any:
    """Spans of an unsnapped triangle, in float32 along its edges from the lowest y up (Mesa softpipe's arithmetic).

    Parameters
    ----------
    x, y
        float32, (3,): corners in pixels, y down if the window system counts from the top.
    box, left, right
        As for `triangle_spans`, in the same orientation as y.
    """
    lo, mid, hi = 0, 1, 2
    if y[0] <= y[1]:
        if y[1] <= y[2]:
            lo, mid, hi = 0, 1, 2
        elif y[2] <= y[0]:
            lo, mid, hi = 2, 0, 1
        else:
            lo, mid, hi = 0, 2, 1
    elif y[0] <= y[2]:
        lo, mid, hi = 1, 0, 2
    elif y[2] <= y[1]:
        lo, mid, hi = 2, 1, 0
    else:
        lo, mid, hi = 1, 2, 0
    half = np.float32(0.5)
    none = np.float32(0)
    major_dx, major_dy = x[hi] - x[lo], y[hi] - y[lo]
    low_dx, low_dy = x[mid] - x[lo], y[mid] - y[lo]
    high_dx, high_dy = x[hi] - x[mid], y[hi] - y[mid]
    turn = major_dx * low_dy - low_dx * major_dy
    lo_x, lo_y = x[lo] + half, y[lo] - half
    mid_x, mid_y, hi_y = x[mid] + half, y[mid] - half, y[hi] - half
    start, middle = np.float32(np.ceil(lo_y)), np.float32(np.ceil(mid_y))
    major_slope = major_dx / major_dy if major_dy != none else none
    low_slope = low_dx / low_dy if low_dy != none else none
    high_slope = high_dx / high_dy if high_dy != none else none
    major_x = lo_x + (start - lo_y) * major_slope
    low_x = lo_x + (start - lo_y) * low_slope
    high_x = mid_x + (middle - mid_y) * high_slope
    low_lines = int(np.ceil(mid_y - start))
    high_lines = int(np.ceil(hi_y - middle))
    begin = int(start)
    first = max(box[1], begin)
    last = max(first, min(box[3], begin + low_lines + high_lines))
    restart = major_x + np.float32(low_lines) * major_slope
    for row in range(first, last):
        step = row - begin
        if step < low_lines:
            a = int(major_x + np.float32(step) * major_slope)
            b = int(low_x + np.float32(step) * low_slope)
        else:
            a = int(restart + np.float32(step - low_lines) * major_slope)
            b = int(high_x + np.float32(step - low_lines) * high_slope)
        if turn >= none:
            a, b = b, a
        left[row] = max(a, box[0])
        right[row] = min(b, box[2])
    return first, last


@helper
def point_spans(x: int, y: int, size: np.float32, box: Words, left: Integers, right: Integers) -> Any:
    """Spans of a point: the square of `size` pixels around it (OpenGL ES 2.0, 3.3)."""
    half = int(np.floor(size * HALF + 0.5))
    x0, x1 = max(box[0], first_pixel(x - half, 1)), min(box[2], first_pixel(x + half, 1))
    first, last = max(box[1], first_pixel(y - half, 1)), min(box[3], first_pixel(y + half, 1))
    for row in range(first, last):
        left[row] = x0
        right[row] = x1
    return first, max(first, last)


@helper
def line_spans(x: Words, y: Words, width: np.float32, box: Words, left: Integers, right: Integers) -> Any:
    """Spans of a line: one column (or row) of `width` pixels per step along its longer axis (OpenGL ES 2.0, 3.4).

    Steps are the pixels whose centre lies in the half-open interval between the ends, so that joined lines share
    none.
    """
    wide: Any = max(1, int(np.floor(width + 0.5)))
    dx, dy = x[1] - x[0], y[1] - y[0]
    steep = abs(dy) > abs(dx)
    u0, v0, du, dv = (y[0], x[0], dy, dx) if steep else (x[0], y[0], dx, dy)
    back = (wide - 1) * HALF
    first, last = box[3], box[1]
    lowest = max(box[1], (min(y[0], y[1]) - back) // SUBPIXELS - 1)
    for row in range(lowest, min(box[3], (max(y[0], y[1]) - back) // SUBPIXELS + wide + 1)):
        left[row] = box[2]
        right[row] = box[0]
    begin, end = first_pixel(min(u0, u0 + du), 1), first_pixel(max(u0, u0 + du), 1)
    if du < 0:
        # Half-open: centres at the start are included, at the end they are not.
        begin, end = (u0 + du - HALF) // SUBPIXELS + 1, (u0 - HALF) // SUBPIXELS + 1
    low, high = (box[1], box[3]) if steep else (box[0], box[2])
    for u in range(max(begin, low), min(end, high)):
        v = (
            (v0 * du + dv * (u * SUBPIXELS + HALF - u0)) // du
            if du > 0
            else (v0 * -du - dv * (u * SUBPIXELS + HALF - u0)) // -du
        )
        minor = (v - back) // SUBPIXELS
        if steep:
            left[u] = max(box[0], minor)
            right[u] = min(box[2], minor + wide)
            first, last = min(first, u), max(last, u + 1)
        else:
            for row in range(max(box[1], minor), min(box[3], minor + wide)):
                left[row] = min(left[row], u)
                right[row] = max(right[row], u + 1)
                first, last = min(first, row), max(last, row + 1)
    return first, max(first, last)
