"""`tilegpu gate`: what fails, what is named, and with which status."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.tools.conftest import record_square
from tilegpu.functional.images import write_png

GROUND = r"frame 0, draw 0 \(call \d+\)"
ALL = ("--max", "gpu.cycles=+0", "--max", "energy=+0", "--max-draw", "+0", "--max-draw", "memory.dram.bytes=+0")


@pytest.fixture(scope="module")
def results(captures: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the results `before` and `after` of the captures."""
    from typer.testing import CliRunner

    from tilegpu.tools.main import app

    folder = tmp_path_factory.mktemp("results") / "kept"
    command = ["gate", *map(str, captures), "--config", "ptr-2022", "--max", "gpu.cycles=+100%", "-o", str(folder)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return folder


def changed(results: Path, folder: Path, what: str, edit: Any) -> Path:
    """A copy of the results before, with a file of JSON changed."""
    shutil.copytree(results / "before", folder)
    content = json.loads((folder / what).read_text())
    edit(content)
    (folder / what).write_text(json.dumps(content))
    return folder


def test_a_texture_doubled_in_size_is_caught_and_its_draw_named(
    tilegpu, captures: tuple[Path, Path], tmp_path: Path
) -> None:
    reports = "--markdown", tmp_path / "gate.md", "--junit", tmp_path / "gate.xml"
    limits = "--max", "gpu.cycles=+2%", "--max", "energy=+1%", "--max-draw", "+2%"
    done = tilegpu("gate", *captures, "--config", "ptr-2022", *limits, *reports)
    assert done.status == 1
    (line,) = [line for line in done.out.splitlines() if re.match(rf" {GROUND} .*\bcycles\b.*, at most \+2 %", line)]
    assert re.search(r"L2 misses [\d,]+ → [\d,]+ \(\+\d{2,3} %\)", line)
    assert re.search(r"beyond the limits: gpu.cycles, energy; \d+ draws?$", done.out.strip())
    page = (tmp_path / "gate.md").read_text()
    assert page.startswith("### GPU cost: ❌ beyond the limits: gpu.cycles, energy; ")
    assert re.search(r"\| frame 0, draw 0 \\\(call \d+\\\) \|.* L2 misses ", page)
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot().find("testsuite")
    assert suite is not None and (suite.get("tests"), suite.get("failures")) == ("5", "3")
    failed = {case.get("name"): case.findtext("failure") for case in suite if case.find("failure") is not None}
    assert list(failed)[:2] == ["gpu.cycles +2 %", "energy +1 %"]
    assert re.match(GROUND, str(failed["each draw: cycles +2 % or 256"]))


def test_results_with_themselves_are_within_all_limits(tilegpu, results: Path) -> None:
    done = tilegpu("gate", results / "before", results / "before", *ALL, "--draw-slack", 0, "--json")
    assert done.status == 0
    verdict = json.loads(done.out)
    assert verdict["within"] and not (verdict["changed"] or verdict["vanished"] or verdict["appeared"])
    assert [check["before"] == check["after"] for check in verdict["checks"]] == [True, True]


def test_json_has_every_draw_that_changed(tilegpu, results: Path) -> None:
    done = tilegpu("gate", results / "before", results / "after", "--max-draw", "memory.dram.bytes=+10%", "--json")
    verdict = json.loads(done.out)
    assert done.status == 1 and not verdict["within"]
    first = verdict["changed"][0]
    assert (first["before"]["draw"], first["before"]["frame"], first["before"]["kind"]) == (0, 0, "draw")
    assert first["beyond"][0].startswith("memory.dram.bytes ")
    tables = [pq.read_table(results / side / "draws.parquet").to_pylist() for side in ("before", "after")]
    calls = [{(r["frame"], r["draw"]): r["call"] for r in rows if r["kind"] == "draw"} for rows in tables]
    for draw in verdict["changed"]:
        for side, known in zip(("before", "after"), calls, strict=True):
            assert draw[side]["call"] == known[draw[side]["frame"], draw[side]["draw"]]


def test_draws_that_appear_or_vanish_fail(tilegpu, results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "before", tmp_path / "fewer")
    path = tmp_path / "fewer" / "draws.parquet"
    table = pq.read_table(path)
    gone = [row["frame"] == 1 and row["draw"] == 5 and row["kind"] == "draw" for row in table.to_pylist()]
    pq.write_table(table.filter([not one for one in gone]), path)
    for sides, what in (
        ((results / "before", tmp_path / "fewer"), "vanished"),
        ((tmp_path / "fewer", results / "before"), "appeared"),
    ):
        done = tilegpu("gate", *sides, "--max-draw", "+100%")
        assert done.status == 1 and f"{what}: frame 1, draw 5 (call " in done.out
        assert f"beyond the limits: 1 draw {what}" in done.out
        done = tilegpu("gate", *sides, "--max", "gpu.cycles=+0")
        assert done.status == 0 and f"{what}: frame 1, draw 5 (call " in done.out


def test_costs_of_draws_that_nobody_counted_are_no_success(tilegpu, results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "before", tmp_path / "bare")
    (tmp_path / "bare" / "draws.parquet").unlink()
    done = tilegpu("gate", results / "before", tmp_path / "bare", "--max-draw", "+5%")
    assert done.status == 2 and "has no costs of draws; replay with --by-draw" in done.err
    assert tilegpu("gate", results / "before", tmp_path / "bare", "--max", "gpu.cycles=+5%").status == 0


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda s: s.update(tool_version="0.0.1"), "version of tilegpu"),
        (lambda s: s.pop("tool_version"), "and unknown"),
        (lambda s: s["configuration"]["clocks"].update(gpu_mhz=900), "clocks.gpu_mhz 800 and 900"),
        (lambda s: s.update(warm_up_frames=1), "warm-up frames 0 and 1"),
        (lambda s: s["frames"].pop(), "frames 0 1 and 0"),
    ],
)
def test_results_of_other_settings_are_refused_unless_allowed(
    tilegpu, results: Path, tmp_path: Path, edit: Any, told: str
) -> None:
    other = changed(results, tmp_path / "other", "stats.json", edit)
    done = tilegpu("gate", results / "before", other, *ALL)
    assert done.status == 2 and told in done.err and "--allow-different" in done.err
    done = tilegpu("gate", results / "before", other, *ALL, "--allow-different")
    assert done.status == 0 and told in done.out


