"""Prefetchers beside the Colour and Depth Caches of the immediate-mode machine."""

from __future__ import annotations

import random
from typing import Any

import pytest
from immediate_frames import immediate_frame
from test_immediate import overrides
from test_prefetching import OWN, TECHNIQUE, random_machine

from tilegpu.timing.assembly.build import build
from tilegpu.timing.config import load_configuration
from tilegpu.timing.techniques.prefetching.state import NAME

pytestmark = pytest.mark.engine("prefetching")

CACHES = ("memory.color_cache", "memory.depth_cache", "memory.texture_cache")


def settings(seed: int) -> list[str]:
    """A random machine with random prefetchers."""
    own = [setting for setting in random_machine(seed) if setting.startswith(OWN)]
    caches = random.Random(seed).choice(("texture", "pixel", "texture+color", "texture+pixel"))
    return [TECHNIQUE, *overrides(seed), *own, f"{OWN}caches={caches}"]


def test_each_cache_has_a_prefetcher_of_its_own() -> None:
    both = load_configuration("dae-2012-baseline", [TECHNIQUE, f"{OWN}caches=texture+pixel"])
    gpu = build(both).gpu
    # Four texture caches, four Colour Caches, one Depth Cache.
    assert int(gpu.instances.prefetcher) == 9
    assert len({int(gpu.prefetcher[k].cache) for k in range(9)}) == 9
    own = build(load_configuration("dae-2012-baseline", [TECHNIQUE, f"{OWN}caches=texture+color"])).gpu
    # Those of the Fragment Processors alone.
    assert int(own.instances.prefetcher) == 8


def test_pixel_caches_are_prefetched(machine: Any) -> None:
    frame = immediate_frame(3, primitives=3)
    found = {}
    for prefetcher in ("none", "ghb", "perfect"):
        frame.depth.saved[:] = (1 << 24) - 1
        found[prefetcher] = machine(
            "machine=immediate",
            TECHNIQUE,
            f"{OWN}prefetcher={prefetcher}",
            f"{OWN}caches=texture+pixel",
            compiled=False,
        ).run(frame)
    base = found["none"]
    for s in found.values():
        for name in ("raster.blending.quads", "raster.early_depth.killed_quads", "raster.early_depth.mismatched_quads"):
            assert s[name] == base[name]
        # What is drawn reaches memory, or the L2.
        assert s["raster.cache_flush.passes"] == base["raster.cache_flush.passes"]
    assert all(found["perfect"][f"{cache}.misses"] == 0 for cache in CACHES)
    assert found["ghb"][f"{NAME}.issued"] > 0
    assert found["perfect"]["gpu.cycles"] == min(s["gpu.cycles"] for s in found.values())
