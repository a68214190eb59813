"""The geometry of a draw, ready to rasterize: viewport transform, snapping, culling, depth planes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.plane import depth_planes
from ..activity.kernels.spans import SUBPIXELS
from .clipping import Clipped
from .command import DrawCommand

CCW, FRONT, BACK, FRONT_AND_BACK = 0x0901, 0x0404, 0x0405, 0x0408
CULL_REASONS = ("none", "face", "degenerate", "frustum", "empty")
NOT_CULLED, CULLED_FACE, CULLED_DEGENERATE, CULLED_FRUSTUM, CULLED_EMPTY = range(5)
LARGEST = float(1 << 22)


@dataclass
class Geometry:
    """Primitives of a draw and instance.

    Attributes
    ----------
    clip, outputs
        float32: vertices, those that clipping made last.
    parents, weight
        Of the made vertices; see `Clipped`.
    corners
        int32, (primitives, 3): vertices, -1 beyond a line's or point's.
    source
        int32, (primitives,): primitive as assembled.
    window
        float32, (vertices, 4): window x, y (up), depth, 1/w; zeros where w <= 0.
    memory_y
        float32, (vertices,): window y in memory orientation.
    x, y
        int64, (primitives, 3): snapped corners in 1/256 pixel, y up.
    planes
        float64, (primitives, 3): depth planes.
    front
        bool, (primitives,).
    culled
        int8, (primitives,): position in `CULL_REASONS`.
    extent
        float32, (primitives,): point size or line width.
    """

    size: int
    clip: NDArray[np.float32]
    outputs: NDArray[np.float32]
    parents: NDArray[np.int32]
    weight: NDArray[np.float32]
    corners: NDArray[np.int32]
    source: NDArray[np.int32]
    window: NDArray[np.float32]
    memory_y: NDArray[np.float32]
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    planes: NDArray[np.float64]
    front: NDArray[np.bool_]
    culled: NDArray[np.int8]
    extent: NDArray[np.float32]


def window_coordinates(draw: DrawCommand, clip: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Viewport transform in float32 (OpenGL ES 2.0, 2.12.1): x, y up, depth, 1/w per vertex; and y as memory counts
    rows."""
    f = np.float32
    x0, y0, width, height = (f(v) for v in draw.viewport)
    near, far = (f(v) for v in draw.depth_range)
    window = np.zeros((len(clip), 4), np.float32)
    valid = clip[:, 3] > 0
    inverse = np.zeros(len(clip), np.float32)
    # Coordinates out of all bounds become infinite; the primitive is culled later.
    with np.errstate(all="ignore"):
        np.divide(f(1), clip[:, 3], out=inverse, where=valid)
        half_width, half_height = width * f(0.5), height * f(0.5)
        window[:, 0] = clip[:, 0] * inverse * half_width + (x0 + half_width)
        window[:, 2] = clip[:, 2] * inverse * ((far - near) * f(0.5)) + (far + near) * f(0.5)
        window[:, 3] = inverse
        normalized_y = clip[:, 1] * inverse
        if draw.target.flipped:
            memory_y = normalized_y * -half_height + (f(draw.target.height) - (y0 + half_height))
            window[:, 1] = f(draw.target.height) - memory_y
        else:
            memory_y = normalized_y * half_height + (y0 + half_height)
            window[:, 1] = memory_y
    window[~valid] = 0
    return window, memory_y


