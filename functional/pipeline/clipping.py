"""Clipping against the view volume in homogeneous coordinates (OpenGL ES 2.0, 2.13).

A vertex that clipping makes is cut from an inside and an outside vertex, in that order whichever way the edge runs, so
that two primitives sharing an edge get the same new vertex and no crack opens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.compiled import helper, kernel
from .setup_kernels import classify, outcodes

PLANES = 6
MAX_CORNERS = 3 + PLANES


@dataclass(frozen=True)
class Clipped:
    """Primitives after clipping.

    Attributes
    ----------
    clip, outputs
        Vertices as in `ShadedVertices`, with those that clipping made appended.
    corners
        int32, (primitives, 1 to 3).
    source
        int32, (primitives,): primitive as assembled.
    assembled
        int32, (assembled primitives, 1 to 3): corners before clipping.
    outside
        bool, (primitives,): nothing of it is inside; kept whole.
    parents
        int32, (made, 2): vertices each made one is cut from.
    weight
        float32, (made,): share of the second parent.
    """

    clip: NDArray[np.float32]
    outputs: NDArray[np.float32]
    corners: NDArray[np.int32]
    source: NDArray[np.int32]
    assembled: NDArray[np.int32]
    outside: NDArray[np.bool_]
    parents: NDArray[np.int32]
    weight: NDArray[np.float32]


@helper
def distance(clip: Any, vertex: int, plane: int) -> float:
    """Signed distance of a vertex to a plane of the view volume, positive inside."""
    w = float(clip[vertex, 3])
    value = float(clip[vertex, plane >> 1])
    return w - value if plane & 1 else w + value


@kernel
def clip_polygons(
    corners: Any,
    clip: Any,
    outputs: Any,
    made: int,
    parents: Any,
    weight: Any,
    out_corners: Any,
    out_source: Any,
) -> tuple[int, int]:
    """Clip triangles or lines one by one.

    Parameters
    ----------
    corners
        int32, (n, 2 or 3): primitives that cross a plane.
    clip, outputs
        Vertices with room at the end for what is made, from `made` on.
    parents, weight
        Filled per made vertex.
    out_corners, out_source
        int32, (room, 2 or 3) and (room,): resulting primitives, and which of `corners` each comes from.

    Returns
    -------
    int, int
        Vertices made, primitives made.
    """
    size = corners.shape[1]
    first_made = made
    count = 0
    polygon = np.zeros(MAX_CORNERS + 1, np.int64)
    result = np.zeros(MAX_CORNERS + 1, np.int64)
    for p in range(len(corners)):
        n = size
        for i in range(size):
            polygon[i] = corners[p, i]
        for plane in range(PLANES):
            kept = 0
            for i in range(n):
                current, following = polygon[i], polygon[i + 1 if i + 1 < n else 0]
                here, there = distance(clip, current, plane), distance(clip, following, plane)
                if here >= 0:
                    result[kept] = current
                    kept += 1
                if (here >= 0) != (there >= 0) and not (size == 2 and i == 1):
                    inside, outside = (current, following) if here >= 0 else (following, current)
                    near, far = (here, there) if here >= 0 else (there, here)
                    share = near / (near - far)
                    for c in range(4):
                        clip[made, c] = clip[inside, c] + share * (float(clip[outside, c]) - float(clip[inside, c]))
                    for c in range(outputs.shape[1]):
                        outputs[made, c] = outputs[inside, c] + share * (
                            float(outputs[outside, c]) - float(outputs[inside, c])
                        )
                    parents[made - first_made, 0] = inside
                    parents[made - first_made, 1] = outside
                    weight[made - first_made] = share
                    result[kept] = made
                    kept += 1
                    made += 1
            n = kept
            for i in range(n):
                polygon[i] = result[i]
            if n == 0:
                break
        for i in range(1, n - 1 if size == 3 else n):
            out_corners[count, 0] = polygon[0]
            out_corners[count, 1] = polygon[i]
            if size == 3:
                out_corners[count, 2] = polygon[i + 1]
            out_source[count] = p
            count += 1
    return made - first_made, count


def clip_primitives(corners: NDArray[np.int32], clip: NDArray[np.float32], outputs: NDArray[np.float32]) -> Clipped:
    """Clip primitives, keeping their order.

    Parameters
    ----------
    corners
        int32, (n, 1 to 3): primitives as assembled.
    clip, outputs
        Vertices.
    """
    codes = np.empty(len(clip), np.uint8)
    outside, crossing = np.empty(len(corners), np.bool_), np.empty(len(corners), np.bool_)
    outcodes(clip, codes)
    source = np.arange(len(corners), dtype=np.int32)
    none = np.zeros((0, 2), np.int32), np.zeros(0, np.float32)
    if not classify(corners, codes, outside, crossing):
        return Clipped(clip, outputs, corners, source, corners, outside, *none)
    which = np.flatnonzero(crossing)
    vertices, size = len(clip), corners.shape[1]
    room = len(which) * 2 * PLANES
    clip = np.concatenate([clip, np.zeros((room, 4), np.float32)])
    outputs = np.concatenate([outputs, np.zeros((room, outputs.shape[1]), np.float32)])
    parents, weight = np.zeros((room, 2), np.int32), np.zeros(room, np.float32)
    pieces, piece_source = (
        np.zeros((len(which) * (PLANES + 1), size), np.int32),
        np.zeros(len(which) * (PLANES + 1), np.int32),
    )
    made, count = clip_polygons(
        np.ascontiguousarray(corners[which]), clip, outputs, vertices, parents, weight, pieces, piece_source
    )
    gone = np.setdiff1d(which, which[piece_source[:count]])
    outside[gone] = True
    keep = ~crossing
    keep[gone] = True
    all_corners = np.concatenate([corners[keep], pieces[:count]])
    all_source = np.concatenate([source[keep], which[piece_source[:count]].astype(np.int32)])
    order = np.argsort(all_source, kind="stable")
    return Clipped(
        clip[: vertices + made],
        outputs[: vertices + made],
        all_corners[order],
        all_source[order],
        corners,
        outside[all_source[order]],
        parents[:made],
        weight[:made],
    )
