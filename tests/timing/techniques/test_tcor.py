"""TCOR: next uses of lines by hand, which of them gives way, and what is not written back."""

from __future__ import annotations

from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest
from synthetic import LISTS, PARAMETER_BUFFER, synthetic

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.engine.frame import with_extra
from tilegpu.timing.memory.address_map import PARAMETER_REGION
from tilegpu.timing.techniques import tcor
from tilegpu.timing.techniques.tcor import DEAD, UNKNOWN, Tables, load

pytestmark = pytest.mark.engine("tcor")

TCOR = "techniques=tcor"
SMALL = "tile_cache.size_bytes=16384", "tile_cache.ways=4", "l2_cache.size_bytes=8192"


def in_parameter_buffer(frame: Any) -> Any:
    """A synthetic frame with its lists and primitives where an activity's are."""
    frame.tiling.entry["pointer"] += PARAMETER_REGION - LISTS
    frame.binning.primitive["record"] += PARAMETER_REGION + (1 << 20) - PARAMETER_BUFFER
    return frame


def test_uses_of_lines_are_those_of_a_plain_reading() -> None:
    configuration = load_configuration("ptr-2022", [TCOR])
    frame = in_parameter_buffer(synthetic(tiles_x=3, primitives=9))
    own = load(None, configuration, frame)
    expected = defaultdict(set)
    for number, tile in enumerate(frame.tiling.tile):
        for entry in frame.tiling.entry[tile["first_entry"] : tile["last_entry"]]:
            row = frame.tiling.primitive[entry["primitive"]]
            expected[int(entry["pointer"]) // 64].add(number)
            for byte in range(int(row["record"]), int(row["record"] + row["record_bytes"])):
                expected[byte // 64].add(number)
    found = {
        line + PARAMETER_REGION // 64: set(own.use[own.first[line] : own.first[line + 1]].tolist())
        for line in range(len(own.first) - 1)
    }
    assert {line: tiles for line, tiles in found.items() if tiles} == expected


def by_hand() -> tuple[Any, Any]:
    """A chip, and the technique's module in plain Python."""
    chip = build(load_configuration("ptr-2022", ["dram=simple", TCOR])).plain()
    return chip, load_part("techniques.tcor", False, "tile_based", ("tcor",))


def test_a_line_is_followed_from_tile_to_tile() -> None:
    """Lines 0, 1 and 2: the first is read by tiles 0 and 2, the second by tile 1, the third by none."""
    chip, part = by_hand()
    own = SimpleNamespace(**Tables([0, 2, 3, 3], [0, 2, 1])._asdict())  # type: ignore[arg-type]
    state = chip.gpu.technique.tcor
    expected = {0: (1, 2, DEAD), 1: (3, 2, DEAD), 2: (3, DEAD, DEAD), 3: (DEAD, DEAD, DEAD)}
    for tile, uses in expected.items():
        for line in range(3):
            part.follow(chip.gpu, own, state.first_line + line, tile)
        assert tuple(state.next[line] for line in range(3)) == uses
    part.follow(chip.gpu, own, state.first_line + 3, 0)
    assert state.next[3] == UNKNOWN


@pytest.mark.parametrize(
    ("uses", "chosen"),
    [((2, 5, 3, 4), 1), ((2, 5, DEAD, 4), 2), ((2, 2, 2, 2), 0), ((2, UNKNOWN, 1, 1), 0), ((7, 7, 8, 1), 2)],
)
def test_the_line_that_is_read_last_gives_way(uses: tuple[int, ...], chosen: int) -> None:
    """Four lines of a full set of the Tile Cache, the first of which was used least recently."""
    chip, part = by_hand()
    gpu, state = chip.gpu, chip.gpu.technique.tcor
    cache = next(gpu.cache[k] for k in range(gpu.caches) if gpu.cache[k].type == state.tile_cache)
    cache.ways = len(uses)
    base = cache.first_line
    for way, use in enumerate(uses):
        gpu.line.tag[base + way], gpu.line.used[base + way] = state.first_line + way, 10 + way
        gpu.line.dirty[base + way] = 1
        state.next[way] = use
    assert part.cache_victim(gpu, cache, base, base) == base + chosen
    # A dead line is not written back; any other is.
    assert [gpu.line.dirty[base + way] for way in range(4)] == [
        int(not (use == DEAD and way == chosen)) for way, use in enumerate(uses)
    ]
    assert state.dead_lines == (uses[chosen] == DEAD)
    assert state.other_victims == (chosen != 0)


def test_an_empty_place_is_taken_first() -> None:
    chip, part = by_hand()
    gpu, state = chip.gpu, chip.gpu.technique.tcor
    cache = next(gpu.cache[k] for k in range(gpu.caches) if gpu.cache[k].type == state.tile_cache)
    assert part.cache_victim(gpu, cache, cache.first_line, cache.first_line) == cache.first_line
    assert state.comparisons == 0


def test_fewer_lines_are_read_again_and_written_back(machine: Any) -> None:
    frame = in_parameter_buffer(synthetic(tiles_x=4, tiles_y=2, primitives=20, largest=4, texture_operations=0))
    own = load(None, load_configuration("ptr-2022", [TCOR]), frame)
    base = machine(*SMALL, compiled=False).run(frame)
    found = {
        name: machine(TCOR, f"technique.tcor.dead_lines={name}", *SMALL, compiled=False).run(with_extra(frame, (own,)))
        for name in ("both", "tile_cache", "written")
    }
    written = "memory.dram.write_bytes.primitive_attributes"
    for s in found.values():
        assert s["memory.tile_cache.accesses"] == base["memory.tile_cache.accesses"]
        assert s["memory.tile_cache.read_misses"] <= base["memory.tile_cache.read_misses"]
        assert s["raster.blending.quads"] == base["raster.blending.quads"]
    assert found["written"]["techniques.tcor.dead_lines"] == 0 < found["tile_cache"]["techniques.tcor.dead_lines"]
    assert found["both"]["techniques.tcor.dead_lines"] >= found["tile_cache"]["techniques.tcor.dead_lines"]
    assert found["both"][written] <= found["tile_cache"][written] <= found["written"][written]


def test_pages_name_the_room() -> None:
    assert tcor.MAX_LINES * 64 == 32 << 20
