"""`tilegpu area` and `tilegpu plot`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilegpu.timing.config import load_configuration
from tilegpu.timing.energy.report import report
from tilegpu.timing.results.plots import KINDS, PlotError, chart, read_results
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
    one = tmp_path / "one.svg"
    assert CliRunner().invoke(app, ["plot", *names, "-o", str(one), "--kind", "traffic"]).exit_code == 0
    assert "DRAM traffic" in one.read_text() or one.read_text().startswith("<?xml")


def test_what_holds_no_results_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match="holds no results"):
        read_results(tmp_path)
    (tmp_path / "stats.json").write_text("[" * 100_000)
    with pytest.raises(PlotError, match="not JSON"):
        read_results(tmp_path)


def test_area_of_a_configuration() -> None:
    shown = CliRunner().invoke(app, ["area", "ptr-2022", "--set", "raster_units=2", "--json"])
    values = json.loads(shown.stdout)
    assert values["area_mm2"] == pytest.approx(sum(row["area_mm2"] for row in values["structures"]))
    assert values["technology"]["node_nm"] == 22
    assert values["total_pj"] == 0
