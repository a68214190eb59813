"""Primitive assembly: from a vertex stream to points, lines and triangles (OpenGL ES 2.0, 2.6.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(7)


def assemble(topology: int, stream: NDArray[np.int32]) -> NDArray[np.int32]:
    """Corners of each primitive.

    Parameters
    ----------
    topology
        GL enum.
    stream
        int32, (count,): vertices in the order drawn; -1 starts new primitives.

    Returns
    -------
    int32, (primitives, 1, 2 or 3)
        Corners in GL's order: the winding of every other triangle of a strip is kept, and the last corner is the
        provoking one.
    """
    if (stream < 0).any():
        parts = np.split(stream, np.flatnonzero(stream < 0))
        assembled = [assemble(topology, part[part >= 0]) for part in parts]
        return np.concatenate(assembled).astype(np.int32)
    n = len(stream)
    if topology == POINTS:
        return stream.reshape(-1, 1)
    if topology == LINES:
        return stream[: n // 2 * 2].reshape(-1, 2)
    if topology in (LINE_STRIP, LINE_LOOP):
        if n < 2:
            return np.zeros((0, 2), np.int32)
        lines = np.stack([stream[:-1], stream[1:]], 1)
        return np.concatenate([lines, [[stream[-1], stream[0]]]]).astype(np.int32) if topology == LINE_LOOP else lines
    if topology == TRIANGLES:
        return stream[: n // 3 * 3].reshape(-1, 3)
    if n < 3:
        return np.zeros((0, 3), np.int32)
    if topology == TRIANGLE_FAN:
        # The last corner provokes in GL; the fan's centre comes first.
        return np.stack([np.broadcast_to(stream[0], n - 2), stream[1:-1], stream[2:]], 1)
    triangles = np.stack([stream[:-2], stream[1:-1], stream[2:]], 1)
    triangles[1::2, :2] = triangles[1::2, 1::-1]
    return triangles
