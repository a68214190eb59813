"""Applications that share a GPU with unified cores by tile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from activity_builder import Rectangle, Scene

from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.merged import merge
from tilegpu.timing.memory.address_map import SHARED_BYTES, AddressSpace

pytestmark = pytest.mark.engine("unified")

WORK = ("geometry.vertex_processor.vertices", "raster.rasterizer.quads", "fragment.processor.quads")


def test_two_applications_do_the_work_of_both(tmp_path: Path, new_machine: type) -> None:
    frames = [Rectangle(3, 5, 60, 40, 0.5), Rectangle(0, 0, 90, 70, 0.7)], [Rectangle(20, 8, 30, 30, 0.4, discards=1)]
    configuration = load_configuration("mali-g52-mc1", ["techniques=none", "tile_fetcher.context_switch_cycles=50"])
    loaders = [
        Loader(Scene(96, 96, [items]).write(tmp_path / str(k)), configuration, space=AddressSpace(k, SHARED_BYTES))
        for k, items in enumerate(frames)
    ]
    alone = [new_machine(configuration, True).run(loader.load(0)) for loader in loaders]
    merged = merge([loader.load(0) for loader in loaders], (0, 1), 1)
    together = new_machine(configuration, True).run(merged.frame)
    for name in WORK:
        assert together[name] == sum(each[name] for each in alone) > 0, name
    # All 36 tiles of one and of the other in turns.
    assert together["tiling.tile_fetcher.switches"] == 2 * 36 - 1
    assert together["raster.early_depth.mismatched_quads"] == 0
    merged.hand_back()
    for own in merged.own:
        assert np.array_equal(own.depth.blended["order"] > 0, own.depth.quad["passed"] != 0)
