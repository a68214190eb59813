"""The tile-based machine with unified cores: nothing lost, order kept, warps and rates counted by hand, dispatches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene
from conftest import Machine
from ordered_work import ordered_work
from test_compute import dispatched, program, recorded

from tests.compute.programs.catalogue import PROGRAMS
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config.load import ConfigurationError
from tilegpu.timing.loading.shader_code import check_registers
from tilegpu.timing.loading.source import ActivityError

pytestmark = pytest.mark.engine("unified")

CHOICES: dict[str, tuple[Any, ...]] = {
    "tiles.raster_units": (1, 2, 4),
    "tiles.width": (16, 32),
    "simt_core.clusters": (1, 2, 3, 8),
    "simt_core.warp_threads": (8, 16, 32),
    "simt_core.max_threads": (32, 128, 512),
    "simt_core.registers": (2048, 65536),
    "simt_core.schedulers": (1, 2, 4),
    "simt_core.issue": ("scalar", "pairs"),
    "simt_core.operations": (1, 16, 64),
    "simt_core.texture_threads": (0, 1, 8),
    "vertex_warp_launcher.vertices_in_flight": (32, 512),
    "vertex_warp_launcher.shaded_vertices": (1, 3, 32),
    "vertex_warp_launcher.fetch": ("central", "cores"),
    "vertex_warp_launcher.index_lines": (0, 1, 4),
    "fragment_warp_launcher.queue": (8, 64),
    "fragment_warp_launcher.quads": (8, 256),
    "fragment_warp_launcher.wait_cycles": (0, 16, 300),
    "fragment_warp_launcher.quads_per_cycle": (1, 4),
    "vertex_fetcher.queue": (1, 16, 64),
    "blending.color_queue": (1, 64),
    "early_depth.in_flight": (1, 20),
    "texture_cache.mshrs": (1, 16),
}


def configuration(*settings: str) -> Any:
    """A machine with one core of warps of eight threads, unless settings say something else."""
    usual = ["machine=unified", "dram=simple", "simt_core.clusters=1", "simt_core.max_threads=512"]
    return load_configuration("ptr-2022", [*usual, "simt_core.warp_threads=8", *settings])


def random_machine(seed: int) -> Any:
    rnd = random.Random(seed)
    return configuration(*(f"{name}={rnd.choice(values)}" for name, values in CHOICES.items()))


def scene(seed: int) -> Scene:
    """Random rectangles over each other, some tested late, with clears between them."""
    rnd = random.Random(seed)
    items: list[Rectangle | Clear] = []
    for _ in range(6):
        x, y = rnd.randrange(0, 40), rnd.randrange(0, 40)
        size = rnd.randrange(1, 64 - x), rnd.randrange(1, 64 - y)
        late, function = rnd.choice((0, 0, 1, 6)), rnd.choice(("LESS", "LEQUAL", "GREATER", "ALWAYS"))
        items.append(Rectangle(x, y, *size, depth=rnd.random(), slope=0.002, discards=late, function=function))
        if rnd.random() < 0.2:
            items.append(Clear(rnd.random()))
    return Scene(frames=[items])


def run(folder: Path, c: Any, number: int = 0) -> tuple[dict[str, float], Any]:
    """Statistics of a frame, and its tables."""
    frame, machine = Loader(folder, c).load(number), Machine(c, True)
    found = machine.run(frame)
    for unit, place, owner in machine.chip.accounted:
        assert sum(owner.spent) == machine.gpu.cycle, (unit.name, place)
    return found, frame


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(n, marks=pytest.mark.slow) for n in range(8, 100))])
def test_nothing_is_lost_and_outcomes_are_the_recorded_ones(tmp_path: Path, seed: int) -> None:
    c = random_machine(seed)
    s, frame = run(scene(seed).write(tmp_path / "activity"), c)
    quads = frame.depth.quad
    assert (quads["passed"] == quads["depth_pass"]).all()
    shaded = s["raster.early_depth.survived_quads"]
    assert s["fragment.processor.quads"] == s["simt.core.quads"] == shaded
    assert s["simt.core.fragment_warps"] == s["fragment.warp_launcher.warps"]
    assert s["geometry.vertex_processor.vertices"] == s["simt.core.vertices"] == s["geometry.vertex_fetcher.vertices"]
    assert s["raster.blending.quads"] == (quads["passed"] != 0).sum()
    for kind in ("l2_cache", "texture_cache", "data_cache", "vertex_cache", "tile_cache", "instruction_cache"):
        found = s[f"memory.{kind}.hits"] + s[f"memory.{kind}.misses"] + s[f"memory.{kind}.merges"]
        assert found == s[f"memory.{kind}.accesses"]


def test_quads_are_blended_in_drawing_order(tmp_path: Path) -> None:
    layers = [Rectangle(0, 0, 16, 16, depth=0.9 - 0.1 * i, function="ALWAYS") for i in range(8)]
    _, frame = run(Scene(frames=[[*layers]]).write(tmp_path / "activity"), configuration("tiles.width=16"))
    order = np.argsort(frame.depth.blended["order"], kind="stable")
    assert (np.diff(frame.depth.quad["primitive"][order]) >= 0).all()


def drawn(folder: Path, widths: Sequence[int], *settings: str) -> dict[str, float]:
    """Statistics of rectangles side by side in a tile, two pixels high."""
    items: list[Rectangle | Clear] = []
    for i, width in enumerate(widths):
        items.append(Rectangle(sum(widths[:i]), 0, width, 2, function="ALWAYS"))
    return run(Scene(frames=[items]).write(folder), configuration("tiles.width=32", *settings))[0]


@pytest.mark.parametrize("threads", [8, 16, 32])
def test_warps_take_quads_of_one_draw(tmp_path: Path, threads: int) -> None:
    settings = f"simt_core.warp_threads={threads}", "fragment_warp_launcher.wait_cycles=1000"
    one = drawn(tmp_path / "one", [2], *settings)
    both = drawn(tmp_path / "both", [2, 2], *settings)
    assert (one["fragment.warp_launcher.warps"], both["fragment.warp_launcher.warps"]) == (1, 2)
    wide = drawn(tmp_path / "wide", [16], *settings)
    # Eight quads, and those of the diagonal, which both triangles cover.
    quads = wide["fragment.processor.quads"]
    assert quads >= 8 and wide["fragment.warp_launcher.warps"] == -(-quads * 4 // threads)


def test_warps_take_vertices_of_one_draw(tmp_path: Path) -> None:
    found = drawn(tmp_path / "activity", [2, 2, 2])
    assert found["geometry.vertex_warp_launcher.warps"] == found["simt.core.vertex_warps"] == 3


def test_textures_are_filtered_at_a_rate(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 64, 64)]], texture_size=8).write(tmp_path / "activity")
    quick = "simt_core.schedulers=4", "simt_core.issue=pairs"
    found = {rate: run(folder, configuration(f"simt_core.texture_threads={rate}", *quick))[0] for rate in (0, 1)}
    # Each quad has one texture operation: four threads.
    threads = 4 * found[1]["fragment.processor.quads"]
    assert found[0]["gpu.raster_cycles"] < 0.8 * threads < threads <= found[1]["gpu.raster_cycles"] < 1.2 * threads


def test_pairs_take_half_the_time_at_best(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 64, 64, textured=False)]]).write(tmp_path / "activity")
    scalar, pairs = (
        run(folder, configuration(f"simt_core.issue={issue}"))[0]["simt.core.scalar_instructions"]
        for issue in ("scalar", "pairs")
    )
    assert scalar / 2 <= pairs < scalar


def test_dispatches_run_as_counted() -> None:
    body = "held[me] = a[all]; barrier(); b[all] = held[me ^ 1u];"
    found, _ = run(recorded(body, 32, 3), configuration("work_groups.banks=8"), 1)
    # Three groups of four warps, each with two accesses to memory, two to shared memory and a barrier.
    assert found["simt.core.compute_warps"] == found["simt.core.barriers"] == 12
    assert found["simt.load_store.operations"] == found["simt.core.shared_accesses"] == 24
    assert found["simt.core.shared_cycles"] == 24


QUICK = ("reduction", "light_culling", "particles")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in PROGRAMS])
def test_programs_run_beside_graphics(name: str) -> None:
    c = configuration("simt_core.clusters=2", "tiles.raster_units=2")
    folder = program(name)
    found, frame = run(folder, c, 1)
    assert (found["gpu.dispatches"], found["simt.core.compute_warps"]) == dispatched(folder, 8)
    assert found["raster.early_depth.mismatched_quads"] == 0
    machines = [Machine(c, True) for _ in range(2)]
    skipping, ticking = (
        machine.run(Loader(folder, c).load(1), every) for machine, every in zip(machines, (False, True), strict=True)
    )
    assert skipping == ticking == found


def test_what_cores_cannot_do_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="overlap = none"):
        configuration("command_processor.overlap=geometry")
    with pytest.raises(ConfigurationError, match="64 warps at most"):
        configuration("simt_core.max_threads=2048")
    with pytest.raises(ConfigurationError, match="power of two"):
        configuration("simt_core.warp_threads=12")
    settings = "simt_core.registers=1024", "simt_core.warp_threads=32"
    folder = Scene(frames=[[Rectangle(0, 0, 8, 8)]]).write(tmp_path / "activity")
    loader = Loader(folder, configuration(*settings))
    loader.load(0)
    with pytest.raises(ActivityError, match=r"registers for a warp; raise simt_core.registers \(1,024\)"):
        check_registers(np.array([33]), 32, "a warp", loader.configuration)


@pytest.mark.parametrize("steps", [("dispatch", "draw"), ("target 1", "draw", "window", "dispatch", "draw")])
def test_dispatches_run_at_the_same_time_as_draws(steps: tuple[str, ...]) -> None:
    folder, usual = ordered_work(*steps), ("work_groups.launch_cycles=0",)
    loaded = Loader(folder, configuration(*usual)).load(1)
    found = Machine(configuration(*usual), True).run(loaded)
    in_turn = Machine(configuration(*usual, "work_groups.synchronization=in_turn"), True)
    turns = in_turn.run(Loader(folder, configuration(*usual, "work_groups.synchronization=in_turn")).load(1))
    assert found["gpu.cycles"] < turns["gpu.cycles"]
    for name in ("gpu.dispatches", "simt.core.compute_warps", "simt.core.quads"):
        assert found[name] == turns[name] > 0
    assert Machine(configuration(*usual), True).run(loaded, every=True) == found
    assert Machine(configuration(*usual), False).run(Loader(folder, configuration(*usual)).load(1)) == found
