"""Gilbert, Johnson and Keerthi's algorithm: do two convex shapes intersect, and what does it take to know?

The simplex is searched by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1; as Bullet's
btVoronoiSimplexSolver), so its steps are those that are charged. Numbers are double precision: verdicts are those of
the shapes, not of Bullet's rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tilegpu.timing.loading.compiled import helper, inlined, kernel

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


class Point(NamedTuple):
    """A point, or a vector."""

    x: float
    y: float
    z: float


@inlined
def _point(points: Any, i: Any) -> Any:
    return Point(points[i, 0], points[i, 1], points[i, 2])


@inlined
def _minus(a: Any, b: Any) -> Any:
    return Point(a.x - b.x, a.y - b.y, a.z - b.z)


@inlined
def _moved(a: Any, b: Any, share: Any) -> Any:
    """A point that is moved by a share of a vector."""
    return Point(a.x + b.x * share, a.y + b.y * share, a.z + b.z * share)


@inlined
def _dot(a: Any, b: Any) -> Any:
    return a.x * b.x + a.y * b.y + a.z * b.z


@inlined
def _cross(a: Any, b: Any) -> Any:
    return Point(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@helper
def _farthest(points: Any, direction: Any) -> Any:
    best, place = -np.inf, 0
    for i in range(len(points)):
        along = _dot(_point(points, i), direction)
        if along > best:
            best, place = along, i
    return _point(points, place)


@helper
def _segment(w: Any, i: int, j: int) -> Any:
    """Nearest point to the origin, and the bits of the vertices that span it."""
    first, last = _point(w, i), _point(w, j)
    edge = _minus(last, first)
    along, length = -_dot(edge, first), _dot(edge, edge)
    if along <= 0.0 or length == 0.0:
        return first, 1 << i
    if along >= length:
        return last, 1 << j
    return _moved(first, edge, along / length), 1 << i | 1 << j


@helper
def _triangle(w: Any, i: int, j: int, k: int) -> Any:
    """As `_segment`, of a triangle."""
    a, b, c = _point(w, i), _point(w, j), _point(w, k)
    ab, ac = _minus(b, a), _minus(c, a)
    d1, d2 = -_dot(ab, a), -_dot(ac, a)
    d3, d4 = -_dot(ab, b), -_dot(ac, b)
    d5, d6 = -_dot(ab, c), -_dot(ac, c)
    if d1 <= 0.0 and d2 <= 0.0:
        return a, 1 << i
    if d3 >= 0.0 and d4 <= d3:
        return b, 1 << j
    if d6 >= 0.0 and d5 <= d6:
        return c, 1 << k
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if va > 0.0 and vb > 0.0 and vc > 0.0:
        total = va + vb + vc
        return _moved(_moved(a, ab, vb / total), ac, vc / total), 1 << i | 1 << j | 1 << k
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
    best, bits = Point(0.0, 0.0, 0.0), 15
    nearest = np.inf
    for i, j, k, rest in ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (1, 3, 2, 0)):
        corner = _point(w, i)
        normal = _cross(_minus(_point(w, j), corner), _minus(_point(w, k), corner))
        origin, inner = -_dot(corner, normal), _dot(_minus(_point(w, rest), corner), normal)
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
        return _point(w, 0), 1
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
    w, used, size = np.zeros((4, 3), np.float64), 0, 0.0
    # Bullet's first axis, too, where a pair has no history.
    v = Point(0.0, 1.0, 0.0)
    for _ in range(MAX_ITERATIONS):
        counts[ITERATIONS] += 1
        new = _minus(_farthest(a, Point(-v.x, -v.y, -v.z)), _farthest(b, v))
        size = max(size, _dot(new, new))
        distance = _dot(v, new)
        if distance > 0.0 and distance * distance > TOUCHING * TOUCHING * _dot(v, v) * size:
            return False
        for i in range(used):
            # Nothing is nearer, and the axis separates by no more than rounding.
            if w[i, 0] == new.x and w[i, 1] == new.y and w[i, 2] == new.z:
                return True
        w[used, 0], w[used, 1], w[used, 2] = new
        v, bits = _nearest(w, used + 1, size, counts)
        if bits == 15 or _dot(v, v) <= TOUCHING * TOUCHING * size:
            return True
        used = 0
        for i in range(4):
            if bits >> i & 1:
                for axis in range(3):
                    w[used, axis] = w[i, axis]
                used += 1
    return True
