"""Results that users ask for: nothing is left out, mixed or empty without a word."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tilegpu.functional.claim import claimed
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing.loading.chosen_frames import described, frames_in
from tilegpu.timing.runs.folders import natural, run_folders
from tilegpu.tools import console

from .conftest import record_square
from .test_bad_input import refused


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames 2 to 4 of the square."""
    folder = tmp_path_factory.mktemp("asked")
    record(record_square(folder / "square.trace", 6), folder / "activity", FrameRange(2, 5))
    return folder / "activity"


def test_frames_that_were_not_recorded_are_refused(tilegpu, activity: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for frames in ("0:2", "5:9", "0:3", "4:6", "7"):
        refused(tilegpu("replay", activity, "-o", out, "--frames", frames), f"--frames {frames}", "frames 2 to 4")
    refused(tilegpu("replay", activity, "-o", out, "--frames", "0:2", "--set", "raster_units=1,2"), "frames 2 to 4")
    refused(tilegpu("replay", activity, "-o", out, "--frames", "2:4", "--timeline", "4:5"), "--timeline", "2 to 3")
    assert not out.exists()
    done = tilegpu("replay", activity, "-o", out, "--frames", "3:", "--timeline", "4")
    assert done.status == 0, done.err
    assert [row["frame"] for row in json.loads((out / "stats.json").read_text())["frames"]] == [3, 4]
    timeline = (out / "timeline.pftrace").read_bytes()
    assert b"frame 4" in timeline and b"frame 3" not in timeline


def test_frames_in_words() -> None:
    assert described([3]) == "frame 3 only"
    assert described([3, 4, 5]) == "frames 3 to 5"
    assert described([0, 10, 20]) == "frames 0, 10, 20"
    assert frames_in(FrameRange(0, 21), [0, 10, 20], "--frames") == [0, 10, 20]


@pytest.mark.parametrize("name", ["stats.parquet", "units.parquet", "tiles.parquet", "energy.json", "config.toml"])
def test_results_without_a_file_are_refused(tilegpu, activity: Path, tmp_path: Path, name: str) -> None:
    assert tilegpu("replay", activity, "-o", tmp_path / "out").status == 0
    (tmp_path / "out" / name).unlink()
    refused(tilegpu("report", tmp_path / "out", "-o", tmp_path / "page.html"), name, "not whole")
    refused(tilegpu("plot", tmp_path / "out", "-o", tmp_path / "plots"), name, "not whole")
    assert not (tmp_path / "page.html").exists() and not (tmp_path / "plots").exists()


@pytest.mark.parametrize("settings", [(), ("--set", "raster_units=1,2")], ids=["one", "several"])
def test_a_second_run_into_a_folder_is_refused(tilegpu, activity: Path, tmp_path: Path, settings: tuple) -> None:
    """Another process holds it; afterwards it is free, and nothing is left of the lock."""
    script = f"""
import sys
from pathlib import Path
from tilegpu.functional.claim import claimed
with claimed(Path({str(tmp_path / "out")!r})):
    print("here", flush=True)
    sys.stdin.read()
"""
    other = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdin is not None and other.stdout is not None
    assert other.stdout.readline() == "here\n"
    refused(tilegpu("replay", activity, "-o", tmp_path / "out", *settings), "out", "another tilegpu is writing it")
    other.kill()
    other.wait()
    assert tilegpu("replay", activity, "-o", tmp_path / "out", *settings).status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_two_recordings_into_one_folder(tilegpu, square: Path, tmp_path: Path) -> None:
    with claimed(tmp_path / "new" / "activity"):
        refused(tilegpu("trace", square, "-o", tmp_path / "new" / "activity"), "another tilegpu is writing it")
    assert not (tmp_path / "new").exists()


def test_workers_end_with_a_command_that_is_killed(activity: Path, tmp_path: Path) -> None:
    """As the system kills a process when memory is short: with a signal that it does not see."""
    # Hundreds of runs take far longer than the workers' start.
    values = ",".join(str(1000 + n) for n in range(300))
    command = ["replay", str(activity), "-o", str(tmp_path / "r"), "--set", f"watchdog_cycles={values}", "-j2"]
    script = f"import sys; sys.argv = ['tilegpu', *{command!r}]; from tilegpu.tools.main import main; main()"
    sweep = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    children: list[int] = []
    deadline = time.monotonic() + 60
    while len(children) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(sweep.pid)], capture_output=True, text=True).stdout
        children = [int(pid) for pid in found.split()]
    assert len(children) == 2
    sweep.send_signal(signal.SIGKILL)
    sweep.wait()
    deadline = time.monotonic() + 20
    while any(map(_runs, children)) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not any(map(_runs, children))


