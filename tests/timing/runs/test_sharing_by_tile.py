"""Applications that share a GPU by tile: each does its work, is charged for it alone, and draws what it draws alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene

from tilegpu.functional.errors import UserError
from tilegpu.timing import Results, load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.merged import Merged, merge
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.memory.address_map import SHARED_BYTES, AddressSpace
from tilegpu.timing.sharing import Application, SharingOutcome, share

pytestmark = pytest.mark.engine("tile_based by draw")

SIDE = 128
TILES = (SIDE // 32) ** 2
WORK = (
    "geometry.vertex_processor.vertices",
    "geometry.primitive_assembly.primitives",
    "tiling.polygon_list_builder.pointers",
    "tiling.tile_fetcher.primitives",
    "raster.rasterizer.quads",
    "raster.early_depth.fragments",
    "raster.early_depth.killed_quads",
    "raster.tile_flush.tiles",
    "raster.tile_flush.lines",
    "fragment.processor.quads",
    "fragment.processor.alu_instructions",
    "fragment.texture_unit.lines",
    "memory.dram.write_bytes.color",
)
EVEN_MEMORY = (
    "dram=simple",
    "dram.row_hit_latency=50",
    "dram.row_miss_latency=50",
    "command_processor.context_switch_cycles=0",
)
"""Memory that answers in the same time whatever came before."""


@pytest.fixture(scope="module")
def activities(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two applications: three frames with clears between draws and depths that outlive their frames, and one frame."""
    folder = tmp_path_factory.mktemp("sharing")
    items: list[list[Rectangle | Clear]] = [
        [Rectangle(n, 8, 40, 40, 0.6), Clear(1.0), Rectangle(16, n, 48, 30, 0.4), Rectangle(20, 10, 9, 9, 0.8)]
        for n in range(3)
    ]
    large = Scene(SIDE, SIDE, items, load_depth_from_second=True).write(folder / "large")
    return [large, Scene(SIDE, SIDE, [[Rectangle(3, 8, 20, 20, 0.6, discards=1)]]).write(folder / "small")]


def shared(activities: list[Path], *settings: str, by: Any = "tile", warm_up: int = 0) -> SharingOutcome:
    configuration = load_configuration("ptr-2022", ["dram=simple", *settings])
    return share([Application(path) for path in activities], configuration, by, warm_up)


@pytest.fixture(scope="module")
def usual(activities: list[Path]) -> SharingOutcome:
    """Shared with a quantum of two tiles."""
    return shared(activities, "tile_fetcher.quantum_tiles=2")


def merged(activities: list[Path], quantum: int, *settings: str) -> Merged:
    """The first frames of some applications as one."""
    configuration = load_configuration("ptr-2022", ["dram=simple", *settings])
    frames = [
        Loader(path, configuration, space=AddressSpace(k, SHARED_BYTES)).load(0) for k, path in enumerate(activities)
    ]
    return merge(frames, range(len(frames)), quantum)


def test_each_does_the_work_that_it_does_alone(usual: SharingOutcome) -> None:
    for together, alone in zip(usual.together, usual.alone, strict=True):
        assert together.frames == alone.frames
        for number in alone.frames:
            ours, theirs = together.frame(number), alone.frame(number)
            assert {name: ours[name] for name in WORK} == {name: theirs[name] for name in WORK}
            assert ours["raster.early_depth.mismatched_quads"] == 0
            # Each pixel of the window is written once, with four bytes.
            assert ours["memory.dram.write_bytes.color"] == SIDE * SIDE * 4


def test_their_statistics_add_up_to_the_machines(usual: SharingOutcome) -> None:
    assert usual.machine is not None
    whole = usual.machine.totals()
    parts = [results.totals() for results in usual.together]
    for stat in usual.machine.statistics:
        if stat.path or stat.measured:
            assert sum(part[stat.name] for part in parts) == pytest.approx(whole[stat.name]), stat.name
    energy = sum(results.energy().total_pj for results in usual.together)
    assert energy == pytest.approx(usual.machine.energy().total_pj)
    for table in usual.accounts:
        assert set(table["kind"].to_pylist()) == {"application", "other"}
        assert sum(table["share"].to_pylist()) == pytest.approx(1)


