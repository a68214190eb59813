"""Processors that read and write pixels: cycles worked out by hand, nothing lost, order kept, depth as recorded."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from immediate_frames import immediate
from random_machines import CHOICES
from shaded_frames import shaded, shaded_frame
from test_by_hand import A, one_primitive
from test_immediate import OWN

pytestmark = pytest.mark.engine("programmable_blending")

MACHINE = "machine=programmable_blending"
UNITS: dict[str, tuple[Any, ...]] = {
    "memory_unit.in_flight": (1, 4, 16),
    "memory_unit.threads_per_cycle": (1, 2, 4),
    "memory_unit.latency_cycles": (0, 1, 5),
    "fragment_stage.hazards": ("wait", "squash"),
    "vertex_stage.hazards": ("wait", "squash"),
}


def overrides(seed: int) -> list[str]:
    """A random machine."""
    rnd = random.Random(seed)
    return [MACHINE, *(f"{name}={rnd.choice(values)}" for name, values in (CHOICES | OWN | UNITS).items())]


def frame_of(seed: int) -> Any:
    """A random frame."""
    return shaded_frame(seed, primitives=6, late_share=0.3 * (seed % 2), discard_share=0.5, texture_operations=seed % 3)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost(machine: Any, seed: int) -> None:
    gpu = machine(*overrides(200 + seed))
    frame = frame_of(seed)
    s = gpu.run(frame)
    quads = len(frame.depth.quad)
    assert s["raster.early_depth.killed_quads"] + s["fragment.processor.quads"] == quads
    blended = s["raster.blending.quads"] + s["raster.late_depth.killed_quads"] + s["raster.late_depth.discarded_quads"]
    assert blended == s["fragment.processor.quads"]
    state = frame.depth.state[frame.binning.primitive["state"][frame.depth.quad["primitive"]]]
    shaded_quads = s["fragment.processor.quads"]
    assert s["fragment.memory_unit.color_stores"] <= shaded_quads
    if (state["writes_color"] != 0).all():
        assert s["fragment.memory_unit.color_stores"] == shaded_quads
    assert s["fragment.processor.mem_instructions"] == sum(
        s[f"fragment.memory_unit.{access}s"] for access in ("depth_load", "depth_store", "color_load", "color_store")
    )
    stage = gpu.gpu.raster_unit[0].cached_depth
    assert stage.beyond == stage.late_total == 0
    assert not frame.surfaces.waiting.any()
    for _, _, owner in gpu.chip.accounted:
        assert sum(owner.spent) == gpu.gpu.cycle


def second_run(machine: Any, frame: Any, *more: str) -> dict[str, float]:
    """Statistics of a frame whose code and lines are in the caches already; depth is far at its beginning."""
    gpu = machine(MACHINE, *more)
    for _ in range(2):
        frame.depth.saved[:] = (1 << 24) - 1
        s = gpu.run(frame)
    return dict(s)


@pytest.mark.parametrize(
    ("blends", "overrides", "cycles"),
    [
        # As in `test_immediate`: 12 the program's instruction issued. Its store is in another line of code: 13 asked
        # for, 16 here and issued; 17 sent, as a write of the whole line; 20 the warp's last instruction has passed the
        # pipeline, 21 the quad has left; 22 a line of each cache is flushed; 23 the Command Processor sees the end.
        (0, (), 23),
        # 16 load issued, 17 sent: 18 whole line written, 19 read, 20 here, 21 usable. 17 multiply, its result in 21;
        # 21 multiply-add, 25 store; 29 through the pipeline, 30 left, 31 flushed, 32 seen.
        (1, (), 32),
        # What was loaded is usable two cycles later.
        (1, ("memory_unit.latency_cycles=3",), 34),
        # Reads take three cycles more.
        (1, ("color_cache.latency=4",), 35),
    ],
)
def test_a_quads_colours_are_loaded_and_stored(
    machine: Any, blends: int, overrides: tuple[str, ...], cycles: int
) -> None:
    s = second_run(machine, shaded(immediate(one_primitive([A]), blends)), *overrides)
    assert s["gpu.raster_cycles"] == cycles
    assert s["fragment.memory_unit.color_loads"] == blends
    assert s["fragment.memory_unit.color_stores"] == 1
    assert s["fragment.processor.alu_instructions"] == 1 + 2 * blends


@pytest.mark.parametrize(
    ("same", "overrides", "cycles"),
    [
        # Both warps go on side by side. 17 the second one's load is issued, 19 sent, after two cycles for the first
        # one's addresses; 23 its multiply-add, behind that of the first; 27 its store; 34 the end.
        (False, (), 34),
        # 25 the first one's store is issued, 26 the second one's load; 27 sent, 29 here, 30 usable; 27 multiply,
        # 31 multiply-add, 35 store, 42 the end.
        (True, (), 42),
    ],
)
def test_a_load_waits_for_the_store_of_an_earlier_warp_at_its_place(
    machine: Any, same: bool, overrides: tuple[str, ...], cycles: int
) -> None:
    frame = immediate(one_primitive([A], quads=2), 1)
    frame.depth.state["depth_test"] = 0
    if same:
        frame.depth.quad["x"] = 0
    s = second_run(machine, shaded(frame), "fragment_stage.processors=1", *overrides)
    assert s["gpu.raster_cycles"] == cycles


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_addresses_are_sent_for_some_fragments_a_cycle(machine: Any, threads: int) -> None:
    frame = immediate(one_primitive([A], quads=2), 1)
    frame.depth.quad["coverage"] = frame.depth.quad["depth_pass"] = [0b1111, 0b0111]
    s = second_run(machine, shaded(frame), f"memory_unit.threads_per_cycle={threads}")
    assert s["fragment.memory_unit.address_cycles"] == {1: 14, 2: 8, 4: 4}[threads]


@pytest.mark.parametrize("seed", range(4))
def test_depth_and_what_passes_are_those_of_drawing_order(machine: Any, seed: int) -> None:
    frame = frame_of(2 * seed + 1)
    s = machine(*overrides(300 + seed)).run(frame)
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0


@pytest.mark.parametrize("seed", range(3))
def test_quads_at_one_place_are_blended_in_drawing_order(machine: Any, seed: int) -> None:
    frame = shaded_frame(seed, primitives=12, largest=4, late_share=0.4, discard_share=0.3)
    machine(*overrides(400 + seed)).run(frame)
    quad, order = frame.depth.quad, frame.depth.blended["order"]
    assert (order > 0).any()
    for x, y in {(int(q["x"]), int(q["y"])) for q in quad}:
        there = order[(quad["x"] == x) & (quad["y"] == y) & (order > 0)]
        assert (np.diff(there) > 0).all()