def one_more_cycle(stats: dict[str, Any]) -> None:
    stats["totals"]["gpu.cycles"] += 1


def test_a_rise_of_the_smallest_amount_fails(tilegpu, results: Path, tmp_path: Path) -> None:
    other = changed(results, tmp_path / "other", "stats.json", one_more_cycle)
    assert tilegpu("gate", results / "before", other, "--max", "gpu.cycles=+0").status == 1
    assert tilegpu("gate", results / "before", other, "--max", "gpu.cycles=+1").status == 0
    assert tilegpu("gate", other, results / "before", "--max", "gpu.cycles=+0").status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "would pass everything"),
        (("--max", "gpu.cycels=+2%"), "did you mean gpu.cycles?"),
        (("--max", "gpu.cycles=2%"), "say by how much it may rise"),
        (("--max-draw", "cycels=+2%"), "did you mean"),
        (("--max-draw", "gpu.draws=+2%"), "is not counted by draw"),
        (("--max", "energy=+2%", "--config", "ptr-2022"), "are of captures"),
    ],
)
def test_what_cannot_be_judged_is_no_success(tilegpu, results: Path, arguments: tuple[str, ...], told: str) -> None:
    done = tilegpu("gate", results / "before", results / "before", *arguments)
    assert done.status == 2 and told in done.err


def test_draws_without_numbers_are_refused(tilegpu, results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "before", tmp_path / "odd")
    path = tmp_path / "odd" / "draws.parquet"
    table = pq.read_table(path)
    rows = [row | {"draw": None} for row in table.to_pylist()]
    pq.write_table(type(table).from_pylist(rows, table.schema), path)
    done = tilegpu("gate", results / "before", tmp_path / "odd", "--max-draw", "+5%")
    assert done.status == 2 and "lacks its number; replay again" in done.err


def test_captures_and_results_do_not_mix(tilegpu, captures: tuple[Path, Path], results: Path, tmp_path: Path) -> None:
    done = tilegpu("gate", captures[0], results / "before", "--max", "energy=+2%")
    assert done.status == 2 and "two folders of results or two captures" in done.err
    done = tilegpu("gate", *captures, "--max", "energy=+2%")
    assert done.status == 2 and "--config" in done.err
    done = tilegpu("gate", captures[0], tmp_path / "none.trace", "--config", "ptr-2022", "--max", "energy=+2%")
    assert done.status == 2 and "none.trace: no such file" in done.err