def test_tiles_take_turns(activities: list[Path]) -> None:
    for quantum in (1, 3, TILES, 1000):
        tile = merged(activities, quantum).frame.commands.tile
        order, left = [], [TILES, TILES]
        while any(left):
            for k in (0, 1):
                run = min(quantum, left[k])
                order += [k] * run
                left[k] -= run
        assert tile["application"].tolist() == order
        places = list(zip(tile["x"].tolist(), tile["y"].tolist(), strict=True))
        # Row by row from the top, as each is rasterized alone.
        expected = [(x, y) for y in range(SIDE - 32, -1, -32) for x in range(0, SIDE, 32)]
        for mine in (0, 1):
            assert [place for place, k in zip(places, order, strict=True) if k == mine] == expected


def test_tiles_take_turns_of_their_own_lengths_over_several_frames(activities: list[Path]) -> None:
    """Two frames of the small one beside one of the large: three of its tiles a turn, then two of the other's."""
    configuration = load_configuration("ptr-2022", ["dram=simple"])
    large, small = (
        Loader(path, configuration, space=AddressSpace(k, SHARED_BYTES)) for k, path in enumerate(activities)
    )
    both = merge([large.load(0), small.load(0), small.load(0)], [0, 1, 1], {0: 2, 1: 3})
    order, waiting = [], {0: TILES, 1: 2 * TILES}
    while any(waiting.values()):
        for k, quantum in ((0, 2), (1, 3)):
            run = min(quantum, waiting[k])
            order += [k] * run
            waiting[k] -= run
    assert both.frame.commands.tile["application"].tolist() == order
    # The second frame's tiles come when all of the first are there.
    assert both.tile[1].max() < both.tile[2].min()
    assert len(both.tile[0]) == len(both.tile[1]) == len(both.tile[2]) == TILES


def test_a_light_application_does_not_wait_for_the_heavy_ones_frame(tmp_path: Path) -> None:
    heavy_items: list[Rectangle | Clear] = [Rectangle(0, 0, SIDE, SIDE, 0.9 - 0.04 * n) for n in range(20)]
    heavy = Scene(SIDE, SIDE, [heavy_items] * 2).write(tmp_path / "heavy")
    light = Scene(SIDE, SIDE, [[Rectangle(0, 0, SIDE, SIDE, 0.6)] for _ in range(8)]).write(tmp_path / "light")
    tiles, time = (
        shared([heavy, light], "tile_fetcher.quantum_tiles=1", f"tile_fetcher.turns={turns}")
        for turns in ("tiles", "time")
    )
    assert time.fairness > 2 * tiles.fairness
    # Eight light frames wait for no more than as much time of the other: each takes twice as long as alone.
    assert time.slowdown(1) < 2.5 < tiles.slowdown(1)
    for outcome in (tiles, time):
        for together, alone in zip(outcome.together, outcome.alone, strict=True):
            assert sorted(together.frames) == sorted(alone.frames)
            assert together.totals()["raster.rasterizer.quads"] == pytest.approx(
                alone.totals()["raster.rasterizer.quads"]
            )
        ends = [turn.end_cycle for turn in outcome.turns if turn.application == 1]
        assert ends == sorted(ends)


