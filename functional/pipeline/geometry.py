"""The geometry of a draw, ready to rasterize: viewport transform, snapping, culling, depth planes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.plane import depth_planes
from .clipping import Clipped
from .command import DrawCommand
from .setup_kernels import cull_faces, place_primitives, transform_vertices

CULL_REASONS = ("none", "face", "degenerate", "frustum", "empty")


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
    vertices, flipped = len(clipped.clip), draw.target.flipped
    window, memory_y = np.empty((vertices, 4), np.float32), np.empty(vertices, np.float32)
    fixed = np.empty((vertices, 2), np.int64)
    transform_vertices(
        clipped.clip,
        np.array(draw.viewport, np.float32),
        np.array(draw.depth_range, np.float32),
        np.float32(draw.target.height),
        flipped,
        window,
        memory_y,
        fixed,
    )
    corners, culled = np.empty((count, 3), np.int32), np.empty(count, np.int8)
    x, y = np.empty((count, 3), np.int64), np.empty((count, 3), np.int64)
    place_primitives(clipped.corners, clipped.clip, fixed, clipped.outside, corners, x, y, culled)
    front = np.ones(count, np.bool_)
    extent = np.zeros(count, np.float32)
    planes = np.zeros((count, 3), np.float64)
    if size == 3:
        cull_faces(x, y, corners, window, memory_y, snap, flipped, draw.front_face, draw.cull, front, culled)
        _triangle_planes(draw, clipped, corners, planes)
    else:
        if size == 1:
            extent[:] = np.clip(np.nan_to_num(point_size[corners[:, 0]], nan=1.0), 1.0, 2048.0)
        else:
            extent[:] = min(draw.line_width, 64.0)
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
