"""Instructions by line: counts by hand, and a plain reading of the tables."""

from __future__ import annotations

from collections import Counter

import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.activity.line_counts import line_counts
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

SIDE = 8
WHOLE = """#version 310 es
void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 8.0; }
"""
LOOPING = """#version 310 es
precision highp float;
precision highp int;
layout(location = 0) out vec4 color;
float power(float x, int times) {
    float product = 1.0;
    for (int i = 0; i < times; i++)
        product = product * x + x;
    return product;
}
void main() {
    int column = int(gl_FragCoord.x);
    float a = power(0.5, column);
    if (gl_FragCoord.y < 2.0)
        a += power(a, 3 * column);
    if (gl_FragCoord.y > 6.0)
        discard;
    color = vec4(a);
}
"""
DOT = """#version 310 es
void main() { gl_Position = vec4(0.1, 0.1, 0.0, 1.0); gl_PointSize = 1.0; }
"""
SINE = """#version 310 es
precision highp float;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(
        sin(gl_FragCoord.x));
}
"""
ODD = """#version 310 es
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer A { uint a[]; };
void main() {
    if ((gl_GlobalInvocationID.x & 1u) == 1u)
        a[gl_GlobalInvocationID.x] = 7u;
}
"""


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Activity:
    """Two equal frames: a point as large as the window, one of a pixel, and three work groups."""
    folder = tmp_path_factory.mktemp("lines")
    with Recorder(folder / "lines.trace", SIDE, SIDE, version=(3, 1)) as r:
        looping, dot, odd = r.program(WHOLE, LOOPING), r.program(DOT, SINE), r.compute_program(ODD)
        r.glBindBuffer(gl.SHADER_STORAGE_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.SHADER_STORAGE_BUFFER, 64, bytes(64), gl.STATIC_DRAW)
        r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, 1)
        for _ in range(2):
            r.glUseProgram(looping)
            r.glDrawArrays(gl.POINTS, 0, 1)
            r.glUseProgram(dot)
            r.glDrawArrays(gl.POINTS, 0, 1)
            r.glUseProgram(odd)
            r.glDispatchCompute(3, 1, 1)
            r.swap()
    record(folder / "lines.trace", folder / "activity")
    return Activity(folder / "activity")


def by_place(counted: Activity, text: str, frames: tuple[int, ...] | None = None) -> dict[tuple[int, ...], list[int]]:
    """Instructions, executions and executions by helpers of the lines with a text, by their calls."""
    rows = [row for row in line_counts(counted, frames).to_pylist() if text in row["text"]]
    columns = ("instructions", "executed", "executed_by_helpers")
    return {tuple(row["calls"]): [row[column] for column in columns] for row in rows}


def test_a_loop_counts_as_often_as_it_runs_for_each_call(counted: Activity) -> None:
    columns = SIDE * sum(range(SIDE))
    # A multiplication and an addition are one instruction; below y = 2 there are two rows.
    assert by_place(counted, "product * x", (0,)) == {(13,): [1, columns, 0], (15,): [1, 2 * 3 * sum(range(SIDE)), 0]}
    assert by_place(counted, "product * x") == {(13,): [1, 2 * columns, 0], (15,): [1, 4 * 3 * sum(range(SIDE)), 0]}


def test_branches_and_discards_count_for_all_that_reach_them(counted: Activity) -> None:
    ((instructions, executed, helpers),) = by_place(counted, "if (gl_FragCoord.y < 2.0)", (0,)).values()
    # UIF and the comparison before it are executed by all, and so is ENDIF, where the branches join again.
    assert (executed, helpers) == (instructions * SIDE * SIDE, 0)
    discards = by_place(counted, "> 6.0", (0,)) | by_place(counted, "discard", (0,))
    assert sum(executed for _, executed, _ in discards.values()) >= SIDE * SIDE
    assert all(executed == instructions * SIDE * SIDE for instructions, executed, _ in discards.values())


def test_helpers_are_counted_apart(counted: Activity) -> None:
    assert by_place(counted, "sin(", (1,)) == {(): [1, 1, 3]}


def test_invocations_and_vertices(counted: Activity) -> None:
    ((_, executed, _),) = by_place(counted, "= 7u", (0,)).values()
    ((instructions, _, _),) = by_place(counted, "= 7u").values()
    # Of twelve invocations every other one.
    assert executed == instructions * 6
    ((instructions, executed, helpers),) = by_place(counted, "gl_PointSize = 8.0", (0,)).values()
    assert (executed, helpers) == (instructions, 0)


def test_sums_over_lines_are_those_of_a_plain_reading(counted: Activity) -> None:
    lengths = Counter((i["program"], i["stage"], i["block"]) for i in counted.table("instructions").to_pylist())
    path_lengths = {}
    for path in counted.table("paths").to_pylist():
        key = path["program"], path["stage"]
        length = sum(run["repetitions"] * lengths[(*key, run["first_pc"])] for run in path["runs"])
        path_lengths[(*key, path["path"])] = length
    expected: Counter[tuple[int, str]] = Counter()
    for frame in counted.frames:
        programs = {d["draw"]: d["program"] for d in counted.frame("draws", frame).to_pylist()}
        draws = {p["primitive"]: p["draw"] for p in counted.frame("primitives", frame).to_pylist()}
        for quad in counted.frame("quads", frame).to_pylist():
            program = programs[draws[quad["primitive"]]]
            for lane in range(4):
                if quad[f"path_{lane}"] >= 0:
                    expected[program, "fragment"] += path_lengths[program, "fragment", quad[f"path_{lane}"]]
        for vertex in counted.frame("vertices", frame).to_pylist():
            if vertex["path"] >= 0:
                program = programs[vertex["draw"]]
                expected[program, "vertex"] += path_lengths[program, "vertex", vertex["path"]]
        dispatched = {d["dispatch"]: d["program"] for d in counted.frame("dispatches", frame).to_pylist()}
        for run in counted.frame("invocations", frame).to_pylist():
            program = dispatched[run["dispatch"]]
            expected[program, "compute"] += run["count"] * path_lengths[program, "compute", run["path"]]
    found: Counter[tuple[int, str]] = Counter()
    for row in line_counts(counted).to_pylist():
        found[row["program"], row["stage"]] += row["executed"] + row["executed_by_helpers"]
    assert found == expected and expected
