"""Textures of twins and their variants, what moves in which frames, how dense it is, and what is not solved for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.quick import quick_ones
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.record import record
from tilegpu.tools.workloads.budget import allot
from tilegpu.tools.workloads.calibration import calibrated
from tilegpu.tools.workloads.check import SAMPLES
from tilegpu.tools.workloads.etc1 import darker, encode
from tilegpu.tools.workloads.make import family_of, make
from tilegpu.tools.workloads.measure import MOMENTS, measure
from tilegpu.tools.workloads.scene import clock
from tilegpu.tools.workloads.scene_layout import lay_out
from tilegpu.tools.workloads.twin import TwinError
from tilegpu.tools.workloads.twin_checks import checked
from tilegpu.tools.workloads.twin_files import find_twin, twin_names
from tilegpu.tools.workloads.unsolved import NEVER, distances, unsolved
from tilegpu.tools.workloads.uploads import texture_key

PHASES = ["001-csn", "001-ter", "001-tib"]


def test_variants_change_textures_alone() -> None:
    twin = find_twin("000-bbr")
    found = find_twin("000-bbr+rgba8+unmipmapped")
    assert (found.name, found.texel_format, found.mipmaps) == ("000-bbr+rgba8+unmipmapped", "rgba8", False)
    assert {program.filter for program in found.solved.program.values()} <= {"nearest", "bilinear"}
    assert checked(replace(found, name="x")).targets == twin.targets
    assert find_twin("000-bbr+etc1+mipmapped") == replace(twin, name="000-bbr+etc1+mipmapped")
    with pytest.raises(TwinError, match="variant 'astc'"):
        find_twin("000-bbr+astc")


@pytest.mark.parametrize("name", quick_ones([name for name in twin_names() if name.startswith("002")], ("002-ibowl",)))
def test_fixed_functions_draw_the_same_scene(tmp_path: Path, name: str) -> None:
    """With two texture units, one sample, no filter between mipmaps; what does not give way stays near its target."""
    twin = find_twin(f"{name}+fixed")
    assert (twin.api, twin.samples, twin.targets) == ("es1", 1, find_twin(name).targets)
    assert all(p.textures <= 2 and p.filter in ("nearest", "bilinear") for p in twin.solved.program.values())
    columns = measure(twin, SAMPLES).columns()
    for column in ("primitives_per_draw", "attributes_per_primitive", "texels_per_fragment", "survivors_per_pixel"):
        assert columns[column] == pytest.approx(twin.targets[column], rel=0.1), column
    with pytest.raises(TwinError, match="models are drawn with es2"):
        find_twin("004-w1+fixed")


def test_windows_of_sixteen_bits(tmp_path: Path) -> None:
    sizes = {}
    for name in ("002-angryfrogs", "002-angryfrogs+window-rgba8"):
        make(find_twin(name).at(64, 48), tmp_path / "a.trace", [30])
        record(tmp_path / "a.trace", tmp_path / "activity", replace=True)
        rows = Activity(tmp_path / "activity").table("surfaces", ["kind", "block_bytes"]).to_pylist()
        sizes[name] = {row["block_bytes"] for row in rows if row["kind"].startswith("default")}
    assert list(sizes.values()) == [{2}, {4}]


def test_formats_are_uploaded(tmp_path: Path) -> None:
    for name, compressed in (("000-cra", True), ("000-cra+rgba8", False)):
        make(replace(find_twin(name), texture_scale=0.25).at(120, 80), tmp_path / "a.trace", [30])
        record(tmp_path / "a.trace", tmp_path / "activity", replace=True)
        rows = Activity(tmp_path / "activity").table("surfaces", ["kind", "block_width"]).to_pylist()
        widths = {row["block_width"] for row in rows if row["kind"] == "texture_2d"}
        assert (4 in widths) == compressed


def test_textures_of_any_size_are_clamped_and_have_one_level(tmp_path: Path) -> None:
    twin = replace(find_twin("000-ccs"), any_size=True, texture_scale=0.3).at(120, 80)
    make(checked(twin), tmp_path / "a.trace", [30])
    record(tmp_path / "a.trace", tmp_path / "activity")
    rows = Activity(tmp_path / "activity").table("surfaces", ["kind", "levels"]).to_pylist()
    levels = [row["levels"] for row in rows if row["kind"] == "texture_2d"]
    assert all(len(of) == 1 for of in levels)
    widths = {of[0]["width"] for of in levels}
    # Images of 1024, 512 and 256 texels at that scale.
    assert {307, 154, 77} <= widths
    _, things = lay_out(twin, family_of(twin))
    assert all(max(thing.repeat) <= 1 for thing in things if not thing.label.startswith("veil"))
    with pytest.raises(TwinError, match="any_size"):
        checked(replace(find_twin("000-bbr"), any_size=True))


def test_own_images_are_those_of_fewer_and_some_more() -> None:
    twin = find_twin("000-mcs")
    _, things = lay_out(twin, family_of(twin))

    def keys(share: float) -> set[object]:
        changed = replace(twin, solved=replace(twin.solved, own_images=share))
        return {texture_key(changed, thing, 0) for thing in things}

    owners = [{key[3] for key in keys(share)} - {""} for share in (0.0, 0.5, 1.0)]
    assert owners[0] == set() and owners[1] < owners[2] == {thing.label for thing in things}


def test_layers_show_strips_that_do_not_overlap() -> None:
    twin = find_twin("000-bbr")
    world, things = lay_out(replace(twin, solved=replace(twin.solved, far=6)), family_of(twin))
    strips = [(thing.variant, thing.corner[1]) for thing in things if thing.role == "far"]
    assert len(set(strips)) == len(strips) == 6
    assert {thing.repeat for thing in things if thing.role == "far"} == {(1, 0.25)}
    assert world.palette["sky"].size == 1024


def test_darker_blocks_have_darker_colours() -> None:
    white = np.full((4, 4, 4), 255, np.uint8)
    before, after = (
        np.frombuffer(data, np.uint8) for data in (encode(white), darker(encode(white), np.array([0, 1, 3])))
    )
    assert (before[:3] == 0xFF).all()
    assert after[:3].tolist() == [0xFF, 0xEE, 0xCC]
    assert (after[3:] == before[3:]).all()


@pytest.mark.parametrize("name", PHASES)
def test_eight_moments_stand_for_the_phases(name: str) -> None:
    time = clock(find_twin(name))
    still = [time(moment) == time(moment - 2) for moment in MOMENTS]
    all_still = [time(t) == time(t - 2) for t in range(60, 120)]
    assert sum(still) == 1
    assert np.mean(still) == pytest.approx(np.mean(all_still), abs=0.02)


def test_games_stand_still_in_different_frames() -> None:
    """And abi hardly at all: the paper has a small percentage of its tiles equal."""
    still = {}
    for name in (*PHASES, "001-abi"):
        time = clock(find_twin(name))
        still[name] = [t for t in range(60) if time(t) == time(t - 2)]
    assert not set(still["001-abi"]) & set(MOMENTS)
    assert 0 < len(still["001-abi"]) < 0.05 * 60
    moments = [set(still[name]) & set(MOMENTS) for name in PHASES]
    assert len(set.union(*moments)) == len(PHASES)


def test_equal_inputs_of_a_moving_and_a_still_frame() -> None:
    twin = find_twin("001-csn")
    twin = twin.at(twin.width // 2, twin.height // 2)
    inputs = []
    for moment in (MOMENTS[2], MOMENTS[1]):
        columns = measure(twin, [(moment - 2.0, moment - 1.0, float(moment))], pictures=True).columns()
        inputs.append(columns["equal_input_tiles_distance_2"])
        assert columns["equal_color_tiles_distance_2"] > 0.2
    assert inputs[0] < 0.02 and inputs[1] > 0.85


def test_density_of_moving_sprites() -> None:
    twin = find_twin("001-cde")
    _, things = lay_out(twin, family_of(twin))

    def dense(density: float) -> float:
        count = np.array(allot(things, twin.solved, density), float)
        assert count.sum() == twin.solved.primitives
        area = np.array([abs(np.linalg.det(thing.pose(0.0)[:2, :2])) for thing in things])
        moves = np.array([thing.moves for thing in things])
        stands = np.array([thing.layer == 0 for thing in things]) & ~moves
        return float(count[moves].sum() / area[moves].sum() / (count[stands].sum() / area[stands].sum()))

    assert dense(1.0) == pytest.approx(1, rel=0.05)
    assert dense(3.0) == pytest.approx(3, rel=0.05)


def test_what_is_set_is_told_with_its_place() -> None:
    found = {one.name: one for one in calibrated(find_twin("001-coc"))}
    assert found["solved.primitives"].value == 10180
    assert "Table 3.2" in found["solved.primitives"].place
    assert calibrated(find_twin("000-rok"))[0].place.startswith("Parallel Tile Rendering")
    with pytest.raises(TwinError, match="calibrated_on.heat"):
        checked(replace(find_twin("000-rok"), calibrated_on={"heat": "nowhere"}))


def test_distances_count_other_blocks() -> None:
    assert distances(np.array([7, 8, 7, 7, 9, 8, 7])).tolist() == [NEVER, NEVER, 1, 0, NEVER, 2, 2]


def test_unsolved_columns_of_a_quad(small: Path, tmp_path: Path) -> None:
    from tilegpu.tools.workloads.twin_files import read_twin

    make(read_twin(small), tmp_path / "a.trace", 1)
    record(tmp_path / "a.trace", tmp_path / "activity")
    found = unsolved(tmp_path / "activity")
    assert 0 <= found["near_reuse"] <= 1
    assert found["small_primitive"] <= found["middle_primitive"] <= found["large_primitive"]
    assert 0.1 <= found["busiest_tenth"] <= 1
