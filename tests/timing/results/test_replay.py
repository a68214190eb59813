"""Replay from Python and from the command line: frames, warm-up, files, errors in one line."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from activity_builder import Rectangle, Scene
from typer.testing import CliRunner

from tilegpu.functional.activity import ActivityError
from tilegpu.timing import Progress, ResultsError, load_configuration, replay
from tilegpu.timing.assembly.variants import load
from tilegpu.timing.results.arm.names import ARM_NAMES
from tilegpu.timing.results.statistics import statistics
from tilegpu.tools.main import app


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    frame = [Rectangle(0, 0, 64, 64, 0.5), Rectangle(10, 10, 40, 30, 0.7), Rectangle(5, 5, 20, 20, 0.2)]
    return Scene(frames=[frame, frame, frame[:1]]).write(tmp_path_factory.mktemp("scene") / "activity")


def test_totals_are_sums_over_frames_and_ratios_of_sums(activity: Path) -> None:
    results = replay(activity, load_configuration())
    assert results.frames == [0, 1, 2]
    totals = results.totals()
    for name in ("gpu.cycles", "raster.rasterizer.quads", "memory.dram.bytes"):
        assert totals[name] == sum(results.frame(n)[name] for n in range(3)) > 0
    assert (
        totals["raster.early_depth.kill_rate"]
        == totals["raster.early_depth.killed_quads"] / totals["raster.early_depth.quads"]
    )
    assert 0 < totals["memory.l2_cache.hit_rate"] < 1


def test_imbalance_of_tiles(activity: Path) -> None:
    """The mean over tiles with shading is the statistic; one processor with all the work is sqrt(3) of four."""
    results = replay(activity, load_configuration(), frames=[0])
    shaded = [row["imbalance"] for row in results.tiles[0].to_pylist() if row["busy_cycles"]]
    assert sum(shaded) / len(shaded) == pytest.approx(results.totals()["fragment.imbalance"], abs=1e-5)
    # A row of quads at the lower edge of a tile lies in the two lower quadrants: two of four processors are idle.
    scene = Scene(frames=[[Rectangle(0, 0, 32, 2, 0.5)]]).write(activity.parent / "row")
    halves = replay(scene, load_configuration("ptr-2022", ["quad_mapping=quadrants"])).tiles[0].to_pylist()
    (busy,) = [row["imbalance"] for row in halves if row["busy_cycles"]]
    assert 0.9 < busy < 1.1


def test_results_of_some_frames(activity: Path) -> None:
    whole = replay(activity, load_configuration())
    some = whole.of([0, 2])
    assert (some.frames, some.warm_up) == ([0, 2], 1)
    assert some.totals()["gpu.cycles"] == whole.frame(0)["gpu.cycles"] + whole.frame(2)["gpu.cycles"]
    assert [set(table["frame"].to_pylist()) for table in some.tiles] == [{0}, {2}]


def test_frames_that_warm_up_count_nowhere_but_warm(activity: Path) -> None:
    cold = replay(activity, load_configuration(), frames=[0, 1])
    warm = replay(activity, load_configuration(), frames=[0, 1], warm_up=1)
    assert warm.frames == [1]
    assert warm.totals() == cold.frame(1)
    assert warm.totals()["memory.dram.read_bytes.texture"] == 0 < cold.totals()["memory.dram.read_bytes.texture"]
    with pytest.raises(ActivityError, match="leave none to count"):
        replay(activity, load_configuration(), warm_up=3)


def test_a_replay_can_be_repeated_to_the_cycle_and_plain_python_agrees(activity: Path) -> None:
    configuration = load_configuration("ptr-2022", ["raster_units=2"])
    seen: list[Progress] = []
    first = replay(activity, configuration, frames=[2], progress=seen.append)
    assert replay(activity, configuration, frames=[2]).totals() == first.totals()
    assert replay(activity, configuration, frames=[2], compiled=False).totals() == first.totals()
    assert seen[0] == Progress(0, 1, 2, 0)


def test_results_are_files_other_programs_read(activity: Path, tmp_path: Path) -> None:
    results = replay(activity, load_configuration("ptr-2022", ["l2_cache.ways=4"]))
    results.write(tmp_path / "r")
    tables = ["energy.parquet", "stats.json", "stats.parquet", "tiles.parquet", "units.parquet"]
    names = ["config.toml", "energy.json", *tables]
    assert sorted(p.name for p in (tmp_path / "r").iterdir()) == names
    energy = pq.read_table(tmp_path / "r" / "energy.parquet").to_pylist()
    whole = json.loads((tmp_path / "r" / "energy.json").read_text())
    assert sum(row["dynamic_pj"] + row["static_pj"] for row in energy) == pytest.approx(whole["total_pj"])
    assert {row["profile"] for row in energy} == {whole["technology"]["profile"]} == {"mcpat"}
    table = pq.read_table(tmp_path / "r" / "stats.parquet")
    assert table.column_names == ["frame", "name", "value", "unit", "group"]
    assert len(table) == 3 * len(statistics(results.configuration))
    cycles = [row["value"] for row in table.to_pylist() if row["name"] == "gpu.cycles"]
    content = json.loads((tmp_path / "r" / "stats.json").read_text())
    assert cycles == [frame["gpu.cycles"] for frame in content["frames"]]
    assert content["totals"]["gpu.cycles"] == sum(cycles)
    assert content["configuration"]["l2_cache"]["ways"] == 4
    assert content["statistics"]["gpu.cycles"]["arm_name"] == "MaliGPUActiveCy"
    assert tomllib.loads((tmp_path / "r" / "config.toml").read_text())["l2_cache"]["ways"] == 4
    with pytest.raises(ResultsError, match="holds results already"):
        results.write(tmp_path / "r")
    results.write(tmp_path / "r", replace=True)
    with pytest.raises(ResultsError, match="holds no results"):
        results.write(tmp_path, replace=True)


def test_statistics_are_declared_once_and_described() -> None:
    declared = statistics(load_configuration())
    names = [stat.name for stat in declared]
    assert len(set(names)) == len(names)
    assert all(stat.unit and stat.description for stat in declared)
    assert all(bool(stat.path) + bool(stat.formula) + stat.measured == 1 for stat in declared)
    assert set(ARM_NAMES) <= set(names)


def test_the_command_prints_the_main_figures_and_writes_results(activity: Path, tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["replay", str(activity), "--set", "raster_units=2", "-o", str(tmp_path / "r")])
    assert ran.exit_code == 0, ran.output
    assert "gpu.cycles" in ran.output
    assert "3 frames counted" in ran.output
    assert json.loads((tmp_path / "r" / "stats.json").read_text())["configuration"]["tiles"]["raster_units"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "raster_units=9"], "tiles.raster_units"),
        (["--config", "nothing"], "no configuration nothing"),
        (["--set", "techniques=magic"], "there is no technique magic"),
        (["--warm-up", "5"], "leave none to count"),
    ],
)
def test_errors_of_the_command_are_value_errors_with_one_line(
    activity: Path, arguments: list[str], message: str
) -> None:
    ran = CliRunner().invoke(app, ["replay", str(activity), *arguments])
    assert isinstance(ran.exception, ValueError)
    assert message in str(ran.exception)
    assert "\n" not in str(ran.exception)


def test_engines_of_other_sets_of_techniques_are_other_code() -> None:
    with pytest.raises(ValueError, match="there is no technique hooks"):
        load("tile_based", ("hooks",))
    assert load().folder.name.endswith("tile_based")
