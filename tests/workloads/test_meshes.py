"""Meshes as engines ship them: no triangle without area, ordered so that shaded vertices are used again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.tools.workloads.geometry import Mesh, ball, box, face_normals, lathe, lattice
from tilegpu.tools.workloads.shapes import MAKERS, OF_SHEETS, fewest, shape
from tilegpu.tools.workloads.vertex_order import QUEUE_VERTICES, ordered_for_reuse


def shaded_per_triangle(triangles: np.ndarray, queue: int = QUEUE_VERTICES) -> float:
    """Vertices shaded per triangle with a queue of so many vertices, first in, first out."""
    held: list[int] = []
    shaded = 0
    for vertex in triangles.reshape(-1).tolist():
        if vertex not in held:
            shaded += 1
            held = [*held[-(queue - 1) :], vertex]
    return shaded / max(1, len(triangles))


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_every_triangle_has_an_area(name: str) -> None:
    for count in (fewest(name), 300):
        mesh = shape(name, count)
        area = np.linalg.norm(face_normals(mesh.position, mesh.triangles), axis=1)
        assert area.min() > 1e-9


def test_a_pole_is_a_fan() -> None:
    """Two fans of 6 triangles, and a ring of squares between them."""
    profile = np.array([[0.0, -1.0], [1.0, -0.5], [1.0, 0.5], [0.0, 1.0]])
    assert len(lathe(profile, 6).triangles) == 6 + 12 + 6
    assert len(ball(12).triangles) == 12


def test_half_of_a_ball_and_of_a_box_faces_away() -> None:
    """So does no triangle seen edge-on, which neither culling nor coverage would count."""
    for mesh, facing in ((ball(400), 0.5), (box(12), 1 / 6)):
        normal = face_normals(mesh.position, mesh.triangles)
        assert np.mean(normal @ (0.0, 0.0, 1.0) > 1e-9) == pytest.approx(facing, abs=0.05)


@given(st.lists(st.lists(st.integers(0, 40), min_size=3, max_size=3, unique=True), max_size=120))
def test_ordering_moves_triangles_and_nothing_else(corners: list[list[int]]) -> None:
    triangles = np.array(corners, np.int64).reshape(-1, 3)
    ordered = ordered_for_reuse(triangles)
    assert sorted(map(tuple, ordered.tolist())) == sorted(map(tuple, triangles.tolist()))


def test_vertices_are_used_again() -> None:
    """Rows of 40 squares are longer than the queue: by rows each vertex is shaded twice, two for each triangle."""
    rows = lattice(40, 40)
    assert shaded_per_triangle(rows) > 1.9
    # A queue of 16 cannot do better than 0.5, all vertices but once.
    assert 0.5 < shaded_per_triangle(ordered_for_reuse(rows)) < 0.75


def test_the_queue_is_first_in_first_out() -> None:
    """Of two vertices 0 is shaded again when 1, 2, 3 have come after it, though it was used in between."""
    triangles = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1]])
    assert shaded_per_triangle(triangles, queue=4) == 4 / 3
    assert shaded_per_triangle(triangles, queue=3) == 6 / 3


@pytest.mark.parametrize("triangles", [8, 60, 1000])
def test_hills_leave_a_road_level(triangles: int) -> None:
    """What lies along the middle is not covered between the vertices either."""
    mesh = shape("hills", triangles)
    corner = mesh.position[mesh.triangles]
    over = (corner[..., 0].min(axis=1) < 0.065) & (corner[..., 0].max(axis=1) > -0.065)
    assert over.any()
    assert np.all(corner[over, :, 1] <= 0)


@pytest.mark.parametrize("name", sorted(OF_SHEETS))
def test_sprites_are_quads_that_share_no_vertices(name: str) -> None:
    usual, quads = shape(name, 320), shape(name, 320, quads=True)
    assert len(quads.triangles) == len(usual.triangles) == 320

    def area(mesh: Mesh) -> float:
        return float(np.linalg.norm(face_normals(mesh.position, mesh.triangles), axis=1).sum() / 2)

    assert area(quads) == pytest.approx(area(usual))
    # Two vertices for each triangle, but for the few that the number asks to be split.
    assert shaded_per_triangle(quads.triangles) > 1.9
    assert shaded_per_triangle(usual.triangles) < 1.5