@pytest.mark.parametrize("cycles", [40, 20000])
def test_raster_units_switch_too(activities: list[Path], make_machine: Any, cycles: int) -> None:
    free, dear = (
        make_machine("raster_units=1", f"rasterizer.context_switch_cycles={each}").run(merged(activities, 4).frame)
        for each in (0, cycles)
    )
    # Turns of four tiles of sixteen each, the first in the state that is there.
    assert free["raster.rasterizer.switch_cycles"] == 0
    assert dear["raster.rasterizer.switch_cycles"] == (2 * TILES // 4 - 1) * cycles
    # Short ones pass while colours are written, long ones do not.
    longest = max(free["gpu.raster_cycles"], dear["raster.rasterizer.switch_cycles"])
    assert longest <= dear["gpu.raster_cycles"] < longest + free["gpu.raster_cycles"]


def test_applications_begin_at_different_sets_and_banks() -> None:
    """Of a cache of 4096 lines, and of eight banks of rows of 2 KiB."""
    for bits, step in ((12, 64), (3, 2048)):
        places = {AddressSpace(k, SHARED_BYTES).offset_bytes // step % (1 << bits) for k in range(4)}
        assert len(places) == 4 if bits == 12 else len(places) > 1
    assert AddressSpace(0, SHARED_BYTES).offset_bytes == 0
    ends = [AddressSpace(k, SHARED_BYTES) for k in range(4)]
    assert all(each.region(0).first + each.region(0).room_bytes == (each.number + 1) * SHARED_BYTES for each in ends)


def test_one_application_alone_is_a_replay(activities: list[Path], make_machine: Any) -> None:
    for path in activities:
        alone, own = merged([path], 2), merged([path], 2).own[0]
        assert make_machine().run(alone.frame) == make_machine().run(own)
        alone.hand_back()
        assert alone.own[0].commands.log.tolist() == own.commands.log.tolist()


@pytest.mark.parametrize("switch", ["under_way", "drained"])
def test_pictures_and_depths_are_those_of_each_alone(activities: list[Path], make_machine: Any, switch: str) -> None:
    settings = f"tile_fetcher.context_switch={switch}", "tile_fetcher.context_switch_cycles=30"
    both = merged(activities, 1)
    statistics = make_machine(*settings).run(both.frame)
    both.hand_back()
    for k, own in enumerate(both.own):
        alone = merged([activities[k]], 1).own[0]
        make_machine().run(alone)
        assert np.array_equal(own.depth.quad["passed"], alone.depth.quad["passed"])
        assert np.array_equal(own.depth.blended["order"] > 0, alone.depth.blended["order"] > 0)
        assert np.array_equal(own.depth.saved, alone.depth.saved)
    # Units may sleep, but whatever they do they do in the same cycle.
    assert make_machine(*settings).run(merged(activities, 1).frame, every=True) == statistics
    if switch == "drained":
        assert make_machine(*settings, compiled=False).run(merged(activities, 1).frame) == statistics


def test_a_switch_takes_its_cycles(activities: list[Path], make_machine: Any) -> None:
    for quantum in (1, 5):
        # The first tile is of the application whose context is there; then each turn begins with a switch.
        switches = 2 * -(-TILES // quantum) - 1
        cycles = []
        for cost in (0, 1, 137):
            settings = f"tile_fetcher.context_switch_cycles={cost}", "tile_fetcher.context_switch=drained"
            found = make_machine(*EVEN_MEMORY, *settings).run(merged(activities, quantum).frame)
            assert found["tiling.tile_fetcher.switches"] == switches
            assert found["tiling.tile_fetcher.switch_cycles"] == cost * switches
            cycles.append(found["gpu.cycles"])
        assert [each - cycles[0] for each in cycles] == [0, switches, 137 * switches]


def test_the_command_processor_switches_between_geometry(activities: list[Path], make_machine: Any) -> None:
    base = *EVEN_MEMORY[:-1], "tile_fetcher.context_switch_cycles=0"
    cycles = [
        make_machine(*base, f"command_processor.context_switch_cycles={cost}").run(merged(activities, 4).frame)
        for cost in (0, 700)
    ]
    assert [each["gpu.switch_cycles"] for each in cycles] == [0, 700]
    # Lists of the first application are written meanwhile.
    assert 600 < cycles[1]["gpu.cycles"] - cycles[0]["gpu.cycles"] <= 700


def test_a_turn_of_a_whole_frame_has_the_work_of_sharing_by_frame(
    activities: list[Path], usual: SharingOutcome
) -> None:
    whole = shared(activities, f"tile_fetcher.quantum_tiles={TILES}")
    by_frame = shared(activities, by="frame")
    for k in (0, 1):
        for name in WORK:
            assert whole.together[k].totals()[name] == by_frame.together[k].totals()[name], name
    switches = [each.machine.totals()["tiling.tile_fetcher.switches"] for each in (whole, usual) if each.machine]
    # The other has no further frame: to its tiles and back.
    assert switches == [2, TILES]


def test_turns_of_a_round_begin_together(usual: SharingOutcome) -> None:
    assert [(turn.application, turn.frame) for turn in usual.turns] == [(0, 0), (1, 0), (0, 1), (0, 2)]
    assert usual.machine is not None
    rounds = [usual.machine.frame(number)["gpu.cycles"] for number in range(3)]
    assert [turn.begin_cycle for turn in usual.turns] == [0, 0, rounds[0], rounds[0] + rounds[1]]
    assert usual.turns[1].end_cycle < rounds[0] and usual.end_cycle(0) <= sum(rounds)
    assert usual.slowdown(1) == usual.turns[1].end_cycle / usual.alone[1].totals()["gpu.cycles"] > 1


def test_the_same_comes_out_again(activities: list[Path], usual: SharingOutcome) -> None:
    def told(results: Results) -> list[dict[str, float]]:
        return results.by_frame()

    again = shared(activities, "tile_fetcher.quantum_tiles=2")
    assert [told(each) for each in again.together] == [told(each) for each in usual.together]
    assert again.turns == usual.turns and again.accounts == usual.accounts


def test_frames_that_warm_up_do_not_count(activities: list[Path]) -> None:
    found = shared([activities[0]] * 2, warm_up=1)
    assert [results.frames for results in found.together] == [[1, 2], [1, 2]]
    assert found.turns[0].begin_cycle == 0 and len(found.accounts) == 2


@pytest.mark.parametrize(
    ("preset", "settings", "reason"),
    [
        ("ptr-2022", ["techniques=rendering_elimination"], "rendering_elimination has tables .* by tile"),
        ("ptr-2022", ["techniques=visibility_rendering_order"], "visibility_rendering_order is modelled for one"),
        ("imr-2018", ["techniques=none"], "machine immediate does not sort"),
    ],
)
def test_what_cannot_share_is_refused(activities: list[Path], preset: str, settings: list[str], reason: str) -> None:
    with pytest.raises(ActivityError, match=reason):
        share([Application(path) for path in activities], load_configuration(preset, settings), "tile")


def test_a_turn_has_a_tile_at_least() -> None:
    with pytest.raises(UserError, match="quantum_tiles"):
        load_configuration("ptr-2022", ["tile_fetcher.quantum_tiles=0"])


def test_parameter_buffers_die_when_all_tiles_are_done(activities: list[Path]) -> None:
    """Rows of the geometry keep their own, and the row of the tiles, which reads both, names how many those are."""
    both = merged(activities, 2, "parameter_buffer.dead_lines=dropped").frame.commands.render_pass
    assert both["dead_passes"].tolist() == [0, 0, 2]
    assert both["dead_bytes"][2] == 0 < both["dead_bytes"][:2].min()
    assert both["dead_address"][1] - both["dead_address"][0] >= SHARED_BYTES
    dropped = shared(activities, "parameter_buffer.dead_lines=dropped")
    written = shared(activities)
    forgotten = [outcome.machine.totals()["memory.tile_cache.forgotten"] for outcome in (dropped, written)]
    assert forgotten[0] > forgotten[1]