def _runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.startswith("Z")


def test_report_and_replay_have_one_baseline_and_one_order(tilegpu, activity: Path, tmp_path: Path) -> None:
    setting = "texture_cache.size_bytes=4KiB,16384,1024"
    names = [f"texture_cache.size_bytes={size}" for size in ("4KiB", "16384", "1024")]
    done = tilegpu("replay", activity, "-o", tmp_path / "s", "--set", setting, "--json")
    rows = json.loads(done.out)
    assert [row["run"] for row in rows] == names and rows[0]["speed_up"] == 1
    assert [path.name for path in run_folders(tmp_path / "s")] == names
    table = pq.read_table(tmp_path / "s" / "runs.parquet")
    assert table["texture_cache.size_bytes"].unique().to_pylist() == [4096, 16384, 1024]
    assert tilegpu("replay", activity, "-o", tmp_path / "s", "--set", setting, "--baseline", names[2]).status == 0
    assert [path.name for path in run_folders(tmp_path / "s")] == [names[2], *names[:2]]
    page = tmp_path / "page.html"
    assert tilegpu("report", tmp_path / "s", "-o", page).status == 0
    assert f"{names[0]} from {names[2]}, in per cent" in page.read_text("utf-8")
    assert tilegpu("report", tmp_path / "s", "-o", page, "--baseline", names[1]).status == 0
    assert f"{names[0]} from {names[1]}, in per cent" in page.read_text("utf-8")
    refused(tilegpu("report", tmp_path / "s", "-o", page, "--baseline", "none"), "none", names[1])
    (tmp_path / "s" / "runs.parquet").unlink()
    assert [path.name for path in run_folders(tmp_path / "s")] == [names[0], names[2], names[1]]


def test_numbers_in_names_sort_as_numbers() -> None:
    assert sorted(["size=16384", "size=4096", "size=1024", "a10b", "a9c"], key=natural) == [
        "a9c", "a10b", "size=1024", "size=4096", "size=16384",
    ]  # fmt: skip


def test_settings_without_effect(tilegpu, activity: Path, tmp_path: Path) -> None:
    run = ("replay", activity, "-o", tmp_path / "out", "--set")
    refused(tilegpu(*run, "clock_mhz=400"), "dash.clock_mhz", "ptr-2022 does not use", "clocks.gpu_mhz")
    refused(tilegpu(*run, "clock_mhz=400,600"), "dash.clock_mhz")
    refused(tilegpu(*run, "order=morton"), "tiles.order", "technique.visibility_rendering_order.order", "say which")
    assert not (tmp_path / "out").exists()
    done = tilegpu(*run, "dash.clock_mhz=400")
    assert done.status == 0
    assert done.err.strip() == "warning: dash.clock_mhz has no effect: ptr-2022 does not use it"
    done = tilegpu(*run, "depth_cache.ways=4", "--force")
    assert "depth_cache.ways has no effect" in done.err
    done = tilegpu(*run, "texture_cache.size_bytes=16KiB", "--force")
    assert done.err == "" and json.loads((tmp_path / "out" / "stats.json").read_text())["configuration"][
        "texture_cache"]["size_bytes"] == 16384  # fmt: skip


