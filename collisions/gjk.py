"""Gilbert, Johnson and Keerthi's algorithm: do two convex shapes intersect, and what does it take to know?

The simplex is searched by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1; as Bullet's
btVoronoiSimplexSolver), so its steps are those that are charged. Numbers are double precision: verdicts are those of
the shapes, not of Bullet's rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilegpu.timing.loading.compiled import helper, kernel

MAX_ITERATIONS = 256
TOUCHING = 1e-9
"""Distance, against the size of the shapes, up to which they touch: what rounding leaves of an exact contact."""
ITERATIONS, SEGMENTS, TRIANGLES, TETRAHEDRA = range(4)
Floats = np.ndarray[Any, Any]


@dataclass(frozen=True)
class HullVerdict:
    """Verdict on a pair, and steps taken: iterations, and simplices whose nearest point was looked for."""

    intersect: bool
    iterations: int
    segments: int
    triangles: int
    tetrahedra: int


def intersection(a: Floats, b: Floats) -> HullVerdict:
    """Whether the convex hulls of two sets of points intersect; those that touch do.

    Parameters
    ----------
    a, b
        Points, shapes (n, 3) and (m, 3); any dimension of their hulls will do.
    """
    counts = np.zeros(4, np.int64)
    verdict = search(np.ascontiguousarray(a, np.float64), np.ascontiguousarray(b, np.float64), counts)
    return HullVerdict(bool(verdict), *(int(count) for count in counts))


@helper
def _dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def _cross(a: Any, b: Any) -> Any:
    return np.array((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


@helper
def _farthest(points: Any, direction: Any) -> Any:
    best, place = -np.inf, 0
    for i in range(len(points)):
        along = _dot(points[i], direction)
        if along > best:
            best, place = along, i
    return points[place]


@helper
def _segment(w: Any, i: int, j: int) -> Any:
    """Nearest point to the origin, and the bits of the vertices that span it."""
    edge = w[j] - w[i]
    along, length = -_dot(edge, w[i]), _dot(edge, edge)
    if along <= 0.0 or length == 0.0:
        return w[i].copy(), 1 << i
    if along >= length:
        return w[j].copy(), 1 << j
    return w[i] + edge * (along / length), 1 << i | 1 << j


@helper
def _triangle(w: Any, i: int, j: int, k: int) -> Any:
    """As `_segment`, of a triangle."""
    ab, ac = w[j] - w[i], w[k] - w[i]
    d1, d2 = -_dot(ab, w[i]), -_dot(ac, w[i])
    d3, d4 = -_dot(ab, w[j]), -_dot(ac, w[j])
    d5, d6 = -_dot(ab, w[k]), -_dot(ac, w[k])
    if d1 <= 0.0 and d2 <= 0.0:
        return w[i].copy(), 1 << i
    if d3 >= 0.0 and d4 <= d3:
        return w[j].copy(), 1 << j
    if d6 >= 0.0 and d5 <= d6:
        return w[k].copy(), 1 << k
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if va > 0.0 and vb > 0.0 and vc > 0.0:
        total = va + vb + vc
        return w[i] + ab * (vb / total) + ac * (vc / total), 1 << i | 1 << j | 1 << k
    # An edge, then; rounding may leave two of them possible, or the triangle may have no area: take the nearest.
    best, bits = _segment(w, i, j)
    for first, second in ((i, k), (j, k)):
        point, mine = _segment(w, first, second)
        if _dot(point, point) < _dot(best, best):
            best, bits = point, mine
    return best, bits


@helper
def _tetrahedron(w: Any, size: float, counts: Any) -> Any:
    """As `_segment`, of a tetrahedron; all four bits if the origin is inside."""
    best, bits = np.zeros(3), 15
    nearest = np.inf
    for i, j, k, rest in ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (1, 3, 2, 0)):
        normal = _cross(w[j] - w[i], w[k] - w[i])
        origin, inner = -_dot(w[i], normal), _dot(w[rest] - w[i], normal)
        flat = inner * inner <= 1e-24 * _dot(normal, normal) * size
        if not flat and origin * inner >= 0.0:
            continue
        counts[TRIANGLES] += 1
        point, mine = _triangle(w, i, j, k)
        if _dot(point, point) < nearest:
            nearest, best, bits = _dot(point, point), point, mine
    return best, bits


@helper
def _nearest(w: Any, used: int, size: float, counts: Any) -> Any:
    """Nearest point to the origin of a simplex of `used` vertices, and the bits of those that span it."""
    if used == 1:
        return w[0].copy(), 1
    if used == 2:
        counts[SEGMENTS] += 1
        return _segment(w, 0, 1)
    if used == 3:
        counts[TRIANGLES] += 1
        return _triangle(w, 0, 1, 2)
    counts[TETRAHEDRA] += 1
    return _tetrahedron(w, size, counts)


@kernel
def search(a: Any, b: Any, counts: Any) -> bool:
    """Search the difference of two shapes for the origin.

    Parameters
    ----------
    a, b
        float64, shapes (n, 3) and (m, 3).
    counts
        int64, shape (4,), to add to: iterations, segments, triangles, tetrahedra.
    """
    w, used, size = np.zeros((4, 3)), 0, 0.0
    # Bullet's first axis, too, where a pair has no history.
    v = np.array((0.0, 1.0, 0.0))
    for _ in range(MAX_ITERATIONS):
        counts[ITERATIONS] += 1
        new = _farthest(a, -v) - _farthest(b, v)
        size = max(size, _dot(new, new))
        distance = _dot(v, new)
        if distance > 0.0 and distance * distance > TOUCHING * TOUCHING * _dot(v, v) * size:
            return False
        for i in range(used):
            # Nothing is nearer, and the axis separates by no more than rounding.
            if w[i, 0] == new[0] and w[i, 1] == new[1] and w[i, 2] == new[2]:
                return True
        w[used] = new
        v, bits = _nearest(w, used + 1, size, counts)
        if bits == 15 or _dot(v, v) <= TOUCHING * TOUCHING * size:
            return True
        used = 0
        for i in range(4):
            if bits >> i & 1:
                w[used] = w[i]
                used += 1
    return True
