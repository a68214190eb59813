"""Costs of draws: they add up to the frame's statistics on every machine, and are those of a plain reading of the
activity."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from activity_builder import Clear, Rectangle, Scene

from tests.quick import quick_ones
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.errors import UserError
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import engine_of
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.work import FIRST_DRAW, MAX_DRAWS
from tilegpu.timing.instruments.draw_costs import NAME
from tilegpu.timing.loading.work import Accounts
from tilegpu.timing.results.draws import DRAWS, HELD, PROGRAMS, check_room
from tilegpu.timing.results.results import Results

SHADED, BLENDED = "fragment.processor.quads", "raster.blending.quads"
MACHINES = {
    "ptr-2022": SHADED,
    "imr-2018": SHADED,
    "dae-2012-baseline": SHADED,
    "emerald-case2": BLENDED,
    "emerald-case1": BLENDED,
    "mali-g52-mc1": SHADED,
}
"""Presets, and the quads of each that a plain reading of the activity knows."""
PRESETS = [pytest.param(name, marks=pytest.mark.slow if name == "emerald-case1" else ()) for name in MACHINES]
"""The same; quick runs have one of the two SIMT machines."""


def configured(preset: str) -> Configuration:
    """The baseline of a preset."""
    return load_configuration(preset, ["techniques=none"])


FRAME = [
    Rectangle(0, 0, 16, 16, 0.9),
    Rectangle(2, 2, 6, 10, 0.5, textured=False),
    Rectangle(2, 2, 6, 10, 0.7),
    Clear(1.0),
    Rectangle(0, 0, 9, 7, 0.8, discards=1),
]
"""The third one is hidden by the second."""


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scene = Scene(width=16, height=16, frames=[FRAME, FRAME[:2], FRAME])
    return scene.write(tmp_path_factory.mktemp("scene") / "activity")


@pytest.fixture(scope="module", params=PRESETS)
def costs(request: pytest.FixtureRequest, activity: Path) -> tuple[Results, Results, str]:
    """Results with costs of draws and without, and the statistic of quads."""
    configuration = configured(request.param)
    both = (replay(activity, configuration, [0, 1], compiled=False, instrument=instrument) for instrument in (NAME, ""))
    return *both, MACHINES[request.param]


def test_nothing_else_changes(costs: tuple[Results, Results, str]) -> None:
    by_draw, without, _ = costs
    assert by_draw.by_frame() == without.by_frame()
    assert by_draw.spent == without.spent


def test_sums_are_the_frames_statistics(costs: tuple[Results, Results, str]) -> None:
    results = costs[0]
    for frame, table in zip(results.frames, results.own[DRAWS], strict=True):
        values, charged = results.frame(frame), 0
        for stat in results.statistics:
            if stat.path or stat.sums:
                column = [value or 0 for value in table[stat.name].to_pylist()]
                assert sum(column) == values[stat.name], stat.name
                charged += sum(column) != column[-1]
        # Far more than the few that only the machine as a whole has.
        assert charged > 60
        assert set(table["frame"].to_pylist()) == {frame}
        assert sum(table["share"].to_pylist()) == pytest.approx(1.0)
        assert sum(table["cycles"].to_pylist()) == values["gpu.cycles"]
        for row in table.to_pylist():
            assert row["cycles"] == sum(row[name] for name in HELD)
        energy = results.energy(frame)
        memory = energy.memory
        dynamic = sum(row.dynamic_pj for row in energy.structures) + memory.total_pj - memory.background_pj
        assert sum(table["dynamic_pj"].to_pylist()) == pytest.approx(dynamic)
        assert sum(table["static_pj"].to_pylist()) == pytest.approx(energy.total_pj - dynamic)


def test_what_no_draw_can_have_is_null(costs: tuple[Results, Results, str]) -> None:
    results = costs[0]
    for table in results.own[DRAWS]:
        machine = next(row for row in table.to_pylist() if row["name"] == "machine")
        for row in (row for row in table.to_pylist() if row["kind"] == "draw"):
            assert row["gpu.cycles"] is None
            assert row["memory.l2_cache.misses"] is not None and row["memory.dram.bytes"] is not None
        assert machine["gpu.cycles"] == results.frame(machine["frame"])["gpu.cycles"]
        assert machine["memory.dram.bytes"] is not None


def test_counts_are_those_of_the_activity(costs: tuple[Results, Results, str], activity: Path) -> None:
    results, _, counted = costs
    recorded = Activity(activity)
    for frame, table in zip(results.frames, results.own[DRAWS], strict=True):
        rows = {row["draw"]: row for row in table.to_pylist() if row["kind"] == "draw"}
        draws = recorded.frame("draws", frame, ["draw", "number", "pass", "program", "early_depth"]).to_pylist()
        late = {draw["draw"] for draw in draws if not draw["early_depth"]}
        of_primitive = recorded.frame("primitives", frame)["draw"].to_pylist()
        quads: Counter[int] = Counter()
        for quad in recorded.frame("quads", frame, ["primitive", "depth_pass"]).to_pylist():
            draw = of_primitive[quad["primitive"]]
            quads[draw] += quad["depth_pass"] != 0 or (draw in late and counted == SHADED)
        assert set(rows) == {draw["number"] for draw in draws}
        for found in draws:
            row = rows[found["number"]]
            assert (row["pass"], row["program"], row["drawn_frame"]) == (found["pass"], found["program"], frame)
            assert row[counted] == quads[found["draw"]]
        assert [row["call"] for row in rows.values()] == sorted(row["call"] for row in rows.values())


def test_units_of_the_machine_bound_tiles(costs: tuple[Results, Results, str]) -> None:
    by_draw, without, _ = costs
    units = {unit.name for unit in build(by_draw.configuration).machine.units}
    for tiles in by_draw.tiles:
        # What belongs to no tile is bounded by nothing.
        bounds = tiles.filter(pc.is_valid(tiles["tile"]))["bounded_by"].to_pylist()
        assert bounds and {name.partition(".")[0] for name in bounds} <= units
    assert {name for tiles in without.tiles for name in tiles["bounded_by"].to_pylist()} == {None}


def test_programs_are_sums_of_draws(costs: tuple[Results, Results, str]) -> None:
    results = costs[0]
    for draws, programs in zip(results.own[DRAWS], results.own[PROGRAMS], strict=True):
        rows = programs.to_pylist()
        assert sum(row["count"] for row in rows) == len(draws)
        for name in ("share", "dynamic_pj", "static_pj", "memory.dram.bytes"):
            of: dict[Any, float] = {}
            for row in draws.to_pylist():
                key = row["kind"], row["program"], row["name"] if row["kind"] == "other" else ""
                of[key] = of.get(key, 0) + row[name]
            found = {(row["kind"], row["program"], row["name"]): row[name] for row in rows}
            assert found == pytest.approx(of)


def _run(activity: Path, preset: str, every: bool) -> Any:
    """Registers of the instrument after a frame, with all units ticked in every cycle or not."""
    configuration = configured(preset)
    chip, engine = build(configuration, NAME).plain(), engine_of(configuration, False, NAME)
    begin_frame(chip)
    assert engine.run(chip.gpu, plain(Loader(activity, configuration).load(0)), every, 1 << 34)
    return chip.gpu.technique.draw_costs


@pytest.mark.parametrize("preset", PRESETS)
def test_skipping_idle_units_changes_no_cost(activity: Path, preset: str) -> None:
    skipping, ticking = (_run(activity, preset, every) for every in (False, True))
    assert skipping.time == ticking.time and sum(skipping.time) > 0
    assert skipping.total == ticking.total


@pytest.mark.engine("tile_based by draw")
def test_compiled_costs_are_the_same(activity: Path) -> None:
    configuration = load_configuration("ptr-2022")
    tables = [replay(activity, configuration, compiled=compiled, instrument=NAME).own for compiled in (True, False)]
    for name in (DRAWS, PROGRAMS):
        assert pa.concat_tables(tables[0][name]).equals(pa.concat_tables(tables[1][name]))


def test_geometry_ahead_is_on_account_of_the_next_frame(activity: Path) -> None:
    configuration = load_configuration("ptr-2022", ["command_processor.overlap=geometry"])
    results = replay(activity, configuration, compiled=False, instrument=NAME)
    first, second, _ = results.own[DRAWS]
    ahead = [row for row in first.to_pylist() if row["kind"] == "draw" and row["drawn_frame"] == 1]
    vertices = "geometry.vertex_processor.vertices"
    assert [row[vertices] > 0 for row in ahead] == [True, True]
    # Its draws have shaded their vertices then, and nothing is counted twice.
    for row in second.to_pylist():
        if row["drawn_frame"] == 1:
            assert row[vertices] == 0 and row["fragment.processor.quads"] > 0


def test_frames_that_warm_up_cost_nothing(activity: Path) -> None:
    configuration = load_configuration("ptr-2022")
    warm, cold = (replay(activity, configuration, [1, 2], n, compiled=False, instrument=NAME) for n in (1, 0))
    assert warm.own[DRAWS][0].equals(cold.own[DRAWS][1])
    assert cold.of([2]).own[DRAWS][1].equals(warm.own[DRAWS][0])


def test_lines_that_draws_share_are_paid_for_by_the_first(activity: Path) -> None:
    results = replay(activity, load_configuration("ptr-2022"), [0], compiled=False, instrument=NAME)
    rows = {row["name"]: row for row in results.own[DRAWS][0].to_pylist()}
    draws = [row for row in rows.values() if row["kind"] == "draw"]
    texels = "memory.dram.read_bytes.texture"
    assert draws[0][texels] > 0 and draws[1]["fragment.texture_unit.lines"] == 0
    # The last one lies within the first, whose texels the L2 still has.
    assert draws[3]["fragment.texture_unit.lines"] > 0 and draws[3][texels] == 0
    assert rows["tile_flush"]["memory.dram.write_bytes.color"] == 16 * 16 * 4
    assert rows["clears"]["raster.early_depth.clears"] > 0
    assert rows["idle"]["fragment.processor.empty_cycles"] == results.totals()["fragment.processor.empty_cycles"]


@pytest.mark.parametrize(
    "technique", quick_ones(("rendering_elimination", "prefetching", "decoupled_access"), ("rendering_elimination",))
)
def test_techniques_run_as_without(activity: Path, technique: str) -> None:
    configuration = load_configuration("ptr-2022", [f"techniques={technique}"])
    # A replay by draw checks that costs add up.
    by_draw, without = (replay(activity, configuration, [0], compiled=False, instrument=name) for name in (NAME, ""))
    assert by_draw.by_frame() == without.by_frame()
    assert by_draw.own[DRAWS][0].num_rows > len(FRAME)


def test_frames_with_too_many_draws_are_refused(activity: Path) -> None:
    rows, recorded = [{"kind": "draw"}] * (MAX_DRAWS - 1), Activity(activity)
    with pytest.raises(UserError, match=f"frame 7 has {MAX_DRAWS + 1:,} draws and dispatches"):
        check_room(Accounts(7, 0, recorded, rows, 2))
    check_room(Accounts(7, 1, recorded, rows, 1))
    assert Accounts(7, 1, recorded, rows, 2).first == FIRST_DRAW + MAX_DRAWS
