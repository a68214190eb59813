"""Deferred Rendering on small scenes whose outcome is known."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import (
    GREATER,
    LEQUAL,
    QUADS,
    SIZE,
    Layer,
    Played,
    full_screen,
    opaque_layers,
    pixels_covered,
    random_layers,
    record_layers,
)
from random_machines import random_overrides

from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.techniques.deferred_rendering.state import DEPTH, FETCHER, NAME, RASTERIZER

pytestmark = pytest.mark.engine("deferred_rendering")

DR = "deferred_rendering"


OLDER_FETCHER = ("primitive_table=1", "attribute_requests=answered", "next_tile=rendered", f"{DR}.hsr_primitives=1")


@pytest.fixture
def play(machine: Any, tmp_path: Path) -> Any:
    """Function that plays frames of layers."""
    return lambda frames, *settings: Played(machine, tmp_path, frames, f"techniques={DR}", *settings)


@pytest.mark.parametrize("mode", ["parallel", "sequential"])
@pytest.mark.parametrize("fetcher", [("attribute_requests=queued",), OLDER_FETCHER], ids=["table", "older"])
def test_layers_from_back_to_front_are_shaded_once(play: Any, mode: str, fetcher: tuple[str, ...]) -> None:
    played = play([full_screen((0.8, 0.6, 0.4, 0.2))], f"technique.{DR}.mode={mode}", *fetcher)
    assert played.shaded == [QUADS]
    (stats,) = played.stats
    assert stats[f"{DEPTH}.quads"] == 4 * QUADS
    assert stats[f"{NAME}.kept"] == SIZE * SIZE
    assert stats[f"{NAME}.hidden"] == 3 * SIZE * SIZE
    # The primitives are fetched twice: with their pointers, and for their positions.
    assert stats[f"{FETCHER}.pointer_requests"] == stats["tiling.tile_fetcher.pointer_requests"]
    assert played.same_pictures()


def test_of_opaque_layers_every_pixel_is_shaded_once(play: Any) -> None:
    frames = [opaque_layers(np.random.default_rng(seed), 12) for seed in range(4)]
    played = play(frames)
    for stats, layers in zip(played.stats, frames, strict=True):
        left = stats["raster.early_depth.fragments"] - stats["raster.early_depth.killed_fragments"]
        assert left == pixels_covered(layers) == stats[f"{NAME}.kept"]
    assert played.same_pictures()


@pytest.mark.parametrize("function", ["LESS", "LEQUAL"])
def test_of_coplanar_layers_the_one_of_program_order_is_shaded(play: Any, function: str) -> None:
    more = {"function": LEQUAL} if function == "LEQUAL" else {}
    played = play([full_screen((0.5, 0.5, 0.5), **more)])
    assert played.shaded == [QUADS]
    assert played.same_pictures()


def test_fragments_of_one_draw_at_one_depth(play: Any) -> None:
    # Both triangles of a board that is seen edge-on share pixels; with LESS the first stays.
    played = play([[Layer("one", 0.2), Layer("two", 0.2, function=LEQUAL), Layer("three", 0.2)]])
    assert played.same_pictures()


@pytest.mark.parametrize("barrier", ["blend", "clear_before", "function"])
def test_nothing_is_hidden_by_what_comes_behind_a_barrier(play: Any, barrier: str) -> None:
    values: dict[str, Any] = {"blend": {"blend": True}, "clear_before": {"clear_before": True}}
    between = Layer("between", 0.3, **values.get(barrier, {"function": GREATER}))
    played = play([[Layer("far", 0.8), Layer("near", 0.5), between, Layer("front", 0.1), Layer("last", -0.4)]])
    assert played.same_pictures()
    # Of the first two only the nearer one is shaded.
    assert played.stats[0][f"{DEPTH}.quads"] == 2 * QUADS
    assert played.stats[0][f"{NAME}.hidden"] == SIZE * SIZE


def test_discarded_fragments_hide_nothing(play: Any) -> None:
    frame = [Layer("far", 0.8), replace(Layer("fence", 0.2), holed=True), Layer("middle", 0.5)]
    played = play([frame])
    assert played.same_pictures()
    assert played.stats[0][f"{DEPTH}.quads"] == 2 * QUADS
    # The fence cannot be tested before it is shaded; it hides half of the wall behind it.
    assert played.shaded == [QUADS + QUADS // 2]


def test_a_fence_at_the_depth_of_a_wall(play: Any) -> None:
    fence, wall = replace(Layer("fence", 0.5), holed=True), Layer("wall", 0.5)
    equal = {"function": LEQUAL}
    for frame in ([fence, wall], [wall, fence], [replace(fence, **equal), replace(wall, **equal)]):
        assert play([[Layer("far", 0.8), *frame]]).same_pictures()


def test_what_must_be_recorded_is_said(tmp_path: Path) -> None:
    activity = record_layers(tmp_path, [full_screen((0.5,))], level="visible")
    with pytest.raises(ActivityError, match="record with --level all"):
        Loader(activity, load_configuration("vro-2018", [f"techniques={DR}"])).load(0)


@pytest.mark.parametrize("seed", range(4))
def test_random_layers_keep_their_picture(play: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    objects = random_layers(chance, 14)
    frames = [[objects[i] for i in chance.permutation(14)[:12]] for _ in range(3)]
    mode = ("parallel", "sequential")[seed % 2]
    played = play(frames, f"raster_units={1 + seed // 2}", f"technique.{DR}.mode={mode}")
    assert played.same_pictures()


def random_machine(seed: int) -> list[str]:
    """A random machine, and random sizes of the technique."""
    rnd = random.Random(seed)
    own = {
        "mode": ("parallel", "sequential"), "hsr_primitives": (0, 1, 2, 16), "hsr_reads": ("position", "all"),
        "hsr_tile_queue": (1, 16), "hsr_fragment_queue": (1, 64),
    }  # fmt: skip
    return [*random_overrides(rnd), *(f"technique.{DR}.{name}={rnd.choice(values)}" for name, values in own.items())]


@pytest.mark.parametrize("mode", ["parallel", "sequential"])
def test_each_quad_takes_its_cycles_to_be_removed(play: Any, mode: str) -> None:
    # Nothing holds the rasterizer back, as early depth takes a quad per cycle: three cycles more for each quad.
    layers, own = [full_screen((0.8, 0.6, 0.4, 0.2))], f"technique.{DR}.hsr_cycles_per_quad="
    (three,), (six,) = (play(layers, f"technique.{DR}.mode={mode}", own + cycles).stats for cycles in "36")
    assert three[f"{RASTERIZER}.quads"] == six[f"{RASTERIZER}.quads"] == 4 * QUADS
    assert six[f"{RASTERIZER}.busy_cycles"] - three[f"{RASTERIZER}.busy_cycles"] == 3 * 4 * QUADS
    assert six["gpu.raster_cycles"] > three["gpu.raster_cycles"]
