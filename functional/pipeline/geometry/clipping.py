"""Clipping against the view volume in homogeneous coordinates (OpenGL ES 2.0, 2.13).

A new vertex is computed from an inside to an outside vertex, whatever the direction of the edge, so that two primitives
that share an edge get the same new vertex and no crack appears.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compile import helper, kernel
from ...compile.blocks import Flags, FloatRows, Floats, IntegerRows, Words

PLANES = 6
MAX_CORNERS = 3 + PLANES
NO_PARENTS, NO_WEIGHT = np.zeros((0, 2), np.int32), np.zeros(0, np.float32)


class Clipped(NamedTuple):
    """Primitives after clipping.

    Attributes
    ----------
    clip, outputs
        Vertices as in `ShadedVertices`, followed by those that clipping made.
    corners
        int32, (primitives, 1 to 3).
    source
        int32, (primitives,): primitive as assembled.
    whole
        int32, (primitives, 1 to 3): corners of that primitive; its depth plane is that of every piece.
    outside
        bool, (primitives,): entirely outside; kept unclipped.
    parents
        int32, (made, 2): the two vertices that each new one is computed from.
    weight
        float32, (made,): share of the second parent.
    """

    clip: NDArray[np.float32]
    outputs: NDArray[np.float32]
    corners: NDArray[np.int32]
    source: NDArray[np.int32]
    whole: NDArray[np.int32]
    outside: NDArray[np.bool_]
    parents: NDArray[np.int32]
    weight: NDArray[np.float32]


@helper
def distance(clip: FloatRows, vertex: int, plane: int) -> float:
    """Signed distance of a vertex to a plane of the view volume, positive inside."""
    w = np.float64(clip[vertex, 3])
    value = np.float64(clip[vertex, plane >> 1])
    return w - value if plane & 1 else w + value


@helper
def cut(clip: FloatRows, outputs: FloatRows, inside: int, outside: int, share: float, made: int) -> None:
    """Write vertex `made`, on the edge between two others."""
    for c in range(4):
        clip[made, c] = clip[inside, c] + share * (np.float64(clip[outside, c]) - np.float64(clip[inside, c]))
    for c in range(outputs.shape[1]):
        outputs[made, c] = outputs[inside, c] + share * (
            np.float64(outputs[outside, c]) - np.float64(outputs[inside, c])
        )


class Cuts(NamedTuple):
    """Vertices with room at the end for new ones, the index of the first new one, and parents and weight of each; see
    `Clipped`."""

    clip: Any
    outputs: Any
    first: Any
    parents: Any
    weight: Any


class Pieces(NamedTuple):
    """int32, (room, 1 to 3) and (room,), and bool, to fill: primitives after clipping, the assembled primitive of each,
    and whether it is entirely outside; those are kept unclipped."""

    corners: Any
    source: Any
    outside: Any


@helper
def clip_polygon(size: int, polygon: Words, result: Words, cuts: Cuts, made: int) -> tuple[int, int]:
    """Clip one triangle or line, whose corners are replaced; the number of corners, and of new vertices so far."""
    clip, outputs, first_made, parents, weight = cuts
    n = size
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
                cut(clip, outputs, inside, outside, share, made)
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
    return n, made


@helper
def straighten(
    clip: FloatRows, outputs: FloatRows, made: int, parents: IntegerRows, weight: Floats, slots: Words
) -> None:
    """Make varyings of new vertices linear in the window instead of in clip space, where the weights differ."""
    for i in range(len(parents)):
        inside, outside = parents[i, 0], parents[i, 1]
        w = np.float64(clip[made + i, 3])
        share = weight[i] * np.float64(clip[outside, 3]) / w if w != 0.0 else np.float64(weight[i])
        for slot in slots:
            for c in range(4 * slot, 4 * slot + 4):
                outputs[made + i, c] = outputs[inside, c] + share * (
                    np.float64(outputs[outside, c]) - np.float64(outputs[inside, c])
                )


@helper
def flatten(outputs: FloatRows, first: int, last: int, provoking: int, slots: Words) -> None:
    """Give new vertices the flat varyings of the provoking corner."""
    for vertex in range(first, last):
        for slot in slots:
            for c in range(4 * slot, 4 * slot + 4):
                outputs[vertex, c] = outputs[provoking, c]


@helper
def clip_in_order(
    corners: IntegerRows, crossing: Flags, outside: Flags, cuts: Cuts, pieces: Pieces, flat: Words
) -> tuple[int, int]:
    """Clip the primitives that cross a plane, and pass on the others.

    Parameters
    ----------
    corners
        int32, (n, 1 to 3): primitives as assembled.
    crossing, outside
        bool, (n,).
    cuts, pieces
        `Cuts` and `Pieces`, to fill.
    flat
        int64: slots of the varyings that are not interpolated.

    Returns
    -------
    int, int
        Vertices made, primitives made.
    """
    out_corners, out_source, out_outside = pieces
    made = cuts.first
    size = corners.shape[1]
    count = 0
    polygon = np.zeros(MAX_CORNERS + 1, np.int64)
    result = np.zeros(MAX_CORNERS + 1, np.int64)
    for p in range(len(corners)):
        n = 0
        if crossing[p]:
            for i in range(size):
                polygon[i] = corners[p, i]
            first = made
            n, made = clip_polygon(size, polygon, result, cuts, made)
            # Every piece ends with the provoking corner: it comes last, and pieces begin at the first.
            flatten(cuts.outputs, first, made, corners[p, size - 1], flat)
        before = count
        for i in range(1, n - 1 if size == 3 else n):
            out_corners[count, 0] = polygon[0]
            out_corners[count, 1] = polygon[i]
            if size == 3:
                out_corners[count, 2] = polygon[i + 1]
            out_source[count] = p
            out_outside[count] = False
            count += 1
        if count == before:
            for i in range(size):
                out_corners[count, i] = corners[p, i]
            out_source[count] = p
            out_outside[count] = outside[p] or crossing[p]
            count += 1
    return made - cuts.first, count


@kernel
def clip_into(
    assembled: tuple[IntegerRows, Flags, Flags],
    vertices: tuple[FloatRows, FloatRows],
    cuts: Cuts,
    pieces: Pieces,
    whole: IntegerRows,
    slots: tuple[Words, Words],
) -> tuple[int, int]:
    """Clip primitives, keeping their order.

    Parameters
    ----------
    assembled
        `corners`, `outside` and `crossing` of `clip_all`.
    vertices
        `clip` and `outputs` of it.
    cuts, pieces
        `Cuts` and `Pieces`, to fill.
    whole
        Of `Clipped`, with room for all pieces, to fill.
    slots
        `flat` and `straight` of `clip_all`.

    Returns
    -------
    int, int
        Vertices made, primitives made.
    """
    (corners, outside, crossing), (clip, outputs), (flat, straight) = assembled, vertices, slots
    for v in range(len(clip)):
        for i in range(4):
            cuts.clip[v, i] = clip[v, i]
        for i in range(outputs.shape[1]):
            cuts.outputs[v, i] = outputs[v, i]
    made, kept = clip_in_order(corners, crossing, outside, cuts, pieces, flat)
    straighten(cuts.clip, cuts.outputs, cuts.first, cuts.parents[:made], cuts.weight, straight)
    for p in range(kept):
        for i in range(corners.shape[1]):
            whole[p, i] = corners[pieces.source[p], i]
    return made, kept


@helper
def clip_all(
    corners: IntegerRows,
    outside: Flags,
    crossing: Flags,
    many: int,
    clip: FloatRows,
    outputs: FloatRows,
    flat: Words,
    straight: Words,
) -> Any:
    """Clip primitives, keeping their order.

    Parameters
    ----------
    corners
        int32, (n, 1 to 3): primitives as assembled.
    outside, crossing
        bool, (n,): which of them are outside of the view volume, and which cross its planes.
    many
        Number of primitives that cross.
    clip, outputs
        Vertices.
    flat, straight
        int64: slots of the varyings that are not interpolated, and of those without perspective.

    Returns
    -------
    Clipped
    """
    vertices, count, size = len(clip), len(corners), corners.shape[1]
    # Every plane cuts a convex polygon in at most two places, and adds at most one corner.
    cuts, pieces = many * 2 * PLANES, count + many * PLANES
    all_clip = np.empty((vertices + cuts, 4), np.float32)
    all_outputs = np.empty((vertices + cuts, outputs.shape[1]), np.float32)
    parents, weight = np.empty((cuts, 2), np.int32), np.empty(cuts, np.float32)
    new_corners, source = np.empty((pieces, size), np.int32), np.empty(pieces, np.int32)
    whole, new_outside = np.empty((pieces, size), np.int32), np.empty(pieces, np.bool_)
    made, kept = clip_into(
        (corners, outside, crossing),
        (clip, outputs),
        Cuts(all_clip, all_outputs, vertices, parents, weight),
        Pieces(new_corners, source, new_outside),
        whole,
        (flat, straight),
    )
    return Clipped(
        all_clip[: vertices + made],
        all_outputs[: vertices + made],
        new_corners[:kept],
        source[:kept],
        whole[:kept],
        new_outside[:kept],
        parents[:made],
        weight[:made],
    )
