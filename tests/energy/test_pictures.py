"""`tilegpu area` and `tilegpu plot`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from tilegpu.timing.config import load_configuration
from tilegpu.timing.results.comparisons import geometric_mean, line_chart, relative_chart
from tilegpu.timing.results.cycle_parts import cycle_parts, unchanged
from tilegpu.timing.results.energy.report import report
from tilegpu.timing.results.palette import colours
from tilegpu.timing.results.plots import KINDS, PlotError, chart, read_results
from tilegpu.timing.results.results import FILES
from tilegpu.timing.results.statistics import statistics
from tilegpu.tools.main import app


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Results of two invented runs, the second twice as fast."""
    made = []
    for name, cycles in (("slow", 800_000.0), ("fast", 400_000.0)):
        totals = dict.fromkeys((stat.name for stat in statistics(load_configuration())), 0.0)
        totals |= {"gpu.cycles": cycles, "gpu.geometry_cycles": cycles / 4, "gpu.raster_cycles": cycles * 3 / 4}
        totals |= {"memory.dram.read_bytes.texture": 2e6, "memory.dram.write_bytes.color": 1e6}
        energy = report(load_configuration(), totals).as_json() | {"frames": 1}
        folder = tmp_path / name
        folder.mkdir()
        (folder / "stats.json").write_text(json.dumps({"totals": totals, "frames": [{"frame": 0}]}))
        (folder / "energy.json").write_text(json.dumps(energy))
        for empty in set(FILES) - {"stats.json", "energy.json"}:
            (folder / empty).touch()
        made.append(folder)
    return made


def test_charts_tell_the_results(folders: list[Path]) -> None:
    runs = {folder.name: read_results(folder) for folder in folders}
    assert chart("speedup", runs).parts == {"": [1.0, 2.0]}
    assert chart("cycles", runs).parts == {"geometry": [0.2, 0.1], "raster": [0.6, 0.3]}
    assert chart("traffic", runs).parts == {"read texture": [2.0, 2.0], "write color": [1.0, 1.0]}
    energy = chart("energy", runs)
    total = runs["slow"]["energy"]["total_pj"] / 1e6
    assert sum(values[0] for values in energy.parts.values()) == pytest.approx(total)
    assert "mcpat" in energy.title
    with pytest.raises(PlotError, match="no chart"):
        chart("pie", runs)


def test_pictures_are_files(folders: list[Path], tmp_path: Path) -> None:
    names = [str(folder) for folder in folders]
    assert CliRunner().invoke(app, ["plot", *names, "-o", str(tmp_path / "all")]).exit_code == 0
    assert sorted(p.stem for p in (tmp_path / "all").iterdir()) == sorted(KINDS)
    for suffix, start in ((".pdf", b"%PDF"), (".png", b"\x89PNG"), (".svg", b"<?xml")):
        path = tmp_path / f"one{suffix}"
        assert CliRunner().invoke(app, ["plot", *names, "-o", str(path)]).exit_code == 0
        assert path.read_bytes().startswith(start)
    refused = CliRunner().invoke(app, ["plot", *names, "-o", str(tmp_path / "one.jpg")])
    assert isinstance(refused.exception, PlotError) and not (tmp_path / "one.jpg").exists()
    one = tmp_path / "one.svg"
    assert CliRunner().invoke(app, ["plot", *names, "-o", str(one), "--kind", "traffic"]).exit_code == 0
    assert "DRAM traffic" in one.read_text() or one.read_text().startswith("<?xml")


def test_sweeps_have_groups_and_whiskers() -> None:
    """By hand: frames of 1 and 3 Mcycles deviate by the root of 2, halved by a machine twice as fast."""
    runs = {
        f"{size},{units}": made_up("a", 4e6 / units, f"l2_cache.size_bytes={size}", f"raster_units={units}", frames=2)
        for size in ("64KiB", "128KiB")
        for units in (1, 2)
    }
    for name, run in runs.items():
        for frame, cycles in zip(run["stats"]["frames"], (1e6, 3e6), strict=True):
            frame["gpu.cycles"] = cycles / int(name[-1])
    found = chart("cycles", runs)
    assert found.runs == ["raster_units=1", "raster_units=2"] * 2
    assert found.groups == ["l2_cache.size_bytes=64 KiB"] * 2 + ["l2_cache.size_bytes=128 KiB"] * 2
    assert found.spread == pytest.approx([2**0.5, 2**0.5 / 2] * 2)
    # Every frame is twice as fast, so that the speed-up does not vary.
    assert chart("speedup", runs).spread == pytest.approx([0] * 4)
    lines = line_chart("cycles", runs, "l2_cache.size_bytes")
    assert lines.spread == {f"raster_units={n}": pytest.approx([2**0.5 / n] * 2) for n in (1, 2)}
    one = {name: runs[name] for name in ("64KiB,1", "64KiB,2")}
    assert (chart("cycles", one).runs, chart("cycles", one).groups) == (list(one), [])


def test_title_and_size_of_a_picture(folders: list[Path], tmp_path: Path) -> None:
    command = ["plot", *map(str, folders), "-o", str(tmp_path / "one.png"), "--title", "Mine", "--force", "--size"]
    assert CliRunner().invoke(app, [*command, "4x3"]).exit_code == 0
    assert Image.open(tmp_path / "one.png").size == (600, 450)
    for wrong in ("4", "0x3", "4x1000", "axb", "nanx3"):
        assert isinstance(CliRunner().invoke(app, [*command, wrong]).exception, PlotError), wrong


