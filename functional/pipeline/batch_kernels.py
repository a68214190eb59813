"""A batch of quads from coverage to colours without going back to Python.

Quads are covered and tested into the arrays of a batch, those that are left are shaded and written chunk by chunk, so
that what a chunk computes stays in the cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..activity.compiled import helper, kernel
from ..activity.kernels.spans import SUBPIXELS
from ..execute.kernel_arguments import BlendField, FragmentField, ReadField
from ..execute.native_calls import call_kernel, pointer
from .batch_state import CHUNK_QUADS, BatchField, blend_block, carray, fragment_block, quads_of
from .depth_stencil import test_quads
from .rasterization import cover_and_mark

_F = BatchField
_READ_FIELDS = len(ReadField)


@helper
def _test(
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
    test_quads(
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


@helper
def _test_late(
    state: Any, primitive: Any, x: Any, y: Any, coverage: Any, passed: Any, which: Any, planes: Any, front: Any
) -> None:
    """Tests of a shaded chunk, without what it discarded and with the depth it wrote."""
    count = len(which)
    killed = carray(pointer(state[_F.KILLED]), 4 * CHUNK_QUADS, np.uint8)
    results = carray(pointer(state[_F.RESULTS]), (4 * state[_F.OUTPUTS], 4 * CHUNK_QUADS), np.float32)
    by_shader = np.empty((4, count if state[_F.DEPTH_OUTPUT] >= 0 else 0), np.float32)
    of_primitive, of_x, of_y = np.empty(count, np.int32), np.empty(count, np.uint16), np.empty(count, np.uint16)
    lanes, outcome = np.empty(count, np.uint16), np.zeros(count, np.uint16)
    for i in range(count):
        q = which[i]
        of_primitive[i], of_x[i], of_y[i] = primitive[q], x[q], y[q]
        mask = coverage[q]
        for lane in range(4):
            if state[_F.DISCARDS] and killed[4 * i + lane]:
                mask &= np.uint16(~(1 << lane) & 0xFFFF)
            if state[_F.DEPTH_OUTPUT] >= 0:
                by_shader[lane, i] = results[state[_F.DEPTH_OUTPUT], 4 * i + lane]
        lanes[i] = mask
    _test(state, of_primitive, of_x, of_y, lanes, planes, front, by_shader, outcome)
    for i in range(count):
        passed[which[i]] = outcome[i]


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
        _test(
            state, place[0], place[1], place[2], place[3], planes, front, np.empty((4, 0), np.float32), passed[:count]
        )
    shaded = 0
    for q in range(count):
        if not early or keep_hidden or passed[q]:
            which[shaded] = q
            shaded += 1
    return following, count, shaded


@kernel
def shade_batch(
    state: Any,
    shaded: Any,
    corners: Any,
    window: Any,
    outputs: Any,
    planes: Any,
    front: Any,
    notes: Any,
    discarded: Any,
    depths: Any,
) -> bool:
    """Shade, test late and write the quads that a batch chose.

    Parameters
    ----------
    state
        int64, as in `BatchField`.
    shaded
        How many quads.
    corners, window, outputs, planes, front
        Of `Geometry`.
    notes
        int64, (operations, fields of `ReadField`): where texture operations note what they read; none to note nothing.
    discarded
        uint8, by position in the batch: lanes that were discarded, to fill; of no quads where nobody asks.
    depths
        float32, (4 * shaded,): depth that the shader wrote, to fill; of no lanes where nobody asks.

    Returns
    -------
    bool
        Whether the shader came to its end.
    """
    primitive, quad_x, quad_y, coverage, passed, which = quads_of(state)
    fragments, blending = fragment_block(state, corners, window, outputs, planes, front), blend_block(state)
    places = notes.copy()
    if len(notes):
        fragments[FragmentField.READS] = places.ctypes.data
    for first in range(0, shaded, CHUNK_QUADS):
        part = which[first : min(first + CHUNK_QUADS, shaded)]
        fragments[FragmentField.COUNT] = len(part)
        fragments[FragmentField.WHICH] = part.ctypes.data
        for operation in range(len(notes)):
            places[operation, ReadField.LEVELS] = notes[operation, ReadField.LEVELS] + 4 * first
            places[operation, ReadField.LINEAR] = notes[operation, ReadField.LINEAR] + 4 * first
            places[operation, ReadField.X] = notes[operation, ReadField.X] + 16 * first
            places[operation, ReadField.Y] = notes[operation, ReadField.Y] + 16 * first
        call_kernel(state[_F.SHADE], fragments.ctypes.data)
        if fragments[FragmentField.FAILED]:
            return False
        if state[_F.EARLY] == 0:
            _test_late(state, primitive, quad_x, quad_y, coverage, passed, part, planes, front)
            _tell(state, part, coverage, discarded, depths[4 * first :])
        if state[_F.BLEND]:
            blending[BlendField.COUNT] = len(part)
            blending[BlendField.WHICH] = part.ctypes.data
            call_kernel(state[_F.BLEND], blending.ctypes.data)
    return True


@helper
def _tell(state: Any, which: Any, coverage: Any, discarded: Any, depths: Any) -> None:
    """Note what a chunk discarded of its covered lanes, and the depth it wrote, where somebody asks."""
    if state[_F.DISCARDS] and len(discarded):
        killed = carray(pointer(state[_F.KILLED]), 4 * CHUNK_QUADS, np.uint8)
        for i in range(len(which)):
            mask = 0
            for lane in range(4):
                if killed[4 * i + lane] and coverage[which[i]] >> lane & 1:
                    mask |= 1 << lane
            discarded[which[i]] = mask
    if state[_F.DEPTH_OUTPUT] >= 0 and len(depths):
        results = carray(pointer(state[_F.RESULTS]), (4 * state[_F.OUTPUTS], 4 * CHUNK_QUADS), np.float32)
        for lane in range(4 * len(which)):
            depths[lane] = results[state[_F.DEPTH_OUTPUT], lane]


@kernel
def raster(
    state: Any,
    size: Any,
    snapped: Any,
    x: Any,
    y: Any,
    window_x: Any,
    window_y: Any,
    extent: Any,
    culled: Any,
    corners: Any,
    window: Any,
    outputs: Any,
    planes: Any,
    front: Any,
    box: Any,
) -> tuple[bool, bool]:
    """Cover, test, shade and write all primitives of a draw, in order; parameters as for the two halves above.

    Returns
    -------
    bool, bool
        Whether any sample passed; whether a shader did not come to its end.
    """
    passed = carray(pointer(state[_F.PASSED]), state[_F.CAPACITY], np.uint16)
    notes, discarded = np.empty((0, _READ_FIELDS), np.int64), np.empty(0, np.uint8)
    depths = np.empty(0, np.float32)
    any_passed, start = False, 0
    while start < len(culled):
        start, count, shaded = cover_batch(
            state, start, size, snapped, x, y, window_x, window_y, extent, culled, planes, front, box, False
        )
        if not shade_batch(state, shaded, corners, window, outputs, planes, front, notes, discarded, depths):
            return any_passed, True
        if not any_passed:
            for q in range(count):
                if passed[q]:
                    any_passed = True
                    break
    return any_passed, False


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
