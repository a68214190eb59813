"""Draws in one call give what the same draws give stage by stage, and what the reference back end gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.command import DrawCommand
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.pipeline.fused.plan import FUSED, Plan
from tilegpu.functional.pipeline.sink import Sink
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from ...reference.scenes import SIZE

VERTEX = """#version 300 es
in vec4 position;
in vec4 value;
in vec4 moved;
out vec4 color;
void main() {
    gl_Position = position + vec4(moved.xy, 0, 0) + vec4(0.1 * float(gl_InstanceID), 0, 0, 0);
    gl_PointSize = 1.0 + float(gl_VertexID & 7);
    color = value;
}
"""
FRAGMENT = """#version 300 es
precision highp float;
in vec4 color;
out vec4 result;
void main() { result = color; }
"""
TYPES = {gl.BYTE: "i1", gl.UNSIGNED_BYTE: "u1", gl.SHORT: "<i2", gl.UNSIGNED_SHORT: "<u2", gl.FIXED: "<i4",
         gl.FLOAT: "<f4", 0x140B: "<f2", 0x8368: "<u4"}  # fmt: skip
ONES = {gl.BYTE: 127, gl.UNSIGNED_BYTE: 255, gl.SHORT: 32767, gl.UNSIGNED_SHORT: 65535, gl.FIXED: 65536}
"""What stands for 1.0."""
TOPOLOGIES = (gl.POINTS, gl.LINES, gl.LINE_STRIP, gl.LINE_LOOP, gl.TRIANGLES, gl.TRIANGLE_STRIP, gl.TRIANGLE_FAN)
PACKED = 0x8368
"""Four components in a word."""


def _array(r: Recorder, location: int, data: np.ndarray, kind: int, divisor: int = 0) -> None:
    """An array of four components per vertex, the whole of its buffer but for the first four bytes."""
    content = ((1023 * data).astype(int) @ (1, 1 << 10, 1 << 20, 0) if kind == PACKED else data).astype(TYPES[kind])
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, content.nbytes + 4, b"\0\0\0\0" + content.tobytes(), 0x88E4)
    r.glEnableVertexAttribArray(location)
    r.glVertexAttribPointer(location, 4, kind, kind not in (gl.FLOAT, 0x140B), 0, 4)
    r.glVertexAttribDivisor(location, divisor)


draws = st.fixed_dictionaries(
    {
        "topology": st.sampled_from(TOPOLOGIES),
        "kind": st.sampled_from(tuple(TYPES)),
        "vertices": st.sampled_from((3, 7, 40, 1500)),
        "instances": st.integers(1, 3),
        "divisor": st.integers(0, 2),
        "reach": st.sampled_from((0.9, 3.0)),
        "constant": st.booleans(),
        "indexed": st.booleans(),
        "restart": st.booleans(),
        "seed": st.integers(0, 1 << 16),
    }
)


def _record(path: Path, chosen: dict) -> None:
    random = np.random.default_rng(chosen["seed"])
    count, instances = chosen["vertices"], chosen["instances"]
    with Recorder(path, SIZE, SIZE, 3) as r:
        r.glViewport(0, 0, SIZE, SIZE)
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("position", "value", "moved")))
        r.glEnable(gl.DEPTH_TEST)
        r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
        places = random.uniform(-chosen["reach"], chosen["reach"], (count, 4))
        places[:, 3] = random.uniform(-0.2 if chosen["reach"] > 1 else 0.9, 2, count)
        _array(r, 0, places, gl.FLOAT)
        _array(r, 1, random.uniform(0, ONES.get(chosen["kind"], 1.0), (count, 4)), chosen["kind"])
        if chosen["constant"]:
            r.glVertexAttrib4f(2, 0.25, -0.125, 0.0, 1.0)
        else:
            _array(r, 2, random.uniform(-0.5, 0.5, (count, 4)), gl.FLOAT, chosen["divisor"])
        if chosen["indexed"]:
            indices = random.integers(0, count, count).astype(np.uint16)
            if chosen["restart"]:
                r.glEnable(gl.PRIMITIVE_RESTART_FIXED_INDEX)
                indices[random.random(count) < 0.1] = 0xFFFF
            r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, r.glGenBuffers(1)[0])
            r.glBufferData(gl.ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, 0x88E4)
            r.glDrawElementsInstanced(chosen["topology"], count, gl.UNSIGNED_SHORT, 0, instances)
        else:
            r.glDrawArraysInstanced(chosen["topology"], 0, count, instances)
        r.swap()


def _image(
    trace: Path, backend: str = "", way: str = "", plans: list[Plan] | None = None, snap: bool = True
) -> np.ndarray:
    """The first frame; `halves`: every draw in two calls, `stages`: stage by stage."""
    inner = Renderer.plan

    def chosen(self: Renderer, draw: DrawCommand, sink: Sink | None) -> Plan:
        plan = inner(self, draw, sink)
        if plans is not None:
            plans.append(plan)
        if way == "halves":
            return replace(plan, at_once=None)
        return Plan("", "", None) if way == "stages" else plan

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Renderer, "plan", chosen)
        player = Player(trace, renderer=Renderer(choose_backend(backend)[0], snap))
        frames = [frame.pixels for frame in player.run()]
    assert not player.warnings
    return frames[0]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draws)
def test_the_same_image_as_stage_by_stage(tmp_path: Path, chosen: dict) -> None:
    trace = tmp_path / "draw.trace"
    _record(trace, chosen)
    plans: list[Plan] = []
    whole = _image(trace, plans=plans)
    assert [plan.at_once is not None for plan in plans] == [True]
    assert whole[..., :3].any() or chosen["vertices"] < 40
    for way in ("halves", "stages"):
        np.testing.assert_array_equal(whole, _image(trace, way=way))
    np.testing.assert_array_equal(whole, _image(trace, "numpy"))


BRANCHING = """#version 300 es
in vec4 position; in vec4 value;
uniform vec4 table[6]; uniform float limit;
out vec4 color;
void main() {
    vec4 moved = position;
    int i = int(abs(value.x) * 4.9);
    if (value.y > limit) {
        moved.xy += table[i].xy;
        if (value.z > 0.5) moved *= 1.25; else color.a = 0.5;
    } else if (value.z < 0.2) {
        moved.x = -moved.x;
    }
    gl_Position = moved;
    vec4 parts[3];
    parts[0] = value; parts[1] = table[i + 1]; parts[2] = moved;
    color = parts[i >> 1 & 1] + (value.x > 0.5 ? parts[i & 1].wzyx : vec4(0.25));
}
"""


@pytest.mark.parametrize("limit", [-1.0, 0.4, 2.0])
@pytest.mark.parametrize("vertices", [3, 42, 1500])
def test_vertex_shaders_with_branches(limit: float, vertices: int, tmp_path: Path) -> None:
    """Lanes take different branches and choose different registers; the last vector is not full."""
    random = np.random.default_rng(vertices)
    with Recorder(tmp_path / "draw.trace", SIZE, SIZE, 3) as r:
        r.glViewport(0, 0, SIZE, SIZE)
        program = r.program(BRANCHING, FRAGMENT, ("position", "value"))
        r.glUseProgram(program)
        r.glUniform1f(r.glGetUniformLocation(program, "limit"), limit)
        r.glUniform4fv(r.glGetUniformLocation(program, "table"), 6, random.uniform(-0.5, 0.9, 24).astype(np.float32))
        places = random.uniform(-0.9, 0.9, (vertices, 4))
        places[:, 3] = 1
        _array(r, 0, places, gl.FLOAT)
        _array(r, 1, random.uniform(0, 1, (vertices, 4)), gl.FLOAT)
        r.glDrawArrays(gl.TRIANGLES, 0, vertices)
        r.swap()
    plans: list[Plan] = []
    whole = _image(tmp_path / "draw.trace", plans=plans)
    assert plans[0].at_once is not None and whole[..., :3].any()
    np.testing.assert_array_equal(whole, _image(tmp_path / "draw.trace", way="halves"))
    np.testing.assert_array_equal(whole, _image(tmp_path / "draw.trace", "numpy"))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draws)
def test_the_same_activity_as_stage_by_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: dict) -> None:
    trace = tmp_path / "draw.trace"
    _record(trace, chosen)
    ways: list[tuple[str, str]] = []
    inner = Renderer.plan

    def noting(self: Renderer, draw: DrawCommand, sink: Sink | None) -> Plan:
        made = inner(self, draw, sink)
        ways.append(made.ways)
        return made

    with monkeypatch.context() as patch:
        patch.setattr(Renderer, "plan", noting)
        for backend in ("llvm", "numpy"):
            record(trace, tmp_path / backend, backend=choose_backend(backend)[0], replace=True)
    nothing = "stage by stage: vertex shader: the numpy back end has no kernels"
    assert [primitives for primitives, _ in ways] == [FUSED, nothing]
    for table in sorted((tmp_path / "numpy").glob("*.parquet")):
        assert table.read_bytes() == (tmp_path / "llvm" / table.name).read_bytes(), table.name


@pytest.mark.parametrize("reach", [0.9, 3.0])
@pytest.mark.parametrize("topology", [gl.POINTS, gl.LINES, gl.TRIANGLES])
def test_the_same_image_without_snapping(tmp_path: Path, topology: int, reach: float) -> None:
    chosen = {"topology": topology, "kind": gl.FLOAT, "vertices": 40, "instances": 1, "divisor": 0, "reach": reach,
              "constant": True, "indexed": False, "restart": False, "seed": 3}  # fmt: skip
    _record(tmp_path / "draw.trace", chosen)
    fused = _image(tmp_path / "draw.trace", snap=False)
    assert fused[..., :3].any()
    np.testing.assert_array_equal(fused, _image(tmp_path / "draw.trace", way="stages", snap=False))


@pytest.mark.parametrize("scissor", [(0, 0, 300, 260), (13, 7, 250, 221)])
def test_large_primitives_keep_their_order_from_batch_to_batch(tmp_path: Path, scissor: tuple[int, ...]) -> None:
    random = np.random.default_rng(5)
    corners = random.uniform(-2, 2, (24, 3, 4))
    corners[..., 2], corners[..., 3] = random.uniform(-0.9, 0.9, (24, 3)), random.uniform(1, 2, (24, 3))
    corners[12:, :, 2] = 0.3 * corners[12:, :, 3]
    with Recorder(tmp_path / "large.trace", 300, 260, 3) as r:
        r.glViewport(0, 0, 300, 260)
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("position", "value", "moved")))
        for capability in (gl.DEPTH_TEST, gl.BLEND, gl.SCISSOR_TEST):
            r.glEnable(capability)
        r.glScissor(*scissor)
        r.glDepthFunc(gl.LEQUAL)
        r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
        _array(r, 0, corners.reshape(-1, 4), gl.FLOAT)
        _array(r, 1, random.uniform(0, 1, (72, 4)), gl.FLOAT)
        r.glVertexAttrib4f(2, 0.0, 0.0, 0.0, 1.0)
        r.glDrawArrays(gl.TRIANGLES, 0, 72)
        r.swap()
    image = _image(tmp_path / "large.trace")
    assert len(np.unique(image.reshape(-1, image.shape[-1]), axis=0)) > 1000
    np.testing.assert_array_equal(image, _image(tmp_path / "large.trace", way="stages"))


def test_buffers_written_anew_are_drawn_as_they_are(tmp_path: Path) -> None:
    """Every frame writes vertices and indices into one buffer of the same size, of which the indices stay."""
    places = np.array([(-1, -1, 0, 1), (0, -1, 0, 1), (-1, 1, 0, 1), (0, 1, 0, 1)], np.float32)
    indices = np.array([0, 1, 2, 2, 1, 3], np.uint16)
    shifts = (0.0, 1.0, 0.0, 0.5)
    with Recorder(tmp_path / "anew.trace", 8, 8, 3) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("position", "value", "moved")))
        r.glVertexAttrib4f(1, 1.0, 1.0, 1.0, 1.0)
        r.glVertexAttrib4f(2, 0.0, 0.0, 0.0, 1.0)
        both = r.glGenBuffers(1)[0]
        for target in (gl.ARRAY_BUFFER, gl.ELEMENT_ARRAY_BUFFER):
            r.glBindBuffer(target, both)
        for shift in shifts:
            content = (places + np.float32([shift, 0, 0, 0])).tobytes() + indices.tobytes()
            r.glBufferData(gl.ARRAY_BUFFER, len(content), content, 0x88E4)
            r.glEnableVertexAttribArray(0)
            r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glDrawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, places.nbytes)
            r.swap()
    for shift, frame in zip(shifts, Player(tmp_path / "anew.trace").run(), strict=True):
        columns = np.flatnonzero(frame.pixels[..., 0].all(0))
        assert columns.tolist() == list(range(int(4 * shift), int(4 * shift) + 4))
