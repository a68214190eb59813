"""Visibility Rendering Order on the immediate-mode machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import (
    LEQUAL,
    QUADS,
    Layer,
    Played,
    full_screen,
    random_layers,
)

from tilegpu.timing.results.energy.report import report
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
