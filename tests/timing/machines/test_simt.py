"""The SIMT machine: nothing lost, order kept, depth as recorded, on random scenes and random machines."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene
from conftest import Machine

from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config.load import ConfigurationError
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.results.units import spent_cycles
from tilegpu.timing.units.simt_core import SimtCoreParameters
from tilegpu.timing.units.vpo import VpoParameters

pytestmark = pytest.mark.engine("simt")

CHOICES: dict[str, tuple[Any, ...]] = {
    "simt_core.clusters": (1, 2, 3, 6, 8),
    "simt_core.max_threads": (128, 256, 2048),
    "simt_core.warp_threads": (8, 16, 32, 32),
    "simt_core.registers": (4096, 65536),
    "simt_core.scheduler": ("round_robin", "greedy_oldest"),
    "simt_core.operations": (1, 4, 16),
    "simt_core.sfu_cycles": (1, 4),
    "vertex_launcher.vertices": ("stream", "distinct"),
    "vertex_launcher.batch_warps": (1, 3),
    "vpo.distribution": ("masks", "masks", "central", "given"),
    "vpo.output_vertices": (32, 96, 9216),
    "vpo.primitives": (1, 64),
    "vpo.warps": (1, 4),
    "vpo.primitives_per_cycle": (1, 4),
    "vpo.mask_cycles": (0, 30),
    "vpo.masks": (1, 3, 64, 8192),
    "setup.in_flight": (1, 8),
    "setup.lines": (1, 8),
    "raster.tiles_per_cycle": (1, 3),
    "raster.hi_z": ("on", "off"),
    "tile_coalescing.raster_tiles": (1, 2, 4),
    "tile_coalescing.engines": (1, 2, 4),
    "tile_coalescing.bins": (1, 2, 4, 8),
    "tile_coalescing.queue": (1, 16),
    "tile_coalescing.timeout": (1, 20, 200),
    "tile_coalescing.work_tile": (1, 2, 5),
    "tile_coalescing.hash_step": (0, 1, 3),
    "simt_core.schedulers": (1, 1, 2, 4),
    "simt_core.blended_depth": ("tested", "untested"),
    "raster.in_front": ("tested", "stored"),
    "tile_coalescing.timeout_from": ("latest", "first"),
    "tile_coalescing.primitives": ("several", "several", "one"),
    "memory.clears": ("fast", "stored"),
    "memory.line_bytes": (64, 128),
    "memory.texture_layout": ("tiled", "linear"),
    "depth_cache.mshrs": (1, 32),
    "depth_cache.blocking": ("misses", "all"),
    "texture_cache.blocking": ("misses", "all"),
    "color_cache.write_miss": ("validate", "fetch"),
    "l2_cache.mshrs": (2, 64),
    "l2_cache.latency": (3, 30),
}


def configuration(seed: int) -> Any:
    """A random machine."""
    rnd = random.Random(seed)
    drawn = {name: rnd.choice(values) for name, values in CHOICES.items()}
    if drawn["tile_coalescing.raster_tiles"] == 4:
        drawn["simt_core.max_threads"] = max(256, drawn["simt_core.max_threads"])
    drawn["simt_core.max_threads"] = min(drawn["simt_core.max_threads"], 64 * drawn["simt_core.warp_threads"])
    if drawn["raster.hi_z"] == "off":
        drawn["raster.in_front"] = "tested"
    chosen = [f"{name}={value}" for name, value in drawn.items()]
    return load_configuration("emerald-case2", ["dram=simple", *chosen])


CENTRAL: dict[str, tuple[Any, ...]] = {
    "vpo.phases": ("overlapped", "apart"),
    "depth_unit.samples_per_cycle": (16, 64),
    "depth_unit.writes_per_cycle": (1, 16),
    "depth_unit.in_flight": (1, 64),
    "depth_unit.queue": (1, 16),
    "pixel_launcher.side_pixels": (8, 16, 32),
    "pixel_launcher.block_threads": (32, 128),
    "pixel_launcher.launch_cycles": (0, 7, 238),
    "pixel_launcher.pixel_tiles": (1, 2),
}


def central(seed: int) -> Any:
    """A random machine with a central rasterizer and a depth unit."""
    rnd = random.Random(seed)
    drawn = {name: rnd.choice(values) for name, values in CENTRAL.items()}
    chosen = [f"{name}={value}" for name, value in drawn.items()]
    usual = configuration(seed)
    fields = [f"{name}={_field(usual, name)}" for name in CHOICES if name != "vpo.distribution"]
    settings = ["dram=simple", "vpo.distribution=central", *fields, "raster.pipeline=central", *chosen]
    return load_configuration("emerald-case2", settings)


def _field(found: Any, name: str) -> Any:
    section, field = name.split(".")
    return getattr(getattr(found, section), field)


def scene(seed: int, draws: int = 6) -> Scene:
    """Random rectangles over each other, some tested late, with clears between them."""
    rnd = random.Random(seed)
    items: list[Rectangle | Clear] = []
    for _ in range(draws):
        x, y = rnd.randrange(0, 40), rnd.randrange(0, 40)
        items.append(
            Rectangle(
                x,
                y,
                rnd.randrange(1, 64 - x),
                rnd.randrange(1, 64 - y),
                depth=rnd.random(),
                slope=rnd.choice((0.0, 0.003, -0.002)),
                discards=rnd.choice((0, 0, 1, 6)),
                textured=rnd.random() < 0.7,
                function=rnd.choice(("LESS", "LESS", "LEQUAL", "GREATER", "ALWAYS", "EQUAL")),
                write=rnd.random() < 0.8,
                cull=rnd.random() < 0.1,
            )
        )
        if rnd.random() < 0.2:
            items.append(Clear(rnd.random()))
    return Scene(frames=[items])


def run(folder: Path, seed: int, compiled: bool = True, every: bool = False) -> tuple[dict[str, float], Any, Machine]:
    """Statistics of a random scene on a random machine, its frame, the machine."""
    c = configuration(seed)
    if not folder.exists():
        scene(seed).write(folder)
    frame = Loader(folder, c).load(0)
    machine = Machine(c, compiled)
    return machine.run(frame, every), frame, machine


SEEDS = [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 150))]


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_and_outcomes_are_the_recorded_ones(tmp_path: Path, seed: int) -> None:
    s, frame, machine = run(tmp_path / "activity", seed)
    quads, rows = frame.depth.quad, frame.machine
    assert (quads["passed"] == quads["depth_pass"]).all()
    assert s["raster.late_depth.mismatched_quads"] == s["simt.raster.wrongly_hidden_quads"] == 0
    assert s["simt.tile_coalescing.quads"] + s["simt.raster.hidden_quads"] == len(quads)
    assert s["simt.core.quads"] == s["simt.tile_coalescing.quads"]
    assert s["simt.core.fragment_warps"] == s["simt.tile_coalescing.warps"]
    assert s["simt.raster.raster_tiles"] == len(rows.raster_tile)
    distribution, clusters = (
        machine.chip.configuration.of(VpoParameters).distribution,
        machine.chip.configuration.of(SimtCoreParameters).clusters,
    )
    given = distribution == "given"
    assert s["simt.core.vertex_warps"] == s["simt.vertex_launcher.warps"] == (0 if given else len(rows.vertex_warp))
    assert s["simt.core.vertices"] == (0 if given else len(rows.lane))
    assert s["simt.raster.masks"] == (0 if distribution == "central" else clusters * len(rows.vertex_warp))
    assert s.get("simt.vpo.masks", 0) == (s["simt.raster.masks"] if distribution == "masks" else 0)
    sent = s.get("simt.vpo.covered", 0) + s.get("simt.primitive_distribution.sent", 0)
    assert given or sent == s["simt.raster.primitives"]
    # The program has no branch: quads that failed the early test have left it and do not count.
    assert s["simt.core.divergent_instructions"] == 0
    assert s["raster.blending.quads"] == (quads["passed"] != 0).sum()
    shaded = frame.depth.blended["order"] > 0
    assert (shaded == (quads["passed"] != 0)).all()
    assert (rows.busy == 0).all()
    for unit, place, owner in machine.chip.accounted:
        assert sum(owner.spent) == machine.gpu.cycle, (unit.name, place)
    for kind in ("l2_cache", "texture_cache", "depth_cache", "color_cache", "vertex_cache", "instruction_cache"):
        found = s[f"memory.{kind}.hits"] + s[f"memory.{kind}.misses"] + s[f"memory.{kind}.merges"]
        assert found == s[f"memory.{kind}.accesses"]


# In 25 setup meets a port that cannot take its request.
@pytest.mark.parametrize("seed", [*SEEDS[:6], 25, *SEEDS[12:25], *SEEDS[26:80]])
def test_skipping_idle_units_changes_nothing(tmp_path: Path, seed: int) -> None:
    one, other = run(tmp_path / "activity", seed), run(tmp_path / "activity", seed, every=True)
    assert one[0] == other[0]
    assert spent_cycles(one[2].chip) == spent_cycles(other[2].chip)


@pytest.mark.parametrize("seed", SEEDS[:3] + SEEDS[12:30])
def test_compiled_and_plain_machines_agree(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "activity"
    assert run(folder, seed)[0] == run(folder, seed, compiled=False)[0]


def test_quads_at_a_place_are_blended_in_drawing_order(tmp_path: Path) -> None:
    layers = [Rectangle(0, 0, 64, 64, depth=0.9 - 0.1 * i, function="ALWAYS") for i in range(8)]
    folder = Scene(frames=[[*layers]]).write(tmp_path / "activity")
    c = load_configuration("emerald-case2", ["dram=simple"])
    frame = Loader(folder, c).load(0)
    Machine(c, True).run(frame)
    tiles = frame.depth.quad["x"] // 4 * 100 + frame.depth.quad["y"] // 4
    for tile in np.unique(tiles):
        of_tile = np.flatnonzero(tiles == tile)
        order = frame.depth.blended["order"][of_tile]
        places = frame.depth.quad[["x", "y"]][of_tile]
        for place in np.unique(places):
            own = places == place
            by_drawing = np.argsort(frame.depth.quad["primitive"][of_tile][own], kind="stable")
            assert (np.diff(order[own][by_drawing]) > 0).all()


def test_more_clusters_and_hi_z_take_less_time(tmp_path: Path) -> None:
    layers = [Rectangle(0, 0, 64, 64, depth=0.1 + 0.05 * i) for i in range(10)]
    folder = Scene(frames=[[*layers]]).write(tmp_path / "activity")
    cycles = {}
    for clusters in (1, 6):
        for hi_z in ("on", "off"):
            c = load_configuration(
                "emerald-case2",
                # Clusters share no lines of the frame buffer.
                [
                    "dram=simple",
                    f"simt_core.clusters={clusters}",
                    f"raster.hi_z={hi_z}",
                    "memory.texture_layout=tiled",
                ],
            )
            s = Machine(c, True).run(Loader(folder, c).load(0))
            cycles[clusters, hi_z] = s["gpu.cycles"]
            # The first layer hides the others, but for the 16 tiles on the diagonal, which neither triangle covers.
            assert s["simt.raster.hidden_tiles"] == (9 * 240 if hi_z == "on" else 0)
    assert cycles[6, "on"] < cycles[1, "on"] < cycles[1, "off"]
    assert cycles[6, "on"] < cycles[6, "off"]


def test_raster_units_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="clusters, not 2"):
        load_configuration("emerald-case2", ["tiles.raster_units=2"])


def test_a_core_too_small_for_a_tile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="256 pixels does not fit into a core of 128 threads"):
        load_configuration("emerald-case2", ["tile_coalescing.raster_tiles=4", "simt_core.max_threads=128"])
    folder = scene(0).write(tmp_path / "activity")
    c = load_configuration(
        "emerald-case2", ["dram=simple", "tile_coalescing.raster_tiles=4", "simt_core.registers=1024"]
    )
    with pytest.raises(ActivityError, match=r"for the pixels of a TC tile; raise simt_core.registers \(1,024\)"):
        Loader(folder, c).load(0)


CENTRAL_SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 100))]


@pytest.mark.parametrize("seed", CENTRAL_SEEDS)
def test_a_central_rasterizer_loses_nothing_and_tests_as_recorded(tmp_path: Path, seed: int) -> None:
    c = central(seed)
    folder = scene(seed).write(tmp_path / "activity")
    found = []
    for every in (False, True):
        frame = Loader(folder, c).load(0)
        found.append(Machine(c, True).run(frame, every))
    s, quads = found[0], frame.depth.quad
    assert s == found[1]
    assert (quads["passed"] == quads["depth_pass"]).all()
    assert s["raster.late_depth.mismatched_quads"] == s["simt.depth_unit.mismatched_quads"] == 0
    assert s["simt.depth_unit.raster_tiles"] == s["simt.raster.raster_tiles"] == len(frame.machine.raster_tile)
    assert s["simt.depth_unit.quads"] + s["simt.raster.hidden_quads"] == len(quads)
    assert s["simt.depth_unit.quads"] - s["simt.depth_unit.killed_quads"] == s["simt.pixel_launcher.quads"]
    assert s["simt.core.quads"] == s["simt.pixel_launcher.quads"]
    assert s["simt.core.fragment_warps"] == s["simt.pixel_launcher.warps"]
    assert s["raster.blending.quads"] == (quads["passed"] != 0).sum()


ONE_RASTERIZER = ("dram=simple", "vpo.distribution=central", "vpo.phases=apart", "raster.pipeline=central")


def test_a_square_of_32_pixels_counted_by_hand(tmp_path: Path) -> None:
    """Two triangles share 256 quads, and the 16 on their diagonal are in both: 136 each, in blocks of 64."""
    folder = Scene(frames=[[Rectangle(0, 0, 32, 32)]]).write(tmp_path / "activity")
    found = {}
    for latency in (0, 238):
        c = load_configuration("emerald-case2", [*ONE_RASTERIZER, f"pixel_launcher.launch_cycles={latency}"])
        machine = Machine(c, True)
        found[latency] = machine.run(Loader(folder, c).load(0))
        warps = [int(machine.gpu.simt_core[k].fragment_warps) for k in range(6)]
        assert warps == [8, 8, 1, 8, 8, 1]
    s = found[238]
    assert (s["simt.pixel_launcher.pixel_tiles"], s["simt.pixel_launcher.blocks"]) == (2, 6)
    assert (s["simt.depth_unit.quads"], s["simt.depth_unit.raster_tiles"]) == (272, 64 + 8)
    # A depth per cycle, and a few cycles before the first of them.
    assert s["simt.depth_unit.written"] == 32 * 32
    active = sum(s[f"simt.depth_unit.{cause}_cycles"] for cause in ("busy", "waiting", "blocked"))
    assert 1024 <= active < 1024 + 16
    # Both pixel tiles leave so much later.
    assert s["gpu.cycles"] - found[0]["gpu.cycles"] == 238


def test_no_block_waits_for_another_unless_it_reads_pixels(tmp_path: Path) -> None:
    """Two squares over each other: their fragments are shaded side by side, but not where they test depths late."""
    spent = {}
    for discards in (0, 1):
        squares = [Rectangle(0, 0, 16, 16, depth=depth, discards=discards) for depth in (0.5, 0.4)]
        folder = Scene(frames=[squares]).write(tmp_path / f"activity{discards}")
        c = load_configuration("emerald-case2", [*ONE_RASTERIZER, "vpo.phases=overlapped"])
        s = Machine(c, True).run(Loader(folder, c).load(0))
        spent[discards] = s["simt.pixel_launcher.blocked_cycles"]
    assert spent[0] == 0
    assert spent[1] > 0


def test_vertices_wait_until_the_draw_before_is_drawn(tmp_path: Path) -> None:
    squares = [Rectangle(0, 0, 32, 32, depth=depth) for depth in (0.5, 0.4)]
    folder = Scene(frames=[squares]).write(tmp_path / "activity")
    found = {}
    for phases in ("overlapped", "apart"):
        c = load_configuration("emerald-case2", [*ONE_RASTERIZER, f"vpo.phases={phases}"])
        found[phases] = Machine(c, True).run(Loader(folder, c).load(0))
    one = Scene(frames=[squares[:1]]).write(tmp_path / "one")
    alone = Machine(c, True).run(Loader(one, c).load(0))
    times = {name: s["gpu.cycles"] for name, s in found.items()}
    assert times["overlapped"] < times["apart"] < 2 * alone["gpu.cycles"]
    # Nothing of the second draw overlaps the shading of the first: its vertices and its depths come after it.
    assert times["apart"] - alone["gpu.cycles"] > 1024 + 238


@pytest.mark.parametrize("setting", ["raster.pipeline=central", "vpo.phases=apart"])
def test_a_central_rasterizer_needs_central_distribution(setting: str) -> None:
    with pytest.raises(ConfigurationError, match="need vpo.distribution = central"):
        load_configuration("emerald-case2", [setting])


def test_a_block_that_no_core_can_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="block of 256 threads does not fit into a core of 128"):
        load_configuration("emerald-case2", [*ONE_RASTERIZER, "simt_core.max_threads=128"])
    c = load_configuration("emerald-case2", [*ONE_RASTERIZER, "simt_core.registers=1024"])
    folder = Scene(frames=[[Rectangle(0, 0, 8, 8)]]).write(tmp_path / "activity")
    with pytest.raises(ActivityError, match="for a block of a pixel tile"):
        Loader(folder, c).load(0)


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_compiled_and_plain_central_rasterizers_agree(tmp_path: Path, seed: int) -> None:
    c = central(seed)
    folder = scene(seed, 2).write(tmp_path / "activity")
    one, other = (Machine(c, compiled).run(Loader(folder, c).load(0)) for compiled in (True, False))
    assert one == other


def test_central_distribution_sends_each_primitive_where_it_may_be_drawn(tmp_path: Path) -> None:
    """Two primitives at places of one cluster each go to one cluster each, in drawing order, and nowhere else."""
    folder = Scene(frames=[[Rectangle(0, 0, 8, 8), Rectangle(8, 0, 8, 8)]]).write(tmp_path / "activity")
    found = {}
    for distribution in ("masks", "central"):
        c = load_configuration("emerald-case2", ["dram=simple", f"vpo.distribution={distribution}"])
        found[distribution] = Machine(c, True).run(Loader(folder, c).load(0))
    central = found["central"]
    assert central["simt.primitive_distribution.primitives"] == 4
    assert central["simt.primitive_distribution.sent"] == found["masks"]["simt.vpo.covered"]
    # 16 quads of a rectangle, and the four on its diagonal twice.
    assert central["simt.core.quads"] == found["masks"]["simt.core.quads"] == 40
