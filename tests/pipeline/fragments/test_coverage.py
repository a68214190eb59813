"""Coverage against the definition, pixel by pixel in exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tilegpu.functional.activity.kernels.coverage import Shapes, cover

SIZE = 24
"""Pixels, so many that rows hold quads that are added together."""


def covered(
    points: list[tuple[float, float]],
    corners: int = 3,
    snapped: bool = True,
    extent: float = 0.0,
    flip: bool = False,
    box: tuple[int, int, int, int] = (0, 0, SIZE, SIZE),
) -> NDArray[np.int64]:
    """How often each pixel is covered by consecutive primitives; row 0 at the bottom."""
    places = np.array(points, float).reshape(-1, corners, 2)
    count = len(places)
    x, y = (np.zeros((count, 3), np.int64) for _ in range(2))
    window = np.zeros((2, count, 3), np.float32)
    x[:, :corners], y[:, :corners] = (np.floor(places[..., a] * 256 + 0.5) for a in range(2))
    window[0, :, :corners] = places[..., 0]
    window[1, :, :corners] = SIZE - places[..., 1] if flip else places[..., 1]
    out = (np.empty(4096, np.int32), *(np.empty(4096, np.uint16) for _ in range(3)))
    scratch = np.zeros((2, SIZE + 2), np.int32)
    shapes = Shapes(corners, snapped, x, y, window[0], window[1], np.full(count, extent, np.float32))
    flip_height = SIZE if flip else 0
    following, quads = cover(0, shapes, np.ones(count, bool), np.array(box), flip_height, tuple(scratch), out)
    assert following == count
    order = [(p, y, x) for p, x, y in zip(*(column[:quads].tolist() for column in out[:3]), strict=True)]
    assert order == sorted(order)
    image = np.zeros((SIZE, SIZE), np.int64)
    for _, qx, qy, mask in zip(*(column[:quads] for column in out), strict=True):
        assert mask
        for lane in range(4):
            if mask >> lane & 1:
                image[2 * qy + (lane >> 1), 2 * qx + (lane & 1)] += 1
    return image


def by_definition(triangle: list[tuple[int, int]]) -> NDArray[np.int64]:
    """Pixels whose centre lies inside, on a left or on a lower edge; corners in 1/256 pixel."""
    (ax, ay), (bx, by), (cx, cy) = triangle
    if (bx - ax) * (cy - ay) - (cx - ax) * (by - ay) < 0:
        (bx, by), (cx, cy) = (cx, cy), (bx, by)
    image = np.zeros((SIZE, SIZE), np.int64)
    for row in range(SIZE):
        for column in range(SIZE):
            px, py = column * 256 + 128, row * 256 + 128
            inside = True
            for (x0, y0), (x1, y1) in (((ax, ay), (bx, by)), ((bx, by), (cx, cy)), ((cx, cy), (ax, ay))):
                side = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)
                left_or_low = y1 < y0 or (y1 == y0 and x1 > x0)
                inside &= side > 0 or (side == 0 and left_or_low)
            image[row, column] = inside
    return image


coordinate = st.one_of(
    st.integers(-600, 6800), st.integers(-2, 26).map(lambda v: v * 256 + 128), st.integers(-(1 << 22), 1 << 22)
)
corner = st.tuples(coordinate, coordinate)


@settings(max_examples=300)
@given(st.lists(corner, min_size=3, max_size=3))
def test_triangles_cover_what_the_top_left_rule_says(corners: list[tuple[int, int]]) -> None:
    (ax, ay), (bx, by), (cx, cy) = corners
    if (bx - ax) * (cy - ay) == (cx - ax) * (by - ay):
        return
    np.testing.assert_array_equal(covered([(x / 256, y / 256) for x, y in corners]), by_definition(corners))


@given(st.lists(corner, min_size=4, max_size=4, unique=True))
def test_triangles_sharing_an_edge_cover_each_pixel_once(corners: list[tuple[int, int]]) -> None:
    a, b, c, d = corners
    sides = [Fraction((b[0] - a[0]) * (p[1] - a[1]) - (p[0] - a[0]) * (b[1] - a[1])) for p in (c, d)]
    if sides[0] * sides[1] >= 0:
        return
    image = covered([(x / 256, y / 256) for x, y in (a, b, c, b, a, d)])
    assert image.max() <= 1


@pytest.mark.parametrize("flip", [False, True])
def test_a_rectangle_of_two_triangles_covers_its_pixels(flip: bool) -> None:
    corners = [(2, 3), (10, 3), (10, 9), (2, 3), (10, 9), (2, 9)]
    expected = np.zeros((SIZE, SIZE), np.int64)
    expected[3:9, 2:10] = 1
    for snapped in (True, False):
        np.testing.assert_array_equal(covered(corners, snapped=snapped, flip=flip), expected)


def test_nothing_outside_the_box_is_covered() -> None:
    image = covered([(-40, -40), (60, -40), (-40, 90)], box=(3, 5, 7, 6))
    assert image.sum() == 4
    assert image[5, 3:7].tolist() == [1, 1, 1, 1]


def test_unsnapped_triangles_differ_only_where_an_edge_meets_a_centre() -> None:
    random = np.random.default_rng(5)
    for _ in range(200):
        corners = random.integers(-1024, 5120, (3, 2))
        (ax, ay), (bx, by), (cx, cy) = corners.tolist()
        if (bx - ax) * (cy - ay) == (cx - ax) * (by - ay):
            continue
        points = [(x / 256, y / 256) for x, y in corners.tolist()]
        for row, column in np.argwhere(covered(points, snapped=False) != covered(points)):
            px, py = column * 256 + 128, row * 256 + 128
            sides = [
                (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)
                for (x0, y0), (x1, y1) in (((ax, ay), (bx, by)), ((bx, by), (cx, cy)), ((cx, cy), (ax, ay)))
            ]
            assert min(abs(side) for side in sides) == 0


def test_a_point_covers_its_square() -> None:
    assert covered([(5.5, 7.5)], corners=1, extent=1).nonzero() == (np.array([7]), np.array([5]))
    image = covered([(8, 8)], corners=1, extent=4)
    assert image.sum() == 16
    assert image[6:10, 6:10].all()


def test_lines_step_along_their_longer_axis() -> None:
    flat = covered([(1.5, 2.5), (9.5, 4.5)], corners=2, extent=1)
    assert flat.sum() == 8
    assert (flat.sum(0)[1:9] == 1).all()
    steep = covered([(3.5, 12.5), (4.5, 2.5)], corners=2, extent=1)
    assert steep.sum() == 10
    assert covered([(1.5, 8.5), (9.5, 8.5)], corners=2, extent=3).sum() == 24


def test_joined_lines_share_no_pixel() -> None:
    image = covered([(1.5, 1.5), (8.5, 3.5), (8.5, 3.5), (14.5, 9.5)], corners=2, extent=1)
    assert image.max() == 1
