"""Coverage of a batch of quads, their early tests, and the selection of quads to shade."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import helper, kernel
from ...activity.kernels.spans import SUBPIXELS
from ...execute.native_calls import carray, pointer
from ..fragments.depth_blocks import DepthStencilTests
from ..fragments.depth_stencil import depth_test_quads
from ..fragments.rasterization import Quads, cover_and_mark
from .batch_state import BatchField, batch_of

_F = BatchField


@helper
def depth_test_some(state: Any, quads: Any, planes: Any, front: Any, by_shader: Any, passed: Any) -> None:
    """Stencil and depth tests of some quads."""
    if not state[_F.DEPTH_TEST] and not state[_F.STENCIL_TEST]:
        for i in range(len(quads.coverage)):
            passed[i] = quads.coverage[i]
        return
    shape = (state[_F.HEIGHT], state[_F.WIDTH])
    nothing = (0, 0)
    tests = DepthStencilTests(
        carray(pointer(state[_F.DEPTH]), shape if state[_F.DEPTH] else nothing, np.uint32),
        state[_F.DEPTH_FORMAT],
        state[_F.DEPTH_TEST] != 0,
        state[_F.DEPTH_FUNCTION],
        state[_F.DEPTH_WRITE] != 0,
        carray(pointer(state[_F.STENCIL]), shape if state[_F.STENCIL] else nothing, np.uint8),
        state[_F.STENCIL_TEST] != 0,
        carray(pointer(state[_F.FACES]), (2, 7), np.int64),
    )
    depth_test_quads(quads, planes, front, by_shader, tests, passed)


@helper
def some_of(quads: Any, first: Any, end: Any) -> Any:
    """Consecutive quads."""
    return Quads(quads.primitive[first:end], quads.x[first:end], quads.y[first:end], quads.coverage[first:end])


@helper
def cover_batch(state: Any, drawn: Any, surface: Any, start: Any, keep_hidden: Any) -> Any:
    """Cover as many primitives as a batch holds, test early what may be, and choose what is shaded.

    Parameters
    ----------
    state
        int64, as in `BatchField`.
    drawn, surface
        `Drawn` and `Surface`.
    start
        First primitive.
    keep_hidden
        Whether quads that fail the tests are shaded nevertheless.

    Returns
    -------
    int, int, int
        Next primitive; quads covered; quads to shade.
    """
    batch = batch_of(state)
    rows = state[_F.HEIGHT] + 2
    left = carray(pointer(state[_F.LEFT]), rows, np.int32)
    right = carray(pointer(state[_F.RIGHT]), rows, np.int32)
    following, count = cover_and_mark(drawn, start, state[_F.FLIP], left, right, batch.quads)
    early = state[_F.EARLY] != 0
    passed, which = batch.passed, batch.which
    if early:
        by_shader = np.empty((4, 0), np.float32)
        quads = some_of(batch.quads, 0, count)
        depth_test_some(state, quads, surface.planes, surface.front, by_shader, passed[:count])
    every, shaded = not early or keep_hidden, 0
    for q in range(count):
        # Branch-free, because the branch would be unpredictable; quads that are not selected are overwritten.
        which[shaded] = q
        shaded += every or passed[q] != 0
    return following, count, shaded


@kernel
def box_pixels(x: Any, y: Any, culled: Any, box: Any) -> int:
    """Pixels of the bounding boxes of the drawn triangles: an upper bound for what a draw covers.

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
