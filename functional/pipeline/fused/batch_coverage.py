"""Coverage of a batch of quads, their early tests, and the selection of quads to shade."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.spans import SUBPIXELS
from ...compile import address, helper, kernel
from ...compile.blocks import DoubleRows, Flags, FloatRows, Halves, Signed, WordRows, Words, words_in
from ...compile.native import store
from ...execute.kernel_arguments import DepthArguments
from ..fragments.depth_stencil import depth_test_quads
from ..fragments.rasterization import Quads, cover_and_mark
from .batch_state import Batch, FragmentState
from .geometry_block import Drawable, drawn_of

_DEPTH_WORDS = words_in(DepthArguments)


@helper
def depth_test_some(
    state: FragmentState, quads: Quads, planes: DoubleRows, front: Flags, by_shader: FloatRows, passed: Halves
) -> None:
    """Stencil and depth tests of some quads."""
    tests = state.tests
    if not tests.depth_test and not tests.stencil_test:
        for i in range(len(quads.coverage)):
            passed[i] = quads.coverage[i]
        return
    if state.test_depth and not by_shader.shape[1]:
        arguments = DepthArguments(
            quads.primitive, quads.x, quads.y, quads.coverage, planes, tests.depth, passed[: len(quads.x)]
        )
        block = np.empty(_DEPTH_WORDS, np.int64)
        store(address(block), arguments)
        state.test_depth(address(block))
        return
    depth_test_quads(quads, planes, front, by_shader, tests, passed)


@helper
def some_of(quads: Quads, first: int, end: int) -> Any:
    """Consecutive quads."""
    return Quads(quads.primitive[first:end], quads.x[first:end], quads.y[first:end], quads.coverage[first:end])


@helper
def cover_batch(batch: Batch, state: FragmentState, drawable: Drawable, start: int, keep_hidden: bool) -> Any:
    """Cover as many primitives as a batch holds, test early what may be, and choose what is shaded.

    Parameters
    ----------
    batch, state, drawable
        `Batch`, `FragmentState` and `Drawable`.
    start
        First primitive.
    keep_hidden
        Whether quads that fail the tests are shaded nevertheless.

    Returns
    -------
    int, int, int
        Next primitive; quads covered; quads to shade.
    """
    drawn, placed = drawn_of(drawable), drawable.placed
    following, count = cover_and_mark(drawn, start, state.flip, batch.left, batch.right, batch.quads)
    if state.early:
        by_shader = np.empty((4, 0), np.float32)
        quads = some_of(batch.quads, 0, count)
        depth_test_some(state, quads, placed.planes, placed.front, by_shader, batch.passed[:count])
    return following, count, choose(batch, state, count, keep_hidden)


@helper
def choose(batch: Batch, state: FragmentState, count: int, keep_hidden: bool) -> Any:
    """Choose which of the covered quads are shaded; how many are."""
    passed, which = batch.passed, batch.which
    every, shaded = not state.early or keep_hidden, 0
    for q in range(count):
        # Branch-free, because the branch would be unpredictable; quads that are not selected are overwritten.
        which[shaded] = q
        shaded += every or passed[q] != 0
    return shaded


@kernel
def box_pixels(x: WordRows, y: WordRows, culled: Signed, box: Words) -> int:
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
