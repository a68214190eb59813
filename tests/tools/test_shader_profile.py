"""`tilegpu shader --profile`: the source of shaders with costs that add up to those of the tables."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.instruments import line_costs

VERTEX = """#version 310 es
void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 8.0; }
"""
FRAGMENT = """#version 310 es
precision highp float;
layout(location = 0) out vec4 color;
float twice(float x) {
    return sin(x) + x;
}
void main() {
    color = vec4(twice(gl_FragCoord.x),
                 twice(gl_FragCoord.y), 0.0, 1.0);
}
"""


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profile")
    with Recorder(folder / "sines.trace", 8, 8, version=(3, 1)) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT))
        for _ in range(2):
            r.glDrawArrays(gl.POINTS, 0, 1)
            r.swap()
    record(folder / "sines.trace", folder / "activity")
    return folder / "activity"


@pytest.fixture(scope="module")
def results(activity: Path) -> Path:
    folder = activity.parent / "results"
    replay(activity, load_configuration("ptr-2022"), compiled=False, instrument=line_costs.NAME).write(folder)
    return folder


def line(out: str, text: str) -> list[str]:
    """Words of the printed line with a text."""
    return next(row for row in out.splitlines() if text in row).split()


def test_an_activity_shows_what_each_line_executes(tilegpu, activity: Path) -> None:
    out = tilegpu("shader", "--profile", activity).out
    # Two sines and two additions for 64 fragments of two frames; the copy of constants and the end are two more.
    assert line(out, "sin(x)")[1:5] == ["4", "512", "0", "5"]
    assert line(out, "color = vec4")[1:5] == ["1", "128", "0", "8"]
    assert "(called in 8, 9)" in out and "#version 310 es" in out


def test_results_show_cycles_and_add_up(tilegpu, results: Path) -> None:
    stages = json.loads(tilegpu("shader", "--profile", results, "--json").out)
    table = pq.read_table(results / "lines.parquet").to_pylist()
    for column in ("issue_cycles", "stall_cycles", "texture_misses", "executed", "executed_by_helpers"):
        expected: Counter[tuple[int, str]] = Counter()
        for row in table:
            if row["kind"] == "line":
                expected[row["program"], row["stage"]] += row[column]
        shown = {(s["program"], s["stage"]): sum(each[column] for each in s["lines"]) for s in stages}
        assert shown == expected
    sources = {s["stage"]: s["source"] for s in stages}
    assert sources == {"vertex": VERTEX, "fragment": FRAGMENT}
    out = tilegpu("shader", "--profile", results, "--program", 0).out
    assert "vertex shader of program 0" in out and "fragment shader of program 0" in out


def test_replay_prints_the_dearest_lines(tilegpu, activity: Path) -> None:
    out = tilegpu("replay", activity, "--plain", "--by-line").out
    assert "program 0 fragment:5 < 8" in out and "return sin(x) + x;" in out


def test_what_has_no_costs_says_so(tilegpu, activity: Path, results: Path, tmp_path: Path) -> None:
    assert tilegpu("replay", activity, "--plain", "-o", tmp_path / "plain").status == 0
    for arguments, message in (
        (("--profile", tmp_path / "plain"), "counts no costs of lines; replay with --by-line"),
        (("--profile", tmp_path), "no manifest.json"),
        (("--profile", results, "--program", 7), "program 7 was not executed; 0 were"),
        (("--profile", results, "--ir"), "--profile takes no shaders"),
        ((), "name a shader, or a folder"),
    ):
        run = tilegpu("shader", *arguments)
        assert run.status != 0 and message in run.err and "Traceback" not in run.err
    (tmp_path / "lines.parquet").write_bytes(b"PAR1")
    run = tilegpu("shader", "--profile", tmp_path)
    assert run.status != 0 and "no costs of lines" in run.err
