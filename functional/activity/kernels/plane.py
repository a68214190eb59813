"""Depth planes: window depth as a function of x and y, from the clip coordinates of the unclipped primitive."""

from __future__ import annotations

import numpy as np

from ...compile import kernel
from ...compile.blocks import DoubleRows, Doubles, FloatRows, IntegerRows, Signed


@kernel
def depth_planes(
    clip: FloatRows,
    triangles: IntegerRows,
    left_out: Signed,
    viewport: Doubles,
    depth_range: Doubles,
    offset: Doubles,
    out: DoubleRows,
) -> None:
    """Depth planes of triangles.

    Depth over the screen is the z of clip space divided by w; for a triangle z is a linear function of x, y and w, so
    depth is linear in window x and y, whatever the signs of w (Olano and Greer 1997). Everything is float64 in a fixed
    order, so that both passes agree to the bit.

    Parameters
    ----------
    clip
        float32, (vertices, 4): clip coordinates.
    triangles
        int, (triangles, 3): corners.
    left_out
        Numbers, not 0 for triangles whose planes are not needed; empty if all are.
    viewport
        float64, (4,): x, y, width, height in pixels.
    depth_range
        float64, (2,): near, far.
    offset
        float64, (2,): polygon offset factor, and units already multiplied by the smallest resolvable difference.
    out
        float64, (triangles, 3): depth at window (0, 0), change per pixel right, change per pixel up; a triangle without
        area gets the depth of its first corner (OpenGL ES 2.0, 2.12.1 and 3.5.2).
    """
    scale_x, scale_y = viewport[2] / 2, viewport[3] / 2
    centre_x, centre_y = viewport[0] + scale_x, viewport[1] + scale_y
    scale_z, centre_z = (depth_range[1] - depth_range[0]) / 2, (depth_range[1] + depth_range[0]) / 2
    for i in range(len(triangles)):
        if len(left_out) and left_out[i]:
            continue
        a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        ax, ay, az, aw = np.float64(clip[a, 0]), np.float64(clip[a, 1]), np.float64(clip[a, 2]), np.float64(clip[a, 3])
        bx, by, bz, bw = np.float64(clip[b, 0]), np.float64(clip[b, 1]), np.float64(clip[b, 2]), np.float64(clip[b, 3])
        cx, cy, cz, cw = np.float64(clip[c, 0]), np.float64(clip[c, 1]), np.float64(clip[c, 2]), np.float64(clip[c, 3])
        determinant = ax * (by * cw - cy * bw) - ay * (bx * cw - cx * bw) + aw * (bx * cy - cx * by)
        if determinant == 0.0 or scale_x == 0.0 or scale_y == 0.0:
            out[i, 0] = (az / aw if aw != 0.0 else 0.0) * scale_z + centre_z
            out[i, 1] = 0.0
            out[i, 2] = 0.0
            continue
        along_x = (az * (by * cw - cy * bw) - ay * (bz * cw - cz * bw) + aw * (bz * cy - cz * by)) / determinant
        along_y = (ax * (bz * cw - cz * bw) - az * (bx * cw - cx * bw) + aw * (bx * cz - cx * bz)) / determinant
        level = (ax * (by * cz - cy * bz) - ay * (bx * cz - cx * bz) + az * (bx * cy - cx * by)) / determinant
        dx = along_x * scale_z / scale_x
        dy = along_y * scale_z / scale_y
        out[i, 0] = (
            level * scale_z + centre_z - dx * centre_x - dy * centre_y + offset[0] * max(abs(dx), abs(dy)) + offset[1]
        )
        out[i, 1] = dx
        out[i, 2] = dy
