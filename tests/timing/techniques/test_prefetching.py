"""Machines with prefetchers at their texture caches: skipping idle cycles and compiling change nothing, and neither do
prefetchers change what is drawn."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_machines import random_overrides
from synthetic import TEXTURES, synthetic
from test_engine import random_frame
from test_random_techniques import Small

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.results.own_pictures import OwnPictures
from tilegpu.timing.techniques.prefetching.state import NAME, WALKS

pytestmark = pytest.mark.engine("prefetching")

TECHNIQUE = "techniques=prefetching"
OWN = "technique.prefetching."
PREFETCHERS = ("stride", "ghb", "mta")


def random_machine(seed: int) -> list[str]:
    """A random machine with random prefetchers."""
    rnd = random.Random(seed)
    own = {
        "prefetcher": PREFETCHERS, "training": ("first_uses", "misses", "accesses"), "latency_cycles": (1, 5),
        "queue": (1, 16), "lookup": ("free_bank", "own_port"), "spare_mshrs": (0, 1),
        "mshrs": ("caches", "prefetchers"), "stride_entries": (1, 48),
        "stride_degree": (1, 4), "history_entries": (4, 100), "index_entries": (2, 16), "distance_degree": (1, 4),
        "distance_walk": WALKS, "warp_stride_entries": (2, 16), "promotion_warps": (1, 3), "throttling": ("on", "off"),
        "period_cycles": (50, 1000), "high_merges": (0, 150),
    }  # fmt: skip
    return [TECHNIQUE, *random_overrides(rnd), *(f"{OWN}{name}={rnd.choice(values)}" for name, values in own.items())]


def strided_frame(seed: int) -> Any:
    """A random frame whose operations read most lines in regular steps."""
    frame = random_frame(seed)
    line = frame.texturing.line
    regular = np.flatnonzero(np.arange(len(line)) % (7 + seed % 20) != 0)
    line[regular] = TEXTURES + 64 * (regular * (1 + seed % 3) // (1 + seed % 4))
    return frame


UNTIMED = (
    "geometry.primitive_assembly.primitives", "tiling.polygon_list_builder.pointers", "raster.rasterizer.quads",
    "raster.early_depth.killed_quads", "raster.early_depth.mismatched_quads", "raster.blending.quads",
    "raster.blending.fragments", "fragment.processor.quads", "fragment.processor.instructions",
    "fragment.texture_unit.operations", "fragment.texture_unit.lines", "memory.texture_cache.accesses",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_only_times_change(machine: Any, seed: int) -> None:
    frame = strided_frame(seed)
    found = {}
    for prefetcher in ("none", *PREFETCHERS, "perfect"):
        found[prefetcher] = machine(TECHNIQUE, f"{OWN}prefetcher={prefetcher}").run(frame)
    for s in found.values():
        assert {name: s[name] for name in UNTIMED} == {name: found["none"][name] for name in UNTIMED}
    assert all(found[prefetcher][f"{NAME}.useful"] > 0 for prefetcher in PREFETCHERS)
    assert min(found, key=lambda prefetcher: found[prefetcher]["gpu.cycles"]) == "perfect"
    assert found["perfect"]["memory.texture_cache.misses"] == 0


def test_without_a_prefetcher_the_machine_is_the_one_without_the_technique(machine: Any) -> None:
    frame = synthetic(tiles_x=2, primitives=3, largest=6)
    found = machine(TECHNIQUE, f"{OWN}prefetcher=none").run(frame)
    for name, value in machine(compiled=False).run(frame).items():
        assert found[name] == value, name


@pytest.mark.parametrize("prefetcher", [*PREFETCHERS, "perfect"])
def test_pictures_stay_as_they_were_drawn(machine: Any, tmp_path: Path, prefetcher: str) -> None:
    with Recorder(tmp_path / "small.trace", 64, 48) as gl:
        scene = Small(gl)
        for number in range(2):
            scene.frame(number)
    groups = frozenset(("colors", "pass_images"))
    record(tmp_path / "small.trace", tmp_path / "activity", level="all", groups=groups)
    one = machine(TECHNIQUE, f"{OWN}prefetcher={prefetcher}")
    loader = Loader(tmp_path / "activity", one.chip.configuration)
    own = OwnPictures(loader.source, one.chip)
    for number in loader.frames:
        frame = loader.load(number)
        one.run(frame)
        pictures = own.check(number, frame)
        assert pictures["pictures.pixels"] == 64 * 48
        assert pictures["pictures.different_pixels"] == 0
