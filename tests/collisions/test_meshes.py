"""World-space meshes of recorded scenes are those that the application meant."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.collisions.meshes import CollidingObject, Meshes
from tilegpu.collisions.triangles import triangles
from tilegpu.functional.activity import Activity, ActivityError
from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record

from .scenes import CUBE, CUBE_FACES, moved, recorded

A, B = "collisionable:a", "collisionable:b"


def objects(folder: Path, **options: str) -> list[dict[str, CollidingObject]]:
    """Objects of each frame by name."""
    return [{thing.name: thing for thing in things} for _, things in Meshes(Activity(folder), **options).frames()]


def transformed(matrix: np.ndarray) -> np.ndarray:
    """The cube where a matrix puts it."""
    return CUBE @ matrix[:3, :3].T + matrix[:3, 3]


def test_vertices_are_in_world_space(tmp_path: Path) -> None:
    places = [
        {A: moved(3, 1, turn=0.5), "world": moved(9), B: moved(-2, scale=2)},
        {A: moved(4), B: moved(-2, scale=2)},
    ]
    folder = recorded(tmp_path, [list(frame.items()) for frame in places])
    found = objects(folder, world_matrix="bones[1],u_world")
    for frame, expected in zip(found, places, strict=True):
        assert list(frame) == [A, B]
        for name, thing in frame.items():
            assert thing.positions.dtype == np.float32
            np.testing.assert_allclose(thing.positions, transformed(expected[name]), atol=1e-6)
            np.testing.assert_array_equal(thing.triangles, CUBE_FACES)
    assert found[0][A].shape == found[0][B].shape == found[1][A].shape


def test_draws_of_one_label_are_one_mesh_and_a_part_drawn_twice_counts_once(tmp_path: Path) -> None:
    wheel = f"{A}/wheel"
    folder = recorded(tmp_path, [[(A, moved(0)), (wheel, moved(5)), (A, moved(0))]])
    ((thing,),) = [frame.values() for frame in objects(folder, world_matrix="u_world")]
    np.testing.assert_allclose(thing.positions, np.concatenate([CUBE, CUBE + (5, 0, 0)]))
    assert thing.triangles.max() == 15
    (frame,) = objects(folder, world_matrix="u_world", grouping="draw")
    assert [(name, len(thing.positions)) for name, thing in frame.items()] == [(A, 8), (wheel, 8), (f"{A} #2", 8)]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "u_view, u_world"),
        ({"world_matrix": "u_wrld"}, "u_view, u_world"),
        ({"world_matrix": "u_world[1]"}, "u_world"),
        ({"world_matrix": "u_world", "position": "p"}, "tint, a_position"),
    ],
)
def test_what_cannot_be_found_is_told(tmp_path: Path, options: dict[str, str], told: str) -> None:
    folder = recorded(tmp_path, [[(A, moved(0))]])
    with pytest.raises(ActivityError, match=told) as error:
        objects(folder, **options)
    assert "\n" not in str(error.value)


def test_an_activity_without_attributes_or_without_collisionable_objects(tmp_path: Path) -> None:
    with pytest.raises(ActivityError, match="--with inputs"):
        objects(recorded(tmp_path, [[(A, moved(0))]], frozenset()), world_matrix="u_world")
    (tmp_path / "none").mkdir()
    with pytest.raises(ActivityError, match="--collisionable PATTERN"):
        objects(recorded(tmp_path / "none", [[("world", moved(0))]]), world_matrix="u_world")


def test_vertices_that_are_no_numbers(tmp_path: Path) -> None:
    with pytest.raises(ActivityError, match="no number"):
        objects(recorded(tmp_path, [[(A, moved(np.nan))]]), world_matrix="u_world")


def fixed_function(path: Path, perspective: bool, uneven: bool = False) -> list[np.ndarray]:
    """Two cubes of OpenGL ES 1.1, turned and moved, in front of the eye; returns them in the eye's space."""
    expected = []
    with Recorder(path, 16, 16, 1) as r:
        r.glMatrixMode(0x1701)
        if perspective:
            r.glFrustumf(-0.2, 0.3, -0.1, 0.25, 0.5, 50.0)
        r.glMatrixMode(0x1700)
        r.glEnableClientState(0x8074)
        r.glVertexPointer(3, 0x1406, 0, CUBE[CUBE_FACES.reshape(-1)])
        for number, name in enumerate((A, B)):
            r.glLoadIdentity()
            r.glTranslatef(number, 2, -6)
            r.glRotatef(90 * number, 0, 0, 1)
            r.glScalef(2, 2 + 3 * number * uneven, 2)
            r.glPushGroupMarkerEXT(0, name)
            r.glDrawArrays(4, 0, CUBE_FACES.size)
            r.glPopGroupMarkerEXT()
            matrix = moved(number, 2, -6, np.pi / 2 * number, 2)
            expected.append(transformed(matrix)[CUBE_FACES.reshape(-1)])
        r.swap()
    record(path, path.parent / "activity", groups=frozenset({"inputs"}))
    return expected


@pytest.mark.parametrize("perspective", [False, True])
def test_fixed_functions_need_no_name_and_give_the_eyes_space(tmp_path: Path, perspective: bool) -> None:
    expected = fixed_function(tmp_path / "scene.trace", perspective)
    (found,) = objects(tmp_path / "activity")
    for thing, positions in zip(found.values(), expected, strict=True):
        np.testing.assert_allclose(thing.positions, positions, atol=2e-5)
        assert len(thing.triangles) == 12


def test_an_uneven_scale_cannot_be_told_from_another_projection(tmp_path: Path) -> None:
    fixed_function(tmp_path / "scene.trace", True, uneven=True)
    with pytest.raises(ActivityError, match="scaled unevenly"):
        objects(tmp_path / "activity")


def test_triangles_of_strips_and_fans() -> None:
    stream = np.array([0, 1, 2, 3, -1, 4, 5, 6])
    assert triangles("TRIANGLE_STRIP", stream).tolist() == [[0, 1, 2], [2, 1, 3], [4, 5, 6]]
    assert triangles("TRIANGLE_FAN", stream).tolist() == [[0, 1, 2], [0, 2, 3], [4, 5, 6]]
    assert triangles("TRIANGLES", np.arange(7)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert triangles("LINES", np.arange(4)).shape == (0, 3)
