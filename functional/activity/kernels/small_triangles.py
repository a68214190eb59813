"""Quads of a small snapped triangle, from the signs of its three edge functions at each pixel of its bounding box.

Spans take divisions and steps per row, which cost too much for a few pixels. Both methods give the same pixels in the
same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import inlined
from ...compile.blocks import Halves, Integers, Words
from .spans import HALF, SUBPIXEL_BITS, SUBPIXELS

MAX_SIDE = 16
"""Most pixels along a side of a small triangle's bounding box."""
PAIR, LOWER = 1 << 32 | 1, 30
UPPER = LOWER + 32
"""Edge functions of a small triangle have at most 27 bits, so those of a pixel and of the one above it are halves of
an integer, which change by one addition. Each is 2**`LOWER` more: bits `LOWER` and `UPPER` tell centres that are
inside."""


@inlined
def pixel_box(x: Words, y: Words) -> Any:
    """x0, y0, x1, y1 of the pixels whose centres are in a triangle's bounding box; empty if x0 >= x1 or y0 >= y1.

    As in `triangle_spans`, centres on its left and lower side are inside, those on its right and upper side are not.
    """
    up = HALF - 1
    x0, x1 = (min(x[0], x[1], x[2]) + up) >> SUBPIXEL_BITS, (max(x[0], x[1], x[2]) + up) >> SUBPIXEL_BITS
    y0, y1 = (min(y[0], y[1], y[2]) + up) >> SUBPIXEL_BITS, (max(y[0], y[1], y[2]) + up) >> SUBPIXEL_BITS
    return x0, y0, x1, y1


@inlined
def is_small(pixels: tuple[int, int, int, int], box: Words) -> Any:
    """Whether a `pixel_box` is small and lies within the pixels that may be covered."""
    x0, y0, x1, y1 = pixels
    few = x1 - x0 <= MAX_SIDE and y1 - y0 <= MAX_SIDE
    return few and x0 >= box[0] and y0 >= box[1] and x1 <= box[2] and y1 <= box[3]


@inlined
def _edge(xa: int, ya: int, xb: int, yb: int, x: int, y: int) -> Any:
    """Edge function of a triangle to the left of the edge, at least 0 at centres that are inside, at a pixel and the
    one above it, as a `PAIR`; and the changes of both per pixel right and up."""
    dx, dy = xb - xa, yb - ya
    # Centres on left and lower edges belong to the triangle.
    exclusive = 0 if dy < 0 or (dy == 0 and dx > 0) else 1
    value = dx * (y * SUBPIXELS + HALF - ya) - dy * (x * SUBPIXELS + HALF - xa) - exclusive
    right, up = -dy * SUBPIXELS, dx * SUBPIXELS
    return (value + (1 << LOWER)) * PAIR + (up << 32), right * PAIR, up * PAIR


@inlined
def small_quads(
    primitive: int,
    x: Words,
    y: Words,
    pixels: tuple[int, int, int, int],
    out: tuple[Integers, Halves, Halves, Halves],
    count: int,
) -> Any:
    """Add the quads of a small triangle, bottom row first, left to right; the new count.

    Parameters
    ----------
    primitive
        Number of the triangle.
    x, y
        int, (3,): corners in 1/256 pixel, y up, any winding, of non-zero area.
    pixels
        Its `pixel_box`, not empty.
    out, count
        As for `emit_quads`.
    """
    out_primitive, out_x, out_y, out_coverage = out
    x0, y0, x1, y1 = pixels
    first_column, bottom = x0 & ~1, y0 & ~1
    b, c = 1, 2
    if (x[1] - x[0]) * (y[2] - y[0]) < (x[2] - x[0]) * (y[1] - y[0]):
        b, c = 2, 1
    row0, right0, up0 = _edge(x[0], y[0], x[b], y[b], first_column, bottom)
    row1, right1, up1 = _edge(x[b], y[b], x[c], y[c], first_column, bottom)
    row2, right2, up2 = _edge(x[c], y[c], x[0], y[0], first_column, bottom)
    place = np.uint64(count)
    for quad_y in range(bottom >> 1, (y1 + 1) >> 1):
        e0, e1, e2 = row0, row1, row2
        for quad_x in range(first_column >> 1, (x1 + 1) >> 1):
            near, far = e0 & e1 & e2, e0 + right0 & e1 + right1 & e2 + right2
            inside = near >> LOWER & 1 | far >> LOWER - 1 & 2 | near >> UPPER - 2 & 4 | far >> UPPER - 3 & 8
            # Branch-free, because the branch would be unpredictable; an empty quad is overwritten by the next one.
            out_primitive[place], out_x[place], out_y[place] = primitive, quad_x, quad_y
            out_coverage[place] = inside
            place += np.uint64(inside != 0)
            e0, e1, e2 = e0 + 2 * right0, e1 + 2 * right1, e2 + 2 * right2
        row0, row1, row2 = row0 + 2 * up0, row1 + 2 * up1, row2 + 2 * up2
    return int(place)
