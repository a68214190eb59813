"""Recorded dispatches: what rows say of memory and paths is what the invocations did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compute.programs.catalogue import PROGRAMS
from tilegpu.functional.activity.accesses import OUTSIDE, AccessRow, elements_of, lanes_of
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.memory import Access
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.functional.recording.draw_memory import LaneRows
from tilegpu.functional.recording.memory_rows import MemoryRows

Executed = dict[tuple[int, int, int], list[int]]
"""Elements in order, by group, instruction and lane."""


def access_rows(columns: dict[str, list[Any]]) -> list[AccessRow]:
    """Rows of the table `memory_accesses`."""
    fields = [columns[name] for name in AccessRow._fields]
    return [
        AccessRow(*row[:-1], None if row[-1] is None else np.array(row[-1], np.int64))
        for row in zip(*fields, strict=True)
    ]


def executed(rows: list[AccessRow], size: tuple[int, int, int]) -> Executed:
    """What every lane accesses by its rows."""
    found: Executed = {}
    for row in rows:
        lanes = np.flatnonzero(lanes_of(row, size)).tolist()
        for elements in elements_of(row, size).tolist():
            for lane, element in zip(lanes, elements, strict=True):
                found.setdefault((row.group, row.pc, lane), []).append(element if element >= 0 else OUTSIDE)
    return found


@st.composite
def some_accesses(draw: st.DrawFn) -> tuple[list[Access], tuple[int, int, int], int]:
    size = draw(st.tuples(st.integers(1, 5), st.integers(1, 4), st.integers(1, 3)))
    groups, lanes = draw(st.integers(1, 3)), size[0] * size[1] * size[2]
    index = np.arange(groups * lanes) % lanes
    x, y, z = index % size[0], index // size[0] % size[1], index // (size[0] * size[1])
    accesses = []
    for _ in range(draw(st.integers(0, 12))):
        base, strides = draw(st.integers(0, 50)), draw(st.tuples(*[st.integers(0, 9)] * 3))
        elements = base + strides[0] * x + strides[1] * y + strides[2] * z + np.arange(groups * lanes) // lanes
        if draw(st.booleans()):
            elements = np.array(draw(st.lists(st.integers(-1, 99), min_size=len(index), max_size=len(index))))
        executing = None
        if draw(st.booleans()):
            executing = np.array(draw(st.lists(st.booleans(), min_size=len(index), max_size=len(index))))
        repeated = draw(st.integers(1, 4))
        pc, step = draw(st.sampled_from([3, 8])), draw(st.integers(0, 4))
        accesses += [Access(pc, np.where(elements < 0, -1, elements + step * i), executing) for i in range(repeated)]
    return accesses, size, groups


@given(some_accesses())
def test_rows_tell_all_accesses(made: tuple[list[Access], tuple[int, int, int], int]) -> None:
    accesses, size, _ = made
    lanes = size[0] * size[1] * size[2]
    rows, wanted = MemoryRows(), Executed()
    rows.add(0, 0, accesses, size)
    for access in accesses:
        for i, element in enumerate(access.elements.tolist()):
            if access.executing is None or access.executing[i]:
                wanted.setdefault((i // lanes, access.pc, i % lanes), []).append(element)
    columns = {name: list(values) for name, values in rows.columns().items()}
    columns["offsets"] = [v.as_py() for v in columns.get("offsets", [])]
    assert (executed(access_rows(columns), size) if rows.count else {}) == wanted


def test_a_steady_pattern_is_one_row() -> None:
    rows, x = MemoryRows(), np.arange(64) % 32
    rows.add(0, 5, [Access(7, 100 + 2 * x + 64 * i, None) for i in range(50)], (32, 1, 1))
    columns = rows.columns()
    assert columns["group"] == [5, 6] and columns["executions"] == [50, 50] and columns["lanes"] == [None, None]
    assert columns["base"] == [100, 100] and columns["stride_x"] == [2, 2] and columns["step"] == [64, 64]


_TILES = """#version 310 es
layout(local_size_x = 4, local_size_y = 2) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) buffer B { float b[]; };
shared float held[8];
uniform int width;
void main() {
    uint me = gl_LocalInvocationIndex, column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    float sum = 0.0;
    for (int k = 0; k < width; k++) sum += a[int(row) * width + k] * a[k * width + int(column)];
    held[me] = sum;
    barrier();
    if (row % 2u == 0u) b[row * 8u + column] = held[7u - me];
}
"""


def _recorded(folder: Path, source: str, groups: tuple[int, int, int], words: int) -> Activity:
    with Recorder(folder / "a.trace", 16, 16, version=(3, 1)) as recorder:
        program = recorder.compute_program(source)
        recorder.glUseProgram(program)
        recorder.glUniform1i(recorder.glGetUniformLocation(program, "width"), 8)
        for binding in range(2):
            (buffer,) = recorder.glGenBuffers(1)
            recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
            recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, 4 * words, np.ones(words, np.float32), gl.STATIC_DRAW)
            recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, binding, buffer)
        recorder.glDispatchCompute(*groups)
        recorder.glMemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT)
        recorder.swap()
    record(folder / "a.trace", folder / "activity")
    return Activity(folder / "activity")


def test_addresses_are_those_of_the_source(tmp_path: Path) -> None:
    activity = _recorded(tmp_path, _TILES, (2, 4, 1), 64)
    (dispatch,) = activity.table("dispatches").to_pylist()
    assert [dispatch[f"groups_{axis}"] for axis in "xyz"] == [2, 4, 1]
    assert [b["size_bytes"] for b in dispatch["buffers"]] == [256, 256]
    kinds = activity.table("events")["kind"].to_pylist()
    assert kinds.index("dispatch") + 1 == kinds.index("barrier")
    table = activity.table("memory_accesses").to_pydict()
    found = executed(access_rows(table), (4, 2, 1))
    code = {r["pc"]: r for r in activity.table("instructions").to_pylist()}
    loads = sorted(pc for pc, row in code.items() if row["opcode"] == "LOAD" and row["memory"] == "BUFFER")
    writes, stored, read = (
        next(pc for pc, row in code.items() if (row["opcode"], row["memory"]) == kind)
        for kind in (("STORE", "BUFFER"), ("STORE", "SHARED"), ("LOAD", "SHARED"))
    )
    for group in range(8):
        for lane in range(8):
            column, row = group % 2 * 4 + lane % 4, group // 2 * 2 + lane // 4
            pairs = [[row * 8 + k for k in range(8)], [k * 8 + column for k in range(8)]]
            assert sorted(found[group, pc, lane] for pc in loads) == sorted(pairs)
            assert found[group, stored, lane] == [lane]
            even = row % 2 == 0
            assert found.get((group, writes, lane)) == ([row * 8 + column] if even else None)
            assert found.get((group, read, lane)) == ([7 - lane] if even else None)
    # Two loads in a loop, a store and, of half a group, a load and a store.
    assert len(table["pc"]) == 8 * 5
    summary = activity.table("summary").to_pylist()
    assert [(r["dispatches"], r["invocations"], r["memory_accesses"]) for r in summary] == [(1, 64, 64 * 18)]


@pytest.mark.parametrize("name", ["reduction", "histogram", "bitonic_sort", "light_culling", "voxels"])
def test_paths_tell_how_often_each_instruction_is_executed(name: str, tmp_path: Path) -> None:
    PROGRAMS[name].record(tmp_path / "a.trace")
    record(tmp_path / "a.trace", tmp_path / "activity")
    activity = Activity(tmp_path / "activity")
    code = activity.table("instructions").to_pylist()
    paths = {
        (r["program"], r["path"]): r["runs"] for r in activity.table("paths").to_pylist() if r["stage"] == "compute"
    }
    programs = {r["program"]: r for r in activity.table("programs").to_pylist()}
    accesses = activity.table("memory_accesses").to_pandas()
    invocations = activity.table("invocations").to_pandas()
    total = 0
    for dispatch in activity.table("dispatches").to_pylist():
        program = dispatch["program"]
        size = tuple(programs[program][f"local_size_{axis}"] for axis in "xyz")
        lanes = size[0] * size[1] * size[2]
        own = [r for r in code if r["program"] == program and r["stage"] == "compute" and r["memory"] is not None]
        rows = accesses[accesses["dispatch"] == dispatch["dispatch"]]
        found = executed(access_rows({n: rows[n].tolist() for n in AccessRow._fields}), size)
        wanted: Counter[tuple[int, int, int]] = Counter()
        for run in invocations[invocations["dispatch"] == dispatch["dispatch"]].itertuples():
            blocks: Counter[int] = Counter()
            for block in paths[program, run.path]:
                blocks[block["first_pc"]] += block["repetitions"]
            for invocation in range(run.first, run.first + run.count):
                for instruction in own:
                    if blocks[instruction["block"]] and instruction["opcode"] != "RESQ":
                        key = invocation // lanes, instruction["pc"], invocation % lanes
                        wanted[key] = blocks[instruction["block"]]
        assert {key: len(elements) for key, elements in found.items()} == wanted
        total += sum(wanted.values())
    assert total > 1000


def test_patterns_take_less_than_two_bytes_an_access(tmp_path: Path) -> None:
    for name in ("matrix_multiply", "prefix_sum", "bitonic_sort", "histogram"):
        PROGRAMS[name].record(tmp_path / "a.trace")
        record(tmp_path / "a.trace", tmp_path / name)
        size = (tmp_path / name / "memory_accesses.parquet").stat().st_size
        summary = Activity(tmp_path / name).table("summary").to_pylist()
        assert size < 2 * sum(row["memory_accesses"] for row in summary), name


_LIT = """#version 310 es
precision highp float;
precision highp int;
layout(std430, binding = 0) buffer A { uint word[64]; };
layout(location = 0) out vec4 color;
void main() {
    uvec2 at = uvec2(gl_FragCoord.xy);
    uint sum = 0u;
    for (uint i = 0u; i < at.x % 4u; i++) sum += word[at.y + 3u * i];
    if (at.x % 3u == 0u) discard;
    word[at.x] = sum;
    color = vec4(1.0);
}
"""
_PLACED = """#version 310 es
layout(std430, binding = 0) readonly buffer A { uint word[64]; };
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 4.0 - 1.0, float(word[5 * gl_VertexID]), 1.0);
}
"""


def test_elements_are_those_that_vertices_and_fragments_access(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 7, 5, version=(3, 1)) as recorder:
        recorder.glUseProgram(recorder.program(_PLACED, _LIT))
        (buffer,) = recorder.glGenBuffers(1)
        recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffer)
        recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, 256, np.zeros(64, np.uint32), gl.STATIC_DRAW)
        recorder.glDrawArrays(gl.TRIANGLES, 0, 3)
        recorder.swap()
    assert not record(tmp_path / "a.trace", tmp_path / "activity").warnings
    activity = Activity(tmp_path / "activity")
    (bound,) = activity.table("draw_memory").to_pylist()
    assert [(b["stage"], b["size_bytes"]) for b in bound["buffers"]] == [("vertex", 256), ("fragment", 256)]
    vertices = activity.table("vertex_memory_accesses").to_pylist()
    assert [(r["vertex"], r["executions"], r["base"]) for r in vertices] == [(0, 1, 0), (1, 1, 5), (2, 1, 10)]
    code = {r["pc"]: r["opcode"] for r in activity.table("instructions").to_pylist() if r["stage"] == "fragment"}
    found: dict[tuple[int, int, str], list[tuple[int, bool]]] = {}
    for row in activity.table("quad_memory_accesses").to_pylist():
        for lane in range(4):
            live = bool(row["lanes"] >> lane & 1)
            assert not (live and row["lanes"] >> lane + 4 & 1)
            if live or row["lanes"] >> lane + 4 & 1:
                first = row["base"] + (row[f"offset_{lane}"] if lane else 0)
                elements = [(first + row["step"] * i, live) for i in range(row["executions"])]
                found.setdefault((row["quad"], lane, code[row["pc"]]), []).extend(elements)
    loads, stores, covered = {}, set(), 0
    for number, quad in enumerate(activity.table("quads").to_pylist()):
        for lane in range(4):
            x, y, inside = quad["x"] * 2 + lane % 2, quad["y"] * 2 + lane // 2, bool(quad["coverage"] >> lane & 1)
            covered += inside
            if x % 4:
                loads[number, lane, "LOAD"] = [(y + 3 * i, inside) for i in range(x % 4)]
            if inside and x % 3:
                stores.add((number, lane, x))
    assert covered == 7 * 5
    assert {key: elements for key, elements in found.items() if key[2] == "LOAD"} == loads
    stored = {key: elements for key, elements in found.items() if key[2] == "STORE"}
    assert {(*key[:2], element) for key, elements in stored.items() for element, live in elements if live} == stores
    # Three vertices; a store of every fragment, as those that are discarded go on as helpers.
    (row,) = activity.table("summary").to_pylist()
    assert row["memory_accesses"] == 3 + covered + sum(x % 4 for x in range(7)) * 5


@given(st.lists(st.integers(-1, 3), min_size=1, max_size=30))
def test_rows_of_vertices_tell_all_accesses(elements: list[int]) -> None:
    rows = LaneRows("vertex", 1)
    rows.add(np.arange(1), [Access(3, np.array([element]), None) for element in elements])
    columns = rows.columns()
    told = [
        base + step * i
        for base, step, executions in zip(columns["base"], columns["step"], columns["executions"], strict=True)
        for i in range(executions)
    ]
    assert told == elements


def test_lists_of_lights_take_less_than_two_bytes_an_access(tmp_path: Path) -> None:
    PROGRAMS["light_culling"].record(tmp_path / "a.trace")
    record(tmp_path / "a.trace", tmp_path / "activity")
    rows = Activity(tmp_path / "activity").table("quad_memory_accesses")
    lanes = np.unpackbits(rows["lanes"].to_numpy()[:, None], axis=1).sum(1)
    accesses = (lanes * rows["executions"].to_numpy()).sum()
    size = (tmp_path / "activity" / "quad_memory_accesses.parquet").stat().st_size
    assert 10_000 < size < 2 * accesses


_SAMPLED = """#version 310 es
precision highp float;
precision highp int;
layout(local_size_x = 3, local_size_y = 2) in;
layout(std430, binding = 0) buffer A { float a[]; };
uniform highp sampler2D near;
uniform highp sampler2DArray even;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    float sum = 0.0;
    for (int i = 0; i <= at.x % 3; i++) sum += texelFetch(near, at + ivec2(i, 0), i & 1).x;
    if (at.y % 2 == 1) sum += textureLod(even, vec3(vec2(at + 1) / 8.0, 1.0), 0.0).x;
    a[gl_LocalInvocationIndex] = sum + textureGather(near, vec2(at + 1) / 8.0).y;
}
"""


def test_texels_are_those_that_invocations_sample(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 16, 16, version=(3, 1)) as recorder:
        program = recorder.compute_program(_SAMPLED)
        recorder.glUseProgram(program)
        (buffer,) = recorder.glGenBuffers(1)
        recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
        recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, 64, None, gl.STATIC_DRAW)
        recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffer)
        for unit, (name, target) in enumerate((("near", gl.TEXTURE_2D), ("even", gl.TEXTURE_2D_ARRAY))):
            recorder.glActiveTexture(gl.TEXTURE0 + unit)
            (texture,) = recorder.glGenTextures(1)
            recorder.glBindTexture(target, texture)
            if unit == 0:
                recorder.glTexStorage2D(target, 2, gl.R8, 8, 8)
            else:
                recorder.glTexStorage3D(target, 2, gl.R8, 8, 8, 2)
            filters = (gl.NEAREST_MIPMAP_NEAREST, gl.NEAREST) if unit == 0 else (gl.LINEAR, gl.LINEAR)
            recorder.glTexParameteri(target, gl.TEXTURE_MIN_FILTER, filters[0])
            recorder.glTexParameteri(target, gl.TEXTURE_MAG_FILTER, filters[1])
            recorder.glUniform1i(recorder.glGetUniformLocation(program, name), unit)
        recorder.glDispatchCompute(2, 2, 1)
        recorder.glDispatchCompute(1, 1, 1)
        recorder.swap()
    warnings = record(tmp_path / "a.trace", tmp_path / "activity").warnings
    assert all("was never written" in line for line in warnings)
    activity = Activity(tmp_path / "activity")
    opcode = {row["pc"]: row["opcode"] for row in activity.table("instructions").to_pylist()}
    sampler = {(b["stage"], b["sampler"]) for b in activity.table("dispatches")["bindings"].to_pylist()[0]}
    assert sampler == {("compute", 0), ("compute", 1)}
    found: dict[tuple[int, int, int, str], list[tuple[int, ...]]] = {}
    for row in activity.table("compute_texture_reads").to_pylist():
        for lane in range(4):
            if row["lanes"] >> lane & 1:
                dx, dy = (row[f"{d}_{lane}"] for d in ("dx", "dy")) if lane else (0, 0)
                # Two fours of a group of six.
                key = row["dispatch"], row["four"] // 2, row["four"] % 2 * 4 + lane, opcode[row["pc"]]
                place = row["level"], row["layer"], row["x"] + dx, row["y"] + dy, row["linear"]
                found.setdefault(key, []).append(place)
    wanted = {}
    for dispatch, groups in ((0, 4), (1, 1)):
        for group in range(groups):
            for lane in range(6):
                x, y = group % 2 * 3 + lane % 3, group // 2 * 2 + lane // 3
                key = dispatch, group, lane
                wanted[*key, "TXF"] = [(i & 1, 0, x + i, y, False) for i in range(x % 3 + 1)]
                wanted[*key, "TG4"] = [(0, 0, x, y, True)]
                if y % 2:
                    wanted[*key, "TXL"] = [(0, 1, x, y, True)]
    assert found == wanted
