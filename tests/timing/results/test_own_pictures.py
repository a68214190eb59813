"""Own pictures of a machine: recorded colours, blended in its own order, beside the recorded pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import SIZE, Layer, random_layers, record_layers
from window_and_texture import HEIGHT, TEXTURE, WIDTH, write_window_and_texture

from tests.reference.es3_scenes import quad, use
from tests.reference.test_scenes import SUITES
from tests.reference.test_scenes import record as record_suite
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.results.own_pictures import OwnPictures

GROUPS = frozenset(("colors", "pass_images"))
PIXELS = SIZE * SIZE


class Checked:
    """A frame of layers that a machine has drawn, to be falsified and checked."""

    def __init__(self, machine: Any, folder: Path, layers: list[Layer]) -> None:
        gpu = machine()
        loader = Loader(record_layers(folder, [layers]), gpu.chip.configuration)
        self.frame = loader.load(0)
        gpu.run(self.frame)
        self.own = OwnPictures(loader.source, gpu.chip)

    def different(self) -> float:
        found = self.own.check(0, self.frame)
        assert (found["pictures.passes"], found["pictures.unknown_passes"]) == (1, 0)
        assert found["pictures.pixels"] == PIXELS
        return found["pictures.different_pixels"]


@pytest.fixture
def drawn(machine: Any, tmp_path: Path) -> Any:
    return lambda layers: Checked(machine, tmp_path, layers)


def test_program_order_gives_the_recorded_picture(drawn: Any) -> None:
    assert drawn(random_layers(np.random.default_rng(5), 14)).different() == 0


def test_a_quad_that_is_never_blended_is_missed(drawn: Any) -> None:
    checked = drawn([Layer("front", 0.0)])
    checked.frame.depth.blended["order"][7] = 0
    samples = bin(int(checked.frame.depth.quad["coverage"][7])).count("1")
    assert checked.different() == samples > 0


def test_the_wrong_order_is_seen_where_it_matters(drawn: Any) -> None:
    # Two translucent layers: what is drawn last counts most. Of two opaque ones the hidden one never gets there.
    checked = drawn([Layer("glass", 0.5, blend=True), Layer("more glass", 0.0, blend=True)])
    order = checked.frame.depth.blended["order"]
    assert (order > 0).all()
    order[:] = order.max() + 1 - order
    assert checked.different() == PIXELS


def test_samples_that_should_have_failed_are_seen(drawn: Any) -> None:
    checked = drawn([Layer("front", -0.5), Layer("behind", 0.5, right=SIZE // 2)])
    depth = checked.frame.depth
    hidden = depth.blended["order"] == 0
    assert hidden.sum() >= PIXELS // 8
    depth.quad["passed"][hidden] = depth.quad["coverage"][hidden]
    depth.blended["order"][hidden] = 1 << 20
    # The recording is of level all: hidden quads have their colours.
    assert checked.different() == PIXELS // 2


def test_a_quad_on_the_wrong_side_of_a_clear_is_seen(machine: Any, tmp_path: Path) -> None:
    with Recorder(tmp_path / "scene.trace", SIZE, SIZE, 3) as r:
        use(r)
        quad(r, -1, -1, 1, 1)
        r.glClear(gl.COLOR_BUFFER_BIT)
        quad(r, -1, -1, 0, 0)
        r.swap()
    record(tmp_path / "scene.trace", tmp_path / "activity", groups=GROUPS)
    gpu = machine()
    loader = Loader(tmp_path / "activity", gpu.chip.configuration)
    frame, own = loader.load(0), OwnPictures(loader.source, gpu.chip)
    gpu.run(frame)
    right = own.check(0, frame)
    order = frame.depth.blended["order"]
    order[:] = order.max() + 1 - order
    wrong = own.check(0, frame)
    assert right["pictures.different_pixels"] == 0 < wrong["pictures.different_pixels"]


def test_a_tile_that_is_left_out_shows_what_was_there(machine: Any, tmp_path: Path) -> None:
    frames = [[Layer("one", 0.0)], [Layer("one", 0.0), Layer("two", -0.5, right=16, top=16)]]
    gpu = machine("frame_buffers=1")
    loader = Loader(record_layers(tmp_path, frames), gpu.chip.configuration)
    own = OwnPictures(loader.source, gpu.chip)
    found = []
    for number in loader.frames:
        frame = loader.load(number)
        gpu.run(frame)
        if number:
            # As if a technique had left out every tile of the second frame.
            frame.commands.log["skipped_by"] = 1
        found.append(own.check(number, frame)["pictures.different_pixels"])
    assert found == [0, 16 * 16]


def test_passes_that_a_machine_joins(machine: Any, tmp_path: Path) -> None:
    """One picture of the window and one of the texture: the clear of the window is part of the window's."""
    record(write_window_and_texture(tmp_path / "two.trace"), tmp_path / "activity", groups=GROUPS)
    gpu = machine("command_processor.passes=open")
    loader = Loader(tmp_path / "activity", gpu.chip.configuration)
    frame, own = loader.load(0), OwnPictures(loader.source, gpu.chip)
    gpu.run(frame)
    found = own.check(0, frame)
    assert found["pictures.passes"] == 2
    assert found["pictures.pixels"] == WIDTH * HEIGHT + TEXTURE * TEXTURE
    assert found["pictures.different_pixels"] == 0


@pytest.mark.parametrize(("column", "place"), [("x", SIZE // 2), ("y", SIZE // 2), ("x", 60000)])
def test_a_quad_outside_its_picture(drawn: Any, column: str, place: int) -> None:
    checked = drawn([Layer("front", 0.0)])
    checked.frame.depth.quad[column][5] = place
    with pytest.raises(ActivityError, match="lies outside the picture of 64 x 64 pixels"):
        checked.different()


LIKE_OTHERS = "gather", "levels", "helpers", "msaa textures", "textures", "es1", "desktop", "later"
"""Suites about where texels and colours come from, which decides no order of colours."""


@pytest.mark.parametrize(
    "suite", [pytest.param(suite, marks=pytest.mark.slow if suite in LIKE_OTHERS else ()) for suite in SUITES]
)
def test_scenes_of_every_feature(tmp_path: Path, suite: str) -> None:
    """Formats, blend states, logical operations, masks, clears, several samples: the baseline's picture is Mesa's, as
    far as the renderer's is."""
    record_suite(tmp_path / "scene.trace", suite)
    record(tmp_path / "scene.trace", tmp_path / "activity", groups=GROUPS)
    found = replay(tmp_path / "activity", load_configuration("ptr-2022", ["dram=simple"]), check_images=True).totals()
    assert found["pictures.different_pixels"] == 0
    assert found["pictures.passes"] > 0
    assert found["raster.early_depth.mismatched_quads"] == found["raster.late_depth.mismatched_quads"] == 0
