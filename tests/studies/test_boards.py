"""The study of real boards: statistics by hand, files of measurements, and a run where the captures are at hand."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from tests.tools.conftest import record_square, tilegpu  # noqa: F401
from tests.tools.test_bad_input import refused
from tilegpu.tools.studies.boards import board_study, frame_time
from tilegpu.tools.studies.boards.board import Board
from tilegpu.tools.studies.boards.measurements import COLUMNS, Measurement, published, read_measurements
from tilegpu.tools.studies.boards.statistics import accuracy, best_factor, pearson, ranks
from tilegpu.tools.studies.boards.study import preset_of
from tilegpu.tools.studies.plots import scatter_points

ROW = {
    "board": "A board",
    "gpu": "Mali-450 MP3",
    "cores": "3",
    "gpu_mhz": "500",
    "clock_note": "stated",
    "driver": "Panfrost",
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
    # Errors of 0, 0 and -25 %: factors of 1, 1 and 4/3, of which the 90th percentile is four fifths of the way.
    found = accuracy({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2, "c": 4})
    assert (found.scenes, found.rank) == (3, pytest.approx(1))
    assert (found.mean_error_percent, found.median_percent) == (pytest.approx(25 / 3), pytest.approx(0))
    assert found.high_percent == pytest.approx(100 * ((4 / 3) ** 0.8 - 1))
    assert found.bias_percent == pytest.approx(100 * (0.75 ** (1 / 3) - 1))
    # Twice too long and twice too short are equally far off, and cancel in the bias.
    found = accuracy({"a": 2, "b": 2}, {"a": 1, "b": 4})
    assert (found.median_percent, found.bias_percent) == (pytest.approx(100), pytest.approx(0))
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


class Runs:
    """Runs that took so many cycles, half of them for geometry."""

    def __init__(self, **cycles: float) -> None:
        self.workloads, self.cycles = list(cycles), cycles

    def frame_values(self, workload: str, machine: str, statistic: str) -> list[tuple[int, float]]:
        return [(0, self.cycles[workload] * (0.5 if statistic == "gpu.geometry_cycles" else 1))]


def board(driver: str, separate: bool = False, **frame_ms: float) -> Board:
    scenes = {
        name: Measurement("a", "b", "1", 500, "450 to 500, seen in 2026", driver, name, "", 1000 / time, "")
        for name, time in frame_ms.items()
    }
    return Board("a", "some", scenes, separate)


def test_frame_times_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    written = {"waves": 2000.0, "more waves": 3000.0}
    monkeypatch.setattr(frame_time, "rewritten_vertices", lambda m, name: written.get(name, 0.0))
    measured = {"empty": 2.0, "as empty": 2.02, "heavy": 11.0, "waves": 5.0, "more waves": 7.0}
    # 0.5 million cycles are a millisecond.
    times = {"empty": 1.0, "as empty": 1.0, "heavy": 10.0, "waves": 1.0, "more waves": 1.0}
    m = Runs(**{name: 500_000 * time for name, time in times.items()})
    gpu = {name: [time] for name, time in times.items()}
    mine = board("Panfrost", **measured)
    assert mine.ceiling() == ["empty", "as empty"]
    assert frame_time.gpu_ms(m, mine) == gpu
    own = frame_time.constants(m, mine, gpu)
    # Both lack a millisecond, or 20 us more; waves are written in 3.99 ms for 2000 vertices and 5.99 for 3000.
    assert own.fixed_ms == pytest.approx(1.01)
    assert own.rewriting_us == pytest.approx((3.99 / 2 + 5.99 / 3) / 2)
    predicted = frame_time.frame_ms(m, mine, "left out")
    assert predicted["heavy"] == pytest.approx(11.01)
    # Without itself: the other one's millisecond, and the other waves' cost of a vertex.
    assert predicted["empty"] == pytest.approx(1 + 1.02)
    assert predicted["waves"] == pytest.approx(1.01 + 2 * 5.99 / 3)
    assert frame_time.frame_ms(m, mine) == pytest.approx(times)


def test_rates_average_over_the_time_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene that takes 1 and 3 ms: with 2 ms more 1/3 and 1/5 frames a ms, 4/15 in the mean."""
    monkeypatch.setattr(frame_time, "rewritten_vertices", lambda m, name: 0.0)
    assert frame_time.missing_ms([1.0, 3.0], 15 / 4) == pytest.approx(2.0)
    assert frame_time.missing_ms([4.0, 4.0], 3.0) == pytest.approx(-1.0)
    mine, gpu = board("Panfrost", still=3.0, moving=10.0), {"still": [1.0], "moving": [1.0, 3.0]}
    assert frame_time.frame_ms(Runs(), mine, "left out", gpu=gpu)["moving"] == pytest.approx(15 / 4)
    # Nothing fitted: a frame a ms, then a third of one.
    assert frame_time.frame_ms(Runs(), mine, gpu=gpu)["moving"] == pytest.approx(1.5)


