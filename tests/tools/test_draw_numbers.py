"""A draw has one number, whoever tells it: its place among the draws and dispatches of its frame."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tilegpu.functional.activity import ActivityError
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.activity.schema import FORMAT_VERSION
from tilegpu.functional.capture import Recorder
from tilegpu.functional.frame_view.follow import follow_frame
from tilegpu.functional.opengl import enums as gl
from tilegpu.tools.inspect_page.blobs import Blobs
from tilegpu.tools.inspect_page.content import page_data

SIDE, FRAMES = 16, 3
VERTEX = """#version 310 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""
FRAGMENT = """#version 310 es
precision highp float;
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
"""
COMPUTE = """#version 310 es
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer A { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] += 1u; }
"""
WORKS = [
    [name for number in range(frame + 1) for name in (f"draw {3 * number}", f"dispatch {3 * number + 1}",
                                                      f"draw {3 * number + 2}")]
    for frame in range(FRAMES)
]  # fmt: skip
"""Of each frame: once more in each than in the one before, a clear and a draw, a dispatch, and a draw."""


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("numbers") / "works.trace"
    with Recorder(path, SIDE, SIDE, version=(3, 1)) as r:
        compute, drawing = r.compute_program(COMPUTE), r.program(VERTEX, FRAGMENT)
        r.glBindBuffer(gl.SHADER_STORAGE_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.SHADER_STORAGE_BUFFER, 64, bytes(64), gl.STATIC_DRAW)
        r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, 1)
        for frame in range(FRAMES):
            for _ in range(frame + 1):
                r.glUseProgram(drawing)
                r.glClear(gl.COLOR_BUFFER_BIT)
                r.glDrawArrays(gl.TRIANGLES, 0, 3)
                r.glUseProgram(compute)
                r.glDispatchCompute(1, 1, 1)
                r.glUseProgram(drawing)
                r.glDrawArrays(gl.TRIANGLES, 0, 3)
            r.swap()
    return path


def dumped(tilegpu, capture: Path, frame: int) -> dict[str, int]:
    """Calls of the works of a frame by their names, as `dump` tells them."""
    lines = tilegpu("dump", capture, "--frames", frame, "--draws", "--name", "glD*").out.splitlines()
    return {line.rpartition(" // ")[2]: int(line.split()[0]) for line in lines if " // " in line}


def test_dump_counts_draws_and_dispatches_of_each_frame(tilegpu, capture: Path) -> None:
    for frame, works in enumerate(WORKS):
        assert list(dumped(tilegpu, capture, frame)) == works
    (clear,) = tilegpu("dump", capture, "--frames", 0, "--draws", "--name", "glClear").out.splitlines()
    assert "//" not in clear


@pytest.mark.parametrize("frames", ["", "1:3", "2"])
def test_tables_and_printed_costs_agree_whatever_is_recorded(
    tilegpu, capture: Path, tmp_path: Path, frames: str
) -> None:
    chosen = ("--frames", frames) if frames else ()
    assert tilegpu("trace", capture, "-o", tmp_path / "a", *chosen).status == 0
    replay = "replay", tmp_path / "a", "--config", "emerald-case2", "--plain", "--by-draw", "--frames", 2
    printed = tilegpu(*replay, "-o", tmp_path / "r").out
    calls = dumped(tilegpu, capture, 2)
    rows = pq.read_table(tmp_path / "r" / "draws.parquet").to_pylist()
    works = [row for row in rows if row["kind"] != "other"]
    assert {row["name"]: row["call"] for row in works} == calls
    assert all(row["name"] == f"{row['kind']} {row['draw']}" and row["frame"] == 2 for row in works)
    told = re.findall(r"((?:draw|dispatch) \d+) \(call (\d+)\)", printed)
    assert told and {name: int(call) for name, call in told}.items() <= calls.items()
    report = tmp_path / "report.html"
    assert tilegpu("report", tmp_path / "r", "-o", report).status == 0
    assert all(f"{name} (call {call})" in report.read_text() for name, call in calls.items())
    shutil.copytree(tmp_path / "r", tmp_path / "dearer")
    table = pq.read_table(tmp_path / "r" / "draws.parquet")
    dearer = [row | {"cycles": row["cycles"] + 1} for row in rows]
    pq.write_table(type(table).from_pylist(dearer, table.schema), tmp_path / "dearer" / "draws.parquet")
    gate = tilegpu("gate", tmp_path / "r", tmp_path / "dearer", "--max", "energy=+0", "--json")
    changed = [draw["after"] for draw in json.loads(gate.out)["changed"]]
    assert {f"{draw['kind']} {draw['draw']}": draw["call"] for draw in changed} == calls
    if not frames:
        numbers = pq.read_table(tmp_path / "a" / "draws.parquet", columns=["frame", "number"]).to_pylist()
        assert [row["number"] for row in numbers if row["frame"] == 2] == [0, 2, 3, 5, 6, 8]


def test_page_and_inspected_draws_have_the_same_numbers(tilegpu, capture: Path, tmp_path: Path) -> None:
    calls = dumped(tilegpu, capture, 1)
    data = page_data(follow_frame(capture, 1), Blobs(), lambda share: None)
    works = [o for o in data["operations"] if o["kind"] in ("draw", "dispatch")]
    assert [o["name"] for o in works] == [f"{name} (call {call})" for name, call in calls.items()]
    assert [o["number"] for o in works] == list(range(6))
    clears = [o["name"] for o in data["operations"] if o["kind"] == "clear"]
    assert len(clears) == 2 and all(re.fullmatch(r"clear \(call \d+\)", name) for name in clears)
    done = tilegpu("inspect", capture, "--frame", 1, "--draw", 5, "-o", tmp_path / "images")
    assert done.status == 0 and (tmp_path / "images" / "draw_0005.png").is_file()
    (drawn,) = json.loads((tmp_path / "images" / "draws.json").read_text())
    assert (drawn["draw"], drawn["call"]) == (5, calls["draw 5"])
    for number, message in ((1, f"dispatch 1 (call {calls['dispatch 1']})"), (6, "6 draws and dispatches")):
        refused = tilegpu("inspect", capture, "--frame", 1, "--draw", number, "-o", tmp_path / "none")
        assert refused.status == 2 and message in refused.err
    assert not (tmp_path / "none").exists()


def test_activities_without_numbers_are_told_as_older(tilegpu, capture: Path, tmp_path: Path) -> None:
    assert tilegpu("trace", capture, "-o", tmp_path / "a", "--frames", 0).status == 0
    manifest = tmp_path / "a" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"format_version": {FORMAT_VERSION}', '"format_version": 6'))
    with pytest.raises(ActivityError, match="written by an older tilegpu .format version 6, this one reads .*: record"):
        _ = Activity(tmp_path / "a").frames
