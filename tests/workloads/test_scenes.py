"""Meshes and primitives: as many as asked, and closed where they should be."""

import numpy as np
import pytest

from tilegpu.tools.workloads.budget import LARGEST_TENTH, allot, share_of_largest_tenth
from tilegpu.tools.workloads.geometry import box, exactly
from tilegpu.tools.workloads.make import family_of
from tilegpu.tools.workloads.scene import lay_out
from tilegpu.tools.workloads.shapes import FLAT, MAKERS, fewest, shape
from tilegpu.tools.workloads.solved import Solved
from tilegpu.tools.workloads.twin import TwinError
from tilegpu.tools.workloads.twin_files import find_twin, twin_names


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_shapes_have_exactly_as_many_triangles_as_asked(name: str) -> None:
    least = fewest(name)
    for triangles in (least, least + 1, least + 17, 317, 2000):
        mesh = shape(name, triangles)
        assert len(mesh.triangles) == triangles
        assert mesh.triangles.max() < len(mesh.position)
        assert np.isfinite(mesh.position).all()
    assert least <= 80


@pytest.mark.parametrize("name", sorted(set(MAKERS) - FLAT))
def test_closed_shapes_face_outwards(name: str) -> None:
    mesh = shape(name, 600)
    corner = mesh.position[mesh.triangles]
    face = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    # What a closed surface encloses is positive where its triangles are counter-clockwise seen from outside.
    assert np.einsum("ij,ij->i", corner[:, 0], face).sum() > 0
    along = np.einsum("ij,ij->i", face, mesh.normal[mesh.triangles].sum(axis=1))
    assert (along >= -1e-9).mean() > 0.9


def test_splitting_keeps_the_surface() -> None:
    def area(mesh: object) -> float:
        corner = mesh.position[mesh.triangles]  # type: ignore[attr-defined]
        return float(
            np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1).sum() / 2
        )

    assert area(box()) == pytest.approx(24)
    assert area(exactly(box(), 101)) == pytest.approx(24)


@pytest.mark.parametrize("name", [name for name in twin_names() if not find_twin(name).is_model])
def test_every_twin_has_its_draws_and_primitives(name: str) -> None:
    twin = find_twin(name)
    _, things = lay_out(twin, family_of(twin))
    primitives = allot(things, twin.solved)
    assert (len(things), sum(primitives)) == (twin.solved.draws, twin.solved.primitives)
    assert all(count >= fewest(thing.shape) for count, thing in zip(primitives, things, strict=True))
    assert share_of_largest_tenth(primitives) >= 0.5
    labels = [thing.label for thing in things]
    assert len(set(labels)) == len(labels)
    assert {thing.image for thing in things} <= set(lay_out(twin, family_of(twin))[0].palette)


def test_too_few_primitives_are_told() -> None:
    twin = find_twin("000-bbr")
    _, things = lay_out(twin, family_of(twin))
    with pytest.raises(TwinError, match="need .* at least"):
        allot(things, Solved(draws=len(things), primitives=100))


def test_half_of_the_primitives_in_a_tenth_of_the_draws() -> None:
    assert share_of_largest_tenth([10] + [1] * 9) == 10 / 19
    assert share_of_largest_tenth([1] * 11) == 2 / 11
    assert LARGEST_TENTH > 0.5


def _box(pose: np.ndarray, mesh: object) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest coordinates of a mesh in the world."""
    place = mesh.position @ pose[:3, :3].T + pose[:3, 3]  # type: ignore[attr-defined]
    return place.min(axis=0), place.max(axis=0)


@pytest.mark.parametrize("name", ["003-captain", "003-crazy", "003-sleepy", "003-temple"])
def test_things_run_into_each_other_now_and_then(name: str) -> None:
    twin = find_twin(name)
    _, things = lay_out(twin, family_of(twin))
    solid = [thing for thing in things if thing.shape not in FLAT and not thing.on_screen]
    meshes = {thing.label: shape(thing.shape, 400, thing.variant) for thing in solid}
    heroes = [thing for thing in solid if thing.role == "hero"]
    meetings = []
    for t in range(60):
        boxes = {thing.label: _box(thing.pose(float(t)), meshes[thing.label]) for thing in solid}
        met = 0
        for hero in heroes:
            low, high = boxes[hero.label]
            others = [box for label, box in boxes.items() if label != hero.label]
            met += sum(bool(((low < b) & (a < high)).all()) for a, b in others)
        meetings.append(met)
    assert max(meetings) > 0
    assert min(meetings) < max(meetings)
