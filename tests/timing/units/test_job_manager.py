"""Chains of jobs: cycles of small frames, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from activity_builder import Clear, Rectangle, Scene
from conftest import Machine

from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader

pytestmark = pytest.mark.engine("unified")

LINE = 1 + 18
"""Cycles from a request for a line of commands to its answer: one to the L2, and its latency."""


def frames(folder: Path, draws: int, *settings: str, count: int = 2) -> list[dict[str, float]]:
    """Statistics of frames of rectangles, each a tile; all that they read is in the caches from the second one on."""
    usual = ["machine=unified", "dram=simple", "l2_cache.latency=18", "command_processor.draw_command_bytes=64"]
    shape = ["simt_core.clusters=1", "simt_core.max_threads=512", "simt_core.warp_threads=8"]
    c = load_configuration("ptr-2022", [*usual, *shape, *(f"job_manager.{setting}" for setting in settings)])
    drawn = [Rectangle(16 * i, 0, 16, 16, function="ALWAYS", textured=False) for i in range(draws)]
    scene, machine = Scene(16 * draws, 16, frames=[[*drawn] for _ in range(count)]), Machine(c, True)
    loader = Loader(scene.write(folder), c)
    return [machine.run(loader.load(number)) for number in range(count)]


def geometry(folder: Path, draws: int, *settings: str) -> float:
    """Cycles of the geometry stage."""
    name = "-".join([str(draws), *settings])
    return frames(folder / name, draws, *settings)[1]["gpu.geometry_cycles"]


@pytest.mark.parametrize("lines", [1, 4])
def test_levels_of_descriptors_are_read_one_after_the_other(tmp_path: Path, lines: int) -> None:
    none = geometry(tmp_path, 1, "descriptor_levels=0")
    for levels in (1, 2):
        found = geometry(tmp_path, 1, f"descriptor_levels={levels}", f"descriptor_bytes={64 * lines}")
        # A line per cycle; the next level begins in the cycle after the last one has come.
        assert found - none == levels * (lines - 1 + LINE + 1)


def test_a_draw_that_depends_on_another_begins_when_that_is_over(tmp_path: Path) -> None:
    chain = "descriptor_levels=1", "descriptor_bytes=64"
    one = geometry(tmp_path, 1, *chain, "order=dependent")
    for draws in (2, 3):
        nothing, job, descriptors = (
            geometry(tmp_path, draws, *chain, "order=dependent", f"read_ahead={ahead}")
            for ahead in ("nothing", "job", "descriptors")
        )
        # The draws follow each other, but for some cycles in which lines of the Parameter Buffer are shared.
        assert abs(nothing - draws * one) <= 2 * draws
        # What is read ahead costs nothing. A line of commands is otherwise asked for in the cycle in which the draw
        # before ends, a line of descriptors in the next.
        assert nothing - job == (draws - 1) * LINE
        assert job - descriptors == (draws - 1) * (LINE + 1)
        assert geometry(tmp_path, draws, *chain, "order=overlapping") < descriptors


def test_without_a_chain_nothing_is_read_ahead(tmp_path: Path) -> None:
    plain, ahead = (geometry(tmp_path, 3, *settings) for settings in ((), ("read_ahead=descriptors",)))
    assert plain == ahead


def test_caches_are_cleaned_at_the_ends_of_chains(tmp_path: Path) -> None:
    keep = frames(tmp_path / "keep", 3, "chain_ends=keep", count=3)
    clean = frames(tmp_path / "clean", 3, "chain_ends=clean", count=3)
    for name in ("command", "index", "vertex", "instruction"):
        read = f"memory.dram.read_bytes.{name}"
        # Kept lines are read once, dropped ones in each frame.
        assert keep[0][read] == clean[0][read] == clean[2][read] > keep[2][read] == 0
    for name in ("primitive_list", "primitive_attributes"):
        # Lists go to memory and come back; otherwise they stay in the L2.
        written = clean[2][f"memory.dram.write_bytes.{name}"]
        assert written == clean[2][f"memory.dram.read_bytes.{name}"] > keep[2][f"memory.dram.write_bytes.{name}"] == 0
    # A chain of geometry and one of tiles; a line is written by the Tile Cache, then by the L2.
    assert clean[2]["gpu.chain_end.chains"] == 2
    lists = sum(clean[2][f"memory.dram.write_bytes.{n}"] for n in ("primitive_list", "primitive_attributes"))
    assert clean[2]["gpu.chain_end.lines"] == 2 * lists / 64
    assert keep[2]["gpu.chain_end.chains"] == 0


@pytest.mark.parametrize("lines", [1, 2])
def test_tiles_read_descriptors_before_the_attributes_of_a_draw(tmp_path: Path, lines: int) -> None:
    size = f"tile_level_bytes={64 * lines}"
    none, *found = (frames(tmp_path / str(n), 1, f"tile_levels={n}", size)[1] for n in (0, 1, 2))
    for levels, statistics in enumerate(found, 1):
        # The tile's only draw has two triangles: a line per cycle, and three cycles for the way through the Tile Cache.
        assert statistics["tiling.tile_fetcher.descriptor_requests"] == levels * lines
        assert statistics["gpu.raster_cycles"] - none["gpu.raster_cycles"] == levels * (lines - 1 + 3)


def test_tiles_read_descriptors_of_each_draw_once(tmp_path: Path) -> None:
    c = load_configuration("mali-g52-mc1", ["techniques=none", "dram=simple"])
    # Three draws over four tiles, with a clear between them, which needs none.
    layers = [Rectangle(0, 0, 30, 30, depth=0.9 - 0.1 * i, textured=False) for i in range(3)]
    folder = Scene(frames=[[*layers[:2], Clear(0.8), layers[2]]]).write(tmp_path / "activity")
    found = Machine(c, True).run(Loader(folder, c).load(0))
    assert found["tiling.tile_fetcher.descriptor_requests"] == 4 * 3 * 2 * 2


@pytest.mark.parametrize("order", ["dependent", "overlapping"])
def test_the_job_of_a_draw_takes_cycles_to_begin(tmp_path: Path, order: str) -> None:
    for draws in (1, 3):
        some, more = (geometry(tmp_path, draws, f"order={order}", f"job_cycles={cycles}") for cycles in (1000, 2000))
        assert more - some == 1000 * draws


@pytest.mark.parametrize("ends", ["keep", "clean"])
def test_the_driver_takes_time_between_chains(tmp_path: Path, ends: str) -> None:
    some, more = (frames(tmp_path / str(n), 2, f"chain_ends={ends}", f"chain_cycles={n}")[1] for n in (5000, 10000))
    # A chain of vertices and one of tiles; what main memory has to do is done after 5000 cycles.
    for stage in ("geometry", "raster"):
        assert more[f"gpu.{stage}_cycles"] - some[f"gpu.{stage}_cycles"] == 5000
    assert some["gpu.chain_end.chains"] == 2


def test_the_heads_of_lists_take_cycles_of_each_tile(tmp_path: Path) -> None:
    def raster(tiles: int, cycles: int) -> float:
        settings = "machine=unified", "dram=simple", "tiles.width=16", f"tile_fetcher.tile_cycles={cycles}"
        c = load_configuration("ptr-2022", [*settings, "tiles.height=16"])
        drawn = [Rectangle(0, 0, 16 * tiles, 16, function="ALWAYS", textured=False)]
        folder = Scene(16 * tiles, 16, frames=[[*drawn], [*drawn]]).write(tmp_path / f"{tiles}-{cycles}")
        machine, loader = Machine(c, True), Loader(folder, c)
        return [machine.run(loader.load(number)) for number in range(2)][1]["gpu.raster_cycles"]

    assert raster(1, 1000) - raster(1, 0) == 1000
    # Two triangles: a pointer and three attributes each; the end of the tile, the beginning of the next.
    assert raster(4, 1000) - raster(3, 1000) == 1000 + 2 * (1 + 3) + 2