def test_geometry_overlaps_where_the_driver_lets_it() -> None:
    m = Runs(scene=1_000_000)
    assert frame_time.gpu_ms(m, board("Panfrost Mesa 25", scene=1.0)) == {"scene": [2.0]}
    for other in (board("Arm's", scene=1.0), board("Panfrost", True, scene=1.0)):
        assert frame_time.gpu_ms(m, other) == {"scene": [1.0]}


@pytest.mark.parametrize(
    ("gpu", "cores", "preset"),
    [
        ("Mali-450 MP3", "3", "mali-450-mp3"),
        ("Mali-G52 r1 MC1", "1", "mali-g52-mc1"),
        ("ARM Mali-T860MP4", "", "mali-t860-mp4"),
        ("Mali-T860", "4", "mali-t860-mp4"),
        ("Mali-G610 MP4", "4", "mali-g610-mc4"),
        ("Mali-G78AE MC2", "2", "mali-g78ae-mc2"),
        ("Mali-G78 MC2", "2", ""),
        ("Mali-G57 MC3", "3", ""),
    ],
)
def test_presets_by_name(gpu: str, cores: str, preset: str) -> None:
    assert preset_of(gpu, cores) == preset


def test_clocks_that_a_board_may_have_had() -> None:
    mine = board("Panfrost", scene=1.0)
    assert mine.lowest_mhz == 450
    m = Runs(scene=500_000)
    assert frame_time.gpu_ms(m, mine, mhz=mine.lowest_mhz)["scene"] == pytest.approx([500 / 450])


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
    assert predicted == pytest.approx(cycles["totals"]["gpu.cycles"] / 500_000, abs=1e-5)
    # The faster scene is the ceiling, from which the other has its fixed part.
    fitted = next(f for f in found["figures"] if f["id"] == "frame-times-constants")["series"]["mali-450-mp3"]
    assert fitted[1] == pytest.approx(times["series"]["mali-450-mp3"][1] + 10 - predicted, abs=1e-4)
    parts = next(f for f in found["figures"] if f["id"] == "parts")["series"]
    assert all(0 < parts[part][0] <= predicted for part in ("processor", "bandwidth", "geometry"))
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


@pytest.mark.slow  # The board of ones own goes the same way, on small scenes.
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


def test_a_cost_per_draw_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred draws in 4 ms beside a fixed part of one: 20 us each; the scene itself is not predicted."""
    draws = {"many": 200.0, "some": 100.0}
    monkeypatch.setattr(frame_time, "rewritten_vertices", lambda m, name: 0.0)
    monkeypatch.setattr(frame_time, "draws_of", lambda m, name: draws.get(name, 1.0))
    mine = board("Panfrost", empty=2.0, nearly=2.0, many=5.0, some=4.0)
    gpu = {"empty": [1.0], "nearly": [1.0], "many": [2.0], "some": [1.5]}
    assert frame_time.draw_us(Runs(), mine, gpu) == pytest.approx(1000 * (5 - 1) / 200)
    predicted = frame_time.frame_ms(Runs(), mine, "draws", gpu=gpu)
    assert "many" not in predicted and predicted["some"] == pytest.approx(100 * 0.02 + 1)
    # With the fixed part alone the GPU's time counts.
    assert frame_time.frame_ms(Runs(), mine, "fixed", gpu=gpu)["some"] == pytest.approx(1.5 + 1)


def test_the_fixed_part_at_another_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_time, "rewritten_vertices", lambda m, name: 0.0)
    m, mine = (
        Runs(empty=500_000, as_empty=500_000, heavy=5_000_000),
        board("Panfrost", empty=3.0, as_empty=3.0, heavy=12.0),
    )
    time, cycles = (frame_time.at_other_clock(m, mine, 0.5, reading) for reading in ("time", "cycles"))
    # At 250 MHz ten milliseconds of the GPU are twenty; two more, or four.
    assert (time["heavy"], cycles["heavy"]) == (pytest.approx(22.0), pytest.approx(24.0))
