"""Several runs at once: they are the runs one would make one by one, and what is there is not run again."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from activity_builder import Clear, Rectangle, Scene
from typer.testing import CliRunner

from tilegpu.timing import ConfigurationError, load_configuration, replay
from tilegpu.timing.runs import execute, is_finished, plan
from tilegpu.timing.runs.shared_frames import SharedFrames
from tilegpu.tools.main import app


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three frames of overlapping rectangles; depth outlives the first pass of each."""
    frames = [[Rectangle(4 * n, 8, 40, 40, 0.6), Clear(0.9), Rectangle(16, 16, 40, 24, 0.4)] for n in range(3)]
    scene = Scene(64, 64, frames, load_depth_from_second=True)
    return scene.write(tmp_path_factory.mktemp("runs") / "activity")


def test_every_combination_is_a_run_the_last_value_changing_fastest() -> None:
    runs = plan(["ptr-2022"], ["raster_units=1,2", "fragment_stage.warps=8", "tiles.assignment=static,dynamic"])
    assert [run.name for run in runs] == [
        "raster_units=1,assignment=static",
        "raster_units=1,assignment=dynamic",
        "raster_units=2,assignment=static",
        "raster_units=2,assignment=dynamic",
    ]
    assert runs[3].varied == {"tiles.raster_units": 2, "tiles.assignment": "dynamic"}
    assert runs[3].configuration.tiles.raster_units == 2
    assert [run.name for run in plan(["ptr-2022"])] == ["ptr-2022"]


@pytest.mark.parametrize(
    ("configurations", "settings", "message"),
    [
        (["ptr-2022"], ["raster_units=1,,2"], "a value is empty"),
        (["ptr-2022"], ["raster_units=1", "tiles.raster_units=2"], "set twice"),
        (["ptr-2022"], ["raster_units"], "expected field=value"),
        (["ptr-2022", "ptr-2022"], [], "two runs would be called ptr-2022"),
        (["ptr-2022"], ["name=../a,../b"], "cannot name its folder"),
        (["ptr-2022"], [f"tiles.width={','.join('2' * 200)}", f"tiles.height={','.join('2' * 200)}"], "40000 runs"),
    ],
)
def test_plans_that_make_no_sense(configurations: list[str], settings: list[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        plan(configurations, settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("jobs", [1, 3])
def test_runs_at_once_are_the_runs_one_by_one(activity: Path, jobs: int) -> None:
    runs = plan(["ptr-2022"], ["raster_units=1,2", "tiles.width=16,32", "techniques=none"])
    found = dict(execute(activity, runs, warm_up=1, jobs=jobs))
    assert sorted(found) == [0, 1, 2, 3]
    for number, run in enumerate(runs):
        alone = replay(activity, run.configuration, warm_up=1)
        assert found[number].counted == alone.counted
        assert found[number].spent == alone.spent


def test_frames_are_loaded_once_for_all_that_read_them_alike(activity: Path) -> None:
    runs = plan(["ptr-2022"], ["raster_units=1,2", "tiles.width=16,32", "fragment_stage.alu_latency=4"])
    configurations = [run.configuration for run in runs]
    shared = SharedFrames(activity, configurations)
    assert len(shared.groups) == 2
    assert all(sorted(group.frames) == [0, 1, 2] for group in shared.groups)
    first, third = shared.loader(configurations[0]), shared.loader(configurations[2])
    assert first.load(1).shading.quad is third.load(1).shading.quad
    assert first.load(1).depth.saved is first.load(2).depth.saved
    assert first.load(1).depth.saved is not third.load(1).depth.saved


def test_quad_mappings_that_repeat_alike_share_their_frames(activity: Path) -> None:
    names = ["rows", "columns", "5-UD-Q", "2-vertical", "11-blocking", "12-snake"]
    shared = SharedFrames(activity, [load_configuration("ptr-2022", [f"quad_mapping={name}"]) for name in names])
    assert [group.seen["mapping_variants"] for group in shared.groups] == [1, 2, 1]
    assert [group.seen["tile_order"] for group in shared.groups] == ["scanline", "scanline", "boustrophedon"]


def test_frames_beyond_the_budget_are_loaded_by_their_run(activity: Path) -> None:
    configuration = load_configuration("ptr-2022")
    shared = SharedFrames(activity, [configuration], budget_bytes=1)
    assert sorted(shared.groups[0].frames) == [0]
    assert replay(shared.loader(configuration), configuration).counted == (replay(activity, configuration).counted)


def test_the_command_writes_a_table_and_goes_on_where_it_was(activity: Path, tmp_path: Path) -> None:
    command = ["replay", str(activity), "--set", "raster_units=1,2", "-o", str(tmp_path / "r"), "-j", "2"]
    ran = CliRunner().invoke(app, command)
    assert ran.exit_code == 0, ran.output
    names = ["raster_units=1", "raster_units=2"]
    table = pq.read_table(tmp_path / "r" / "runs.parquet").to_pandas()
    assert list(zip(table.run, table.frame, strict=True)) == [(n, f) for n in names for f in range(3)]
    assert list(table["tiles.raster_units"].unique()) == [1, 2]
    assert (table.energy_pj > 0).all()
    cycles = [json.loads((tmp_path / "r" / n / "stats.json").read_text())["totals"]["gpu.cycles"] for n in names]
    assert table.groupby("run")["gpu.cycles"].sum().tolist() == cycles
    compared = pq.read_table(tmp_path / "r" / names[1] / "comparison.parquet").to_pandas().set_index("name")
    assert compared.ratio["gpu.cycles"] == cycles[1] / cycles[0]
    # What an interrupted command leaves: one run whole, the other not begun.
    kept = (tmp_path / "r" / names[0] / "stats.json").stat().st_mtime_ns
    (tmp_path / "r" / names[1] / "stats.json").unlink()
    for rest in (tmp_path / "r" / names[1]).iterdir():
        rest.unlink()
    (tmp_path / "r" / names[1]).rmdir()
    again = CliRunner().invoke(app, [*command, "--baseline", names[1]])
    assert "1 of 2 runs are in" in again.output
    assert (tmp_path / "r" / names[0] / "stats.json").stat().st_mtime_ns == kept
    # Of an earlier version that had no such field, and of other hardware.
    path = tmp_path / "r" / names[0] / "stats.json"
    for change, expected in (("pop", True), ("set", False)):
        found = json.loads(path.read_text())
        if change == "pop":
            found["configuration"]["dram"].pop("priority")
        else:
            found["configuration"]["l2_cache"]["ways"] = 4
        path.write_text(json.dumps(found))
        run = plan(["ptr-2022"], ["raster_units=1,2"])[0]
        assert is_finished(path.parent, run, found["source"] | {"name": "elsewhere"}, range(3), 0) is expected
        assert not is_finished(path.parent, run, {"name": "", "sha256": "another"}, range(3), 0)
    assert pq.read_table(tmp_path / "r" / "runs.parquet").to_pandas().equals(table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "other"], "no such run"),
        (["--frames", "0:2"], "holds other results"),
        (["--plain"], "for one run"),
    ],
)
def test_errors_are_one_line(activity: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    command = ["replay", str(activity), "--set", "raster_units=1,2", "-o", str(tmp_path / "r")]
    assert CliRunner().invoke(app, command).exit_code == 0
    ran = CliRunner().invoke(app, [*command, *arguments])
    assert ran.exit_code != 0
    assert message in (str(ran.exception) + ran.output)
