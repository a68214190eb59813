"""Depth tests of blocks: quads of a primitive that follow each other in a row, whole, tested as two rows of pixels.

Loops without branches over neighbours in memory become vector code; a quad by itself takes several times as long.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...activity.compiled import helper, inlined, kernel
from ...activity.kernels.coverage import WHOLE
from ...activity.kernels.depth import DEPTH_STEPS, FLOAT_FORMAT, compare, depth_at, fixed_depth, float_depth

LEAST_QUADS, MAX_QUADS = 2, 256
"""Quads of a block; shorter ones are not worth it, longer ones are cut."""
LONGEST_STEP, SHORTEST_STEP = 64, 8
"""Quads that are looked at together to find a block's end."""


@inlined
def _whole(lanes: Any, first: Any, end: Any) -> Any:
    """Whether all quads from one on are whole."""
    cut = 0
    for q in range(np.uint64(first), np.uint64(end)):
        cut += lanes[q] != WHOLE
    return cut == 0


@inlined
def block_end(primitive: Any, quad_x: Any, quad_y: Any, lanes: Any, first: Any) -> Any:
    """One past the last quad of the block that begins with a quad; that quad itself where it is not whole.

    A primitive's quads come row by row, from left to right: what lies between two of them that are as far apart in
    their row as in the order are their neighbours.
    """
    end = first
    last = min(len(lanes), first + MAX_QUADS)
    p, x, y = primitive[first], np.int64(quad_x[first]) - first, quad_y[first]
    near = first + SHORTEST_STEP - 1
    step = LONGEST_STEP if near < last and quad_x[near] == x + near and quad_y[near] == y else 0
    while step >= SHORTEST_STEP:
        behind = end + step - 1
        if (
            behind < last
            and quad_x[behind] == x + behind
            and quad_y[behind] == y
            and primitive[behind] == p
            and _whole(lanes, end, behind + 1)
        ):
            end = behind + 1
        else:
            step >>= 1
    while end < last and lanes[end] == WHOLE and primitive[end] == p and quad_x[end] == x + end and quad_y[end] == y:
        end += 1
    return end


@helper
def _passes(new: Any, old: Any, less: Any, equal: Any, greater: Any) -> Any:
    return less & (new < old) | equal & (new == old) | greater & (new > old)


class DepthStencilTests(NamedTuple):
    """Depth and stencil test, as kernels take them.

    Attributes
    ----------
    depth, stencil
        uint32 and uint8, (height, width).
    depth_format, function
        Codes of `DEPTH_FORMATS` and `COMPARISONS`.
    depth_test, stencil_test
        Whether each is on.
    write
        Whether depths that pass are written.
    faces
        int64, (2, 7): from `stencil_table`.
    """

    depth: Any
    depth_format: Any
    depth_test: Any
    function: Any
    write: Any
    stencil: Any
    stencil_test: Any
    faces: Any


@inlined
def depth_test_block(first: Any, quads: Any, p: Any, x: Any, y: Any, planes: Any, scratch: Any, tests: Any) -> None:
    """Test a block and update the depth buffer.

    Parameters
    ----------
    first, quads
        First quad and how many there are.
    p, x, y
        Primitive, and first pixel, y up.
    planes
        float64, (primitives, 3): depth planes.
    scratch
        bool, (2, 2 * MAX_QUADS); and uint16: lanes of all quads that pass, to fill.
    tests
        `DepthStencilTests`.
    """
    nearer, passed = scratch
    depth, depth_format, function, write = tests.depth, tests.depth_format, tests.function, tests.write
    at_origin, by_x = planes[p, 0], planes[p, 1]
    less, equal, greater = (function & 1) != 0, (function & 2) != 0, (function & 4) != 0
    # Unsigned, as an index that might count from the end keeps compilers from vector code; and no views of rows, as
    # counting references to them takes longer than a short row.
    left, pixels = np.uint64(x), np.uint64(2 * quads)
    for row in range(np.uint64(2)):
        at_y = np.uint64(y) + row
        by_y = planes[p, 2] * (np.int64(at_y) + 0.5)
        if by_x == 0.0:
            # A row of one depth: user interfaces are made of nothing else.
            level = at_origin + by_x * (x + 0.5) + by_y
            new = float_depth(level) if depth_format == FLOAT_FORMAT else fixed_depth(level, DEPTH_STEPS[depth_format])
            for i in range(pixels):
                present = np.int32(depth[at_y, left + i])
                nearer[row, i] = _passes(new, present, less, equal, greater)
                depth[at_y, left + i] = new if nearer[row, i] and write else present
        elif depth_format == FLOAT_FORMAT:
            for i in range(pixels):
                new = float_depth(at_origin + by_x * (x + np.int64(i) + 0.5) + by_y)
                present = np.int32(depth[at_y, left + i])
                nearer[row, i] = _passes(new, present, less, equal, greater)
                depth[at_y, left + i] = new if nearer[row, i] and write else present
        else:
            steps = DEPTH_STEPS[depth_format]
            for i in range(pixels):
                new = fixed_depth(at_origin + by_x * (x + np.int64(i) + 0.5) + by_y, steps)
                present = np.int32(depth[at_y, left + i])
                nearer[row, i] = _passes(new, present, less, equal, greater)
                depth[at_y, left + i] = new if nearer[row, i] and write else present
    for q in range(np.uint64(quads)):
        even, odd = np.uint64(2) * q, np.uint64(2) * q + np.uint64(1)
        passed[np.uint64(first) + q] = (
            nearer[0, even] | nearer[0, odd] << 1 | nearer[1, even] << 2 | nearer[1, odd] << 3
        )


