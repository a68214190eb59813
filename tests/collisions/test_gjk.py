"""GJK's verdicts: by hand, and pair for pair beside the Flexible Collision Library's."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from tilegpu.collisions.gjk import MAX_ITERATIONS, intersection
from tilegpu.collisions.hulls import Hulls, hull_vertices

from .scenes import CUBE

SQUARE = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], np.float32)
TURN = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (CUBE, CUBE + (2.5, 0, 0), False),
        (CUBE, CUBE + (2.0, 0, 0), True),
        (CUBE, CUBE + (2.0, 2.0, 2.0), True),
        (CUBE, CUBE + (1.9, 1.9, 1.9), True),
        (CUBE, CUBE + (0.1, 0.2, 0.3), True),
        (CUBE, CUBE, True),
        (CUBE, 0.2 * CUBE, True),
        (CUBE, 0.2 * CUBE + (0, 1.3, 0), False),
        (SQUARE, CUBE, True),
        (SQUARE, CUBE + (0, 0, 1.01), False),
        (SQUARE, SQUARE + (1.5, 0.5, 0), True),
        (SQUARE, SQUARE + (2.5, 0, 0), False),
        (SQUARE, SQUARE + (0, 0, 0.01), False),
        (SQUARE[:2], SQUARE[1:3], True),
        (SQUARE[:2], SQUARE[2:], False),
        (CUBE[:1], CUBE, True),
        (CUBE[:1] + (0, 0, 0.01), CUBE, True),
        (CUBE[:1] - (0, 0, 0.01), CUBE, False),
        (CUBE[:1], CUBE[:1], True),
        (CUBE[:1], CUBE[1:2], False),
    ],
)
def test_verdicts_by_hand(a: np.ndarray, b: np.ndarray, expected: bool) -> None:
    for first, second in ((a, b), (b, a)):
        found = intersection(first, second)
        assert found.intersect == expected
        assert 1 <= found.iterations < MAX_ITERATIONS
        # Turned, contacts are no longer exact.
        if not (np.abs(b.mean(0) - a.mean(0)) == 2).any():
            assert intersection(first @ TURN * 1000, second @ TURN * 1000).intersect == expected


def test_steps_of_a_pair_by_hand() -> None:
    # All in the plane of x and y. Along (0, 1) the first vertex is (-2.5, -2); towards it (-0.5, 2); the segment is
    # nearest in (-1.2, 0.6), along which the vertex is (-0.5, -2); the triangle in (-0.5, 0), which separates.
    found = intersection(CUBE, CUBE + (2.5, 0, 0))
    assert (found.iterations, found.segments, found.triangles, found.tetrahedra) == (4, 1, 1, 0)


def test_the_hull_of_an_l_hits_what_the_l_does_not() -> None:
    # Two bars that meet in a corner; a small cube in the notch between them touches neither.
    bars = [CUBE * (3, 1, 1) + (2, 0, 0), CUBE * (1, 3, 1) + (0, 2, 0)]
    notch = 0.5 * CUBE + (2.2, 2.2, 0)
    whole = np.concatenate(bars)
    assert not any(intersection(bar, notch).intersect for bar in bars)
    assert intersection(whole[hull_vertices(whole)], notch).intersect


def test_hulls_of_every_dimension() -> None:
    inside = np.concatenate([CUBE, 0.5 * CUBE])
    assert hull_vertices(inside).tolist() == list(range(8))
    for flat in (SQUARE, SQUARE @ TURN.astype(np.float32) + 7):
        points = np.concatenate([flat, flat.mean(0, keepdims=True), flat])
        assert hull_vertices(points).tolist() == [0, 1, 2, 3]
    line = np.linspace(0, 1, 5)[:, None] * np.array([(1.0, 2.0, 3.0)])
    assert hull_vertices(line).tolist() == [0, 4]
    assert hull_vertices(CUBE[:1]).tolist() == [0]
    assert hull_vertices(np.repeat(CUBE[:1], 3, 0)).tolist() == [0]


def test_hulls_are_kept_while_a_mesh_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(
        "tilegpu.collisions.hulls.hull_vertices", lambda points: made.append(1) or np.arange(len(points))
    )
    hulls = Hulls()
    for shapes, count in ((b"ab", 2), (b"aa", 2), (b"a", 2), (b"b", 3)):
        hulls.next_frame()
        for shape in shapes:
            hulls.of(bytes([shape]), CUBE)
        assert len(made) == count


def solids(fcl, points: np.ndarray):
    """The hull of some points, for the Flexible Collision Library."""
    hull = ConvexHull(points)
    number = np.full(len(points), -1)
    number[hull.vertices] = np.arange(len(hull.vertices))
    faces = []
    for corners, plane in zip(hull.simplices, hull.equations, strict=True):
        p, q, r = points[corners]
        outwards = np.cross(q - p, r - p) @ plane[:3] > 0
        faces += [3, *number[corners if outwards else corners[::-1]]]
    vertices = points[hull.vertices]
    return vertices, fcl.CollisionObject(fcl.Convex(vertices, len(hull.simplices), np.array(faces)))


@given(st.integers(0, 2**32 - 1))
@example(2928)
@settings(max_examples=300)
def test_verdicts_are_those_of_fcl(seed: int) -> None:
    fcl = pytest.importorskip("fcl", reason="needs python-fcl: pip install python-fcl")
    rng = np.random.default_rng(seed)
    clouds = [
        (rng.normal(size=(rng.integers(4, 40), 3)) * rng.uniform(0.2, 3, 3)).astype(np.float32).astype(float)
        for _ in range(2)
    ]
    away = rng.normal(size=3)
    clouds[1] += (away / np.linalg.norm(away) * rng.uniform(0, 8)).astype(np.float32)
    (a, first), (b, second) = (solids(fcl, cloud) for cloud in clouds)
    theirs = fcl.collide(first, second, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
    if intersection(a, b).intersect != theirs:
        # Both round: they may differ where pushing the shapes together or apart by a little settles it.
        axis = (b.mean(0) - a.mean(0)) * 1e-4
        assert intersection(a, b - axis).intersect and not intersection(a, b + axis).intersect
    if not theirs:
        # Pushed together by their distance they touch, give or take a little.
        near = fcl.DistanceResult()
        request = fcl.DistanceRequest(enable_nearest_points=True)
        distance = fcl.distance(first, second, request, near)
        along = near.nearest_points[1] - near.nearest_points[0]
        assert not intersection(a, b - along * (1 - 1e-3)).intersect or distance < 1e-3
        # Beyond that sharp corners may pass each other, so a place a little inside of each is made the same.
        one, other = (p + 1e-3 * (shape.mean(0) - p) for p, shape in zip(near.nearest_points, (a, b), strict=True))
        assert intersection(a, b - (other - one)).intersect
