"""The immediate-mode machine: cycles worked out by hand, nothing lost, order kept, depth as recorded."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene
from immediate_frames import immediate, immediate_frame
from random_machines import CHOICES
from test_by_hand import A, one_primitive

from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.loading.source import ActivityError

pytestmark = pytest.mark.engine("immediate")

IMMEDIATE = "machine=immediate"
OWN: dict[str, tuple[Any, ...]] = {
    "raster_units": (1,),
    "depth_cache.size_bytes": (512, 4096),
    "depth_cache.mshrs": (1, 16),
    "depth_cache.waiters": (1, 64),
    "depth_cache.write_miss": ("fetch", "validate", "around"),
    "depth_cache.write": ("back", "through"),
    "color_cache.size_bytes": (512, 8192),
    "color_cache.mshrs": (1, 16),
    "color_cache.latency": (1, 3),
    "color_cache.write_miss": ("fetch", "validate", "around"),
    "color_cache.write": ("back", "through"),
    "early_depth.latency": (1, 5),
    "blending.latency": (1, 5),
    "blending.quads_per_cycle": (1, 4),
    "early_depth.quads_per_cycle": (1, 4),
}


def overrides(seed: int) -> list[str]:
    """A random machine."""
    rnd = random.Random(seed)
    return [IMMEDIATE, *(f"{name}={rnd.choice(values)}" for name, values in (CHOICES | OWN).items())]


def frame_of(seed: int) -> Any:
    """A random frame."""
    return immediate_frame(
        seed, primitives=6, late_share=0.3 * (seed % 2), discard_share=0.5, texture_operations=seed % 3
    )


def second_run(machine: Any, frame: Any, *more: str) -> dict[str, float]:
    """Statistics of a frame whose code and lines are in the caches already; depth is far at its beginning."""
    gpu = machine(IMMEDIATE, *more)
    for _ in range(2):
        frame.depth.saved[:] = (1 << 24) - 1
        s = gpu.run(frame)
    return dict(s)


def loaded(frame: Any) -> Any:
    """The frame with attachments that are loaded, not cleared."""
    frame.surfaces.target["load"] = 1
    frame.surfaces.render_pass["load_depth"] = 0
    return frame


def test_one_quad_through_the_raster_pipeline(machine: Any) -> None:
    # Counted from when the last primitive is assembled: 1 rasterized; 2 in early depth, its line new: a write of the
    # whole line and a read are sent; 3 written, 4 read, 5 here; 7 out of early depth (5 after 2); 8 in a warp; 10 code
    # requested (1 in the processor, 1 on the way), 12 issued; 16 retired; 17 in blending; 22 written; 23 its line is in
    # the Colour Cache, nothing is left, a line of each cache is flushed; 24 the Command Processor sees the end.
    s = second_run(machine, immediate(one_primitive([A])))
    assert s["gpu.raster_cycles"] == 24
    assert s["raster.cache_flush.lines"] == 2
    assert s["memory.depth_cache.accesses"] == 3  # line, read, write
    assert s["memory.color_cache.accesses"] == 1  # the whole line is written at once


@pytest.mark.parametrize(
    ("overrides", "blends", "more"),
    [
        # The line's way is longer than the pipeline: tested in 5 instead of 7.
        (("early_depth.latency=1",), 0, -2),
        # A slower Depth Cache answers 3 later: in 8 instead of 7.
        (("depth_cache.latency=4",), 0, 1),
        # Colours are read within the pipeline's time: new line 18, read 19, here 20, out 22.
        ((), 1, 0),
        # Without it, blending ends with the colours (20), or one cycle after it began (18).
        (("blending.latency=1",), 0, -4),
        (("blending.latency=1",), 1, -2),
    ],
)
def test_the_longer_of_line_and_pipeline_counts(
    machine: Any, overrides: tuple[str, ...], blends: int, more: int
) -> None:
    s = second_run(machine, immediate(one_primitive([A]), blends), *overrides)
    assert s["gpu.raster_cycles"] == 24 + more


def test_a_loaded_line_is_read_without_being_written_first(machine: Any) -> None:
    # The line is still in the Depth Cache, clean: asked for in 2, looked up in 3, here in 4.
    s = second_run(machine, loaded(immediate(one_primitive([A]))), "early_depth.latency=1")
    assert s["gpu.raster_cycles"] == 24 - 3
    assert s["memory.depth_cache.read_hits"] == 1
    assert s["memory.depth_cache.read_misses"] == 0


@pytest.mark.parametrize("quads", [2, 4, 8, 16])
def test_the_flush_writes_a_line_per_cache_and_cycle(machine: Any, quads: int) -> None:
    # A row of quads, two to a line of 4x4 pixels, in one Colour Cache and in the Depth Cache.
    s = second_run(machine, immediate(one_primitive([A], quads=quads)), "fragment_stage.processors=1")
    assert s["raster.cache_flush.lines"] == 2 * (quads // 2)
    # One more to see that nothing is left.
    assert s["raster.cache_flush.busy_cycles"] == quads // 2 + 1


def test_a_late_quad_holds_back_its_place_only(machine: Any) -> None:
    for same, held in ((True, True), (False, False)):
        frame = immediate(one_primitive([A], quads=2))
        frame.depth.quad["x"] = [0, 0] if same else [0, 1]
        frame.depth.quad["depth_pass"][1] = 0 if same else 15
        frame.depth.state["late"] = 1
        gpu = machine(IMMEDIATE, compiled=False)
        begin_frame(gpu.chip)
        stage, tables, most = gpu.gpu.raster_unit[0].cached_depth, plain(frame), 0
        while not gpu.engine.run(gpu.gpu, tables, False, 1):
            most = max(most, stage.late_total)
        assert most == (1 if held else 2)
        # The second one at a place fails: its depth is that of the first, and LESS.
        found = sum(b.late_killed_quads for b in gpu.gpu.raster_unit[0].cached_blending)
        assert found == (1 if same else 0)


@pytest.mark.parametrize("seed", range(16))
def test_nothing_is_lost(machine: Any, seed: int) -> None:
    gpu = machine(*overrides(200 + seed))
    frame = frame_of(seed)
    s = gpu.run(frame)
    quads = len(frame.depth.quad)
    assert s["geometry.primitive_assembly.primitives"] == s["raster.rasterizer.primitives"] == len(frame.tiling.entry)
    assert s["raster.rasterizer.quads"] == s["raster.early_depth.quads"] == quads
    assert s["raster.early_depth.killed_quads"] + s["fragment.processor.quads"] == quads
    blended = s["raster.blending.quads"] + s["raster.late_depth.killed_quads"] + s["raster.late_depth.discarded_quads"]
    assert blended == s["fragment.processor.quads"]
    first_level = (
        "vertex_cache",
        "depth_cache",
        "color_cache",
        "texture_cache",
        "instruction_cache",
        "vertex_instruction_cache",
    )
    for cache in (*first_level, "l2_cache"):
        parts = ("read_hits", "read_misses", "write_hits", "write_misses", "merges", "prefetches")
        assert s[f"memory.{cache}.accesses"] == sum(s[f"memory.{cache}.{part}"] for part in parts)
    below = sum(s[f"memory.{c}.{what}"] for c in first_level for what in ("fills", "write_backs", "write_throughs"))
    assert s["memory.l2_cache.accesses"] == below + s["geometry.command_processor.requests"]
    assert s["memory.dram.accesses"] == sum(
        s[f"memory.l2_cache.{what}"] for what in ("fills", "write_backs", "write_throughs")
    )
    # Everything is drained, and what was drawn is in the L2 or below.
    stage = gpu.gpu.raster_unit[0].cached_depth
    assert stage.beyond == stage.late_total == 0
    assert not frame.surfaces.waiting.any()
    for kind in ("depth_cache", "color_cache"):
        for cache in gpu.chip.caches(kind):
            lines = slice(int(cache.first_line), int(cache.first_line + (cache.set_mask + 1) * cache.ways))
            assert not gpu.gpu.line.dirty[lines].any()
    for _, _, owner in gpu.chip.accounted:
        assert sum(owner.spent) == gpu.gpu.cycle


@pytest.mark.parametrize("seed", range(12))
def test_depth_is_that_of_program_order(machine: Any, seed: int) -> None:
    frame = frame_of(2 * seed + 1)
    s = machine(*overrides(300 + seed)).run(frame)
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
    # LESS: what is left at each pixel is the nearest of the samples that passed.
    width, height = (int(frame.surfaces.render_pass[side][0]) for side in ("width", "height"))
    expected = np.full((height, width), (1 << 24) - 1)
    for quad in frame.depth.quad:
        z = round(float(frame.depth.primitive["depth"][quad["primitive"]]) * ((1 << 24) - 1))
        for lane in range(4):
            if quad["depth_pass"] >> lane & 1:
                expected[quad["y"] * 2 + (lane >> 1), quad["x"] * 2 + (lane & 1)] = z
    assert np.abs(frame.depth.saved.reshape(height, width) - expected).max() <= 1


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 1 else pytest.mark.slow) for n in range(3)])
def test_quads_at_one_place_are_blended_in_drawing_order(machine: Any, seed: int) -> None:
    frame = immediate_frame(seed, primitives=12, largest=4, late_share=0.4, discard_share=0.3)
    gpu = machine(*overrides(400 + seed), "blending.quads_per_cycle=1", compiled=False)
    begin_frame(gpu.chip)
    tables = plain(frame)
    stages = [gpu.gpu.raster_unit[0].cached_blending[i] for i in range(gpu.gpu.fragment_processors)]
    last: dict[tuple[int, int], int] = {}
    blended, done = 0, False
    while not done:
        before = [(stage.quads, stage.flight.slot[stage.flight.head].quad) for stage in stages]
        done = gpu.engine.run(gpu.gpu, tables, False, 1)
        for stage, (quads, quad) in zip(stages, before, strict=True):
            if stage.quads == quads:
                continue
            place = int(frame.depth.quad["x"][quad]), int(frame.depth.quad["y"][quad])
            assert last.get(place, -1) < quad
            last[place] = quad
            blended += 1
    assert blended == sum(stage.quads for stage in stages) > len(last)


def test_an_activity_is_replayed_and_depth_lives_on(tmp_path: Path) -> None:
    # The second frame loads the depth of the first: what lies behind it is killed there too.
    items: list[Rectangle | Clear] = [
        Rectangle(0, 0, 64, 64, 0.8),
        Rectangle(8, 8, 40, 40, 0.3, discards=5),
        Clear(0.6),
        Rectangle(0, 16, 64, 30, 0.5, slope=0.002),
        Rectangle(0, 0, 64, 64, 0.55),
    ]
    scene = Scene(frames=[items, items[3:]], load_depth_from_second=True)
    folder = scene.write(tmp_path / "activity")
    results = replay(folder, load_configuration("imr-2018"))
    for counted in results.counted:
        assert counted["raster.early_depth.mismatched_quads"] == 0
        assert counted["raster.late_depth.mismatched_quads"] == 0
    assert results.counted[0]["raster.early_depth.clears"] == 1
    assert results.counted[1]["raster.early_depth.killed_quads"] > 0
    (row,) = results.tiles[0].to_pylist()
    assert (row["x"], row["y"], row["width"], row["height"], row["primitives"]) == (0, 0, 64, 64, 9)
    assert row["quads"] == results.counted[0]["raster.rasterizer.quads"]
    assert row["shaded_quads"] == results.counted[0]["fragment.processor.quads"]
    assert 0 <= row["first_cycle"] < row["last_cycle"] <= results.counted[0]["gpu.cycles"]


def test_a_quad_outside_its_pass_is_refused(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 8, 8)]]).write(tmp_path / "activity")
    loader = Loader(folder, load_configuration("imr-2018"))
    quads = loader.source.frame("quads", 0)
    moved = quads.set_column(quads.schema.get_field_index("x"), "x", [[32] * len(quads)])
    frame = loader.source.frame
    loader.source.frame = lambda name, number, *rest: moved if name == "quads" else frame(name, number, *rest)  # type: ignore[method-assign]
    with pytest.raises(ActivityError, match="outside pass"):
        loader.load(0)


def test_several_raster_units_are_refused() -> None:
    with pytest.raises(ValueError, match="1 Raster Unit"):
        load_configuration("imr-2018", ["raster_units=2"])
