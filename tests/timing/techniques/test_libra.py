"""LIBRA: supertiles, temperatures and turns by hand, and the side of supertiles from frame to frame."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from synthetic import TEXTURES, synthetic

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.engine.frame import with_extra
from tilegpu.timing.techniques.libra import NO_TILE, SIDES, load

pytestmark = pytest.mark.engine("libra")

LIBRA = "techniques=libra"
OWN = "technique.libra."
TWO = "raster_units=2"


def own_of(frame: Any) -> Any:
    """The technique's tables of a frame."""
    return load(None, load_configuration("ptr-2022", [LIBRA]), frame)


def test_supertiles_of_four_by_two_tiles() -> None:
    own = own_of(synthetic(tiles_x=4, tiles_y=2, primitives=1))
    supertile, following = own.supertile.reshape(-1, SIDES), own.following.reshape(-1, SIDES)
    assert supertile[:, 0].tolist() == list(range(8))
    # Rows of four tiles: squares of two, then all.
    assert supertile[:, 1].tolist() == [0, 0, 2, 2, 0, 0, 2, 2]
    assert supertile[:, 2].tolist() == [0] * 8
    assert following[:, 0].tolist() == [NO_TILE] * 8
    assert following[:, 1].tolist() == [1, 4, 3, 6, 5, NO_TILE, 7, NO_TILE]
    assert following[:, 2].tolist() == [1, 2, 3, 4, 5, 6, 7, NO_TILE]


def by_hand(temperatures: list[int], side: int, *overrides: str) -> list[tuple[int, int]]:
    """Tiles in the order in which they are given, with their Raster Units, of a row of tiles; both Tile Queues stay
    empty, so that Raster Units take turns."""
    frame = synthetic(tiles_x=len(temperatures), primitives=1)
    own = SimpleNamespace(**own_of(frame)._asdict())
    c = load_configuration(
        "ptr-2022", ["dram=simple", LIBRA, TWO, f"{OWN}supertile_side={side}", f"{OWN}adapt=off", *overrides]
    )
    gpu = build(c).plain().gpu
    part = load_part("techniques.libra", False, "tile_based", ("libra",))
    state, commands = gpu.technique.libra, SimpleNamespace(**frame.commands._asdict())
    state.requests[: len(temperatures)] = temperatures
    state.raster_unit = 1
    part.frame_end(gpu, own, commands, 1000)
    gpu.tile_fetcher.first_tile, gpu.tile_fetcher.last_tile = 0, len(temperatures)
    part.pass_begin(gpu, own, commands, 0, 1001)
    given = []
    for position in range(len(temperatures)):
        tile = part.next_tile(gpu, own, frame.tiling, position)
        # Asked again, it is the same one.
        assert part.next_tile(gpu, own, frame.tiling, position) == tile == gpu.tile_fetcher.asked
        given.append((tile, part.tile_assigned(gpu, own, frame.tiling, 0, tile, 0)))
    return given


def test_one_takes_the_hottest_tile_and_the_other_the_coldest() -> None:
    assert by_hand([3, 9, 1, 5], side=0) == [(1, 0), (2, 1), (3, 0), (0, 1)]


def test_of_equal_tiles_the_first_goes_first() -> None:
    assert by_hand([4, 4, 4, 4], side=0) == [(0, 0), (1, 1), (2, 0), (3, 1)]


def test_tiles_of_a_supertile_go_to_one_raster_unit() -> None:
    # Two and two: the right ones are hotter.
    assert by_hand([3, 9, 8, 7], side=1) == [(2, 0), (0, 1), (3, 0), (1, 1)]


def test_who_has_nothing_left_takes_from_another() -> None:
    # One supertile of all: the second Raster Unit finds none.
    assert by_hand([1, 2, 3, 4], side=2) == [(0, 0), (1, 1), (2, 0), (3, 1)]


def test_supertiles_at_the_border_are_compared_by_what_is_said() -> None:
    # Supertiles of 2, 2 and 1 tiles with 8, 6 and 5 requests: 4, 3 and 5 of a tile.
    temperatures = [4, 4, 3, 3, 5]
    assert by_hand(temperatures, 1)[0] == (4, 0)
    assert by_hand(temperatures, 1, f"{OWN}temperature=supertile")[0] == (0, 0)


def sides_used(cycles: list[int], first: int = 1) -> list[int]:
    """Sides of supertiles, log2, in frames of so many cycles."""
    frame = synthetic(tiles_x=2, primitives=1)
    gpu = build(load_configuration("ptr-2022", ["dram=simple", LIBRA, f"{OWN}supertile_side={first}"])).plain().gpu
    part = load_part("techniques.libra", False, "tile_based", ("libra",))
    commands, own, t, found = SimpleNamespace(**frame.commands._asdict()), own_of(frame), 0, []
    for took in cycles:
        found.append(gpu.technique.libra.side)
        t += took
        part.frame_end(gpu, own, commands, t)
    return found


def test_sides_grow_as_long_as_frames_get_shorter() -> None:
    # 2, 4 and 8 tiles; the largest side is the last, and one frame that takes longer turns the way round.
    assert sides_used([90, 80, 70, 60]) == [1, 2, 3, 2]
    assert sides_used([90, 95, 80, 70]) == [1, 2, 1, 0]
    assert sides_used([90, 95, 99, 99]) == [1, 2, 1, 2]


def test_the_second_frame_is_drawn_by_the_temperature_of_the_first(machine: Any) -> None:
    frame = synthetic(tiles_x=4, primitives=4, largest=6)
    line = frame.texturing.line
    line[:] = TEXTURES
    tile = frame.depth.quad["x"] // 16
    operation = frame.texturing.operation
    hot = np.repeat(np.repeat(tile, 2) == 2, operation["lines"])
    line[hot] = TEXTURES + 64 * np.arange(1, hot.sum() + 1)
    small = "l2_cache.size_bytes=8192", f"{OWN}supertile_side=0", f"{OWN}adapt=off", f"{OWN}temperature=supertile"
    one = machine(LIBRA, TWO, *small, compiled=False)
    given = with_extra(frame, (own_of(frame),))
    first, second = one.run(given), one.run(given)
    assert (first["techniques.libra.scheduled_tiles"], second["techniques.libra.scheduled_tiles"]) == (0, 4)
    assert first["raster.tile_flush.tiles"] == second["raster.tile_flush.tiles"] == 4
    log = frame.commands.log
    assert log["first_cycle"].argmin() == 2 and log["raster_unit"][2] in (0, 1)
    assert first["raster.blending.quads"] == second["raster.blending.quads"]