def test_parts_follow_one_another_and_add_up() -> None:
    totals = {"gpu.cycles": 100.0, "gpu.geometry_cycles": 20.0, "gpu.raster_cycles": 60.0}
    assert cycle_parts(totals) == {"geometry": 20, "raster": 60, "other": 20}
    more = totals | {"gpu.transfer_cycles": 9.0, "gpu.compute_cycles": 5.0, "gpu.switch_cycles": 2.0}
    more |= {"gpu.chain_end.busy_cycles": 10.0}
    assert cycle_parts(more) == {
        "geometry": 15, "raster": 55, "transfers": 9, "compute": 5, "switches": 2, "chain ends": 10, "other": 4,
    }  # fmt: skip
    # Geometry that lies behind the raster stage of the pass before is no part of its own.
    assert cycle_parts(totals | {"gpu.geometry_cycles": 50.0}) == {"geometry": 40, "raster": 60}


def test_what_does_not_shrink_bounds_the_speed_up() -> None:
    """A run of 100 whose raster stage is twice as fast: transfers of 20 allow 5 times, or 100 / (20 + 40)."""
    before = {"gpu.cycles": 100.0, "gpu.geometry_cycles": 10.0, "gpu.raster_cycles": 70.0, "gpu.transfer_cycles": 20.0}
    after = before | {"gpu.cycles": 65.0, "gpu.raster_cycles": 35.0}
    found = unchanged(after, before)
    assert found is not None and found.part == "transfers"
    assert (found.share, found.bound) == (20 / 65, 5)
    assert (found.factor, found.bound_at_factor) == (2, pytest.approx(100 / 60))
    four = before | {"gpu.cycles": 50.0, "gpu.raster_cycles": 20.0}
    found = unchanged(four, before)
    assert found is not None and (found.factor, found.bound_at_factor) == (4, pytest.approx(100 / 40))
    assert unchanged({name: value / 2 for name, value in before.items()}, before) is None


def test_no_two_kinds_have_one_colour() -> None:
    for count in (1, 10, 11, 40, 200):
        made = colours(count)
        assert len(made) == len(set(made)) == count


def made_up(workload: str, cycles: float, *settings: str, frames: int = 1) -> dict[str, Any]:
    """A run of so many cycles in all frames."""
    totals = {"gpu.cycles": cycles, "gpu.geometry_cycles": cycles / 4, "gpu.raster_cycles": cycles * 3 / 4}
    configuration = load_configuration("ptr-2022", settings).model_dump(mode="json")
    numbered = [{"frame": number} for number in range(frames)]
    stats = {"totals": totals, "frames": numbered, "source": {"name": workload}, "configuration": configuration}
    return {"stats": stats, "energy": {}}


def test_several_workloads_have_a_geometric_mean() -> None:
    """By hand: speed-ups 2 and 8 have the mean 4."""
    runs = {
        "a1": made_up("a.trace", 8e6), "a2": made_up("a.trace", 4e6, "raster_units=2"),
        "b1": made_up("b.trace", 16e6, frames=2), "b2": made_up("b.trace", 2e6, "raster_units=2", frames=2),
    }  # fmt: skip
    found = relative_chart("speedup", runs)
    assert found.runs == ["a", "b", "geometric mean"]
    assert found.parts == {"raster_units=1": [1, 1, 1], "raster_units=2": [2, 8, pytest.approx(4)]}
    assert relative_chart("cycles", runs).parts["raster_units=2"] == [0.5, 0.125, pytest.approx(0.25)]
    assert geometric_mean([2, 8]) == pytest.approx(4)
    with pytest.raises(PlotError, match="b: has no run of raster_units=1"):
        relative_chart("speedup", {name: run for name, run in runs.items() if name != "b1"})


def test_lines_over_a_field() -> None:
    """Two lines of a sweep, their points in the order of the field."""
    sizes = (16384, 4096, 1024)
    runs = {
        f"{units},{size}": made_up("a", 1e6 * units * size, f"raster_units={units}", f"texture_cache.size_bytes={size}")
        for units in (1, 2)
        for size in sizes
    }
    found = line_chart("cycles", runs, "texture_cache.size_bytes")
    expected = [(float(size), pytest.approx(size)) for size in sizes[::-1]]
    assert found.lines["raster_units=1"] == expected
    assert found.lines["raster_units=2"] == [(size, pytest.approx(2 * size)) for size in sizes[::-1]]
    speed = line_chart("speedup", runs, "texture_cache.size_bytes")
    assert speed.lines["raster_units=2"][0] == (1024.0, pytest.approx(8))
    with pytest.raises(PlotError, match="is no number"):
        line_chart("cycles", runs, "tiles.assignment")
    with pytest.raises(PlotError, match="in all runs"):
        line_chart("cycles", runs, "tiles.width")


def test_what_holds_no_results_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match="holds no results"):
        read_results(tmp_path)
    (tmp_path / "stats.json").write_text("[" * 100_000)
    with pytest.raises(PlotError, match="not JSON"):
        read_results(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        {"frames": [{"frame": 0, "gpu.cycles": "x"}, {"frame": "one", "gpu.cycles": 1.0}]},
        {"totals": {"gpu.cycles": 1.0}},
    ],
)
def test_results_of_another_kind_are_refused(damage: dict[str, Any]) -> None:
    run = made_up("a", 1e6, frames=2)
    run["stats"] |= damage
    with pytest.raises(PlotError, match="replay it again"):
        chart("cycles", {"a": run, "b": run | {}})


def test_area_of_a_configuration() -> None:
    shown = CliRunner().invoke(app, ["area", "ptr-2022", "--set", "raster_units=2", "--json"])
    values = json.loads(shown.stdout)
    assert values["area_mm2"] == pytest.approx(sum(row["area_mm2"] for row in values["structures"]))
    assert values["technology"]["node_nm"] == 22
    assert values["total_pj"] == 0