def set_up(draw: DrawCommand, clipped: Clipped, point_size: NDArray[np.float32], snap: bool) -> Geometry:
    """Transform, snap and cull the primitives of a draw.

    Parameters
    ----------
    draw
        The draw.
    clipped
        Its primitives after clipping.
    point_size
        float32: gl_PointSize of the shaded vertices.
    snap
        Whether facing and area come from snapped corners (else from float32 ones).
    """
    count, size = clipped.corners.shape
    window, memory_y = window_coordinates(draw, clipped.clip)
    corners = np.full((count, 3), -1, np.int32)
    corners[:, :size] = clipped.corners
    fixed = np.floor(
        np.clip(np.nan_to_num(window[:, :2]), -LARGEST, LARGEST).astype(np.float64) * SUBPIXELS + 0.5
    ).astype(np.int64)
    x, y = fixed[corners, 0], fixed[corners, 1]
    culled = np.where(clipped.outside, CULLED_FRUSTUM, NOT_CULLED).astype(np.int8)
    culled[(culled == NOT_CULLED) & (clipped.clip[clipped.corners, 3] <= 0).any(1)] = CULLED_DEGENERATE
    front = np.ones(count, np.bool_)
    if size == 3:
        front = _cull_faces(draw, culled, x, y, window, memory_y, corners, snap)
    extent = np.zeros(count, np.float32)
    if size == 1:
        extent[:] = np.clip(np.nan_to_num(point_size[corners[:, 0]], nan=1.0), 1.0, 2048.0)
    elif size == 2:
        extent[:] = min(draw.line_width, 64.0)
    planes = np.zeros((count, 3), np.float64)
    if size == 3:
        _triangle_planes(draw, clipped, corners, planes)
    else:
        _other_planes(window, corners, size, planes)
    return Geometry(
        size,
        clipped.clip,
        clipped.outputs,
        clipped.parents,
        clipped.weight,
        corners,
        clipped.source,
        window,
        memory_y,
        x,
        y,
        planes,
        front,
        culled,
        extent,
    )


def _cull_faces(
    draw: DrawCommand,
    culled: NDArray[np.int8],
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    window: NDArray[np.float32],
    memory_y: NDArray[np.float32],
    corners: NDArray[np.int32],
    snap: bool,
) -> NDArray[np.bool_]:
    if snap:
        area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        sign = np.sign(area)
    else:
        px, py = window[corners, 0], memory_y[corners]
        turn = (px[:, 0] - px[:, 2]) * (py[:, 1] - py[:, 2]) - (py[:, 0] - py[:, 2]) * (px[:, 1] - px[:, 2])
        sign = np.sign(-turn if draw.target.flipped else turn).astype(np.int64)
    front = np.asarray(sign > 0 if draw.front_face == CCW else sign < 0)
    drawn = culled == NOT_CULLED
    culled[drawn & (sign == 0)] = CULLED_DEGENERATE
    drawn &= sign != 0
    if draw.cull == FRONT_AND_BACK:
        culled[drawn] = CULLED_FACE
    elif draw.cull in (FRONT, BACK):
        culled[drawn & (front == (draw.cull == FRONT))] = CULLED_FACE
    return front


def smallest_depth_step(depth_format: int) -> float:
    """Smallest resolvable depth difference r of polygon offset, by code of the depth format."""
    return (2.0**-16, 2.0**-24, 2.0**-23)[depth_format]


def _triangle_planes(
    draw: DrawCommand, clipped: Clipped, corners: NDArray[np.int32], planes: NDArray[np.float64]
) -> None:
    """Planes of the unclipped triangles: every piece of a clipped one has the plane of the whole."""
    whole = clipped.assembled[clipped.source] if len(clipped.parents) else corners
    factor, units = draw.polygon_offset
    offset = np.array([factor, units * smallest_depth_step(draw.target.depth_format)], np.float64)
    depth_planes(
        clipped.clip,
        np.ascontiguousarray(whole),
        np.array(draw.viewport, np.float64),
        np.array(draw.depth_range, np.float64),
        offset,
        planes,
    )


def _other_planes(
    window: NDArray[np.float32], corners: NDArray[np.int32], size: int, planes: NDArray[np.float64]
) -> None:
    start = window[corners[:, 0]].astype(np.float64)
    planes[:, 0] = start[:, 2]
    if size == 2:
        end = window[corners[:, 1]].astype(np.float64)
        along = end - start
        length = along[:, 0] ** 2 + along[:, 1] ** 2
        rate = np.divide(along[:, 2], length, out=np.zeros(len(corners)), where=length > 0)
        planes[:, 1], planes[:, 2] = rate * along[:, 0], rate * along[:, 1]
        planes[:, 0] -= planes[:, 1] * start[:, 0] + planes[:, 2] * start[:, 1]
