"""Coverage and tests of several samples per pixel, in place of the kernels for one; see `multisampling`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.coverage import Shapes, cover
from ...activity.kernels.samples import OFFSET_X, OFFSET_Y, SAMPLES, plane_at_sample
from ...activity.kernels.spans import SUBPIXELS
from ...compile import address, helper, kernel_by_address
from ...compile.blocks import Address, FloatRows, Floats, Halves, Words
from ...compile.native import carray, load
from ..fragments.depth_blocks import DepthStencilTests
from ..fragments.depth_stencil import depth_test_quads
from ..fragments.rasterization import Quads, RasterInput
from ..geometry.setup_kernels import CULLED_EMPTY, NOT_CULLED, Placed
from .batch_coverage import choose, some_of
from .batch_state import QUAD_COUNTS, Batch, FragmentState
from .geometry_block import Drawable, drawn_of
from .late_tests import alive_quads, written_depths

_NOWHERE = 1 << 40
"""Behind the last row."""


@helper
def _shift(shapes: Shapes, p: int, sample: int, moved: Shapes) -> None:
    """Put one primitive, moved so that a sample is at pixel centres, into `Shapes` for one."""
    dx, dy = OFFSET_X[sample], OFFSET_Y[sample]
    for corner in range(3):
        moved.x[0, corner] = shapes.x[p, corner] - int(dx * SUBPIXELS)
        moved.y[0, corner] = shapes.y[p, corner] - int(dy * SUBPIXELS)
    for corner in range(3 if len(shapes.window_x) else 0):
        moved.window_x[0, corner] = shapes.window_x[p, corner] - np.float32(dx)
        moved.window_y[0, corner] = shapes.window_y[p, corner] - np.float32(dy)
    moved.extent[0] = shapes.extent[p]


@helper
def _cover_primitive(drawn: RasterInput, p: int, batch: Batch, flip: int, parts: Quads, ends: Words) -> Any:
    """Cover one primitive sample by sample: fills `parts`, and where the quads of each sample end; their number."""
    only, total, shapes = np.empty(1, np.bool_), 0, drawn.shapes
    x, y = np.empty((1, 3), np.int64), np.empty((1, 3), np.int64)
    window_x, window_y = np.empty((1, 3), np.float32), np.empty((1, 3), np.float32)
    moved = Shapes(shapes.corners, shapes.snapped, x, y, window_x, window_y, np.empty(1, np.float32))
    for sample in range(SAMPLES):
        only[0] = True
        out = parts.primitive[total:], parts.x[total:], parts.y[total:], parts.coverage[total:]
        _shift(shapes, p, sample, moved)
        _, count = cover(0, moved, only, drawn.box, flip, (batch.left, batch.right), out)
        total += count
        ends[sample] = total
    return total


@helper
def _merge(parts: Quads, ends: Words, p: int, fixed: int, out: Quads, count: int) -> Any:
    """Add the quads of a primitive that any of the `fixed` samples covers, by row and column; the new count."""
    places = np.empty(SAMPLES, np.int64)
    for sample in range(SAMPLES):
        places[sample] = ends[sample - 1] if sample else 0
    while True:
        nearest: Any = _NOWHERE
        for sample in range(SAMPLES):
            if places[sample] < ends[sample]:
                at = places[sample]
                nearest = min(nearest, int(parts.y[at]) << 16 | int(parts.x[at]))
        if nearest == _NOWHERE:
            return count
        mask: Any = 0
        for sample in range(SAMPLES):
            at = places[sample]
            if at < ends[sample] and int(parts.y[at]) << 16 | int(parts.x[at]) == nearest:
                mask |= int(parts.coverage[at]) << 4 * sample
                places[sample] += 1
        mask &= fixed
        if mask:
            out.primitive[count], out.x[count], out.y[count] = p, nearest & 0xFFFF, nearest >> 16
            out.coverage[count] = mask
            count += 1


@helper
def _test(state: FragmentState, quads: Quads, placed: Placed, depths: FloatRows, passed: Halves) -> None:
    """Test quads sample by sample; see `depth_test_quads`."""
    tests = state.tests
    if not len(quads.x) or not (tests.depth_test or tests.stencil_test):
        passed[:] = quads.coverage
        return
    (height, width), (rows, columns) = tests.depth.shape, tests.stencil.shape
    first, end = quads.primitive[0], quads.primitive[len(quads.x) - 1] + 1
    planes, front = placed.planes[first:end].copy(), placed.front[first:end]
    primitive, outcome = np.empty(len(quads.x), np.int32), np.empty(len(quads.x), np.uint16)
    lanes = np.empty(len(quads.x), np.uint16)
    for i in range(len(primitive)):
        primitive[i] = quads.primitive[i] - first
    passed[:] = 0
    for sample in range(SAMPLES):
        for i in range(len(planes)):
            at = placed.planes[first + i]
            planes[i, 0] = plane_at_sample(at[0], at[1], at[2], sample)
        for i in range(len(lanes)):
            lanes[i] = quads.coverage[i] >> 4 * sample & 15
        of_sample = DepthStencilTests(
            carray(address(tests.depth) + 4 * height * width * sample, (height, width), np.uint32),
            tests.depth_format,
            tests.depth_test,
            tests.function,
            tests.write,
            carray(address(tests.stencil) + rows * columns * sample, (rows, columns), np.uint8),
            tests.stencil_test,
            tests.front,
            tests.back,
        )
        outcome[:] = 0
        depth_test_quads(Quads(primitive, quads.x, quads.y, lanes), planes, front, depths, of_sample, outcome)
        for i in range(len(outcome)):
            passed[i] |= outcome[i] << 4 * sample


@kernel_by_address
def cover_samples(memory: Address, geometry: Address, start: int, keep_hidden: int) -> Any:
    """Do what `cover_geometry` does, for several samples. A batch holds whole primitives."""
    batch, drawable = load(memory, Batch), load(geometry, Drawable)
    state, drawn = load(batch.draw, FragmentState), drawn_of(drawable)
    room, count, p = len(batch.quads.x), 0, start
    most, ends = SAMPLES * room, np.empty(SAMPLES, np.int64)
    halves = np.empty(most, np.uint16), np.empty(most, np.uint16), np.empty(most, np.uint16)
    parts = Quads(np.empty(most, np.int32), halves[0], halves[1], halves[2])
    while p < len(drawn.culled):
        if drawn.culled[p] == NOT_CULLED:
            total = _cover_primitive(drawn, p, batch, state.flip, parts, ends)
            if count and count + total > room:
                break
            if not total:
                drawn.culled[p] = CULLED_EMPTY
            count = _merge(parts, ends, p, state.fixed_coverage, batch.quads, count)
        p += 1
    if state.early:
        nothing = np.empty((4, 0), np.float32)
        _test(state, some_of(batch.quads, 0, count), drawable.placed, nothing, batch.passed[:count])
    batch.counts[QUAD_COUNTS.covered], batch.counts[QUAD_COUNTS.chosen] = (
        count,
        choose(batch, state, count, keep_hidden != 0),
    )
    return p


@kernel_by_address
def test_samples_late(memory: Address, geometry: Address, first: int, count: int) -> int:
    """Do what `test_late` does, for several samples, after what alpha leaves of them."""
    batch, placed = load(memory, Batch), load(geometry, Drawable).placed
    state = load(batch.draw, FragmentState)
    quads, depths = alive_quads(batch, state, first, count), written_depths(batch, state, count)
    for i in range(count if state.alpha_row >= 0 else 0):
        batch.alpha_coverage[i] = _of_alpha(batch.results[state.alpha_row, 4 * i : 4 * i + 4])
        quads.coverage[i] &= batch.alpha_coverage[i]
    _test(state, quads, placed, depths, batch.passed[first : first + count])
    return 0


@helper
def _of_alpha(alpha: Floats) -> Any:
    """Samples of a quad that its alphas leave; see `multisampling.alpha_coverage`."""
    mask = 0
    for lane in range(4):
        # The order of the comparisons turns a NaN into 0.
        value = min(alpha[lane], np.float32(1)) if alpha[lane] > 0 else np.float32(0)
        for sample in range(int(np.ceil(value * SAMPLES))):
            mask |= 1 << lane + 4 * sample
    return mask
