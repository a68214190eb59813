"""Geometry beside the raster stage of the pass before: nothing lost, the same work, order kept, time saved."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene
from conftest import Machine
from window_and_texture import write_window_and_texture

from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.load import ConfigurationError
from tilegpu.timing.memory.address_map import PARAMETER_BUFFER_BYTES, PARAMETER_REGION
from tilegpu.timing.replay import replay
from tilegpu.timing.results.units import spent_cycles

OVERLAP = "command_processor.overlap=geometry"
WORK = (
    "gpu.draws", "gpu.passes", "raster.rasterizer.primitives", "raster.blending.quads", "tiling.tile_fetcher.tiles",
    "tiling.polygon_list_builder.pointers", "tiling.polygon_list_builder.primitives",
    "geometry.vertex_processor.vertices",
)  # fmt: skip


def scene(seed: int, frames: int = 4) -> Scene:
    """Random rectangles, some frames with none."""
    rnd = random.Random(seed)
    found: list[list[Rectangle | Clear]] = []
    for _ in range(frames):
        items: list[Rectangle | Clear] = []
        for _ in range(rnd.choice((0, 1, 3, 12))):
            x, y = rnd.randrange(0, 60), rnd.randrange(0, 60)
            items.append(Rectangle(x, y, rnd.randrange(1, 65 - x), rnd.randrange(1, 65 - y), depth=rnd.random()))
        found.append(items)
    return Scene(frames=found)


def configuration(seed: int, *overrides: str) -> Any:
    """A random machine."""
    rnd = random.Random(seed)
    chosen = (
        f"tiles.raster_units={rnd.choice((1, 2))}", f"tile_fetcher.primitive_table={rnd.choice((1, 4, 16))}",
        f"l2_cache.latency={rnd.choice((3, 18))}", f"vertex_stage.processors={rnd.choice((1, 4))}",
        f"primitive_assembly.queue={rnd.choice((1, 32))}", f"tiles.width={rnd.choice((16, 32))}",
    )  # fmt: skip
    return load_configuration("ptr-2022", ["dram=simple", *chosen, *overrides])


def run(folder: Path, c: Any, compiled: bool = True, every: bool = False) -> tuple[list[dict[str, float]], Machine]:
    """Statistics of each frame of an activity."""
    loader = Loader(folder, c)
    frames = [loader.load(number) for number in loader.frames]
    machine = Machine(c, compiled)
    return [
        machine.run(*both) for both in zip(frames, [every] * len(frames), [*frames[1:], None], strict=True)
    ], machine


SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 80))]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_work_is_done(tmp_path: Path, seed: int) -> None:
    folder = scene(seed).write(tmp_path / "activity")
    alone, _ = run(folder, configuration(seed))
    beside, machine = run(folder, configuration(seed, OVERLAP))
    for name in WORK:
        assert sum(s[name] for s in alone) == sum(s[name] for s in beside), name
    # What a frame's tiles are made of is its own.
    for name in ("raster.blending.quads", "tiling.tile_fetcher.tiles", "raster.rasterizer.primitives", "gpu.passes"):
        assert [s[name] for s in alone] == [s[name] for s in beside], name
    for unit, place, owner in machine.chip.accounted:
        assert sum(owner.spent) == machine.gpu.cycle, (unit.name, place)


@pytest.mark.parametrize("seed", SEEDS)
def test_skipping_idle_units_changes_nothing(tmp_path: Path, seed: int) -> None:
    folder = scene(seed).write(tmp_path / "activity")
    one, other = (run(folder, configuration(seed, OVERLAP), every=every) for every in (False, True))
    assert one[0] == other[0]
    assert spent_cycles(one[1].chip) == spent_cycles(other[1].chip)


@pytest.mark.parametrize("seed", SEEDS[:2] + SEEDS[6:16])
def test_compiled_and_plain_machines_agree(tmp_path: Path, seed: int) -> None:
    folder = scene(seed, frames=3).write(tmp_path / "activity")
    c = configuration(seed, OVERLAP)
    assert run(folder, c)[0] == run(folder, c, compiled=False)[0]


def test_geometry_of_the_next_frame_hides_behind_the_tiles(tmp_path: Path) -> None:
    layers = [Rectangle(0, 0, 64, 64, depth=0.9 - 0.05 * i) for i in range(12)]
    folder = Scene(frames=[[*layers] for _ in range(6)]).write(tmp_path / "activity")
    results = [
        replay(folder, load_configuration("ptr-2022", ["dram=simple", f"command_processor.overlap={overlap}"]))
        for overlap in ("none", "geometry")
    ]
    alone, beside = ([frame["gpu.cycles"] for frame in result.counted] for result in results)
    geometry = [frame["gpu.geometry_cycles"] for frame in results[0].counted]
    raster = [frame["gpu.raster_cycles"] for frame in results[0].counted]
    assert max(geometry[1:]) < min(raster[1:]), "else it would not all be hidden"
    saved = [a - b for a, b in zip(alone[2:], beside[2:], strict=True)]
    # Caches are shared, so some of it comes back as waiting.
    assert all(0.9 * g <= s <= 1.1 * g for g, s in zip(geometry[2:], saved, strict=True)), (geometry, saved)
    assert results[1].counted[-1]["gpu.geometry_cycles"] == 0, "there is no next frame"


def test_parameter_buffers_take_turns(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 64, 64)] for _ in range(3)]).write(tmp_path / "activity")
    loader = Loader(folder, load_configuration("ptr-2022", [OVERLAP]))
    first = [int(loader.load(number).binning.entry["pointer"].min()) for number in loader.frames]
    assert first == [PARAMETER_REGION, PARAMETER_REGION + PARAMETER_BUFFER_BYTES, PARAMETER_REGION]


def test_a_pass_whose_vertices_or_moves_need_what_is_drawn_waits(tmp_path: Path) -> None:
    folder = tmp_path / "activity"
    record(write_window_and_texture(tmp_path / "two.trace"), folder)
    c = load_configuration("ptr-2022", ["dram=simple", OVERLAP])
    cycles = {}
    for marked in (False, True):
        loader = Loader(folder, c)
        frames = [loader.load(number) for number in loader.frames]
        assert max(len(frame.commands.render_pass) for frame in frames) > 1
        for frame in frames:
            frame.commands.render_pass["reads_textures"] = marked
        machine = Machine(c, True)
        found = [machine.run(frame, following=after) for frame, after in pairwise([*frames, None])]
        cycles[marked] = sum(s["gpu.cycles"] for s in found)
    unhidden = run(folder, load_configuration("ptr-2022", ["dram=simple"]))[0]
    assert cycles[False] < cycles[True]
    assert np.isclose(cycles[True], sum(s["gpu.cycles"] for s in unhidden), rtol=0.02)


@pytest.mark.parametrize(
    ("preset", "overrides"), [("imr-2018", []), ("ptr-2022", ["techniques=rendering_elimination"])]
)
def test_where_it_is_refused(preset: str, overrides: list[str]) -> None:
    with pytest.raises(ConfigurationError, match="command_processor.overlap is for machines that sort"):
        load_configuration(preset, [*overrides, OVERLAP])
