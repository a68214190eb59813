"""Fragment Memoization: what the table finds is what a plain reading of the activity finds."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Rectangle, Scene
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.results.energy.report import report
from tilegpu.timing.techniques.fragment_memoization import lut
from tilegpu.timing.techniques.fragment_memoization.fragments import fragments_of
from tilegpu.tools.demo import scene_folder

pytestmark = pytest.mark.engine("fragment_memoization")

NAME = "fragment_memoization"
ON = f"techniques={NAME}"


class PlainTable:
    """The textbook: sets of the latest fragments."""

    def __init__(self, entries: int, ways: int) -> None:
        self.sets: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(entries // ways)]
        self.ways = ways

    def knows(self, fragment: int) -> bool:
        """Look a fragment up and keep it."""
        row = self.sets[fragment % len(self.sets)]
        found = fragment in row
        if found:
            row.move_to_end(fragment)
        else:
            if len(row) == self.ways:
                row.popitem(last=False)
            row[fragment] = None
        return found


@given(st.lists(st.integers(0, 40), max_size=200), st.sampled_from([(1, 1), (4, 4), (8, 2), (16, 4)]))
@settings(max_examples=100, deadline=None)
def test_the_table_is_that_of_the_textbook(stream: list[int], shape: tuple[int, int]) -> None:
    plain, table = PlainTable(*shape), lut.empty(*shape)
    hashes = np.array(stream, np.int64)
    identities = (hashes % 7).astype(np.uint64)
    reused, _ = lut.look_up(*table, 0, hashes, identities, 0, len(stream))
    assert reused == sum([plain.knows(fragment) for fragment in stream])


def test_a_collision_is_one_hash_of_two_inputs() -> None:
    table = lut.empty(4, 4)
    hashes, identities = np.array([9, 9, 9, 5], np.int64), np.array([1, 1, 2, 1], np.uint64)
    assert lut.look_up(*table, 0, hashes, identities, 0, 4) == (2, 1)


@given(st.lists(st.lists(st.integers(0, 40), max_size=60), max_size=4))
@settings(max_examples=100, deadline=None)
def test_a_table_that_never_forgets_is_a_set(streams: list[list[int]]) -> None:
    table, known = lut.nothing(), dict[int, int]()
    for number, stream in enumerate(streams):
        hashes = np.array(stream, np.int64)
        identities = ((hashes + number) % 3).astype(np.uint64)
        expected = []
        for fragment, identity in zip(stream, identities.tolist(), strict=True):
            expected.append((fragment in known, known.setdefault(fragment, identity) != identity))
        table, reused, collided = lut.look_up_all(table, hashes, identities)
        assert list(zip(reused.tolist(), collided.tolist(), strict=True)) == expected
        assert table.hashes.tolist() == sorted(known)
        assert table.identities.tolist() == [known[fragment] for fragment in sorted(known)]


def counts(folder: Path, *overrides: str) -> list[tuple[int, ...]]:
    """Fragments, reused ones and collisions by frame."""
    loader = Loader(folder, load_configuration("re-2019", [ON, *overrides]))
    found = (loader.load(number).extra[0].counts.tolist() for number in loader.frames)
    return [(fragments, reused, collisions) for fragments, _, reused, collisions in found]


def test_a_flat_rectangle_has_one_fragment(tmp_path: Path) -> None:
    # All varyings are zero: all fragments of a program have the same inputs. Tiles go from the top, where only the
    # second frame has any.
    scene = Scene(frames=[[Rectangle(0, 0, 32, 32), Rectangle(32, 0, 32, 32)], [Rectangle(0, 0, 64, 64)]])
    assert counts(scene.write(tmp_path / "a")) == [(2048, 2048, 0), (4096, 4095, 0)]


def test_frames_are_rendered_in_pairs(tmp_path: Path) -> None:
    # The odd frame finds what the even one has left, and the other way round from the second tile on; an uneven
    # last frame is alone, after the others.
    scene = Scene(frames=[[Rectangle(0, 0, 64, 64)]] * 3)
    assert counts(scene.write(tmp_path / "a")) == [(4096, 4095, 0), (4096, 4096, 0), (4096, 4096, 0)]


@pytest.mark.parametrize("entries", [512, 2048])
def test_sprites_as_a_plain_reading_finds_them(tmp_path: Path, entries: int) -> None:
    record(scene_folder() / "sprites.trace", tmp_path / "a", FrameRange(2, 4))
    found = counts(tmp_path / "a", f"technique.{NAME}.entries={entries}")
    activity, constants, frames = Activity(tmp_path / "a"), {}, []
    configuration = load_configuration("re-2019", [ON])
    for number in activity.frames:
        frames.append(fragments_of(activity, number, constants, configuration))
    plain, reused = PlainTable(entries, 4), [0, 0]
    for tile in range(int(max(f.tile.max() for f in frames)) + 1):
        for which, f in enumerate(frames):
            mine = f.hashes[f.tile == tile].tolist()
            reused[which] += sum([plain.knows(fragment) for fragment in mine])
    assert [row[1] for row in found] == reused
    assert reused[1] > reused[0] > 0


def test_an_unbounded_table_finds_all_that_was_met(tmp_path: Path) -> None:
    # Two pairs: the second one knows what the first has met, though no table of its size is set aside.
    record(scene_folder() / "sprites.trace", tmp_path / "a", FrameRange(2, 6))
    found = counts(tmp_path / "a", f"technique.{NAME}.entries=0")
    activity, constants, frames = Activity(tmp_path / "a"), {}, []
    configuration = load_configuration("re-2019", [ON])
    for number in activity.frames:
        frames.append(fragments_of(activity, number, constants, configuration))
    met: set[int] = set()
    reused = [0] * 4
    for pair in (0, 2):
        for tile in range(int(max(f.tile.max() for f in frames[pair : pair + 2])) + 1):
            for which in (pair, pair + 1):
                for fragment in frames[which].hashes[frames[which].tile == tile].tolist():
                    reused[which] += fragment in met
                    met.add(fragment)
    assert [row[1] for row in found] == reused
    limited = counts(tmp_path / "a", f"technique.{NAME}.entries=512")
    assert all(few[1] < all_[1] for few, all_ in zip(limited, found, strict=True))


def test_only_a_bounded_table_is_hardware() -> None:
    for entries, there in ((512, True), (0, False)):
        rows = report(load_configuration("re-2019", [ON, f"technique.{NAME}.entries={entries}"])).structures
        assert (f"{NAME}.table" in [row.name for row in rows]) is there


def test_fragments_of_one_hash_have_the_same_inputs(tmp_path: Path) -> None:
    """Inputs worked out again from the corners of each triangle, for a part of the fragments."""
    record(scene_folder() / "sprites.trace", tmp_path / "a", FrameRange(2, 3))
    activity = Activity(tmp_path / "a")
    number = activity.frames[0]
    fragments = fragments_of(activity, number, {}, load_configuration("re-2019", [ON]))
    primitives, vertices = (
        activity.frame("primitives", number).to_pylist(),
        activity.frame("vertices", number).to_pylist(),
    )
    draws = {row["draw"]: row for row in activity.frame("draws", number).to_pylist()}
    quads = activity.frame("quads", number).to_pylist()
    # Tiles of 16x16 pixels, row by row from the top; inside one in drawing order.
    quads.sort(key=lambda q: (-(q["y"] // 8), q["x"] // 8))
    shaded = [(q, draws[primitives[q["primitive"]]["draw"]]) for q in quads]
    places = [(q, lane) for q, draw in shaded for lane in range(4) if lanes(q, draw) >> lane & 1]
    assert len(places) == len(fragments.hashes)
    by_hash: dict[int, tuple[Any, ...]] = {}
    compared = 0
    for i in range(0, len(places), 7):
        inputs = _inputs(*places[i], primitives, vertices, draws)
        other = by_hash.setdefault(int(fragments.hashes[i]), inputs)
        if other is not inputs:
            np.testing.assert_allclose(inputs, other, atol=1e-5)
            compared += 1
    assert compared > 1000 and len(by_hash) > 1000


def lanes(quad: dict[str, Any], draw: dict[str, Any]) -> int:
    """Lanes of a quad that the early test lets through."""
    return int(quad["depth_pass"] if draw["early_depth"] else quad["coverage"])


def _inputs(quad: Any, lane: int, primitives: Any, vertices: Any, draws: Any) -> tuple[Any, ...]:
    primitive = primitives[quad["primitive"]]
    draw = draws[primitive["draw"]]
    corners = [vertices[primitive[f"vertex_{i}"]] for i in range(3)]
    a, b, c = (np.array([v["clip_x"], v["clip_y"]]) / v["clip_w"] for v in corners)
    size = np.array(draw["viewport"][2:])
    point = (np.array([quad["x"] * 2 + (lane & 1), quad["y"] * 2 + (lane >> 1)]) + 0.5) / size * 2 - 1
    first, second = np.linalg.solve(np.stack([b - a, c - a], 1), point - a)
    values = [np.array(v["outputs"]) for v in corners]
    mixed = values[0] + first * (values[1] - values[0]) + second * (values[2] - values[0])
    return (draw["program"], *mixed.tolist())


def test_counts_are_those_of_each_frame_and_cycles_the_baselines(machine: Any, tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 16, 16)]] * 2).write(tmp_path / "a")
    plain, base = (machine(*more, "tiles.width=16", "tiles.height=16", compiled=False) for more in ((ON,), ()))
    loaders = [Loader(folder, gpu.chip.configuration) for gpu in (plain, base)]
    for number, reused in ((0, 255), (1, 256)):
        s, b = plain.run(loaders[0].load(number)), base.run(loaders[1].load(number))
        assert s[f"techniques.{NAME}.fragments"] == 256
        assert s[f"techniques.{NAME}.reused_fragments"] == reused
        assert s[f"techniques.{NAME}.shaded_fragments"] == 256 - reused
        assert s["gpu.cycles"] == b["gpu.cycles"]


def test_entries_that_make_no_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="power of two"):
        load_configuration("re-2019", [ON, f"technique.{NAME}.entries=100"])
