"""Studies of a user's own that ask for what there is not, or for frames of a capture: no verdict by mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.quick import quick_ones
from tests.tools.conftest import record_square
from tests.tools.test_bad_input import refused
from tilegpu.functional.capture import Recorder
from tilegpu.tools.studies.asked import check_names
from tilegpu.tools.studies.catalogue import find_study, paper_names
from tilegpu.tools.studies.papers.captured import STUDY as CAPTURED
from tilegpu.tools.studies.selection import select

STUDY = """
from tilegpu.tools.studies.declare import Conclusion, Experiment, Figure, Frames, Machine, Study


def gain(m):
    return m.mean(m.ratios("gpu.cycles", "one", "two").values())


STUDY = Study(
    name="mine",
    title="Two Raster Units",
    source="nobody",
    workloads=("CAPTURE",),
    applications=(),
    screen=None,
    frames=Frames((0,), (1, 2)),
    quick_frames=Frames((), (0,)),
    experiments=(Experiment({"one": Machine("ptr-2022"), "two": Machine("ptr-2022-2ru")}),),
    figures=(Figure("1", "Cycles", "cycles", lambda m: {k: m.each(k, "gpu.cycles") for k in ("one", "two")}),),
    conclusions=(
        Conclusion("gain", "Two are faster.", None, "x", "> 0.5", gain, lambda m: "energy" + str(m.value(
            m.workloads[0], "one", "energy.gpu"))),
        Conclusion("area", "Two are larger.", None, "%", "> 0", lambda m: m.area_change_percent("two", "one")),
    ),
)
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A study on one capture of eight frames."""
    capture = record_square(tmp_path / "game.trace", 8)
    path = tmp_path / "mine.py"
    path.write_text(STUDY.replace("CAPTURE", str(capture)))
    return path


def changed(study: Path, before: str, after: str) -> Path:
    text = study.read_text()
    assert before in text
    path = study.with_name("changed.py")
    path.write_text(text.replace(before, after))
    return path


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('"one", "two").values', '"one", "tow").values', ("gain", "'tow'", "did you mean two?")),
        ('"one", "two").values', '"onne", "two").values', ("gain", "'onne'", "did you mean one?")),
        ('in ("one", "two")})', 'in ("one", "twoo")})', ("figure 1", "'twoo'", "did you mean two?")),
        ('m.workloads[0], "one"', 'm.workloads[0], "onee"', ("gain", "'onee'", "did you mean one?")),
        ('("two", "one")),', '("two", "oen")),', ("area", "'oen'", "did you mean one?")),
        ('ratios("gpu.cycles"', 'ratios("gpu.cycle"', ("gain", "'gpu.cycle'", "did you mean gpu.cycles?")),
        ('(k, "gpu.cycles")', '(k, "gpu.cyles")', ("figure 1", "'gpu.cyles'", "did you mean gpu.cycles?")),
        ('"energy.gpu"', '"energy.gup"', ("gain", "energy.gup", "did you mean gpu?")),
        ('"energy.gpu"', '"energy.structure.l2_cach"', ("gain", "l2_cach")),
        ('"> 0.5"', '"a > b"', ("gain", "judges values by name")),
        ('Machine("ptr-2022-2ru")', 'Machine("ptr-2O22-2ru")', ("ptr-2O22-2ru", "did you mean ptr-2022-2ru?")),
        ('ptr-2022-2ru")}', 'ptr-2022-2ru")}, workloads=("gmae",)', ("'gmae'", "did you mean game?")),
        ('"area", "Two', '"gain", "Two', ("two conclusions", "gain")),
    ],
)
def test_names_that_are_mistyped(tilegpu, mine: Path, tmp_path: Path, before: str, after: str, words: tuple) -> None:
    """Before anything is run."""
    out = tmp_path / "out"
    refused(tilegpu("study", changed(mine, before, after), "-o", out), *words)
    assert not out.exists()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ('m.value(name, "one", "gpu.cycle")', ("game: one", "'gpu.cycle'", "did you mean gpu.cycles?")),
        ('m.totals(name, "one")["gpu.cycle"]', ("'gpu.cycle'", "did you mean gpu.cycles?")),
        ('m.frame_values(name, "one", "gpu.cycle")[0][1]', ("'gpu.cycle'",)),
        ('sum(m.tile_values(name, "one", "busy_cycle"))', ("'busy_cycle'", "did you mean busy_cycles?")),
        ('m.value(name, "three", "gpu.cycles")', ("'three'", "declared")),
        ("m.no_such_method()", ("changed.py", "conclusion gain", "no_such_method")),
        ('1 / (m.value(name, "one", "gpu.cycles") * 0)', ("changed.py", "conclusion gain", "division by zero")),
    ],
)
def test_mistakes_that_only_results_show(tilegpu, mine: Path, tmp_path: Path, wrong: str, words: tuple) -> None:
    """Where it depends on what was measured: no verdict, and no fault of ours."""
    guarded = f"    name = m.workloads[0]\n    if m.value(name, 'one', 'gpu.cycles') > 1:\n        return {wrong}\n"
    study = changed(mine, "def gain(m):\n", f"def gain(m):\n{guarded}")
    done = tilegpu("study", study, "-o", tmp_path / "out")
    errors = [line for line in done.err.splitlines() if line.startswith("error:")]
    assert done.status == 2 and len(errors) == 1, done.err
    assert all(word in errors[0] for word in words), errors
    assert not (tmp_path / "out" / "study.json").exists()


def test_what_was_not_run_is_told(tilegpu, mine: Path, tmp_path: Path) -> None:
    other = record_square(tmp_path / "other.trace", 8)
    two = changed(mine, "applications=()", f"applications=({str(other)!r},)")
    text = two.read_text().replace('m.each(k, "gpu.cycles") for', 'm.of("other").each(k, "gpu.cycles") for')
    two.write_text(text.replace('m.area_change_percent("two", "one")', 'm.value("other", "one", "gpu.cycles")'))
    done = tilegpu("study", two, "-o", tmp_path / "out", "--workloads", tmp_path / "game.trace")
    assert done.status == 0, done.err
    assert "area: not measured: other: one" in done.out and "figure 1: not measured: other" in done.out
    assert "1 of 2 conclusions hold, 1 not measured" in done.out
    assert "2 frames: no interval" in done.err


def frames(folder: Path, workload: str) -> set[int]:
    rows = pq.read_table(folder / "runs" / workload / "two" / "stats.parquet").to_pylist()
    return {row["frame"] for row in rows}


def test_frames_of_a_capture_by_number(tilegpu, mine: Path, tmp_path: Path) -> None:
    """The capture's numbers, after one that warms up, whatever the study counts; two ranges are two workloads."""
    capture, out = tmp_path / "game.trace", tmp_path / "out"
    names = f"{capture}@4:6,{capture}@0,{capture}@6:"
    done = tilegpu("study", mine, "-o", out, "--workloads", names, "--json")
    assert done.status == 0, done.err
    assert frames(out, "game@4-6") == {4, 5} and frames(out, "game@0") == {0} and frames(out, "game@6-") == {6, 7}
    found = json.loads(done.out)
    assert found["workloads"] == ["game@4:6", "game@0", "game@6:"]
    whole = json.loads((out / "runs" / "game@4-6" / "one" / "stats.json").read_text())
    assert found["figures"][0]["series"]["one"][0] == sum(row["gpu.cycles"] for row in whole["frames"])
    assert whole["warm_up_frames"] == 1
    # Again, from what is there.
    assert tilegpu("study", mine, "-o", out, "--workloads", names, "--json").out == done.out


