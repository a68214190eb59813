"""Early Visibility Resolution: the order of a tile by hand, and what is saved where the front is drawn last."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from layers import LESS, QUADS, Layer, record_layers

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.results.own_pictures import OwnPictures
from tilegpu.timing.techniques.evr import NO_DEPTH

pytestmark = pytest.mark.engine("evr")

EVR = "techniques=evr"


@pytest.mark.parametrize(
    ("segments", "near", "far", "order"),
    [
        # Behind the far depth, 100, are the entries of 101 and 150: they keep their order behind the others.
        ([0, 0, 0, 0], [101, 50, 150, 100], 100, [1, 3, 0, 2]),
        # What keeps its place, a segment of its own, is passed by none.
        ([0, 1, 2, 2], [150, NO_DEPTH, 150, 50], 100, [0, 1, 3, 2]),
        ([0, 0, 0], [101, 50, 150], NO_DEPTH, [0, 1, 2]),
    ],
)
def test_what_was_hidden_goes_last_in_its_segment(
    segments: list[int], near: list[int], far: int, order: list[int]
) -> None:
    n = len(near)
    gpu = build(load_configuration("ptr-2022", ["dram=simple", EVR])).plain().gpu
    part = load_part("techniques.evr", False, "tile_based", ("evr",))
    towards = [SimpleNamespace(towards=0 if depth == NO_DEPTH else -1) for depth in near]
    own = SimpleNamespace(draw=towards, segment=segments, near=near, order=[0] * n)
    tiling = SimpleNamespace(
        tile=[SimpleNamespace(first_entry=0, last_entry=n)],
        entry=[SimpleNamespace(primitive=i) for i in range(n)],
        primitive=[SimpleNamespace(state=i) for i in range(n)],
    )
    state = gpu.technique.evr
    state.active, state.far_before[0], gpu.tile_fetcher.tile = 1, far, 0
    assert [part.next_primitive(gpu, own, tiling, entry, 0) for entry in range(n)] == order
    assert state.predicted == sum(depth > far > NO_DEPTH for depth in near)


@pytest.fixture(scope="module")
def back_to_front(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three frames of five layers that fill the screen, the farthest first."""
    layers = [Layer(f"layer {n}", 0.8 - 0.3 * n, function=LESS) for n in range(5)]
    return record_layers(tmp_path_factory.mktemp("layers"), [layers] * 3)


def test_the_front_hides_what_was_drawn_before_it(new_machine: Any, back_to_front: Path) -> None:
    """In the first frame every quad is shaded. The far depth of each tile is then that of the front, and the other four
    layers are fetched after it: all of their quads are killed."""
    one = new_machine(load_configuration("ptr-2022", ["dram=simple", EVR]), compiled=False)
    loader = Loader(back_to_front, one.chip.configuration)
    pictures, shaded, predicted = OwnPictures(loader.source, one.chip), [], []
    for number in loader.frames:
        frame = loader.load(number)
        s = one.run(frame)
        assert pictures.check(number, frame)["pictures.different_pixels"] == 0
        shaded.append(s["fragment.processor.quads"])
        predicted.append(s["techniques.evr.predicted"])
    assert shaded == [5 * QUADS, QUADS, QUADS]
    # Four of five primitives of each tile's list.
    assert predicted == [0, *[s["tiling.tile_fetcher.primitives"] * 4 / 5] * 2]


def test_nothing_is_predicted_where_that_is_asked_for(new_machine: Any, back_to_front: Path) -> None:
    settings = ["dram=simple", EVR, "technique.evr.far=nothing"]
    one = new_machine(load_configuration("ptr-2022", settings), compiled=False)
    loader = Loader(back_to_front, one.chip.configuration)
    shaded = [one.run(loader.load(number))["fragment.processor.quads"] for number in loader.frames[:2]]
    assert np.allclose(shaded, 5 * QUADS)