def test_pictures_that_differ_or_are_missing_fail(tilegpu, results: Path, tmp_path: Path) -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_png(picture, tmp_path / folder / "frame_0000.png")
    gate = "gate", results / "before", results / "before", "--images", tmp_path / "a", tmp_path / "b"
    assert tilegpu(*gate).status == 0
    picture[1, 2] = 3
    write_png(picture, tmp_path / "b" / "frame_0000.png")
    done = tilegpu(*gate)
    assert done.status == 1 and "frame_0000.png: 6.25 % of pixels differ, by 3 of 255 at most" in done.out
    assert tilegpu(*gate, "--tolerance", 3).status == 0
    write_png(picture, tmp_path / "a" / "frame_0001.png")
    done = tilegpu(*gate, "--tolerance", 3)
    assert done.status == 1 and "frame_0001.png: is not there any more" in done.out
    write_png(picture[:2], tmp_path / "b" / "frame_0001.png")
    done = tilegpu(*gate, "--tolerance", 3)
    assert done.status == 1 and "frame_0001.png: sizes differ: 4x4 and 4x2" in done.out


def test_labels_of_applications_are_only_text(tilegpu, results: Path, tmp_path: Path) -> None:
    label = "<script>|`x`|\n**b**\x01\ufffe[red]&amp;"
    for name, scale in (("one", 1.0), ("two", 3.0)):
        shutil.copytree(results / "before", tmp_path / name)
        path = tmp_path / name / "draws.parquet"
        table = pq.read_table(path)
        rows = table.to_pylist()
        for row in rows:
            if row["kind"] == "draw":
                row["label"], row["cycles"] = label, row["cycles"] * scale
        pq.write_table(type(table).from_pylist(rows, table.schema), path)
    reports = "--markdown", tmp_path / "gate.md", "--junit", tmp_path / "gate.xml"
    done = tilegpu("gate", tmp_path / "one", tmp_path / "two", "--max-draw", "+5%", *reports)
    assert done.status == 1 and "<script>|`x`|" in done.out and "[red]" in done.out
    lines = (tmp_path / "gate.md").read_text("utf-8").splitlines()
    assert "<script>" not in "".join(lines)
    # No label has made a row, or a cell, of its own.
    rows = [re.sub(r"\\.", "", line) for line in lines if "draw 0" in line]
    assert len(rows) == 2 and all(row.count("|") == 7 for row in rows)
    text = ElementTree.parse(tmp_path / "gate.xml").getroot().find(".//failure")
    assert text is not None and "\ufffd\ufffd[red]&amp;" in str(text.text)


def test_reports_replace_only_reports(tilegpu, results: Path, tmp_path: Path) -> None:
    gate = "gate", results / "before", results / "before", "--max", "energy=+0"
    mine = tmp_path / "mine.md"
    mine.write_text("notes\n")
    for option in ("--markdown", "--junit"):
        assert tilegpu(*gate, option, mine).status == 2 and mine.read_text() == "notes\n"
        assert tilegpu(*gate, option, tmp_path / option).status == 0
        assert tilegpu(*gate, option, tmp_path / option).status == 0


REPEATED = """
import sys
from hashlib import sha256
from pathlib import Path
from tilegpu import ReplayOptions, replay

activity, output, times = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
found = set()
for number in range(times):
    replay(activity, "ptr-2022", options=ReplayOptions(by_draw=True)).write(output, replace=True)
    found.add(sha256(b"".join(path.read_bytes() for path in sorted(output.iterdir()))).hexdigest())
print(*found)
"""


@pytest.mark.slow
def test_a_thousand_repetitions_do_not_differ(tilegpu, tmp_path: Path) -> None:
    # Runs after one another share a process and what it keeps; processes differ in the order of sets.
    activity = tmp_path / "activity"
    assert tilegpu("trace", record_square(tmp_path / "square.trace"), "-o", activity).status == 0
    digests = set()
    for seed in range(8):
        command = [sys.executable, "-c", REPEATED, str(activity), str(tmp_path / f"results-{seed}"), "125"]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True
        )
        digests |= set(done.stdout.split())
    assert len(digests) == 1
    first, last = tmp_path / "results-0", tmp_path / "results-7"
    assert digests == {sha256(b"".join(p.read_bytes() for p in sorted(last.iterdir()))).hexdigest()}
    assert tilegpu("gate", first, last, *ALL, "--draw-slack", 0).status == 0
