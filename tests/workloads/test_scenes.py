"""Meshes and primitives: as many as asked, and closed where they should be."""

from dataclasses import replace

import numpy as np
import pytest

from tilegpu.tools.workloads.budget import LARGEST_TENTH, allot, share_of_largest_tenth
from tilegpu.tools.workloads.draw_order import front_to_back
from tilegpu.tools.workloads.geometry import box, exactly
from tilegpu.tools.workloads.make import family_of
from tilegpu.tools.workloads.scene import Layer
from tilegpu.tools.workloads.scene_layout import lay_out
from tilegpu.tools.workloads.shapes import FLAT, FOLDS, MAKERS, fewest, shape
from tilegpu.tools.workloads.solved import Solution
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
        allot(things, Solution(draws=len(things), primitives=100))


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


@pytest.mark.parametrize("name", ["003-striker", "003-300"])
def test_unordered_games_paint_hidden_layers_from_the_back(name: str) -> None:
    twin = find_twin(name)
    twin = replace(twin, solved=replace(twin.solved, painted=3, painted_area=0.2))
    world, things = lay_out(twin, family_of(twin))
    drawn = [things[i] for i in front_to_back(things, world, twin, 0.0)]
    places = {thing.label: place for place, thing in enumerate(drawn)}
    painted = [thing for thing in drawn if thing.layer is Layer.PAINTED]
    depths = [thing.pose(0.0)[2, 3] for thing in painted]
    assert len(painted) == 3
    assert depths == sorted(depths, reverse=True)
    opaque = [places[thing.label] for thing in drawn if thing.layer in (Layer.OPAQUE, Layer.GROUND, Layer.FAR)]
    assert max(places[thing.label] for thing in painted) < min(opaque)
    # What is drawn first is behind all that follows, so that it is hidden where anything covers it.
    assert depths[-1] > max(thing.pose(0.0)[2, 3] for thing in drawn if thing.layer is Layer.FAR)
    assert places["sky"] > max(opaque) if twin.sky_last else places["sky"] == 0


def test_parts_of_a_canopy_lie_one_before_the_other() -> None:
    """Each has the outline of the first, and comes nearer: as the canopy's pose maps z, to smaller depths."""
    mesh = shape("canopy", 64)
    parts = mesh.position.reshape(FOLDS, -1, 3)
    assert np.array_equal(parts[0, :, :2], parts[-1, :, :2])
    assert np.array_equal(parts[:, 0, 2], np.linspace(0, 1, FOLDS))
    # Triangles come part by part, the hindmost first.
    of_part = mesh.triangles[:, 0] // len(parts[0])
    assert np.array_equal(of_part, np.sort(of_part))


def test_heroes_stand_as_the_crowd_says() -> None:
    twin = find_twin("003-temple")
    _, things = lay_out(twin, family_of(twin))
    heroes = [thing for thing in things if thing.role == "hero"]
    assert len(heroes) == 1 + twin.crowd.followers == 3
    # Towards the eye, which is at z = 6.6.
    depths = [hero.pose(0.0)[2, 3] for hero in heroes]
    assert depths == sorted(depths)
    assert depths[-1] < 6.6
