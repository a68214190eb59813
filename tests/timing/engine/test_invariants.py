"""What must hold for any frame on any configuration: nothing lost, accounts that balance, runs that repeat."""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import Any

import pytest
from random_machines import random_overrides
from synthetic import synthetic
from test_engine import random_frame

CACHES = ("vertex_cache", "tile_cache", "texture_cache", "instruction_cache", "vertex_instruction_cache", "l2_cache")
FIRST_LEVEL = CACHES[:-1]
ACCOUNTS = {
    "geometry.vertex_fetcher": 1,
    "geometry.primitive_assembly": 1,
    "tiling.polygon_list_builder": 1,
    "tiling.tile_fetcher": 1,
    "raster.tile_flush": 1,
    "raster.rasterizer": "raster_units",
    "raster.early_depth": "raster_units",
    "raster.blending": "raster_units",
}


@pytest.mark.parametrize("seed", range(20))
def test_accounts_balance(machine: Any, seed: int) -> None:
    gpu = machine(*random_overrides(random.Random(300 + seed)))
    frame = random_frame(seed)
    s = gpu.run(frame)
    # Every access hits, misses, joins a miss or is a prefetch.
    for cache in CACHES:
        parts = ("read_hits", "read_misses", "write_hits", "write_misses", "merges", "prefetches")
        assert s[f"memory.{cache}.accesses"] == sum(s[f"memory.{cache}.{part}"] for part in parts)
    # The L2 sees what the first level asks for, gives back and passes on, and the Command Processor's reads.
    below = sum(s[f"memory.{c}.{what}"] for c in FIRST_LEVEL for what in ("fills", "write_backs", "write_throughs"))
    assert s["memory.l2_cache.accesses"] == below + s["geometry.command_processor.requests"]
    # The DRAM sees what the L2 asks for, gives back and passes on, and the flush.
    l2 = sum(s[f"memory.l2_cache.{what}"] for what in ("fills", "write_backs", "write_throughs"))
    assert s["memory.dram.accesses"] == l2 + s["raster.tile_flush.lines"]
    # Misses by source are the misses.
    by_source = sum(value for name, value in s.items() if name.startswith("memory.l2_cache.misses."))
    assert by_source == s["memory.l2_cache.misses"] + s["memory.l2_cache.prefetches"]


@pytest.mark.parametrize("seed", range(20))
def test_every_cycle_of_every_unit_is_booked(machine: Any, seed: int) -> None:
    gpu = machine(*random_overrides(random.Random(400 + seed)))
    s = gpu.run(random_frame(seed))
    for _, _, owner in gpu.chip.accounted:
        assert sum(owner.spent) == gpu.gpu.cycle
    for name, count in ACCOUNTS.items():
        units = gpu.gpu.raster_units if count == "raster_units" else count
        spent = sum(s[f"{name}.{cause}_cycles"] for cause in ("busy", "waiting", "blocked", "idle"))
        assert spent == units * s["gpu.cycles"], name
    causes = ("busy", "texel_stall", "code_stall", "result_stall", "empty", "output")
    cores = gpu.gpu.raster_units * gpu.gpu.fragment_processors
    assert sum(s[f"fragment.processor.{cause}_cycles"] for cause in causes) == cores * s["gpu.cycles"]
    assert s["fragment.processor.busy_cycles"] == s["fragment.processor.instructions"]
    assert sum(s[f"geometry.vertex_processor.{cause}_cycles"] for cause in causes) == (
        gpu.gpu.vertex_processors * s["gpu.cycles"]
    )


@pytest.mark.parametrize("seed", range(10))
def test_queues_hold_no_more_than_they_can(machine: Any, seed: int) -> None:
    gpu = machine(*random_overrides(random.Random(500 + seed)))
    s = gpu.run(random_frame(seed))
    looks = int(s["gpu.cycles"] + 63) // 64
    unit = gpu.gpu.raster_unit[0]
    depth = {
        "primitive": gpu.gpu.polygon_list_builder.queue.depth,
        "primitive_table": gpu.gpu.tile_fetcher.table.depth,
        "tile": unit.rasterizer.queue.depth,
        "post_rasterization": unit.early_depth.queue.depth,
        "color": unit.blending.queue.depth,
        "l2_mshrs": gpu.gpu.cache[0].mshrs,
        "dram": gpu.gpu.dram.queue.depth,
    }
    for name, most in depth.items():
        assert s[f"queues.{name}.occupancy"] <= most
        assert 0 <= s[f"queues.{name}.full_share"] <= 1
    assert s["queues.primitive.looks"] == looks
    assert s["queues.tile.looks"] == looks * gpu.gpu.raster_units


@pytest.mark.parametrize("seed", range(4))
def test_the_same_run_twice_is_the_same_run(machine: Any, seed: int) -> None:
    overrides = random_overrides(random.Random(600 + seed))
    one, other = machine(*overrides), machine(*overrides)
    for _ in range(2):
        assert one.run(random_frame(seed)) == other.run(random_frame(seed))
    assert one.gpu.tobytes() == other.gpu.tobytes()


class PlainTextureCache:
    """The textbook LRU cache, and the order in which one processor's texture unit asks for lines."""

    def __init__(self, sets: int, ways: int) -> None:
        self.sets: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(sets)]
        self.ways = ways
        self.misses = 0

    def access(self, line: int) -> None:
        entries = self.sets[line % len(self.sets)]
        if line in entries:
            entries.move_to_end(line)
            return
        self.misses += 1
        if len(entries) == self.ways:
            entries.popitem(last=False)
        entries[line] = None


@pytest.mark.parametrize(("kilobytes", "ways"), [(1, 1), (1, 2), (2, 4), (8, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_texture_misses_are_those_of_a_plain_lru_cache(machine: Any, kilobytes: int, ways: int, seed: int) -> None:
    # One processor of one warp, one operation in flight, one line per operation: a line has come before the next is
    # looked up, as in the textbook.
    frame = synthetic(tiles_x=2, primitives=12, largest=8, seed=seed, spread=24)
    frame.texturing.operation["lines"] = 1
    s = machine(
        "fragment_stage.processors=1",
        "fragment_stage.warps=1",
        "texture_unit.in_flight=1",
        f"texture_cache.size_bytes={kilobytes << 10}",
        f"texture_cache.ways={ways}",
    ).run(frame)
    cache = PlainTextureCache((kilobytes << 10) // 64 // ways, ways)
    asked = 0
    for quad in frame.tiling.quad[frame.tiling.quad["depth_pass"] != 0]:
        for k in range(2):
            operation = frame.texturing.operation[quad["operation"] + k]
            first = int(operation["first_line"])
            for line in frame.texturing.line[first : first + int(operation["lines"])]:
                cache.access(int(line) // 64)
                asked += 1
    assert s["memory.texture_cache.accesses"] == asked > 200
    assert s["memory.texture_cache.read_misses"] == cache.misses
    assert s["memory.texture_cache.read_hits"] == asked - cache.misses


def test_the_machine_is_as_large_for_any_configuration(machine: Any) -> None:
    sizes = {machine(*random_overrides(random.Random(n))).gpu.nbytes for n in range(3)}
    assert len(sizes) == 1
    assert sizes.pop() < 1 << 26
