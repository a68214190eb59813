"""Processor of a quad as it is queued: by its place on the screen, or that with the fewest quads."""

from __future__ import annotations

from typing import Any

import pytest
from shaded_frames import shaded_frame
from test_programmable_blending import overrides

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.records import MAX_THREADS, QUAD
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.ring import grow

pytestmark = pytest.mark.engine("programmable_blending")

FEWEST = "dispatch.processor=fewest_quads"


class Bench:
    """Four processors and the queue that they share, filled by hand."""

    def __init__(self) -> None:
        configuration = load_configuration("dae-2012-baseline", ["dram=simple", FEWEST])
        self.gpu: Any = build(configuration).plain().gpu
        self.unit = load_part("units.dispatch", compiled=False, machine="programmable_blending")
        self.depth = plain(shaded_frame(1, primitives=4)).depth
        for q in range(8):
            self.depth.quad[q].x, self.depth.quad[q].y = q, 0

    def shade(self, processor: int, quads: list[int]) -> None:
        core = self.gpu.raster_unit[0].fragment_processor[processor]
        w = core.warp.count
        warp = grow(core.warp)
        warp.lanes = len(quads)
        for lane, q in enumerate(quads):
            core.place[MAX_THREADS * w + lane] = q

    def queue(self, processor: int, q: int) -> None:
        entry = grow(self.gpu.raster_unit[0].input)
        entry.processor, entry.token.kind, entry.token.index = processor, QUAD, q

    def chosen(self, q: int) -> int:
        return int(self.unit.with_fewest(self.gpu, self.depth, 0, q))


def test_the_processor_with_the_fewest_quads_gets_the_next_one() -> None:
    bench = Bench()
    # Nobody has anything: the first. Then 2, 1, 1 and 0 quads, shaded and queued: the last; then one each but for the
    # first: the second.
    assert bench.chosen(7) == 0
    bench.shade(0, [0, 1])
    bench.queue(1, 2)
    bench.shade(2, [3])
    assert bench.chosen(7) == 3
    bench.queue(3, 4)
    assert bench.chosen(7) == 1


def test_a_quad_follows_another_at_its_place() -> None:
    bench = Bench()
    bench.shade(2, [5, 6])
    bench.queue(1, 4)
    assert bench.chosen(6) == 2
    assert bench.chosen(4) == 1
    assert bench.chosen(7) == 0


@pytest.mark.parametrize("seed", range(2))
def test_no_quad_is_lost_and_depths_are_the_same(machine: Any, seed: int) -> None:
    frame = shaded_frame(seed, primitives=8, late_share=0.3 * seed, discard_share=0.2, texture_operations=2)
    settings = [*overrides(seed), "fragment_stage.input_queue=shared", "fragment_stage.warps=1"]
    mapped, free = (machine(*settings, f"dispatch.processor={how}").run(frame) for how in ("mapped", "fewest_quads"))
    for name in ("raster.early_depth.quads", "raster.early_depth.killed_quads", "fragment.processor.quads"):
        assert mapped[name] == free[name]
    assert free["fragment.processor.instructions"] == mapped["fragment.processor.instructions"]
    assert free["raster.early_depth.mismatched_quads"] == mapped["raster.early_depth.mismatched_quads"]
