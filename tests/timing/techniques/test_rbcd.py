"""Render-Based Collision Detection on small scenes whose collisions are known, against plain Python, and against cycles
counted by hand."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_machines import random_overrides
from slabs import FRONT, SIZE, Slab, random_slabs, record_slabs

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import ConfigurationError, load_configuration
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.results.meter import technique_rows
from tilegpu.timing.results.own_pictures import OwnPictures
from tilegpu.timing.techniques.rbcd import zebs as lists
from tilegpu.timing.techniques.rbcd.state import INSERTION, NAME, TEST

pytestmark = pytest.mark.engine("rbcd")

RBCD = "techniques=rbcd"
TILES = (SIZE // 32) ** 2
SCREEN = SIZE * SIZE
STEPS = (1 << 18) - 1
Hit = tuple[int, int, str, str, int, int, bool]


class Collided:
    """Frames of slabs on a machine with an RBCD unit, and what it found."""

    def __init__(
        self, machine: Any, folder: Path, frames: list[list[Slab]], *settings: str, check: bool = True
    ) -> None:
        gpu = machine(RBCD, *settings)
        loader = Loader(record_slabs(folder, frames), gpu.chip.configuration)
        own = OwnPictures(loader.source, gpu.chip)
        self.stats: list[dict[str, float]] = []
        self.rows: list[list[dict[str, Any]]] = []
        for number in loader.frames:
            frame = loader.load(number)
            self.stats.append(gpu.run(frame))
            self.rows.append(technique_rows(gpu.chip, frame, number)["collisions"].to_pylist())
            pictures = own.check(number, frame)
            assert pictures["pictures.pixels"] == SCREEN
            assert pictures["pictures.different_pixels"] == 0

    def hits(self, frame: int = 0) -> Counter[Hit]:
        """What it found in a frame."""
        return Counter(
            (
                row["x"],
                row["y"],
                row["label_a"],
                row["label_b"],
                round(row["z_front"] * STEPS),
                round(row["z_back"] * STEPS),
                row["overflow"],
            )
            for row in self.rows[frame]
        )

    def pairs(self, frame: int = 0) -> set[tuple[str, str]]:
        """Pairs of objects of a frame."""
        return {(row["label_a"][-1], row["label_b"][-1]) for row in self.rows[frame]}


def analysis(slabs: list[Slab], length: int = 8, stack: int = 8, **choices: bool) -> Counter[Hit]:
    """Collisions of a frame as 5.2.4 and 5.2.5 find them, pixel by pixel."""
    found: Counter[Hit] = Counter()
    numbers: dict[str, int] = {}
    for slab in slabs:
        if slab.collisionable:
            numbers.setdefault(f"collisionable:{slab.label}", len(numbers))
    for y in range(SIZE):
        for x in range(SIZE):
            here = [slab for slab in slabs if slab.collisionable and slab.covers(x, y)]
            arrived = [
                (int((slab.near if side == FRONT else slab.far) * STEPS + 0.5), side, f"collisionable:{slab.label}")
                for slab in here
                for side in slab.sides
            ]
            ordered: list[tuple[int, int, str]] = []
            overflow = False
            for element in arrived:
                key = (lambda e: e[:2]) if choices.get("front_first") else (lambda e: e[:1])
                ordered.insert(bisect_right([key(e) for e in ordered], key(element)), element)
                overflow |= len(ordered) > length
                del ordered[length:]
            for face, back in _overlaps(ordered, stack, choices.get("from_viewer", False)):
                if face[2] != back[2]:
                    a, b = sorted((face[2], back[2]), key=lambda name: numbers[name])
                    found[x, y, a, b, face[0], back[0], overflow] += 1
    return found


def _overlaps(ordered: list[Any], entries: int, from_viewer: bool) -> list[tuple[Any, Any]]:
    stack: list[list[Any]] = []
    found = []
    for element in ordered:
        if element[1] == FRONT:
            if len(stack) < entries:
                stack.append([element, False])
            continue
        matching = [i for i, (face, matched) in enumerate(stack) if not matched and face[2] == element[2]]
        if matching:
            stack[matching[0]][1] = True
            found += [(face, element) for face, _ in stack[matching[0] + 1 :]]
        elif from_viewer:
            found += [(face, element) for face, _ in stack]
    return found


@pytest.mark.parametrize(
    ("one", "other", "collides"),
    [((0.1, 0.3), (0.5, 0.7), False), ((0.1, 0.5), (0.3, 0.7), True), ((0.1, 0.7), (0.3, 0.5), True)],
    ids=["apart", "overlapping", "inside"],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_cases_of_figure_5_5(machine: Any, tmp_path: Path, one: Any, other: Any, collides: bool, swapped: bool) -> None:
    slabs = [Slab("A", *one, right=40), Slab("B", *other, left=20)]
    played = Collided(machine, tmp_path, [slabs[::-1] if swapped else slabs])
    assert played.pairs() == ({("B", "A") if swapped else ("A", "B")} if collides else set())
    # Only where both are.
    assert len(played.rows[0]) == (20 * SIZE if collides else 0)
    assert all(20 <= row["x"] < 40 for row in played.rows[0])
    assert played.stats[0][f"{TEST}.hits"] == len(played.rows[0])


def test_depths_and_labels_of_a_collision(machine: Any, tmp_path: Path) -> None:
    played = Collided(machine, tmp_path, [[Slab("A", 0.125, 0.5), Slab("B", 0.25, 0.75, 8, 16, 4, 12)]])
    assert played.hits() == {
        (x, y, "collisionable:A", "collisionable:B", round(0.25 * STEPS), round(0.5 * STEPS), False): 1
        for x in range(8, 16)
        for y in range(4, 12)
    }


def test_what_is_not_collisionable_goes_past_the_unit(machine: Any, tmp_path: Path) -> None:
    slabs = [Slab("A", 0.1, 0.5, collisionable=False), Slab("B", 0.3, 0.7)]
    played = Collided(machine, tmp_path, [slabs])
    assert not played.rows[0]
    stats = played.stats[0]
    assert stats[f"{INSERTION}.fragments"] == 2 * SCREEN
    # The far side of B is rasterized, and goes no further; that of A is culled as ever.
    plain = machine()
    before = plain.run(Loader(tmp_path / "activity", plain.chip.configuration).load(0))
    assert stats["raster.rasterizer.quads"] - before["raster.rasterizer.quads"] == stats[f"{NAME}.tagged_quads"]
    assert stats["raster.early_depth.quads"] == before["raster.early_depth.quads"]


@pytest.mark.parametrize("passes", ["screen", "all"])
def test_passes_that_count(machine: Any, tmp_path: Path, passes: str) -> None:
    slabs = [Slab("A", 0.1, 0.5), Slab("B", 0.3, 0.7)]
    played = Collided(machine, tmp_path, [slabs], f"technique.rbcd.passes={passes}")
    assert played.pairs() == {("A", "B")}


@pytest.mark.parametrize("seed", range(6))
def test_random_slabs_against_plain_python(machine: Any, tmp_path: Path, seed: int) -> None:
    frames = [random_slabs(np.random.default_rng(seed + 10 * i), 9) for i in range(2)]
    length, stack = ((8, 8), (4, 4), (16, 2))[seed % 3]
    choices = {"front_first": seed % 2 == 1, "from_viewer": seed >= 3}
    own = {
        "list_length": length, "stack_entries": stack, "zebs": 1 + seed % 4, "insertions_per_cycle": 1 + seed % 2 * 3,
        "equal_depths": "front_first" if choices["front_first"] else "arrival",
        "unmatched_back_faces": "from_viewer" if choices["from_viewer"] else "ignored",
    }  # fmt: skip
    more = [f"technique.rbcd.{name}={value}" for name, value in own.items()]
    played = Collided(machine, tmp_path, frames, f"raster_units={1 + seed % 2}", *more)
    for number, slabs in enumerate(frames):
        assert played.hits(number) == analysis(slabs, length, stack, **choices)
        fragments = sum(
            len(s.sides) * (s.right - s.left) * (s.top - s.bottom) for s in slabs if s.collisionable
        )  # fmt: skip
        stats = played.stats[number]
        assert stats[f"{INSERTION}.fragments"] == fragments
        assert stats[f"{TEST}.elements"] == fragments - stats[f"{INSERTION}.overflows"]
        assert (stats[f"{INSERTION}.overflows"] > 0) == any(hit[-1] for hit in played.hits(number)) or length < 16


class Register:
    """A list of a ZEB, for the insertion alone."""

    def __init__(self, length: int) -> None:
        self.list_length, self.front_first = length, 0
        self.element, self.length, self.overflowed = [0] * length, [0], [0]


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.integers(0, 1))))
def test_sorted_insertion(length: int, arriving: list[tuple[int, int, int]]) -> None:
    register = Register(length)
    kept: list[tuple[int, int, int]] = []
    lost = 0
    for z, number, side in arriving:
        lost += lists.insert(register, register, 0, lists.element_of(z, number, side))
        kept.insert(bisect_right([e[0] for e in kept], z), (z, number, side))
        del kept[length:]
    held = register.element[: register.length[0]]
    assert [(lists.depth_of(e), lists.object_of(e), lists.side_of(e)) for e in held] == kept
    assert lost == len(arriving) - len(kept)


def test_cycles_of_the_insertion(machine: Any, tmp_path: Path) -> None:
    # One fragment per cycle, whichever pixel it is of: no list comes again within three cycles.
    one = Collided(machine, tmp_path, [[Slab("A", 0.1, 0.5)]]).stats[0]
    fragments = 2 * SCREEN
    assert one[f"{INSERTION}.fragments"] == fragments
    assert one[f"{INSERTION}.same_pixel_waits"] == 0
    # The end of each tile takes a cycle, too.
    assert one[f"{INSERTION}.busy_cycles"] == fragments + TILES
    four = Collided(machine, tmp_path, [[Slab("A", 0.1, 0.5)]], "technique.rbcd.insertions_per_cycle=4").stats[0]
    # Quads on the diagonal of a rectangle come twice, with one or three fragments each: 2 x 16 for each side of a tile.
    assert four[f"{INSERTION}.fragments"] == fragments
    assert fragments / 4 < four[f"{INSERTION}.busy_cycles"] <= fragments / 4 + 4 * SIZE + TILES


@pytest.mark.parametrize(("handling", "waits"), [("wait", True), ("forward", False)])
def test_a_pixel_that_comes_again_waits(machine: Any, tmp_path: Path, handling: str, waits: bool) -> None:
    # Slabs of one pixel each: its list is on its way for three cycles, so every fragment after the first waits.
    frame = [Slab(f"{i}", 0.1, 0.2, 0, 1, 0, 1) for i in range(4)]
    stats = Collided(machine, tmp_path, [frame], f"technique.rbcd.same_pixel={handling}").stats[0]
    assert stats[f"{INSERTION}.fragments"] == 8
    if not waits:
        assert stats[f"{INSERTION}.same_pixel_waits"] == 0
    # The Rasterizer brings a primitive every few cycles: at most as many wait as there are others before them.
    assert stats[f"{INSERTION}.same_pixel_waits"] <= 7


def test_cycles_of_the_z_overlap_test(machine: Any, tmp_path: Path) -> None:
    side = 32
    # A fills the lower left tile; B overlaps it on 8 x 8 pixels.
    frame = [Slab("A", 0.1, 0.5, 0, side, 0, side), Slab("B", 0.3, 0.7, 8, 16, 8, 16)]
    stats = Collided(machine, tmp_path, [frame]).stats[0]
    lists_ = side * side
    elements = 2 * lists_ + 2 * 64
    assert stats[f"{TEST}.tiles"] == 1
    assert stats[f"{TEST}.lists"] == stats[f"{TEST}.lists_with_fragments"] == lists_
    assert stats[f"{TEST}.elements"] == elements
    assert stats[f"{TEST}.hits"] == 64
    # A cycle to read each list, one for each element, a pair in the cycle of its element; one to free the ZEB. Four
    # pairs of 16 bytes make a line, which is sent beside that.
    assert stats[f"{TEST}.lines"] == 16
    assert stats[f"{TEST}.busy_cycles"] == lists_ + elements + 1
    assert stats["memory.dram.write_bytes.collisions"] == 64 * 16


@pytest.mark.parametrize(("empty", "cycles"), [(0, 0), (1, 32 * 32 - 64), (2, 2 * (32 * 32 - 64))])
def test_cycles_of_empty_lists(machine: Any, tmp_path: Path, empty: int, cycles: int) -> None:
    frame = [Slab("A", 0.1, 0.5, 8, 16, 8, 16)]
    stats = Collided(machine, tmp_path, [frame], f"technique.rbcd.empty_list_cycles={empty}").stats[0]
    # The empty lists behind the last one are passed over before the ZEB is freed, in a cycle of its own.
    assert stats[f"{TEST}.busy_cycles"] == cycles + 64 * 3 + 1
    assert stats[f"{TEST}.lists"] == 32 * 32


def test_several_pairs_at_one_back_face_take_a_cycle_each(machine: Any, tmp_path: Path) -> None:
    # A holds B, C and D: three pairs at the back of A; none among the three.
    inner = [Slab(name, 0.2 + 0.1 * i, 0.25 + 0.1 * i, 0, 4, 0, 4) for i, name in enumerate("BCD")]
    played = Collided(
        machine, tmp_path, [[Slab("A", 0.1, 0.9, 0, 4, 0, 4), *inner]], "technique.rbcd.empty_list_cycles=0"
    )
    stats = played.stats[0]
    assert played.pairs() == {("A", "B"), ("A", "C"), ("A", "D")}
    assert stats[f"{TEST}.hits"] == 3 * 16
    # 8 elements, of which one takes three cycles.
    assert stats[f"{TEST}.busy_cycles"] == 16 * (1 + 8 + 2) + 1


def test_one_zeb_stalls_more_than_two(machine: Any, tmp_path: Path) -> None:
    frame = [Slab("A", 0.1, 0.5), Slab("B", 0.3, 0.7)]
    found = [Collided(machine, tmp_path, [frame], f"technique.rbcd.zebs={zebs}").stats[0] for zebs in (1, 2, 4)]
    blocked = [stats[f"{INSERTION}.blocked_cycles"] for stats in found]
    # Four tiles have a ZEB each.
    assert blocked[0] > blocked[1] > blocked[2] == 0
    cycles = [stats["gpu.cycles"] for stats in found]
    assert cycles[0] > cycles[1] >= cycles[2]


@pytest.mark.slow
def test_tiles_that_are_left_out_repeat_their_pairs(machine: Any, tmp_path: Path) -> None:
    slabs = [Slab("A", 0.1, 0.5, right=40), Slab("B", 0.3, 0.7, left=20)]
    more = [*slabs, Slab("C", 0.2, 0.4, 0, 8, 0, 8)]
    played = Collided(machine, tmp_path, [slabs, slabs, slabs, slabs, more], "techniques=rbcd+rendering_elimination")
    skipped = [stats["tiling.tile_fetcher.skipped_tiles"] for stats in played.stats]
    assert skipped == [0, 0, TILES, TILES, TILES - 1]
    for number in range(4):
        assert played.hits(number) == analysis(slabs)
        assert {row["repeated"] for row in played.rows[number]} == {number >= 2}
    assert played.hits(4) == analysis(more)


@pytest.mark.slow
def test_a_tagged_primitive_changes_the_signature(machine: Any, tmp_path: Path) -> None:
    # What is seen is the same in all frames; the far side of B moves.
    frames = [[Slab("A", 0.4, 0.6), Slab("B", 0.1, 0.2 + 0.3 * (i == 3))] for i in range(4)]
    played = Collided(machine, tmp_path, frames, "techniques=rbcd+rendering_elimination")
    assert [stats["tiling.tile_fetcher.skipped_tiles"] for stats in played.stats] == [0, 0, TILES, 0]
    assert [bool(rows) for rows in played.rows] == [False, False, False, True]


def test_what_must_be_recorded_is_said(tmp_path: Path) -> None:
    activity = record_slabs(tmp_path, [[Slab("A", 0.1, 0.5)]], level="visible")
    with pytest.raises(ActivityError, match="record with --level all"):
        Loader(activity, load_configuration("rbcd-2018-rbcd")).load(0)


@pytest.mark.parametrize(
    ("setting", "words"),
    [("object_bits=14", "more than the 32"), ("list_length=64", "there is room for")],
)
def test_sizes_that_do_not_fit_are_refused(setting: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        build(load_configuration("rbcd-2018-rbcd", ["tiles.width=32", "tiles.height=32", f"technique.rbcd.{setting}"]))


def test_more_objects_than_bits_tell_apart(machine: Any, tmp_path: Path) -> None:
    frame = [Slab(f"{i}", 0.1, 0.5) for i in range(3)]
    configuration = load_configuration("rbcd-2018-rbcd", ["technique.rbcd.object_bits=1"])
    with pytest.raises(ActivityError, match="3 collisionable objects"):
        Loader(record_slabs(tmp_path, [frame]), configuration).load(0)


def random_machine(seed: int) -> list[str]:
    """A random machine, and random sizes of the technique."""
    rnd = random.Random(seed)
    own = {
        "zebs": (1, 2, 4), "list_length": (2, 4, 8), "input_queue": (1, 4, 64), "insertions_per_cycle": (1, 2, 4),
        "insertion_cycles": (1, 3, 7), "same_pixel": ("wait", "forward"), "empty_list_cycles": (0, 1, 3),
        "stack_entries": (0, 2), "output_buffer": (1, 4, 64), "pair_bytes": (8, 16, 24),
        "same_object": ("ignored", "reported"), "unmatched_back_faces": ("ignored", "from_viewer"),
    }  # fmt: skip
    return [*random_overrides(rnd), *(f"technique.rbcd.{name}={rnd.choice(values)}" for name, values in own.items())]


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 3 else pytest.mark.slow) for n in range(100)])
def test_skipping_idle_units_changes_nothing(machine: Any, tmp_path: Path, seed: int) -> None:
    settings_ = [RBCD, *random_machine(seed)]
    one, other = machine(*settings_), machine(*settings_)
    frames = [random_slabs(np.random.default_rng(seed + 100 * i), 8) for i in range(2)]
    loader = Loader(record_slabs(tmp_path, frames), one.chip.configuration)
    for number in loader.frames:
        frame = loader.load(number)
        found = one.run(frame), technique_rows(one.chip, frame, number)["collisions"]
        assert found == (other.run(frame, every=True), technique_rows(other.chip, frame, number)["collisions"])


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_compiled_and_plain_machines_agree(machine: Any, tmp_path: Path, seed: int) -> None:
    settings_ = [RBCD, *random_machine(seed)]
    one, other = machine(*settings_), machine(*settings_, compiled=False)
    loader = Loader(record_slabs(tmp_path, [random_slabs(np.random.default_rng(seed), 5)]), one.chip.configuration)
    frame = loader.load(0)
    found = one.run(frame), technique_rows(one.chip, frame, 0)["collisions"]
    assert found == (other.run(frame), technique_rows(other.chip, frame, 0)["collisions"])
