"""Depth tests of blocks: consecutive fully covered quads of a primitive in a row, tested as two rows of pixels.

Branch-free loops over neighbours in memory are vectorized; a quad by itself takes several times as long.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...activity.kernels.coverage import WHOLE
from ...activity.kernels.depth import DEPTH_STEPS, FLOAT_FORMAT, depth_at, fixed_depth, float_depth
from ...compile import helper, kernel
from ...compile.blocks import ByteRows, DoubleRows, Halves, NumberRows
from ..state import StencilFace
from .rasterization import Quads

BLOCK, MAX_QUADS = 4, 256
"""Blocks have this number of quads or a multiple of it, which fills vectors; shorter ones do not pay off, longer ones
are cut."""


@helper
def _passes(new: int, old: int, less: bool, equal: bool, greater: bool) -> Any:
    return less & (new < old) | equal & (new == old) | greater & (new > old)


@helper
def _level(depth: float, floats: bool, steps: float) -> Any:
    """Depth in the format of a float or integer attachment, int32."""
    return float_depth(depth) if floats else fixed_depth(depth, steps)


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
    front, back
        Stencil test by facing, with codes of `COMPARISONS` and `STENCIL_OPERATIONS`, and masks of 8 bits.
    """

    depth: NumberRows
    depth_format: int
    depth_test: bool
    function: int
    write: bool
    stencil: ByteRows
    stencil_test: bool
    front: StencilFace
    back: StencilFace


@kernel
def depth_test_planes(quads: Quads, planes: DoubleRows, tests: DepthStencilTests, passed: Halves) -> None:
    """Depth tests of quads in drawing order, block by block, for depths of planes and without stencil test.

    Parameters are those of `depth_test_quads`.
    """
    # A single function, because reference counting of arrays passed to helpers takes longer than a test.
    primitive, quad_x, quad_y, lanes = quads
    depth, depth_format, function, write = tests.depth, tests.depth_format, tests.function, tests.write
    pixels, (height, width) = depth.reshape(-1), depth.shape
    less, equal, greater = (function & 1) != 0, (function & 2) != 0, (function & 4) != 0
    floats, steps = depth_format == FLOAT_FORMAT, DEPTH_STEPS[min(depth_format, FLOAT_FORMAT - 1)]
    nearer = np.empty((2, 2 * MAX_QUADS), np.bool_)
    below, above = nearer[0], nearer[1]
    q = 0
    while q < len(primitive):
        p, x, y = primitive[q], 2 * int(quad_x[q]), 2 * int(quad_y[q])
        at_origin, by_x, by_y = planes[p, 0], planes[p, 1], planes[p, 2]
        end, behind, limit = q, q + BLOCK - 1, min(len(primitive), q + MAX_QUADS)
        while behind < limit and quad_x[behind] == quad_x[q] + (behind - q):
            # A primitive's quads come row by row, from left to right: if two of them are as far apart in their row as
            # in the order, the quads in between are their neighbours.
            whole = lanes[end]
            for i in range(np.uint64(end), np.uint64(behind + 1)):
                whole &= lanes[i]
            if whole != WHOLE or quad_y[behind] != quad_y[q] or primitive[behind] != p:
                break
            end, behind = end + BLOCK, behind + BLOCK
        if end > q:
            for row in range(2):
                at_y, passing = y + row, below if row == 0 else above
                up = by_y * (at_y + 0.5)
                # Branch-free loops over neighbours are vectorized.
                first, count = np.uint64(at_y * width + x), np.uint64(2 * (end - q))
                if floats:
                    for i in range(count):
                        new = float_depth(at_origin + by_x * (x + int(i) + 0.5) + up)
                        present = int(np.int32(pixels[first + i]))
                        passing[i] = _passes(new, present, less, equal, greater)
                        pixels[first + i] = new if passing[i] and write else present
                else:
                    for i in range(count):
                        new = fixed_depth(at_origin + by_x * (x + int(i) + 0.5) + up, steps)
                        present = int(np.int32(pixels[first + i]))
                        passing[i] = _passes(new, present, less, equal, greater)
                        pixels[first + i] = new if passing[i] and write else present
            for i in range(np.uint64(end - q)):
                even_x, odd_x = np.uint64(2) * i, np.uint64(2) * i + np.uint64(1)
                passed[np.uint64(q) + i] = below[even_x] | below[odd_x] << 1 | above[even_x] << 2 | above[odd_x] << 3
            q = end
            continue
        if x + 1 < width and y + 1 < height:
            # Branch-free, because branches at the edge of a primitive are unpredictable.
            near_x, far_x = at_origin + by_x * (x + 0.5), at_origin + by_x * (x + 1 + 0.5)
            near_y, far_y = by_y * (y + 0.5), by_y * (y + 1 + 0.5)
            z0, z1 = _level(near_x + near_y, floats, steps), _level(far_x + near_y, floats, steps)
            z2, z3 = _level(near_x + far_y, floats, steps), _level(far_x + far_y, floats, steps)
            low = np.uint64(y * width + x)
            high, one = low + np.uint64(width), np.uint64(1)
            d0, d1 = int(np.int32(pixels[low])), int(np.int32(pixels[low + one]))
            d2, d3 = int(np.int32(pixels[high])), int(np.int32(pixels[high + one]))
            mask = int(_passes(z0, d0, less, equal, greater))
            mask |= int(_passes(z1, d1, less, equal, greater)) << 1
            mask |= int(_passes(z2, d2, less, equal, greater)) << 2
            mask |= int(_passes(z3, d3, less, equal, greater)) << 3
            mask &= int(lanes[q])
            written = mask if write else 0
            pixels[low], pixels[low + one] = z0 if written & 1 else d0, z1 if written & 2 else d1
            pixels[high], pixels[high + one] = z2 if written & 4 else d2, z3 if written & 8 else d3
            passed[q] = mask
            q += 1
            continue
        some = 0
        for lane in range(4):
            if lanes[q] >> lane & 1:
                at_x, at_y = x + (lane & 1), y + (lane >> 1)
                z = depth_at(at_origin, by_x, by_y, at_x, at_y, depth_format)
                if _passes(z, int(depth[at_y, at_x]), less, equal, greater):
                    some |= 1 << lane
                    if write:
                        depth[at_y, at_x] = z
        passed[q] = some
        q += 1
