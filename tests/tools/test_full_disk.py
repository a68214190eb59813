"""What cannot be written: one line that says which file, why and what to do, status 2, and nothing left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.full_disk import full_disk
from tilegpu.timing.results import timeline

from .conftest import Done, record_square
from .test_bad_input import refused

UNWRITABLE = Path("/sys/tilegpu")
"""Not even the system's administrator makes folders there."""
LIMITED = """
import sys
from tests.full_disk import full_disk
from tilegpu.tools.main import main

sys.argv[0] = "tilegpu"
with full_disk({limit}):
    main()
"""


def no_room(done: Done, path: Path, new: Path) -> None:
    """One line that names a file, and nothing of all that was to be new."""
    refused(done, f"{path}: File too large; raise the limit")
    assert not new.exists()
    assert not [file for file in new.parent.rglob(".*") if "partial" in file.name]


@pytest.fixture
def activity(tilegpu, square: Path, tmp_path: Path) -> Path:
    """The square's activity, with pictures."""
    assert tilegpu("trace", square, "-o", tmp_path / "activity", "--with", "pass_images").status == 0
    return tmp_path / "activity"


@pytest.fixture
def results(tilegpu, activity: Path, tmp_path: Path) -> Path:
    """Results of its replay."""
    assert tilegpu("replay", activity, "-o", tmp_path / "results").status == 0
    return tmp_path / "results"


@pytest.mark.parametrize(("limit", "more"), [(0, ()), (1500, ()), (4000, ("--jobs", "2")), (4000, ("--jobs", "1"))])
def test_trace(tilegpu, square: Path, tmp_path: Path, limit: int, more: tuple[str, ...]) -> None:
    with full_disk(limit):
        done = tilegpu("trace", square, "-o", tmp_path / "new" / "activity", *more)
    refused(done, f"{tmp_path / 'new' / 'activity'}/", ".parquet: File too large")
    assert not (tmp_path / "new").exists()


