"""Files and folders of a user's own are not lost: each writer refuses, and --force writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tilegpu.functional.record import record
from tilegpu.tools.demo import scene_folder

from .conftest import record_square
from .test_bad_input import refused


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A capture, its activity, and where results and counts of it go."""
    folder = tmp_path_factory.mktemp("made")
    capture = record_square(folder / "square.trace")
    record(capture, folder / "activity")
    return {"capture": capture, "activity": folder / "activity", "folder": folder}


@pytest.fixture
def commands(tilegpu, made: dict[str, Path]) -> dict[str, Callable[[Path], tuple]]:
    """Commands by name, for what they write."""
    capture, activity, folder = made["capture"], made["activity"], made["folder"]
    for verb, source, name in (
        ("replay", activity, "results"),
        ("characterize", capture, "counts"),
        ("render", capture, "images"),
    ):
        if not (folder / name).exists():
            assert tilegpu(verb, source, "-o", folder / name).status == 0
    image, results = folder / "images" / "frame_0000.png", folder / "results"
    return {
        "trim": lambda out: ("trim", capture, "--frames", "0", "-o", out),
        "stats": lambda out: ("stats", activity, "-o", out),
        "plot.pdf": lambda out: ("plot", results, "-o", out.with_suffix(".pdf")),
        "plot.svg": lambda out: ("plot", results, "-o", out.with_suffix(".svg")),
        "plot.png": lambda out: ("plot", results, "-o", out.with_suffix(".png")),
        "heatmap": lambda out: ("compare", image, image, "--heatmap", out.with_suffix(".png")),
        "report": lambda out: ("report", results, "-o", out.with_suffix(".html")),
        "inspect": lambda out: ("inspect", capture, "-o", out.with_suffix(".html")),
        "sample": lambda out: ("sample", folder / "counts", "-o", out),
        "make": lambda out: ("workloads", "make", "001-ccs", "--frames", "1", "--scale", "0.1", "-o", out),
        "show": lambda out: ("workloads", "show", "001-ccs", "--scale", "0.1", "-o", out.with_suffix(".jpg")),
    }


FILES = ("trim", "stats", "plot.pdf", "plot.svg", "plot.png", "heatmap", "report", "inspect", "sample", "make", "show")


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_users_stays(tilegpu, commands, tmp_path: Path, name: str) -> None:
    command = commands[name](tmp_path / "mine")
    out = Path(command[command.index("--heatmap" if name == "heatmap" else "-o") + 1])
    out.write_text("hello")
    refused(tilegpu(*command), str(out), "--force")
    assert out.read_text() == "hello" and [path.name for path in tmp_path.iterdir()] == [out.name]
    assert tilegpu(*command, "--force").status == 0
    first = out.read_bytes()
    assert first != b"hello"
    if name != "sample":
        # What it wrote itself it may write again.
        assert tilegpu(*command).status == 0
        assert out.read_bytes() == first
    out.unlink()
    out.mkdir()
    assert tilegpu(*command, "--force").status == 2


def test_a_capture_of_the_users_stays(tilegpu, made: dict[str, Path], tmp_path: Path) -> None:
    """Which is a capture, too, as what trim writes."""
    other = record_square(tmp_path / "other.trace", 3)
    before = other.read_bytes()
    refused(tilegpu("trim", made["capture"], "--frames", "0", "-o", other), "other.trace", "--force")
    refused(tilegpu("trim", other, "--frames", "0", "-o", other, "--force"), "the capture itself")
    assert other.read_bytes() == before


@pytest.mark.parametrize("content", ["notes.txt", "frame_0000.png", "draw_0000.png", "energy.png", "draws.json"])
@pytest.mark.parametrize("verb", ["render", "inspect", "plot", "heatmaps", "demo"])
def test_a_folder_of_the_users_stays(tilegpu, made, commands, tmp_path: Path, verb: str, content: str) -> None:
    out, images = tmp_path / "mine", made["folder"] / "images"
    command = {
        "render": ("render", made["capture"], "-o", out),
        "inspect": ("inspect", made["capture"], "-o", out),
        "plot": ("plot", made["folder"] / "results", "-o", out),
        "heatmaps": ("compare", images, images, "--heatmap", out),
        "demo": ("demo", "-o", tmp_path),
    }[verb]
    place = tmp_path / "images" if verb == "demo" else out
    place.mkdir()
    (place / content).write_text("hello")
    refused(tilegpu(*command), str(place), content, "--force")
    assert [path.read_text() for path in place.iterdir()] == ["hello"]
    if verb in ("render", "inspect", "heatmaps"):
        assert tilegpu(*command, "--force").status == 0
        assert len(list(place.iterdir())) >= 2
        (place / content).unlink()
        assert tilegpu(*command).status == 0
        assert tilegpu(*command).status == 0


def test_a_table_of_the_users_stays(tilegpu, made: dict[str, Path], tmp_path: Path) -> None:
    """A sweep writes runs.parquet beside the folders of its runs."""
    run = ("replay", made["activity"], "-o", tmp_path, "--set", "raster_units=1,2", "-j1")
    (tmp_path / "runs.parquet").write_text("hello")
    refused(tilegpu(*run), "runs.parquet", "--force")
    (tmp_path / "runs.parquet").unlink()
    assert tilegpu(*run).status == 0
    assert tilegpu(*run).status == 0


@pytest.mark.parametrize("name", ["r.pdf", "r.png", "r.json", "r.v2"])
def test_a_page_is_html(tilegpu, commands, tmp_path: Path, name: str) -> None:
    results = commands["report"](tmp_path / "x")[1]
    refused(tilegpu("report", results, "-o", tmp_path / name), name, "HTML", "r.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("verb", ["inspect", "render", "reference"])
@pytest.mark.parametrize("name", ["x.pdf", "x.png", "x.json"])
def test_a_folder_is_not_called_as_a_file(tilegpu, made: dict[str, Path], tmp_path: Path, verb: str, name: str) -> None:
    refused(tilegpu(verb, made["capture"], "-o", tmp_path / name), name, "name a folder")
    assert not list(tmp_path.iterdir())


def test_studies_keep_what_is_not_theirs(tilegpu, tmp_path: Path) -> None:
    run = ("study", "ptr-2022", "-o", tmp_path, "--quick", "--workloads", "scene:board")
    (tmp_path / "study.json").write_text(json.dumps({"mine": 1}))
    refused(tilegpu(*run), "study.json", "--force")
    (tmp_path / "study.json").unlink()
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "5.3.svg").write_text("<svg/>")
    refused(tilegpu(*run), "plots", "5.3.svg")
    assert (tmp_path / "plots" / "5.3.svg").read_text() == "<svg/>"
    assert (scene_folder() / "board.trace").is_file()
