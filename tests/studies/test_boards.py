"""The study of real boards: statistics by hand, files of measurements, and a run where the captures are at hand."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from tests.tools.conftest import record_square, tilegpu  # noqa: F401
from tests.tools.test_bad_input import refused
from tilegpu.tools.studies.boards import board_study
from tilegpu.tools.studies.boards.measurements import COLUMNS, published, read_measurements
from tilegpu.tools.studies.boards.statistics import accuracy, best_factor, pearson, ranks
from tilegpu.tools.studies.plots import scatter_points

ROW = {
    "board": "A board",
    "gpu": "Mali-450 MP3",
    "cores": "3",
    "gpu_mhz": "500",
    "clock_note": "stated",
    "driver": "its own",
    "width": "32",
    "height": "32",
    "scene": "square",
    "capture": "square.trace",
    "fps": "100",
    "source": "a test",
}


def write(path: Path, *rows: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(ROW | row for row in rows)
    return path


def test_statistics_by_hand() -> None:
    # Deviations -1, 0, 1 and -4/3, -1/3, 5/3: 3 over the root of 2 times 42/9.
    assert pearson([1, 2, 3], [1, 2, 4]) == pytest.approx(3 / (2 * 42 / 9) ** 0.5)
    assert pearson([1, 2], [5, 5]) == 0
    assert ranks([5, 1, 5, 9]) == [2.5, 1, 2.5, 4]
    # Errors of 0, 0 and -25 %.
    found = accuracy({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2, "c": 4})
    assert (found.scenes, found.rank) == (3, pytest.approx(1))
    assert (found.mean_error_percent, found.signed_error_percent) == (pytest.approx(25 / 3), pytest.approx(-25 / 3))
    # Too low twofold and fourfold: the geometric mean of both.
    assert best_factor({"a": 1, "b": 2}, {"a": 2, "b": 8}) == pytest.approx(8**0.5)
    assert accuracy({"a": 1, "b": 2}, {"a": 2, "b": 4}, factor=2).mean_error_percent == pytest.approx(0)
    with pytest.raises(ValueError, match="two scenes"):
        accuracy({"a": 1}, {"a": 1})


def test_what_is_published() -> None:
    found = read_measurements(published())
    assert len(found) == 42
    assert all(m.source for m in found)
    study = board_study(captures=published().parent)
    assert {"mali-450-mp3", "mali-g52-r1-mc1"} <= set(study.machines())
    assert len(study.workloads) == 42


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"fps": "fast"}], ("line 2", "fps", "'fast'")),
        ([{"fps": "0"}], ("line 2", "fps")),
        ([{}, {"scene": "b", "fps": "nan"}], ("line 3", "fps")),
        ([{"gpu_mhz": "450.5"}], ("gpu_mhz", "whole MHz")),
        ([{"board": ""}], ("line 2", "board is empty")),
        ([{"capture": "../x.trace"}], ("leaves the folder",)),
        ([{}, {}], ("'square'", "twice")),
        ([{}, {"scene": "b"}], ("same capture",)),
        ([{}, {"scene": "b", "capture": "b.trace", "gpu_mhz": "400"}], ("several clocks",)),
        ([{"gpu": "Adreno 420"}], ("'Adreno 420'", "--preset")),
        ([], ("no rows",)),
    ],
)
def test_files_that_cannot_be(tilegpu, tmp_path: Path, rows: list[dict[str, str]], words: tuple[str, ...]) -> None:  # noqa: F811
    path = write(tmp_path / "mine.csv", *rows)
    refused(tilegpu("study", "boards", "-o", tmp_path / "out", "--measurements", path), "mine.csv", *words)
    assert not (tmp_path / "out").exists()


def test_other_input_that_cannot_be(tilegpu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.delenv("TILEGPU_BOARDS", raising=False)
    out = tmp_path / "out"
    lacking = write(tmp_path / "lacking.csv", {}, columns=COLUMNS[:-2])
    refused(tilegpu("study", "boards", "-o", out, "--measurements", lacking), "lacking.csv", "'fps'")
    short = tmp_path / "short.csv"
    short.write_text(",".join(COLUMNS) + "\nA board,Mali-450 MP3\n")
    refused(tilegpu("study", "boards", "-o", out, "--measurements", short), "line 2", "too few")
    refused(tilegpu("study", "boards", "-o", out, "--measurements", tmp_path / "no.csv"), "no.csv", "not readable")
    picture = tmp_path / "picture.csv"
    picture.write_bytes(b"\x89PNG\xff\xfe\x00")
    refused(tilegpu("study", "boards", "-o", out, "--measurements", picture), "picture.csv", "not readable")
    refused(tilegpu("study", "boards", "-o", out, "--captures", tmp_path / "no"), "--captures", "no such folder")
    refused(tilegpu("study", "boards", "-o", out, "--preset", "no-gpu"), "no-gpu", "tilegpu configs")
    refused(tilegpu("study", "boards", "-o", out), "at hand", "TILEGPU_BOARDS", "--captures")
    refused(tilegpu("study", "re-2019", "-o", out, "--preset", "re-2019"), "'boards'")
    assert not out.exists()


def test_a_board_of_ones_own(tilegpu, tmp_path: Path) -> None:  # noqa: F811
    """What is not at hand, has no capture, or a damaged one, costs its row."""
    for name in ("square", "longer"):
        record_square(tmp_path / f"{name}.trace", 3)
    path = write(
        tmp_path / "mine.csv",
        {},
        {"scene": "longer", "capture": "longer.trace", "fps": "50"},
        {"scene": "lost", "capture": "lost.trace"},
        {"scene": "never recorded", "capture": ""},
        {"scene": "damaged", "capture": "damaged.trace"},
    )
    (tmp_path / "damaged.trace").write_bytes(b"at\x06\x00 and then something else")
    out = tmp_path / "out"
    done = tilegpu(
        "study", "boards", "-o", out, "--measurements", path, "--captures", tmp_path, "--preset", "re-2019", "--json"
    )
    assert done.status == 0, done.err
    assert "mali-450-mp3:lost is not at hand" in done.err
    assert "mali-450-mp3:never recorded is not at hand" in done.err
    assert "mali-450-mp3:damaged cannot be recorded" in done.err and "damaged.trace" in done.err
    found = json.loads(done.out)
    assert found["workloads"] == ["mali-450-mp3:square", "mali-450-mp3:longer"]
    times = next(f for f in found["figures"] if f["id"] == "frame-times")
    assert times["drawn"] == "scatter"
    assert times["paper"]["mali-450-mp3"] == [10, 20]
    cycles = json.loads((out / "runs" / "mali-450-mp3-square" / "mali-450-mp3" / "stats.json").read_text())
    predicted = times["series"]["mali-450-mp3"][0]
    assert predicted == pytest.approx(cycles["totals"]["gpu.cycles"] / 2 / 500_000, abs=1e-5)
    assert (out / "plots" / "frame-times.svg").is_file()
    scatters = [figure for figure in found["figures"] if figure["drawn"] == "scatter"]
    points = sum(len(series) for figure in scatters for series in scatter_points(figure).values())
    assert (out / "report.html").read_text().count("<circle") == points > 0
    assert found["absent"] == [f"mali-450-mp3:{name}" for name in ("lost", "never recorded", "damaged")]
    refused(tilegpu("study", "boards", "-o", out, "--measurements", path, "--captures", tmp_path / "out"), "at hand")
    bad = write(tmp_path / "bad.csv", {"capture": "damaged.trace"})
    arguments = ("--measurements", bad, "--captures", tmp_path, "--preset", "re-2019")
    done = tilegpu("study", "boards", "-o", tmp_path / "bad", *arguments)
    assert done.status == 2
    assert "none of its workloads can be recorded" in done.err and "damaged.trace" in done.err


def test_three_captures_of_a_board(tilegpu, tmp_path: Path) -> None:  # noqa: F811
    if not Path(os.environ.get("TILEGPU_BOARDS", "nowhere")).is_dir():
        pytest.skip("TILEGPU_BOARDS names no folder of captures of boards")
    out = tmp_path / "out"
    scenes = ",".join(f"mali-450-mp3:{name}" for name in ("pulsar", "texture_linear", "shading_phong"))
    done = tilegpu("study", "boards", "-o", out, "--quick", "--workloads", scenes)
    assert done.status == 0, done.err
    found = json.loads((out / "study.json").read_text())
    assert len(found["workloads"]) == 3
    by_id = {conclusion["id"]: conclusion for conclusion in found["conclusions"]}
    assert 0.9 < by_id["mali-450-mp3-correlation"]["ours"] <= 1
    assert by_id["mali-450-mp3-outside"]["ours"] == 2
    assert "ceiling" in by_id["mali-450-mp3-outside"]["explanation"]
    assert by_id["mali-g52-r1-mc1-correlation"]["ours"] is None