@inlined
def _depth_test_quad(depth: Any, x: Any, y: Any, coverage: Any, levels: Any, passing: Any) -> Any:
    """Test a quad whose four pixels lie in the depth buffer, and update that; without branches. Lanes that pass.

    What passes is a flag each: nearer, equal and farther ones, and whether those that pass are written.
    """
    less, equal, greater, write = passing
    one = np.uint64(1)
    a, b = np.int32(depth[y, x]), np.int32(depth[y, x + one])
    c, d = np.int32(depth[y + one, x]), np.int32(depth[y + one, x + one])
    mask = np.int64(_passes(levels[0], a, less, equal, greater))
    mask |= np.int64(_passes(levels[1], b, less, equal, greater)) << 1
    mask |= np.int64(_passes(levels[2], c, less, equal, greater)) << 2
    mask |= np.int64(_passes(levels[3], d, less, equal, greater)) << 3
    mask &= coverage
    written = mask if write else 0
    depth[y, x] = levels[0] if written & 1 else a
    depth[y, x + one] = levels[1] if written & 2 else b
    depth[y + one, x] = levels[2] if written & 4 else c
    depth[y + one, x + one] = levels[3] if written & 8 else d
    return mask


@inlined
def _levels(plane: Any, x: Any, y: Any, depth_format: Any) -> Any:
    """Depths of a quad as the attachment stores them, int32."""
    left, right = plane[0] + plane[1] * (x + 0.5), plane[0] + plane[1] * (x + 1 + 0.5)
    below, above = plane[2] * (y + 0.5), plane[2] * (y + 1 + 0.5)
    if depth_format == FLOAT_FORMAT:
        return (
            float_depth(left + below),
            float_depth(right + below),
            float_depth(left + above),
            float_depth(right + above),
        )
    steps = DEPTH_STEPS[depth_format]
    return (
        fixed_depth(left + below, steps),
        fixed_depth(right + below, steps),
        fixed_depth(left + above, steps),
        fixed_depth(right + above, steps),
    )


@kernel
def depth_test_planes(quads: Any, planes: Any, tests: Any, passed: Any) -> None:
    """Depth tests of quads in drawing order, block by block, for depths of planes and without stencil test.

    Parameters are those of `depth_test_quads`.
    """
    primitive, quad_x, quad_y, lanes = quads
    depth, depth_format = tests.depth, tests.depth_format
    nearer = np.empty((2, 2 * MAX_QUADS), np.bool_)
    function, (height, width) = tests.function, depth.shape
    passing = (function & 1) != 0, (function & 2) != 0, (function & 4) != 0, tests.write
    q = 0
    while q < len(primitive):
        p, x, y = primitive[q], 2 * np.int64(quad_x[q]), 2 * np.int64(quad_y[q])
        end = block_end(primitive, quad_x, quad_y, lanes, q) if lanes[q] == WHOLE else q
        if end - q >= LEAST_QUADS:
            depth_test_block(q, end - q, p, x, y, planes, (nearer, passed), tests)
            q = end
            continue
        plane = (planes[p, 0], planes[p, 1], planes[p, 2])
        if x + 1 < width and y + 1 < height:
            levels = _levels(plane, x, y, depth_format)
            passed[q] = _depth_test_quad(depth, np.uint64(x), np.uint64(y), np.int64(lanes[q]), levels, passing)
        else:
            passed[q] = _depth_test_edge(x, y, lanes[q], plane, tests)
        q += 1


@inlined
def _depth_test_edge(x: Any, y: Any, coverage: Any, plane: Any, tests: Any) -> Any:
    """Test a quad some pixels of which lie beyond the depth buffer, and update that. Lanes that pass."""
    depth, depth_format, function = tests.depth, tests.depth_format, tests.function
    mask = 0
    for lane in range(4):
        if coverage >> lane & 1:
            at_x, at_y = x + (lane & 1), y + (lane >> 1)
            z = depth_at(plane[0], plane[1], plane[2], at_x, at_y, depth_format)
            if compare(function, z, np.int64(depth[at_y, at_x])):
                mask |= 1 << lane
                if tests.write:
                    depth[at_y, at_x] = z
    return mask
