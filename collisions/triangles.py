"""Triangles of a draw, from its topology and its indices."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
LEAST_FAN = 3


def triangles(topology: str, vertices: Array) -> Array:
    """Corners of each triangle.

    Parameters
    ----------
    topology
        As in the table `draws`; points and lines have no triangles.
    vertices
        Vertex at each place of the stream, int64, shape (n,); -1 where a strip or fan begins anew.

    Returns
    -------
    int32, shape (m, 3).
    """
    if topology not in ("TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN"):
        return np.zeros((0, 3), np.int32)
    parts = [_part(topology, part[part >= 0]) for part in np.split(vertices, np.flatnonzero(vertices < 0))]
    return np.concatenate(parts).astype(np.int32)


def _part(topology: str, v: Array) -> Array:
    if topology == "TRIANGLES":
        return v[: len(v) // 3 * 3].reshape(-1, 3)
    if len(v) < LEAST_FAN:
        return v[:0].reshape(0, 3)
    if topology == "TRIANGLE_FAN":
        return np.stack([np.full(len(v) - 2, v[0]), v[1:-1], v[2:]], 1)
    strip = np.stack([v[:-2], v[1:-1], v[2:]], 1)
    # Every other triangle is turned around so that all face the same side.
    strip[1::2] = strip[1::2, [1, 0, 2]]
    return strip