def test_trace_with_pictures(tilegpu, square: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    with full_disk(50):
        done = tilegpu("trace", square, "-o", new, "--with", "pass_images")
    no_room(done, new / "pass_0000.png", new)


def test_trace_says_nothing_else(square: Path, tmp_path: Path) -> None:
    """Not even what Arrow writes past Python."""
    command = [sys.executable, "-c", LIMITED.format(limit=1500), "trace", str(square), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    refused(Done(done.returncode, done.stdout, done.stderr), f"{tmp_path / 'out'}/")
    assert {path.name for path in tmp_path.iterdir()} == {"square.trace"}


def test_trace_keeps_what_is_there(tilegpu, square: Path, activity: Path) -> None:
    before = {path.name: path.read_bytes() for path in activity.iterdir()}
    with full_disk(1500):
        done = tilegpu("trace", square, "-o", activity, "--force")
    assert done.status == 2
    assert {path.name: path.read_bytes() for path in activity.iterdir()} == before


def test_render(tilegpu, square: Path, tmp_path: Path) -> None:
    with full_disk(50):
        no_room(tilegpu("render", square, "-o", tmp_path / "a" / "b"), tmp_path / "a/b/frame_0000.png", tmp_path / "a")


def test_replay(tilegpu, activity: Path, results: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    for limit, file in ((100, "stats.parquet"), (9000, "stats.json")):
        with full_disk(limit):
            no_room(tilegpu("replay", activity, "-o", new / "one"), new / "one" / file, new)
    with full_disk(100):
        done = tilegpu("replay", activity, "-o", new, "--set", "raster_units=1,2", "--jobs", "1")
        no_room(done, new / "raster_units=1" / "stats.parquet", new)
        again = tilegpu("replay", activity, "-o", results, "--force")
    refused(again, "stats.parquet: File too large")
    assert (results / "stats.json").is_file()


def test_timeline(tilegpu, activity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when the statistics, which are larger, have been written."""
    write = timeline.write_trace

    def write_on_a_full_disk(*arguments: Any) -> None:
        with full_disk(1000):
            write(*arguments)

    monkeypatch.setattr(timeline, "write_trace", write_on_a_full_disk)
    done = tilegpu("replay", activity, "-o", tmp_path / "new", "--timeline", "0")
    refused(done, f"{tmp_path / 'new' / 'timeline.pftrace'}: File too large")
    # The results are whole.
    assert (tmp_path / "new" / "stats.json").is_file()
    assert not (tmp_path / "new" / ".timeline.pftrace.partial").exists()


def test_what_is_made_of_an_activity_and_of_results(tilegpu, activity: Path, results: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    one, other = activity / "frame_0000.png", activity / "frame_0001.png"
    with full_disk(50):
        no_room(tilegpu("stats", activity, "-o", new / "s.parquet"), new / "s.parquet", new)
        no_room(tilegpu("compare", one, other, "--heatmap", new / "heat.png"), new / "heat.png", new)
        no_room(tilegpu("plot", results, "-o", new), new / "energy.png", new)
        no_room(tilegpu("plot", results, "-o", new / "energy.svg"), new / "energy.svg", new)
        no_room(tilegpu("report", results, "-o", new / "page.html"), new / "page.html", new)


def test_what_is_made_of_a_trace(tilegpu, square: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    with full_disk(50):
        no_room(tilegpu("inspect", square, "-o", new), new / "draw_0000.png", new)
    record_square(tmp_path / "more.trace", frames=1, calls_between=(("glDrawArrays", 5, 0, 4),) * 20)
    with full_disk(2000):
        refused(tilegpu("inspect", tmp_path / "more.trace", "-o", new), f"{new / 'draws.json'}: File too large")
    assert not (new / ".draws.json.partial").exists()


def test_demo(tilegpu, tmp_path: Path) -> None:
    with full_disk(1000):
        done = tilegpu("demo", "-o", tmp_path / "demo")
    refused(done, f"{tmp_path / 'demo/images/frame_0000.png'}: File too large")
    assert not (tmp_path / "demo").exists()


def test_a_file_where_a_folder_belongs(tilegpu, square: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for verb in ("trace", "render"):
        refused(tilegpu(verb, square, "-o", tmp_path / "file" / "out"), str(tmp_path / "file"), "choose another name")


def test_a_folder_where_a_file_belongs(tilegpu, activity: Path, results: Path, tmp_path: Path) -> None:
    """It stays, with what is in it."""
    kept = tmp_path / "kept" / "energy.svg"
    kept.mkdir(parents=True)
    (kept / "notes").touch()
    one, other = activity / "frame_0000.png", activity / "frame_0001.png"
    for command in (
        ("stats", activity, "-o", kept),
        ("compare", one, other, "--heatmap", kept),
        ("plot", results, "-o", kept),
        ("report", results, "-o", kept),
    ):
        refused(tilegpu(*command), str(kept), "folder")
    assert [path.name for path in kept.parent.rglob("*")] == ["energy.svg", "notes"]


@pytest.mark.skipif(not UNWRITABLE.parent.is_dir(), reason="no /sys here")
def test_where_nobody_may_write(
    tilegpu, square: Path, activity: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told before long work begins."""
    monkeypatch.setattr("tilegpu.timing.replay", None)
    monkeypatch.setattr("tilegpu.timing.runs.execute", None)
    monkeypatch.setattr("tilegpu.tools.studies.execution.run", None)
    for command in (
        ("trace", square),
        ("render", square),
        ("inspect", square),
        ("replay", activity),
        ("replay", activity, "--set", "raster_units=1,2"),
        ("stats", activity),
        ("plot", results),
        ("report", results),
    ):
        refused(tilegpu(*command, "-o", UNWRITABLE / "out"), str(UNWRITABLE), "choose another place")
    done = tilegpu("study", "ptr-2022", "--quick", "-o", UNWRITABLE)
    refused(done, str(UNWRITABLE), "choose another place")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_output_that_nobody_can_take() -> None:
    command = [sys.executable, "-c", "from tilegpu.tools.main import main; main()", "configs"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    refused(Done(done.returncode, "", done.stderr), "standard output: No space left on device")
