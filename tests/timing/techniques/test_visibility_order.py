"""Visibility Rendering Order on small scenes whose outcome is known."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import (
    DEPTH_TEST,
    FRAGMENT,
    GREATER,
    LEQUAL,
    QUADS,
    SIZE,
    VERTEX,
    Layer,
    Played,
    full_screen,
    opaque_layers,
    random_layers,
    record_layers,
)
from random_machines import random_overrides

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.results.meter import technique_rows
from tilegpu.timing.techniques.visibility_rendering_order import perfect_order
from tilegpu.timing.techniques.visibility_rendering_order.state import NAME

pytestmark = pytest.mark.engine("visibility_rendering_order")

VRO = "visibility_rendering_order"


@pytest.fixture
def play(machine: Any, tmp_path: Path) -> Any:
    """Function that plays frames of layers."""
    return lambda frames, *settings: Played(machine, tmp_path, frames, f"techniques={VRO}", *settings)


def test_layers_from_back_to_front_are_shaded_once_from_the_second_frame_on(play: Any) -> None:
    played = play([full_screen((0.8, 0.6, 0.4, 0.2))] * 3)
    assert played.shaded == [4 * QUADS, QUADS, QUADS]
    assert played.order() == [3, 2, 1, 0]
    assert played.same_pictures()
    first, second, _ = played.stats
    # Each layer is compared with the one before; then all of them with the first.
    assert first[f"{NAME}.edges"] == 3 * SIZE * SIZE
    assert first[f"{NAME}.edge_filter.misses"] == 3
    assert first[f"{NAME}.edge_filter.hits"] == first[f"{NAME}.edges"] - 3
    assert second[f"{NAME}.visibility_sort.sorted"] == 4


def test_the_scene_of_the_thesis(play: Any) -> None:
    # Figs 4.5 and 4.6: B is in front of A, A and B are in front of C; they are drawn A, B, C.
    a, b, c = Layer("A", 0.0, 0, 40), Layer("B", -0.5, 20, 60), Layer("C", 0.5)
    played = play([[a, b, c]] * 2)
    assert played.order() == [1, 0, 2]
    assert played.stats[0][f"{NAME}.edge_inserter.edges"] == 3
    assert played.stats[1][f"{NAME}.visibility_sort.broken_cycles"] == 0
    assert played.same_pictures()


def test_graph_and_order_are_among_the_results(play: Any) -> None:
    # As above: B in front of A, both in front of C.
    a, b, c = Layer("A", 0.0, 0, 40), Layer("B", -0.5, 20, 60), Layer("C", 0.5)
    for counter in ("program_order", "counter"):
        played = play([[a, b, c]] * 2, f"technique.{VRO}.parallel_cycles={counter}")
        rows = technique_rows(played.gpu.chip, played.frames[-1], 1)
        order = [row["object"] for row in rows["visibility_order"].to_pylist()]
        edges = {(row["front"], row["behind"]): row["samples"] for row in rows["visibility_graph"].to_pylist()}
        # In the order of the first frame: B is drawn, then A behind it, then C behind both.
        first, second, third = order
        if counter == "counter":
            # A hides 20 columns of C beside those that B hides.
            assert edges == {(first, second): 20 * 64, (first, third): 40 * 64, (second, third): 20 * 64}
        else:
            assert edges == dict.fromkeys([(first, second), (first, third), (second, third)])
        assert [row["place"] for row in rows["visibility_order"].to_pylist()] == [0, 1, 2]


def test_between_equal_depths_the_number_of_the_draw_decides(play: Any) -> None:
    # LESS: the first one stays; LEQUAL: the last one wins. A nearer object makes the order another one.
    left = [Layer("one", 0.2, 0, 32), Layer("two", 0.2, 0, 32)]
    right = [Layer("three", 0.2, 32, 64, function=LEQUAL), Layer("four", 0.2, 32, 64, function=LEQUAL)]
    mixed = [Layer("five", 0.2, 16, 48, function=LEQUAL), Layer("six", 0.2, 16, 48)]
    front = Layer("front", -0.2, 8, 56, 8, 56)
    played = play([[*left, *right, *mixed, front]] * 3)
    assert played.order()[0] == 6
    assert sum(s["raster.early_depth.mismatched_quads"] for s in played.stats[1:]) > 0
    assert played.same_pictures()


@pytest.mark.parametrize("barrier", ["blend", "clear_before", "function"])
def test_nothing_crosses_a_barrier(play: Any, barrier: str) -> None:
    values: dict[str, Any] = {"blend": {"blend": True}, "clear_before": {"clear_before": True}}
    between = Layer("between", 0.3, **values.get(barrier, {"function": GREATER}))
    frame = [Layer("far", 0.8), Layer("near", 0.5), between, Layer("front", 0.1), Layer("last", -0.4)]
    played = play([frame] * 3)
    assert played.same_pictures()
    # Within both halves the nearer one comes first now.
    rank = {node: place for place, node in enumerate(played.order())}
    assert rank[1] < rank[0]
    assert played.shaded[1] < played.shaded[0]


def test_objects_that_are_new_come_last_and_those_that_are_gone_are_stepped_over(play: Any) -> None:
    three = full_screen((0.6, 0.4, 0.2))
    new = Layer("new", -0.5)
    played = play([three, [new, *three[1:]], three])
    # The new one is in front, yet it follows the two that are known.
    assert played.shaded == [3 * QUADS, 2 * QUADS, played.shaded[2]]
    assert played.same_pictures()


def test_a_cycle_is_broken_at_the_object_of_fewest_edges(play: Any) -> None:
    # Three boards that lean over each other as in a stair without end: each is in front of the next at one side.
    a = Layer("a", -0.4, 0, 40, z_right=0.4)
    b = Layer("b", -0.4, 24, 64, z_right=0.4)
    c = Layer("c", -0.1, 0, 64, 0, 64, z_right=0.0)
    played = play([[a, b, c]] * 2, f"technique.{VRO}.parallel_cycles=keep")
    assert played.stats[1][f"{NAME}.visibility_sort.sorted"] == 3
    assert played.stats[1][f"{NAME}.visibility_sort.broken_cycles"] >= 1
    assert played.same_pictures()


def test_of_two_objects_in_each_other_the_first_edge_counts(play: Any) -> None:
    a, b = Layer("a", -0.5, z_right=0.5), Layer("b", 0.5, z_right=-0.5)
    played = play([[a, b]] * 2)
    assert played.stats[0][f"{NAME}.edge_inserter.edges"] == 1
    assert played.stats[0][f"{NAME}.edge_inserter.reversed"] >= 1
    assert played.stats[1][f"{NAME}.visibility_sort.broken_cycles"] == 0
    kept = play([[a, b]] * 2, f"technique.{VRO}.parallel_cycles=keep")
    assert kept.stats[0][f"{NAME}.edge_inserter.edges"] == 2
    assert kept.stats[1][f"{NAME}.visibility_sort.broken_cycles"] == 1


def test_of_two_objects_in_each_other_the_one_that_hides_more_counts(play: Any) -> None:
    # They cross at a quarter of the screen: the second one is in front at three quarters.
    a, b = Layer("a", -0.25, z_right=0.75), Layer("b", 0.0, z_right=0.0)
    first = play([[a, b]] * 2)
    assert first.order() == [0, 1]
    counted = play([[a, b]] * 2, f"technique.{VRO}.parallel_cycles=counter")
    assert counted.order() == [1, 0]
    assert counted.stats[1][f"{NAME}.visibility_sort.dropped"] == 1
    assert counted.same_pictures()
    assert counted.shaded[1] < first.shaded[1]
    perfect = play([[a, b]] * 2, f"technique.{VRO}.order=perfect")
    assert perfect.shaded == [counted.shaded[1]] * 2
    assert perfect.same_pictures()


def test_a_perfect_order_needs_no_frame_before(play: Any) -> None:
    played = play([full_screen((0.8, 0.6, 0.4, 0.2))], f"technique.{VRO}.order=perfect")
    assert played.shaded == [QUADS]
    assert played.stats[0][f"{NAME}.edges"] == 0
    assert played.same_pictures()


def test_a_still_scene_without_cycles_is_drawn_in_perfect_order(play: Any) -> None:
    chance = np.random.default_rng(3)
    flat = [replace(layer, z=z, z_right=None) for layer, z in zip(
        opaque_layers(chance, 12), chance.permutation(12) / 8 - 0.7, strict=True
    )]  # fmt: skip
    from_last = play([flat] * 2)
    perfect = play([flat], f"technique.{VRO}.order=perfect")
    assert from_last.shaded[1] == perfect.shaded[0] < from_last.shaded[0]
    assert from_last.stats[1][f"{NAME}.visibility_sort.broken_cycles"] == 0


def test_the_greedy_algorithm_keeps_what_hides_most() -> None:
    # The thesis' algorithm by hand: 0 before 1 (9) and 1 before 2 (8) are kept; 2 before 0 (5) would close a cycle.
    assert perfect_order.order([2, 1, 0], {(2, 0): 5, (0, 1): 9, (1, 2): 8}) == [0, 1, 2]
    assert perfect_order.order([0, 1, 2], {}) == [0, 1, 2]


def test_discarded_fragments_hide_nothing(play: Any) -> None:
    frame = [Layer("far", 0.8), replace(Layer("fence", 0.2), holed=True), Layer("middle", 0.5)]
    played = play([frame] * 3)
    assert played.same_pictures()
    assert played.shaded[1] < played.shaded[0]


@pytest.mark.slow
def test_tiles_that_rendering_elimination_leaves_out_give_no_edges(machine: Any, tmp_path: Path) -> None:
    still = full_screen((0.8, 0.6, 0.4, 0.2))
    moved = [*still[:3], Layer("layer 3", 0.1)]
    settings = (f"techniques={VRO}+rendering_elimination", "frame_buffers=2")
    played = Played(machine, tmp_path, [still, still, still, moved, moved], *settings)
    edges = [stats[f"{NAME}.edges"] for stats in played.stats]
    # The third frame is the first one again: all of it is left out, and nothing is known of its objects.
    assert played.shaded[:3] == [4 * QUADS, QUADS, 0]
    assert (edges[2], played.stats[3][f"{NAME}.visibility_sort.sorted"]) == (0, 4)
    # So the fourth one is drawn in program order, and the fifth by what it has shown.
    assert played.shaded[3:] == [4 * QUADS, QUADS]


def test_what_is_moved_after_the_last_pass_is_no_pass_of_objects(tmp_path: Path) -> None:
    with Recorder(tmp_path / "scene.trace", SIZE, SIZE) as gl:
        gl.glUseProgram(gl.program(VERTEX, FRAGMENT, ("position",)))
        gl.glEnable(DEPTH_TEST)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 4, 0x1406, False, 16, Layer("front", 0.0).corners().tobytes())
        gl.glDrawArrays(4, 0, 6)
        gl.glBindTexture(0x0DE1, gl.glGenTextures(1)[0])
        gl.glTexImage2D(0x0DE1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, bytes(64))
        gl.swap()
    record(tmp_path / "scene.trace", tmp_path / "activity", level="all")
    frame = Loader(tmp_path / "activity", load_configuration("vro-2018", [f"techniques={VRO}"])).load(0)
    (own,) = frame.extra
    assert len(frame.commands.render_pass) == 2
    assert [(row["first_group"], row["last_group"]) for row in own.render_pass] == [(0, 1), (1, 1)]


def test_what_must_be_recorded_is_said(tmp_path: Path) -> None:
    activity = record_layers(tmp_path, [full_screen((0.5,))], level="visible")
    with pytest.raises(ActivityError, match="record with --level all"):
        Loader(activity, load_configuration("vro-2018", [f"techniques={VRO}"])).load(0)


@pytest.mark.parametrize("seed", range(4))
def test_random_layers_keep_their_picture(play: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    objects = random_layers(chance, 14)
    frames = [[objects[i] for i in chance.permutation(14)[:12]] for _ in range(4)]
    one = play(frames, f"raster_units={1 + seed % 2}", f"technique.{VRO}.works_ahead={'no' if seed == 2 else 'yes'}")
    assert one.same_pictures()


def random_machine(seed: int) -> list[str]:
    """A random machine, and random sizes of the technique."""
    rnd = random.Random(seed)
    own = {
        "filter_entries": (1, 4, 32), "filter_lookups_per_cycle": (1, 4, 16), "edges_queue": (1, 4, 64),
        "order_queue": (1, 64), "roots_queue": (1, 64), "entry_children": (1, 2, 36),
        "order_list": ("memory", "on_chip"),
        "parallel_cycles": ("program_order", "keep", "counter"), "counter_bits": (8, 16, 32),
        "reverse_lookup": ("list", "free"), "order": ("last_frame", "last_frame", "perfect"),
        "absent_object_cycles": (0, 3),
        "cycle_breaker": ("in_degree", "average_depth", "minimum_depth", "maximum_depth"),
        "first_primitive_list": ("memory", "on_chip"), "first_list_writes": ("first", "every"),
        "runs_ahead": (1, 4), "works_ahead": ("yes", "no"), "objects": ("label", "draw"),
        "sorted_passes": ("all", "screen"),
    }  # fmt: skip
    return [*random_overrides(rnd), *(f"technique.{VRO}.{name}={rnd.choice(values)}" for name, values in own.items())]
