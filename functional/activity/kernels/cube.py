"""Texels beyond the edges of a cube map's faces (OpenGL ES 3.0, 3.8.10: seamless filtering)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import helper


@helper
def face_texel(face: int, x: int, y: int, size: int) -> Any:
    """Face, column and row of a texel that may lie one beyond a face's edge; a corner's face is -1.

    A texel beyond an edge is the adjacent texel of the neighbouring face. Beyond a corner there is no texel.

    Parameters
    ----------
    face
        0 to 5 for +x, -x, +y, -y, +z, -z.
    x, y
        Column and row, -1 to `size`.
    size
        Texels along an edge.
    """
    out_x, out_y = x < 0 or x >= size, y < 0 or y >= size
    if not out_x and not out_y:
        return face, x, y
    if out_x and out_y:
        return -1, x, y
    u, v = (2 * x + 1) / size - 1.0, (2 * y + 1) / size - 1.0
    major = 2.0 - max(abs(u), abs(v))
    u, v = min(max(u, -1.0), 1.0), min(max(v, -1.0), 1.0)
    if face == 0:
        dx, dy, dz = major, -v, -u
    elif face == 1:
        dx, dy, dz = -major, -v, u
    elif face == 2:
        dx, dy, dz = u, major, v
    elif face == 3:
        dx, dy, dz = u, -major, -v
    elif face == 4:
        dx, dy, dz = u, -v, major
    else:
        dx, dy, dz = -u, -v, -major
    if abs(dx) == 1.0 and (face > 1):
        to = 0 if dx > 0 else 1
        s, t = (-dz if dx > 0 else dz), -dy
    elif abs(dy) == 1.0 and (face < 2 or face > 3):
        to = 2 if dy > 0 else 3
        s, t = dx, (dz if dy > 0 else -dz)
    else:
        to = 4 if dz > 0 else 5
        s, t = (dx if dz > 0 else -dx), -dy
    column = int(np.floor((s + 1.0) * 0.5 * size))
    row = int(np.floor((t + 1.0) * 0.5 * size))
    return to, min(max(column, 0), size - 1), min(max(row, 0), size - 1)
