"""Visibility Rendering Order on the immediate-mode machine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import (
    LEQUAL,
    QUADS,
    Layer,
    Played,
    compiling_changes_nothing,
    full_screen,
    random_layers,
    skipping_changes_nothing,
)

from tilegpu.timing.energy.report import report
from tilegpu.timing.techniques.visibility_rendering_order.state import NAME

pytestmark = pytest.mark.engine("immediate_visibility")

VRO = "visibility_rendering_order"
SETTINGS = ("machine=immediate", f"techniques={VRO}")


@pytest.fixture
def play(machine: Any, tmp_path: Path) -> Any:
    """Function that plays frames of layers."""
    return lambda frames, *settings: Played(machine, tmp_path, frames, *SETTINGS, *settings)


def test_layers_from_back_to_front_are_shaded_once_from_the_second_frame_on(play: Any) -> None:
    played = play([full_screen((0.8, 0.6, 0.4, 0.2))] * 3)
    assert played.shaded == [4 * QUADS, QUADS, QUADS]
    assert played.order() == [3, 2, 1, 0]
    assert played.same_pictures()
    first, second, _ = played.stats
    # All vertices are shaded and all primitives assembled, in whatever order.
    for statistic in ("geometry.vertex_processor.vertices", "geometry.primitive_assembly.primitives"):
        assert first[statistic] == second[statistic]
    assert second[f"{NAME}.visibility_sort.sorted"] == 4
    rows = {row.name: row for row in report(played.gpu.chip.configuration, second).structures}
    assert rows["visibility_sort.logic"].energy_pj > 0


def test_the_sort_is_not_hidden(play: Any) -> None:
    """A frame begins when its order is there: cycles of the sort come on top."""
    one = play([full_screen((0.2, 0.4, 0.6))] * 2)
    sort = f"{NAME}.visibility_sort"
    spent = one.stats[1][f"{sort}.busy_cycles"] + one.stats[1][f"{sort}.waiting_cycles"]
    booked = sum(one.stats[1][f"gpu.{part}_cycles"] for part in ("geometry", "raster", "transfer"))
    assert spent > 0
    assert one.stats[1]["gpu.cycles"] - booked >= spent


def test_between_equal_depths_the_number_of_the_draw_decides(play: Any) -> None:
    left = [Layer("one", 0.2, 0, 32), Layer("two", 0.2, 0, 32)]
    right = [Layer("three", 0.2, 32, 64, function=LEQUAL), Layer("four", 0.2, 32, 64, function=LEQUAL)]
    front = Layer("front", -0.2, 8, 56, 8, 56)
    played = play([[*left, *right, front]] * 3)
    assert played.order()[0] == 4
    assert played.same_pictures()


def test_a_perfect_order_needs_no_frame_before(play: Any) -> None:
    played = play([full_screen((0.8, 0.6, 0.4, 0.2))], f"technique.{VRO}.order=perfect")
    assert played.shaded == [QUADS]
    assert played.same_pictures()


@pytest.mark.parametrize("seed", range(4))
def test_random_layers_keep_their_picture(play: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    objects = random_layers(chance, 14)
    frames = [[objects[i] for i in chance.permutation(14)[:12]] for _ in range(4)]
    assert play(frames, f"technique.{VRO}.objects={('label', 'draw')[seed % 2]}").same_pictures()


def random_machine(seed: int) -> list[str]:
    """Random sizes of the machine and the technique."""
    rnd = random.Random(seed)
    sizes = {
        "fragment_stage.processors": (1, 2, 4), "early_depth.in_flight": (1, 4, 32), "rasterizer.queue": (1, 64),
        "vertex_fetcher.draw_queue": (1, 16), "vertex_stage.processors": (1, 4), "depth_cache.size_bytes": (1024, 4096),
        f"technique.{VRO}.edges_queue": (1, 64), f"technique.{VRO}.order_queue": (1, 64),
        f"technique.{VRO}.roots_queue": (1, 64), f"technique.{VRO}.parallel_cycles": ("program_order", "counter"),
        f"technique.{VRO}.entry_children": (1, 36), f"technique.{VRO}.order": ("last_frame", "last_frame", "perfect"),
        f"technique.{VRO}.sorted_passes": ("all", "screen"),
    }  # fmt: skip
    return [f"{name}={rnd.choice(values)}" for name, values in sizes.items()]


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 2 else pytest.mark.slow) for n in range(60)])
def test_skipping_idle_units_changes_nothing(machine: Any, tmp_path: Path, seed: int) -> None:
    settings = [*SETTINGS, *random_machine(seed)]
    objects = random_layers(np.random.default_rng(seed), 10)
    skipping_changes_nothing(machine, settings, tmp_path, [objects, objects[::-1], objects[2:]])


@pytest.mark.parametrize("seed", [pytest.param(n, marks=pytest.mark.slow) for n in range(2)])
def test_compiled_and_plain_machines_agree(machine: Any, tmp_path: Path, seed: int) -> None:
    settings = [*SETTINGS, *random_machine(seed)]
    objects = random_layers(np.random.default_rng(seed), 6)
    compiling_changes_nothing(machine, settings, tmp_path, [objects] * 2)
