"""Meshes and primitives: as many as asked, and closed where they should be."""

from dataclasses import replace

import numpy as np
import pytest

from tilegpu.tools.workloads.budget import LARGEST_TENTH, allot, share_of_largest_tenth
from tilegpu.tools.workloads.draw_order import front_to_back
from tilegpu.tools.workloads.geometry import box, exactly
from tilegpu.tools.workloads.make import family_of
from tilegpu.tools.workloads.ranks import ranks_mesh
from tilegpu.tools.workloads.scene import Layer, Place, Ranked, clock
from tilegpu.tools.workloads.scene_layout import lay_out
from tilegpu.tools.workloads.shapes import FLAT, MAKERS, fewest, shape
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
    least = [thing.ranked.fewest if thing.ranked else fewest(thing.shape) for thing in things]
    assert all(count >= few for count, few in zip(primitives, least, strict=True))
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
def test_ranks_hide_each_other_from_the_back_and_all_over_the_screen(name: str) -> None:
    twin = find_twin(name)
    twin = replace(twin, solved=replace(twin.solved, painted=3, painted_area=0.2, disorder=1.0))
    world, things = lay_out(twin, family_of(twin))
    drawn = [things[i] for i in front_to_back(things, world, twin, 0.0)]
    places = {thing.label: place for place, thing in enumerate(drawn)}
    painted = [thing for thing in drawn if thing.layer is Layer.PAINTED]
    assert [thing.label for thing in painted] == ["rank 0", "rank 1", "rank 2"]
    first = [places[thing.label] for thing in drawn if thing.layer in (Layer.OPAQUE, Layer.GROUND, Layer.FAR)]
    assert max(places[thing.label] for thing in painted) < min(first)
    assert places["sky"] > max(first) if twin.sky_last else places["sky"] == 0
    # Piece by piece what is drawn later is nearer, and in every quarter of the screen there are some.
    depths = np.array([[place.z for place in thing.ranked.places] for thing in painted if thing.ranked])
    assert (np.diff(depths, axis=0) < 0).all()
    assert depths[0].max() - depths[0].min() > 0.01
    quarters = {(place.x > 0, place.y > -0.5) for place in painted[0].ranked.places if painted[0].ranked}
    assert len(quarters) == 4


@pytest.mark.parametrize("parts", [1, 4])
def test_pieces_take_their_share_of_the_screen(parts: int) -> None:
    places = tuple(Place(x, -0.9 + 0.6 * i, 0.9 - 0.1 * i, i, False) for i, x in enumerate((-0.6, 0.0, 0.6)))
    mesh = ranks_mesh(Ranked(places, 0.06, parts), 203 * parts, 0)
    assert len(mesh.triangles) == 203 * parts
    corner = mesh.position[mesh.triangles]
    area = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])[:, 2:], axis=1) / 2
    # The screen is 2 x 2; each part takes the share once.
    assert area.sum() / 4 == pytest.approx(0.06 * parts)
    assert abs(mesh.position[:, :2]).max() <= 1
    # Triangles of a piece come from the back to the front.
    for place in places:
        mine = np.abs(corner[:, 0, 2] - place.z) < 0.05
        depths = corner[mine, 0, 2]
        assert len(set(depths)) == parts
        assert (np.diff(depths) <= 0).all()


def test_what_is_sorted_follows_from_the_front() -> None:
    twin = find_twin("003-captain")
    twin = replace(twin, solved=replace(twin.solved, disorder=0.0))
    world, things = lay_out(twin, family_of(twin))
    drawn = [things[i] for i in front_to_back(things, world, twin, 0.0)]
    _, eye = world.camera(0.0)
    opaque = [thing for thing in drawn if thing.layer is Layer.OPAQUE and not thing.on_screen]
    distances = [float(np.linalg.norm(thing.pose(0.0)[:3, 3] - eye)) for thing in opaque]
    assert len(distances) > 2
    assert distances == sorted(distances)
    layers = [thing.layer for thing in drawn]
    assert layers.index(Layer.GROUND) > layers.index(Layer.OPAQUE)


def test_heroes_stand_as_the_crowd_says() -> None:
    twin = find_twin("003-temple")
    _, things = lay_out(twin, family_of(twin))
    heroes = [thing for thing in things if thing.role == "hero"]
    assert len(heroes) == 1 + twin.crowd.followers == 3
    # Towards the eye, which is at z = 6.6.
    depths = [hero.pose(0.0)[2, 3] for hero in heroes]
    assert depths == sorted(depths)
    assert depths[-1] < 6.6


def test_phases_begin_where_the_twin_says() -> None:
    twin = find_twin("001-csn")
    twin = replace(twin, motion=replace(twin.motion, camera=0.5, period=20, start=15))
    moved = [clock(twin)(float(t)) for t in range(30)]
    # At frame 15 of a phase it stands still for five more frames, then it moves for ten and stands for ten.
    steps = np.diff(moved)
    assert steps.tolist() == [0.0] * 5 + [1.0] * 10 + [0.0] * 10 + [1.0] * 4
