"""Recent techniques with each other and with older ones: pictures stay as they are, and idle cycles may be skipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import Layer, random_layers, record_layers

from tests.quick import quick_ones
from tilegpu.functional.errors import UserError
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.registry import find_techniques
from tilegpu.timing.results.own_pictures import OwnPictures

TOGETHER = (
    ("libra", "dtexl", "omega_test"), ("evr", "rendering_elimination"), ("tcor", "visibility_rendering_order"),
    ("libra", "rendering_elimination"), ("evr", "omega_test", "dtexl"), ("omega_test", "rendering_elimination"),
    ("omega_test", "visibility_rendering_order"), ("tcor", "evr", "transaction_elimination"),
)  # fmt: skip


@pytest.fixture(scope="module")
def layered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames of objects behind each other; one moves, and then stands still."""
    still, places = random_layers(np.random.default_rng(7), 4), (8, 20, 20, 20)
    moving = [Layer("moving", -0.3, x, x + 20, 24, 52) for x in places]
    return record_layers(tmp_path_factory.mktemp("layered"), [[*still, layer] for layer in moving])


@pytest.mark.parametrize("techniques", quick_ones(TOGETHER, TOGETHER[:3]), ids="+".join)
def test_pictures_stay_as_they_are(new_machine: Any, layered: Path, techniques: tuple[str, ...]) -> None:
    settings = ["dram=simple", f"techniques={'+'.join(techniques)}", "raster_units=2", "fragment_stage.scheduler=wasp"]
    configuration = load_configuration("ptr-2022", settings)
    one, other = (new_machine(configuration, compiled=False) for _ in range(2))
    loader = Loader(layered, configuration)
    pictures = OwnPictures(loader.source, one.chip)
    for number in loader.frames:
        frame = loader.load(number)
        skipping = one.run(frame)
        drawn = pictures.check(number, frame)
        assert drawn["pictures.pixels"] > 0 == drawn["pictures.different_pixels"] == drawn["pictures.unwritten_pixels"]
        assert skipping == other.run(frame, every=True)


@pytest.mark.parametrize(
    "techniques",
    [("tcor", "libra"), ("evr", "visibility_rendering_order"), ("omega_test", "deferred_rendering")],
    ids="+".join,
)
def test_what_does_not_go_together_is_refused(techniques: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match="do not work together"):
        find_techniques(techniques, "tile_based")
