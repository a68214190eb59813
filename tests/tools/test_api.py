"""The Python interface gives what the verbs give; `test_recipes` runs the examples of its page."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import tilegpu as package
from tilegpu import interface
from tilegpu.functional.images import write_png
from tilegpu.timing.results.arm.names import ARM_NAMES
from tilegpu.tools.demo import scene_folder

from .test_bad_input import refused


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with game.trace."""
    folder = tmp_path_factory.mktemp("api")
    shutil.copy(scene_folder() / "courtyard.trace", folder / "game.trace")
    return folder


def test_results_are_those_of_the_verb(tilegpu, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(home)
    package.record("game.trace", tmp_path / "a", 0)
    done = tilegpu("replay", tmp_path / "a", "-o", tmp_path / "verb", "--set", "raster_units=2", "--counters", "arm")
    assert done.status == 0, done.err
    results = package.replay(tmp_path / "a", raster_units=2)
    results.write(tmp_path / "api")
    written = json.loads((tmp_path / "verb" / "stats.json").read_text())
    assert results.totals == written["totals"]
    for name in ("units", "tiles", "energy"):
        table = pq.read_table(tmp_path / "verb" / f"{name}.parquet")
        assert table.equals(pq.read_table(tmp_path / "api" / f"{name}.parquet"))
        monkeypatch.setattr(interface, "table_of", lambda table: table)
        assert getattr(package.Results(results.measured), name).equals(table)
    counters = pyarrow.csv.read_csv(tmp_path / "verb" / "counters_arm.csv").to_pylist()
    assert [row["frame"] for row in counters] == [0]
    for statistic, counter in ARM_NAMES.items():
        assert counters[0][counter] == written["totals"][statistic], counter


def test_counters_of_a_sweep(tilegpu, home: Path, tmp_path: Path) -> None:
    package.record(home / "game.trace", tmp_path / "a", 0)
    run = ("replay", tmp_path / "a", "-o", tmp_path / "s", "--set", "raster_units=1,2")
    assert tilegpu(*run).status == 0
    assert tilegpu(*run, "--counters", "arm").status == 0
    files = sorted((tmp_path / "s").glob("*/counters_arm.csv"))
    cycles = [pyarrow.csv.read_csv(path)["MaliGPUActiveCy"][0].as_py() for path in files]
    assert len(cycles) == 2 and cycles[0] > cycles[1] > 0
    refused(tilegpu(*run, "--counters", "nvidia"), "nvidia", "choose arm")
    refused(tilegpu("replay", tmp_path / "a", "--counters", "arm"), "--counters", "-o")


def test_without_pandas_tables_are_arrows(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package.record(home / "game.trace", tmp_path / "a", 0)
    results = package.replay(tmp_path / "a")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(results.frames, pa.Table)
    assert results.frames["gpu.cycles"].to_pylist() == [results.totals["gpu.cycles"]]


def test_mistakes_are_errors_of_the_user(home: Path, tmp_path: Path) -> None:
    with pytest.raises(package.UserError, match="no such field"):
        package.load_config(raster_unitz=2)
    with pytest.raises(package.UserError, match="manifest"):
        package.replay(tmp_path)
    package.record(home / "game.trace", tmp_path / "a", 0)
    for frames in ("3:5", [3], 1):
        with pytest.raises(package.UserError, match="frame 0 only"):
            package.replay(tmp_path / "a", frames=frames)
    with pytest.raises(TypeError, match="load_config"):
        package.replay(tmp_path / "a", package.load_config(), raster_units=2)
    with pytest.raises(package.UserError, match="version 99"):
        package.check_api(99)


def test_images_from_files_and_arrays(home: Path, tmp_path: Path) -> None:
    (frame,) = package.render(home / "game.trace", 0, backend="numpy")
    write_png(frame.pixels, tmp_path / "a.png")
    assert package.compare(tmp_path / "a.png", frame.pixels).maximum == 0


def test_names_versions_and_the_module_as_command() -> None:
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError):
        package.nothing  # noqa: B018
    assert package.__version__ == importlib.metadata.version("tilegpu")
    done = subprocess.run([sys.executable, "-m", "tilegpu", "--version"], capture_output=True, text=True)
    assert done.stdout == f"tilegpu {package.__version__}\n"
    light = "import sys, tilegpu; print(tilegpu.__version__, 'llvmlite' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", light], capture_output=True, text=True)
    assert done.stdout.split()[1:] == ["False", "False"]
