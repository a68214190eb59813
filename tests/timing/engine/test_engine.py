"""The machine as a whole: idle cycles may be skipped, the compiler changes nothing, nothing is lost on the way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from random_machines import random_overrides
from synthetic import synthetic

from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.results.units import spent_cycles


def random_frame(seed: int) -> Any:
    return synthetic(
        tiles_x=2, tiles_y=2, primitives=6, largest=8, seed=seed, late_share=0.3 * (seed % 2), discard_share=0.5
    )


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_lost_between_stages(machine: Any, seed: int) -> None:
    frame = random_frame(seed)
    quads, primitives = len(frame.tiling.quad), len(frame.binning.primitive)
    s = machine(*random_overrides(random.Random(50 + seed))).run(frame)
    assert s["geometry.primitive_assembly.primitives"] == s["tiling.polygon_list_builder.primitives"] == primitives
    assert s["tiling.polygon_list_builder.pointers"] == s["tiling.tile_fetcher.primitives"] == len(frame.tiling.entry)
    assert s["raster.rasterizer.primitives"] == len(frame.tiling.entry)
    assert s["raster.rasterizer.quads"] == s["raster.early_depth.quads"] == quads
    assert s["raster.early_depth.killed_quads"] + s["fragment.processor.quads"] == quads
    assert (
        s["raster.blending.quads"] + s["raster.late_depth.killed_quads"] + s["raster.late_depth.discarded_quads"]
        == s["fragment.processor.quads"]
    )
    assert s["raster.tile_flush.tiles"] == len(frame.tiling.tile)
    assert s["fragment.processor.tex_instructions"] == s["fragment.texture_unit.operations"]
    assert s["fragment.texture_unit.lines"] == s["memory.texture_cache.accesses"]
    for cache in (
        "vertex_cache",
        "tile_cache",
        "texture_cache",
        "instruction_cache",
        "vertex_instruction_cache",
        "l2_cache",
    ):
        parts = ("read_hits", "read_misses", "write_hits", "write_misses", "merges", "prefetches")
        assert s[f"memory.{cache}.accesses"] == sum(s[f"memory.{cache}.{part}"] for part in parts)
    accesses = s["memory.dram.row_hits"] + s["memory.dram.row_misses"]
    if s["memory.dram.refreshes"] + s["memory.dram.activates"] == 0:
        assert accesses == s["memory.dram.reads"] + s["memory.dram.writes"]
    else:
        assert accesses == s["memory.dram.read_commands"] + s["memory.dram.write_commands"]
        bursts = (
            sum(s[f"memory.dram.{name}_reads"] for name in ("merged", "forwarded")) + s["memory.dram.read_commands"]
        )
        assert bursts in (s["memory.dram.reads"], 2 * s["memory.dram.reads"])
    assert s["memory.dram.write_bytes.color"] == 4 * 32 * 32 * len(frame.tiling.tile)


@pytest.mark.parametrize("seed", range(8))
def test_depth_outcomes_are_those_of_program_order(machine: Any, seed: int) -> None:
    frame = synthetic(
        tiles_x=2, tiles_y=2, primitives=25, seed=seed, late_share=(0.0, 0.4)[seed % 2], discard_share=0.3
    )
    s = machine(f"raster_units={1 + seed % 2}", f"fragment_stage.processors={(1, 2, 4, 8)[seed % 4]}").run(frame)
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
    late = frame.depth.primitive["state"][frame.tiling.quad["primitive"]] == 1
    passed = frame.tiling.quad["depth_pass"] != 0
    assert s["raster.early_depth.killed_quads"] == np.count_nonzero(~late & ~passed) > 0
    assert s["raster.blending.quads"] == np.count_nonzero(passed)
    assert s["raster.early_depth.late_quads"] == np.count_nonzero(late)


def test_a_wrong_outcome_is_noticed(machine: Any) -> None:
    frame = synthetic(primitives=10)
    frame.tiling.quad["depth_pass"][:7] ^= 1
    assert machine().run(frame)["raster.early_depth.mismatched_quads"] == 7


def test_two_raster_units_are_faster_than_one_but_not_twice(machine: Any) -> None:
    frame = synthetic(tiles_x=8, tiles_y=4, primitives=22, instructions=60, spread=16)
    one, two = (machine(f"raster_units={n}").run(frame) for n in (1, 2))
    assert 1.4 < one["gpu.raster_cycles"] / two["gpu.raster_cycles"] <= 2.0
    assert one["fragment.processor.quads"] == two["fragment.processor.quads"]


def test_two_raster_units_double_what_fragments_alone_bound(machine: Any) -> None:
    # Long shaders, no textures, memory without latency or limit, 200 tiles to divide: the ideal of half the time.
    free = "row_hit_latency=1", "row_miss_latency=1", "bytes_per_memory_cycle=1024", "l2_cache.latency=1"
    frame = synthetic(tiles_x=20, tiles_y=10, primitives=6, instructions=60, texture_operations=0, seed=4)
    one, two = (machine(f"raster_units={n}", *free).run(frame) for n in (1, 2))
    assert 1.9 <= one["gpu.raster_cycles"] / two["gpu.raster_cycles"] <= 2.0


def test_caches_stay_warm_from_frame_to_frame(machine: Any) -> None:
    frame = synthetic(primitives=10)
    gpu = machine()
    cold, warm = gpu.run(frame), gpu.run(frame)
    assert cold["memory.dram.read_bytes.texture"] > 0
    assert warm["memory.dram.read_bytes.texture"] == 0
    assert warm["gpu.cycles"] < cold["gpu.cycles"]
    assert warm["fragment.processor.quads"] == cold["fragment.processor.quads"]


def test_every_cycle_of_a_processor_is_accounted_for(machine: Any) -> None:
    s = machine().run(synthetic(primitives=8))
    spent = sum(s[f"fragment.processor.{cause}_cycles"] for cause in ("busy", "stalled", "empty", "output"))
    assert spent == 4 * s["gpu.cycles"]
    assert s["fragment.processor.busy_cycles"] == sum(
        s[f"fragment.processor.{kind}_instructions"] for kind in ("alu", "sfu", "tex", "flow")
    )


def test_more_warps_hide_more_latency(machine: Any) -> None:
    frame = synthetic(tiles_x=4, primitives=15)
    cycles = [machine(f"fragment_stage.warps={n}").run(frame)["gpu.raster_cycles"] for n in (1, 2, 4, 8)]
    assert cycles == sorted(cycles, reverse=True)
    assert cycles[0] > 1.5 * cycles[-1]


def test_a_run_ends_where_it_was_told_to(machine: Any) -> None:
    # In slices of 100 cycles: each ends at its hundredth, whatever there is to skip, and the whole is the same.
    whole, sliced = machine(), machine()
    whole.run(random_frame(3))
    begin_frame(sliced.chip)
    ends, frame = [], random_frame(3)
    while not sliced.engine.run(sliced.gpu, frame, False, 100):
        ends.append(int(sliced.gpu.cycle))
    assert ends == list(range(100, int(whole.gpu.cycle), 100))
    sliced.chip.settle()
    assert sliced.gpu.cycle == whole.gpu.cycle
    assert spent_cycles(sliced.chip) == spent_cycles(whole.chip)
