"""Kernels of vertex and primitive set-up: clip codes, viewport transform, snapping, culling.

Each is one loop over all vertices or primitives, because most draws are so small that a numpy operation costs more
than its arithmetic. Everything is float32 in the order of the specification's formulas.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...activity.kernels.spans import SUBPIXELS
from ...compile import helper, kernel
from ...compile.blocks import DoubleRows, Flags, FloatRows, Floats, IntegerRows, Signed, WordRows
from ...opengl.enums import BACK, CCW, FRONT, FRONT_AND_BACK
from ..derived import RasterState

NOT_CULLED, CULLED_FACE, CULLED_DEGENERATE, CULLED_FRUSTUM, CULLED_EMPTY = range(5)
LARGEST = float(1 << 22)
_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
"""Loops over vertices use one-dimensional views and unsigned indices: rows of unknown length, and indices that may be
negative, prevent vectorization, which makes them several times as fast."""


@helper
def outcode(x: np.float32, y: np.float32, z: np.float32, w: np.float32) -> Any:
    """One bit per plane that a vertex is outside of; all six for a vertex with a coordinate that is not finite."""
    code = (x < -w) | (x > w) << 1 | (y < -w) << 2 | (y > w) << 3 | (z < -w) << 4 | (z > w) << 5
    # Zero times a non-finite number is NaN; branch-free for vectorization.
    zero = np.float32(0)
    return code if x * zero + y * zero + z * zero + w * zero == zero else 63


@helper
def classify(corners: IntegerRows, clip: FloatRows, outside: Flags, crossing: Flags) -> int:
    """Find primitives that are entirely outside of a plane, and those that cross one; how many cross.

    Parameters
    ----------
    corners
        int32, (n, 1 to 3).
    clip
        float32, (vertices, 4).
    outside, crossing
        bool, (n,), to fill.
    """
    codes = np.empty(len(clip), np.uint8)
    some, places = np.uint8(0), clip.reshape(-1)
    for i in range(len(clip)):
        x, y, z, w = places[_FOUR * i], places[_FOUR * i + _ONE], places[_FOUR * i + _TWO], places[_FOUR * i + _THREE]
        codes[i] = outcode(x, y, z, w)
        some |= codes[i]
    if some == 0:
        outside[: len(corners)] = False
        crossing[: len(corners)] = False
        return 0
    count = 0
    for p in range(corners.shape[0]):
        every, any_of = 63, 0
        for i in range(corners.shape[1]):
            code = codes[corners[p, i]]
            every &= code
            any_of |= code
        outside[p] = every != 0
        crossing[p] = any_of != 0 and every == 0
        count += crossing[p]
    return count


class Placed(NamedTuple):
    """Results of set-up for vertices and primitives, as kernels take them; see `Geometry`."""

    window: FloatRows
    memory_y: Floats
    corners: IntegerRows
    x: WordRows
    y: WordRows
    planes: DoubleRows
    front: Flags
    culled: Signed
    extent: Floats


@helper
def _fixed(value: np.float32) -> Any:
    """A window coordinate in 1/256 pixel; 0 for NaN."""
    wide = np.float64(value)
    near = min(max(wide, -LARGEST), LARGEST) if wide == wide else 0.0
    return int(np.floor(near * SUBPIXELS + 0.5))


@kernel
def transform_vertices(
    clip: FloatRows, state: RasterState, window: FloatRows, memory_y: Floats, fixed: WordRows
) -> None:
    """Viewport transform and snapping (OpenGL ES 2.0, 2.12.1).

    Parameters
    ----------
    clip
        float32, (n, 4).
    state
        `RasterState`.
    window
        float32, (n, 4), to fill: x, y up, depth, 1/w; zeros where w <= 0.
    memory_y
        float32, (n,), to fill: y as memory counts rows.
    fixed
        int64, (n, 2), to fill: x and y in 1/256 pixel.
    """
    half = np.float32(0.5)
    origin_x, bottom = np.float32(state.viewport[0]), np.float32(state.viewport[1])
    half_width, half_height = np.float32(state.viewport[2]) * half, np.float32(state.viewport[3]) * half
    near, far = np.float32(state.depth_range[0]), np.float32(state.depth_range[1])
    height, flipped = np.float32(state.height), state.flipped
    centre_x, centre_y = origin_x + half_width, bottom + half_height
    scale_z, centre_z = (far - near) * half, (far + near) * half
    zero = np.float32(0)
    places, out, snapped = clip.reshape(-1), window.reshape(-1), fixed.reshape(-1)
    for i in range(len(clip)):
        w = places[_FOUR * i + _THREE]
        visible = w > zero
        inverse = np.float32(1) / w if visible else zero
        x = places[_FOUR * i] * inverse * half_width + centre_x
        z = places[_FOUR * i + _TWO] * inverse * scale_z + centre_z
        normalized = places[_FOUR * i + _ONE] * inverse
        below = normalized * -half_height + (height - centre_y)
        above = normalized * half_height + centre_y
        memory_y[i] = below if flipped else above
        y = height - below if flipped else above
        x, y, z = x if visible else zero, y if visible else zero, z if visible else zero
        out[_FOUR * i], out[_FOUR * i + _ONE], out[_FOUR * i + _TWO], out[_FOUR * i + _THREE] = x, y, z, inverse
        snapped[_TWO * i], snapped[_TWO * i + _ONE] = _fixed(x), _fixed(y)


@kernel
def place_primitives(
    assembled: IntegerRows,
    clip: FloatRows,
    fixed: WordRows,
    outside: Flags,
    corners: IntegerRows,
    x: WordRows,
    y: WordRows,
    culled: Signed,
) -> None:
    """Corners, snapped positions, and primitives that are outside or cannot be projected.

    Parameters
    ----------
    assembled
        int32, (n, 1 to 3).
    clip, fixed
        Of the vertices.
    outside
        bool, (n,).
    corners
        int32, (n, 3), to fill: -1 for missing corners of lines and points.
    x, y
        int64, (n, 3), to fill.
    culled
        int8, (n,), to fill.
    """
    size = assembled.shape[1]
    for p in range(assembled.shape[0]):
        culled[p] = CULLED_FRUSTUM if outside[p] else NOT_CULLED
        for i in range(3):
            vertex = assembled[p, i] if i < size else -1
            corners[p, i] = vertex
            x[p, i], y[p, i] = fixed[vertex, 0], fixed[vertex, 1]
            if i < size and clip[vertex, 3] <= 0 and culled[p] == NOT_CULLED:
                culled[p] = CULLED_DEGENERATE


@kernel
def cull_faces(made: Placed, snap: bool, state: RasterState) -> None:
    """Find the facing of triangles, and those that are culled for it or have no area.

    Parameters
    ----------
    made
        `Placed`: fills `front`, adds to `culled`.
    snap
        Whether areas come from snapped corners.
    state
        `RasterState`.
    """
    x, y, corners, window, memory_y = made.x, made.y, made.corners, made.window, made.memory_y
    front, culled, front_face, cull = made.front, made.culled, state.front_face, state.cull
    for p in range(len(corners)):
        if snap:
            area = (x[p, 1] - x[p, 0]) * (y[p, 2] - y[p, 0]) - (x[p, 2] - x[p, 0]) * (y[p, 1] - y[p, 0])
            sign = (1 if area > 0 else 0) - (1 if area < 0 else 0)
        else:
            a, b, c = corners[p, 0], corners[p, 1], corners[p, 2]
            ax, bx = window[a, 0] - window[c, 0], window[b, 0] - window[c, 0]
            ay, by = memory_y[a] - memory_y[c], memory_y[b] - memory_y[c]
            turn = ax * by - bx * ay
            sign = (1 if turn > 0 else 0) - (1 if turn < 0 else 0)
            if state.flipped:
                sign = -sign
        front[p] = sign > 0 if front_face == CCW else sign < 0
        if culled[p] != NOT_CULLED:
            continue
        if sign == 0:
            culled[p] = CULLED_DEGENERATE
        elif cull == FRONT_AND_BACK or (cull == FRONT and front[p]) or (cull == BACK and not front[p]):
            culled[p] = CULLED_FACE