def test_frames_that_a_capture_does_not_have(tilegpu, mine: Path, tmp_path: Path) -> None:
    capture, out = tmp_path / "game.trace", tmp_path / "out"
    done = tilegpu("study", mine, "-o", out, "--workloads", f"{capture}@6:12")
    assert done.status == 2 and "has 8 frames" in done.err.splitlines()[-1]
    assert not (out / "study.json").exists()
    refused(tilegpu("study", mine, "-o", out, "--workloads", f"{capture}@six"), "'six'")
    refused(tilegpu("study", mine, "-o", out, "--workloads", "000-bbr@4:6"), "only frames of captures have numbers")


def test_frames_that_only_upload_are_told(tilegpu, mine: Path, tmp_path: Path) -> None:
    with Recorder(tmp_path / "late.trace", 32, 32) as gl:
        for _ in range(2):
            gl.glClear(0x4000)
            gl.swap()
    out = tmp_path / "out"
    done = tilegpu("study", mine, "-o", out, "--workloads", tmp_path / "late.trace", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["frames"]["without_draws"] == {"late": [1]}
    assert "late: frame 1 without a draw counts" in done.err
    assert "late: has only 1 of the frames that the study counts" in done.err
    assert "without a draw" in (out / "report.html").read_text()


def test_other_frames_than_the_study_names_are_told(tilegpu, mine: Path, tmp_path: Path) -> None:
    study = changed(mine, "Frames((0,), (1, 2))", "Frames((0,), (5, 25))")
    done = tilegpu("study", study, "-o", tmp_path / "out")
    assert done.status == 0 and "game: frames 1 to 2 count" in done.err and "game.trace@40:42" in done.err


@pytest.mark.parametrize(
    "name", quick_ones(sorted({*paper_names()} - {"sampling", "dae-2012", CAPTURED.name}), ("re-2019", "rbcd-2018"))
)
def test_studies_of_papers_ask_for_what_there_is(name: str, tmp_path: Path) -> None:
    check_names(select(find_study(name), quick=True), tmp_path)
