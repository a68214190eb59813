"""Rows of the large tables, written from the arrays of the pipeline; `row_kernels` call this."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..activity.compiled import helper, inlined


@inlined
def write_vertices(
    first: Any,
    number: Any,
    draw: Any,
    instance: Any,
    indices: Any,
    paths: Any,
    clip: Any,
    parents: Any,
    weights: Any,
    numbers: Any,
    index: Any,
    floats: Any,
) -> None:
    """Rows of shaded vertices and of those that clipping made.

    Parameters
    ----------
    first, number
        Row of the first, and its number in the frame.
    indices, paths
        Of the shaded ones, (n,).
    clip
        float32, (n + made, 4).
    parents, weights
        Of the made ones.
    numbers
        int32 rows to fill: vertex, draw, instance, path, and two parents.
    index, floats
        Rows to fill: int64 index; float32 clip coordinates and weight.
    """
    shaded = len(indices)
    for v in range(len(clip)):
        row = first + v
        made = v - shaded
        numbers[0, row], numbers[1, row], numbers[2, row] = number + v, draw, instance
        for c in range(4):
            floats[c, row] = clip[v, c]
        if made < 0:
            index[0, row] = indices[v]
            numbers[3, row], numbers[4, row], numbers[5, row] = paths[v], -1, -1
            floats[4, row] = np.float32(0)
        else:
            index[0, row] = -1
            numbers[3, row] = -1
            numbers[4, row], numbers[5, row] = parents[made, 0] + number, parents[made, 1] + number
            floats[4, row] = weights[made]


@inlined
def write_primitives(
    first: Any,
    number: Any,
    first_vertex: Any,
    draw: Any,
    instance: Any,
    snapped: Any,
    size: Any,
    corners: Any,
    source: Any,
    clip: Any,
    x: Any,
    y: Any,
    planes: Any,
    front: Any,
    culled: Any,
    extent: Any,
    numbers: Any,
    usable: Any,
    depths: Any,
    flags: Any,
    reasons: Any,
    extents: Any,
) -> None:
    """Rows of the primitives of an instance.

    Parameters
    ----------
    first, number, first_vertex
        Row of the first primitive, and numbers of it and of the instance's first vertex in the frame.
    size
        Corners of a primitive.
    corners, source, clip, x, y, planes, front, culled, extent
        See `Geometry`.
    numbers
        int32 rows to fill: primitive, draw, instance, source, three vertices, then x and y of each corner.
    usable
        bool rows to fill: whether x and y of each corner mean something.
    depths, flags, reasons, extents
        Rows to fill: float64 planes; bool facing; int8 reason of culling; float32 point size and line width.
    """
    for p in range(len(corners)):
        row = first + p
        numbers[0, row], numbers[1, row], numbers[2, row], numbers[3, row] = number + p, draw, instance, source[p]
        for i in range(3):
            vertex = corners[p, i]
            numbers[4 + i, row] = vertex + first_vertex if vertex >= 0 else -1
            numbers[7 + 2 * i, row], numbers[8 + 2 * i, row] = x[p, i], y[p, i]
            usable[i, row] = snapped and vertex >= 0 and clip[max(vertex, 0), 3] > 0
            depths[i, row] = planes[p, i]
        flags[0, row] = front[p]
        reasons[0, row] = culled[p]
        extents[0, row] = extent[p] if size == 1 else np.float32(0)
        extents[1, row] = extent[p] if size == 2 else np.float32(0)


@inlined
def write_quads(
    first: Any,
    first_primitive: Any,
    primitive: Any,
    x: Any,
    y: Any,
    coverage: Any,
    passed: Any,
    discarded: Any,
    numbers: Any,
    masks: Any,
    lanes: Any,
) -> None:
    """Rows of a batch of quads, none of them shaded.

    Parameters
    ----------
    first, first_primitive
        Row of the first quad, and number of the instance's first primitive in the frame.
    numbers, masks, lanes
        Rows to fill: int32 primitive and paths; uint16 x, y, coverage and depth_pass; uint8 discarded lanes.
    """
    for q in range(len(primitive)):
        row = first + q
        numbers[0, row] = primitive[q] + first_primitive
        for lane in range(4):
            numbers[1 + lane, row] = -1
        masks[0, row], masks[1, row], masks[2, row], masks[3, row] = x[q], y[q], coverage[q], passed[q]
        lanes[0, row] = discarded[q]


@inlined
def write_paths(first: Any, which: Any, paths: Any, numbers: Any) -> None:
    """Paths of the lanes of shaded quads, (4 * n,), into the rows of `write_quads`."""
    for i in range(len(which)):
        for lane in range(4):
            numbers[1 + lane, first + which[i]] = paths[4 * i + lane]


@helper
def lanes_of(mask: Any) -> Any:
    """Lanes with a sample set in the mask of a quad, int64."""
    return (mask | mask >> 4 | mask >> 8 | mask >> 12) & 15


@helper
def lane_count(mask: Any) -> Any:
    """Number of lanes with a sample set in the mask of a quad."""
    lanes = lanes_of(mask)
    return (lanes & 1) + (lanes >> 1 & 1) + (lanes >> 2 & 1) + (lanes >> 3 & 1)
