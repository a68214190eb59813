"""A batch of quads from coverage to colours without going back to Python.

Quads are covered and tested into the arrays of a batch, those that are left are shaded and written chunk by chunk, so
that what a chunk computes stays in the cache.
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any

import numba
import numpy as np

from ..activity.compiled import helper, kernel
from ..activity.kernels.spans import SUBPIXELS
from ..execute.kernel_arguments import BlendField, FragmentField
from ..execute.native_calls import call_kernel, pointer
from .depth_stencil import test_quads
from .rasterization import cover_and_mark

CHUNK_QUADS = 256


class BatchField(IntEnum):
    """State of a draw for `raster`, int64 each; what is named after an array is its address.

    ``CAPACITY`` quads fit into ``PRIMITIVE`` (int32), ``QUAD_X``, ``QUAD_Y``, ``COVERAGE``, ``PASSED`` (uint16), and
    ``WHICH`` (int64). ``LEFT`` and ``RIGHT`` are the ends of spans. Fields from ``SHADE`` on change with every draw.
    ``SHADE`` and ``BLEND`` are kernels, 0 where nothing is blended; ``EARLY`` whether tests come before shading.
    ``DEPTH`` and ``STENCIL`` are 0 without such an attachment. ``DEPTH_OUTPUT`` is the row of the depth that the shader
    writes, or -1; ``COLOR_OUTPUT`` the row of its colour.
    """

    CAPACITY = 0
    PRIMITIVE = auto()
    QUAD_X = auto()
    QUAD_Y = auto()
    COVERAGE = auto()
    PASSED = auto()
    WHICH = auto()
    LEFT = auto()
    RIGHT = auto()
    KILLED = auto()
    RESULTS = auto()
    WIDTH = auto()
    HEIGHT = auto()
    LIMIT = auto()
    SHADE = auto()
    IMPLICIT = auto()
    EXPLICIT = auto()
    BLEND = auto()
    CONSTANTS = auto()
    SAMPLERS = auto()
    OUTPUTS = auto()
    DISCARDS = auto()
    COLOR_OUTPUT = auto()
    DEPTH_OUTPUT = auto()
    PIXELS = auto()
    CONSTANT = auto()
    EARLY = auto()
    DEPTH = auto()
    DEPTH_FORMAT = auto()
    DEPTH_TEST = auto()
    DEPTH_FUNCTION = auto()
    DEPTH_WRITE = auto()
    STENCIL = auto()
    STENCIL_TEST = auto()
    FACES = auto()
    FLIP = auto()


carray: Any = numba.carray  # type: ignore[attr-defined]
_F = BatchField
_FRAGMENT_FIELDS, _BLEND_FIELDS = len(FragmentField), len(BlendField)


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
def _fragments(state: Any, corners: Any, window: Any, outputs: Any, planes: Any, front: Any) -> Any:
    """Arguments of the fragment kernel but for which quads."""
    block = np.zeros(_FRAGMENT_FIELDS, np.int64)
    block[FragmentField.PRIMITIVE] = state[_F.PRIMITIVE]
    block[FragmentField.QUAD_X] = state[_F.QUAD_X]
    block[FragmentField.QUAD_Y] = state[_F.QUAD_Y]
    block[FragmentField.CORNERS] = corners.ctypes.data
    block[FragmentField.WINDOW] = window.ctypes.data
    block[FragmentField.OUTPUTS] = outputs.ctypes.data
    block[FragmentField.OUTPUT_STRIDE] = outputs.shape[1]
    block[FragmentField.PLANES] = planes.ctypes.data
    block[FragmentField.FRONT] = front.ctypes.data
    block[FragmentField.CONSTANTS] = state[_F.CONSTANTS]
    block[FragmentField.SAMPLERS] = state[_F.SAMPLERS]
    block[FragmentField.RESULTS] = state[_F.RESULTS]
    block[FragmentField.ROW] = 4 * CHUNK_QUADS
    block[FragmentField.KILLED] = state[_F.KILLED]
    block[FragmentField.IMPLICIT] = state[_F.IMPLICIT]
    block[FragmentField.EXPLICIT] = state[_F.EXPLICIT]
    block[FragmentField.LIMIT] = state[_F.LIMIT]
    return block


@helper
def _blending(state: Any) -> Any:
    """Arguments of the blend kernel but for which quads."""
    block = np.zeros(_BLEND_FIELDS, np.int64)
    block[BlendField.QUAD_X] = state[_F.QUAD_X]
    block[BlendField.QUAD_Y] = state[_F.QUAD_Y]
    block[BlendField.LANES] = state[_F.PASSED]
    block[BlendField.COLORS] = state[_F.RESULTS] + state[_F.COLOR_OUTPUT] * 16 * CHUNK_QUADS
    block[BlendField.ROW] = 4 * CHUNK_QUADS
    block[BlendField.PIXELS] = state[_F.PIXELS]
    block[BlendField.WIDTH] = state[_F.WIDTH]
    block[BlendField.CONSTANT] = state[_F.CONSTANT]
    return block


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
    """Cover, test, shade and write all primitives of a draw, in order.

    Parameters
    ----------
    state
        int64, as in `BatchField`.
    size
        Corners of a primitive.
    snapped
        Whether triangles are taken with subpixel bits or as they are.
    x, y, extent, culled, corners, window, outputs, planes, front
        Of `Geometry`.
    window_x, window_y
        Corners in pixels, for triangles that are not snapped.
    box
        int64, (4,): x0, y0, x1, y1 that may be covered.

    Returns
    -------
    bool, bool
        Whether any sample passed; whether a shader did not come to its end.
    """
    capacity = state[_F.CAPACITY]
    primitive = carray(pointer(state[_F.PRIMITIVE]), capacity, np.int32)
    quad_x = carray(pointer(state[_F.QUAD_X]), capacity, np.uint16)
    quad_y = carray(pointer(state[_F.QUAD_Y]), capacity, np.uint16)
    coverage = carray(pointer(state[_F.COVERAGE]), capacity, np.uint16)
    passed = carray(pointer(state[_F.PASSED]), capacity, np.uint16)
    which = carray(pointer(state[_F.WHICH]), capacity, np.int64)
    rows = state[_F.HEIGHT] + 2
    left, right = (
        carray(pointer(state[_F.LEFT]), rows, np.int32),
        carray(pointer(state[_F.RIGHT]), rows, np.int32),
    )
    no_depth = np.empty((4, 0), np.float32)
    fragments, blending = _fragments(state, corners, window, outputs, planes, front), _blending(state)
    early, any_passed = state[_F.EARLY] != 0, False
    start = 0
    while start < len(culled):
        start, count = cover_and_mark(
            start,
            size,
            x,
            y,
            window_x,
            window_y,
            extent,
            culled,
            box,
            state[_F.FLIP],
            snapped,
            left,
            right,
            (primitive, quad_x, quad_y, coverage),
        )
        if early:
            _test(
                state,
                primitive[:count],
                quad_x[:count],
                quad_y[:count],
                coverage[:count],
                planes,
                front,
                no_depth,
                passed[:count],
            )
        left_over = 0
        for q in range(count):
            if not early or passed[q]:
                which[left_over] = q
                left_over += 1
        for first in range(0, left_over, CHUNK_QUADS):
            part = which[first : min(first + CHUNK_QUADS, left_over)]
            fragments[FragmentField.COUNT] = len(part)
            fragments[FragmentField.WHICH] = part.ctypes.data
            call_kernel(state[_F.SHADE], fragments.ctypes.data)
            if fragments[FragmentField.FAILED]:
                return any_passed, True
            if not early:
                _test_late(state, primitive, quad_x, quad_y, coverage, passed, part, planes, front)
            if state[_F.BLEND]:
                blending[BlendField.COUNT] = len(part)
                blending[BlendField.WHICH] = part.ctypes.data
                call_kernel(state[_F.BLEND], blending.ctypes.data)
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