def test_sections_of_a_file_without_effect(tilegpu, activity: Path, tmp_path: Path) -> None:
    """A file may hold a whole configuration, with the sections of other machines; changing one of these warns."""
    path, run = tmp_path / "mine.toml", ("replay", activity, "--show-config", "--config", tmp_path / "mine.toml")
    path.write_text("[simt_core]\nclusters = 2\nschedulers = 2\n[tiles]\nwidth = 16\n[dash]\nquantum = 5\n")
    done = tilegpu(*run)
    assert done.err.splitlines() == [
        f"warning: {path}: [simt_core] has no effect: tile_based does not use it",
        f"warning: {path}: [dash] has no effect: tile_based does not use it",
    ]
    assert tilegpu(*run, "--set", "machine=simt").err.splitlines()[0].startswith(f"warning: {path}: [tiles]")
    path.write_text(tilegpu("replay", activity, "--show-config", "--config", "imr-2018").out)
    assert tilegpu(*run).err == ""


def test_fields_of_a_file_that_do_not_exist(tilegpu, activity: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[tiles]\nraster_unit = 2\n")
    refused(tilegpu("replay", activity, "--config", path), "mine.toml", "did you mean tiles.raster_units?")
    refused(tilegpu("replay", activity, "--set", "raster_unitz=2"), "did you mean tiles.raster_units?")


def test_a_capture_is_recorded_first(tilegpu, square: Path, tmp_path: Path) -> None:
    for command in (("replay", square, "-o", tmp_path / "out"), ("stats", square)):
        refused(tilegpu(*command), "square.trace", "a capture", "tilegpu trace")


def test_names_of_files_in_a_plain_locale(activity: Path, tmp_path: Path) -> None:
    """`python -m tilegpu.tools.main` is the command, too."""
    (tmp_path / "übung").mkdir()
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "tilegpu.tools.main", "replay", str(activity), "-o", str(tmp_path / "übung" / "r")]
    done = subprocess.run(command, env={**os.environ, **locale}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "übung" / "r" / "stats.parquet").is_file()


def test_progress_in_a_file(tilegpu, activity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "LINE_SECONDS", 0)
    done = tilegpu("replay", activity, "-o", tmp_path / "out", "--set", "raster_units=1,2", "-j1")
    lines = [line for line in done.err.splitlines() if line.startswith("replaying: ")]
    assert lines[-1] == "replaying: 100 %, 2 of 2 runs finished"


@pytest.mark.parametrize("terminal", [True, False])
def test_names_are_whole_at_80_columns(
    tilegpu, activity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    monkeypatch.setattr(console.out, "_width", 80)
    monkeypatch.setattr(console.out, "_force_terminal", terminal)
    name = "raster_units=2,assignment=dynamic"
    done = tilegpu("replay", activity, "-o", tmp_path / "out", "--set", "raster_units=1,2", "--set",
                   "assignment=static,dynamic")  # fmt: skip
    assert name in done.out
    if terminal:
        assert (
            max(len(line) for line in done.out.splitlines() if not line.startswith(("all frames", "as before"))) <= 80
        )


def test_two_studies_into_one_folder(tilegpu, tmp_path: Path) -> None:
    with claimed(tmp_path / "study"):
        done = tilegpu("study", "ptr-2022", "-o", tmp_path / "study", "--quick", "--workloads", "scene:board")
    assert done.status == 2
    assert "another tilegpu is writing it" in done.err.splitlines()[-1]


def test_no_total_area_where_the_chip_shares_its_cores(tilegpu) -> None:
    text = tilegpu("area", "mali-g52-mc1").out
    assert "no total" in text and " all " not in text
    assert json.loads(tilegpu("area", "mali-g52-mc1", "--json").out)["area_mm2"] is None
    assert " all " in tilegpu("area", "ptr-2022").out
