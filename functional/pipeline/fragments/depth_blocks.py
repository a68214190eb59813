"""Depth tests of blocks: quads of a primitive that follow each other in a row, whole, tested as two rows of pixels.

Loops without branches over neighbours in memory become vector code; a quad by itself takes several times as long.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...activity.compiled import helper, inlined, kernel
from ...activity.kernels.coverage import WHOLE
from ...activity.kernels.depth import DEPTH_STEPS, FLOAT_FORMAT, depth_at, fixed_depth, float_depth

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


@kernel
def depth_test_planes(quads: Any, planes: Any, tests: Any, passed: Any) -> None:
    """Depth tests of quads in drawing order, block by block, for depths of planes and without stencil test.

    Parameters are those of `depth_test_quads`.
    """
    primitive, quad_x, quad_y, lanes = quads
    depth, depth_format, function, write = tests.depth, tests.depth_format, tests.function, tests.write
    nearer = np.empty((2, 2 * MAX_QUADS), np.bool_)
    less, equal, greater = (function & 1) != 0, (function & 2) != 0, (function & 4) != 0
    known, level, even = -1, np.int64(0), False
    q = 0
    while q < len(primitive):
        p, x, y = primitive[q], 2 * np.int64(quad_x[q]), 2 * np.int64(quad_y[q])
        end = block_end(primitive, quad_x, quad_y, lanes, q) if lanes[q] == WHOLE else q
        if end - q >= LEAST_QUADS:
            depth_test_block(q, end - q, p, x, y, planes, (nearer, passed), tests)
            q = end
            continue
        at_origin, by_x, by_y = planes[p, 0], planes[p, 1], planes[p, 2]
        if p != known:
            # Many a primitive has one depth for all of its pixels.
            known, even = p, by_x == 0.0 and by_y == 0.0
            level = depth_at(at_origin, by_x, by_y, x, y, depth_format)
        mask = 0
        for lane in range(4):
            if lanes[q] >> lane & 1:
                at_x, at_y = x + (lane & 1), y + (lane >> 1)
                z = level if even else depth_at(at_origin, by_x, by_y, at_x, at_y, depth_format)
                if _passes(z, np.int64(depth[at_y, at_x]), less, equal, greater):
                    mask |= 1 << lane
                    if write:
                        depth[at_y, at_x] = z
        passed[q] = mask
        q += 1
