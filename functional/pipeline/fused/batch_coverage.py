"""Coverage of a batch of quads, their early tests, and which of them are left to shade."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import helper, kernel
from ...activity.kernels.spans import SUBPIXELS
from ...execute.native_calls import pointer
from ..fragments.depth_stencil import depth_test_quads
from ..fragments.rasterization import cover_and_mark
from .batch_state import BatchField, carray, quads_of

_F = BatchField


@helper
def depth_test_some(
    state: Any, primitive: Any, x: Any, y: Any, lanes: Any, planes: Any, front: Any, by_shader: Any, passed: Any
) -> None:
    """Stencil and depth tests of some quads."""
    if not state[_F.DEPTH_TEST] and not state[_F.STENCIL_TEST]:
        for i in range(len(lanes)):
            passed[i] = lanes[i]
        return
    shape = (state[_F.HEIGHT], state[_F.WIDTH])
    nothing = (0, 0)
    depth = carray(pointer(state[_F.DEPTH]), shape if state[_F.DEPTH] else nothing, np.uint32)
    stencil = carray(pointer(state[_F.STENCIL]), shape if state[_F.STENCIL] else nothing, np.uint8)
    faces = carray(pointer(state[_F.FACES]), (2, 7), np.int64)
    depth_test_quads(
        primitive,
        x,
        y,
        lanes,
        planes,
        front,
        by_shader,
        depth,
        state[_F.DEPTH_FORMAT],
        state[_F.DEPTH_TEST] != 0,
        state[_F.DEPTH_FUNCTION],
        state[_F.DEPTH_WRITE] != 0,
        stencil,
        state[_F.STENCIL_TEST] != 0,
        faces,
        passed,
    )


@kernel
def cover_batch(
    state: Any,
    start: Any,
    size: Any,
    snapped: Any,
    x: Any,
    y: Any,
    window_x: Any,
    window_y: Any,
    extent: Any,
    culled: Any,
    planes: Any,
    front: Any,
    box: Any,
    keep_hidden: Any,
) -> tuple[int, int, int]:
    """Cover as many primitives as a batch holds, test early what may be, and choose what is shaded.

    Parameters
    ----------
    state
        int64, as in `BatchField`.
    start
        First primitive.
    size
        Corners of a primitive.
    snapped
        Whether triangles are taken with subpixel bits or as they are.
    x, y, extent, culled, planes, front
        Of `Geometry`.
    window_x, window_y
        Corners in pixels, for triangles that are not snapped.
    box
        int64, (4,): x0, y0, x1, y1 that may be covered.
    keep_hidden
        Whether quads that fail the tests are shaded all the same.

    Returns
    -------
    int, int, int
        Next primitive; quads covered; quads to shade.
    """
    primitive, quad_x, quad_y, coverage, passed, which = quads_of(state)
    rows = state[_F.HEIGHT] + 2
    left = carray(pointer(state[_F.LEFT]), rows, np.int32)
    right = carray(pointer(state[_F.RIGHT]), rows, np.int32)
    out = (primitive, quad_x, quad_y, coverage)
    following, count = cover_and_mark(
        start, size, x, y, window_x, window_y, extent, culled, box, state[_F.FLIP], snapped, left, right, out
    )
    early = state[_F.EARLY] != 0
    if early:
        place = (primitive[:count], quad_x[:count], quad_y[:count], coverage[:count])
        depth_test_some(
            state, place[0], place[1], place[2], place[3], planes, front, np.empty((4, 0), np.float32), passed[:count]
        )
    every, shaded = not early or keep_hidden, 0
    for q in range(count):
        # Without a branch, as none is foreseen well; what is not chosen is written over.
        which[shaded] = q
        shaded += every or passed[q] != 0
    return following, count, shaded


@kernel
def box_pixels(x: Any, y: Any, culled: Any, box: Any) -> int:
    """Pixels of the boxes around the triangles that are drawn: what a draw covers at most, or more where they overlap.

    Parameters
    ----------
    x, y, culled
        Of `Geometry`.
    box
        int64, (4,): x0, y0, x1, y1 that may be covered.
    """
    total = 0
    for p in range(len(culled)):
        if culled[p]:
            continue
        left = max(box[0], min(x[p, 0], x[p, 1], x[p, 2]) // SUBPIXELS)
        right = min(box[2], max(x[p, 0], x[p, 1], x[p, 2]) // SUBPIXELS)
        bottom = max(box[1], min(y[p, 0], y[p, 1], y[p, 2]) // SUBPIXELS)
        top = min(box[3], max(y[p, 0], y[p, 1], y[p, 2]) // SUBPIXELS)
        total += max(0, right - left) * max(0, top - bottom)
    return total
