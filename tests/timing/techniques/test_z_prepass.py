"""Z-prepass: opaque draws are drawn twice, only what is visible is shaded."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import (
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

from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration

pytestmark = pytest.mark.engine("z_prepass")

SETTINGS = ("machine=immediate", "techniques=z_prepass")
NAME = "techniques.z_prepass"


@pytest.fixture
def play(machine: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """Function that plays frames of layers; in plain Python where the test is not a slow one, as compiling takes
    longer than a few frames."""
    made = partial(machine, compiled=request.node.get_closest_marker("slow") is not None)
    return lambda frames, *settings: Played(made, tmp_path, frames, *SETTINGS, *settings)


def test_layers_from_back_to_front_are_drawn_twice_and_shaded_once(play: Any) -> None:
    played = play([full_screen((0.8, 0.6, 0.4, 0.2))])
    assert played.shaded == [QUADS]
    assert played.same_pictures()
    (stats,) = played.stats
    assert stats["gpu.draws"] == 8
    # Two triangles each; six vertices that no index shares.
    assert stats["geometry.primitive_assembly.primitives"] == 16
    assert stats["geometry.vertex_processor.vertices"] == 48
    assert stats[f"{NAME}.quads"] == 4 * QUADS
    assert stats[f"{NAME}.fragments"] == 4 * SIZE * SIZE
    assert stats[f"{NAME}.hidden"] == 3 * SIZE * SIZE
    # Of the second pass one layer is left.
    shaded = stats["raster.early_depth.fragments"] - stats["raster.early_depth.killed_fragments"]
    assert shaded - stats[f"{NAME}.fragments"] == SIZE * SIZE


@pytest.mark.slow
def test_of_opaque_layers_every_pixel_is_shaded_once(play: Any) -> None:
    frames = [opaque_layers(np.random.default_rng(seed), 12) for seed in range(4)]
    played = play(frames)
    for stats, layers in zip(played.stats, frames, strict=True):
        left = stats["raster.early_depth.fragments"] - stats["raster.early_depth.killed_fragments"]
        assert left - stats[f"{NAME}.fragments"] == pixels_covered(layers)
    assert played.same_pictures()


@pytest.mark.parametrize("function", [pytest.param("LESS", marks=pytest.mark.slow), "LEQUAL"])
def test_of_coplanar_layers_the_one_of_program_order_is_shaded(play: Any, function: str) -> None:
    more = {"function": LEQUAL} if function == "LEQUAL" else {}
    played = play([full_screen((0.5, 0.5, 0.5), **more)])
    assert played.shaded == [QUADS]
    assert played.same_pictures()


def test_what_cannot_be_known_before_it_is_shaded_is_drawn_once(play: Any) -> None:
    frame = [Layer("far", 0.8), replace(Layer("fence", 0.2), holed=True), Layer("middle", 0.5)]
    played = play([[*frame, Layer("glass", 0.0, blend=True), Layer("last", -0.5)]])
    assert played.same_pictures()
    # What comes behind the glass, which writes its depth, must not hide what it is blended with.
    assert played.stats[0]["gpu.draws"] == 5 + 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_random_layers_keep_their_picture(play: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    objects = random_layers(chance, 14)
    assert play([[objects[i] for i in chance.permutation(14)[:12]] for _ in range(3)]).same_pictures()


def test_it_is_for_the_immediate_mode_machine(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="z_prepass works on immediate"):
        Loader(record_layers(tmp_path, [full_screen((0.5,))]), load_configuration("vro-2018", ["techniques=z_prepass"]))
