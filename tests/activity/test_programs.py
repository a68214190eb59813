"""Programs as recorded are the programs that ran: run again from the recorded geometry they give the same colours."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.activity.kernels.interpolation import interpolate, lane_weights
from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl.ir.text import parse_shader
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

from .conftest import SIZE

VERTEX = """
attribute vec2 position;
uniform sampler2D heights;
varying vec4 height;
void main() { height = texture2DLod(heights, position * 0.5 + 0.5, 0.0); gl_Position = vec4(position * 0.8, 0.0, 1.0); }
"""


def constants(activity: Activity, draw: int, stage: str, count: int) -> np.ndarray:
    """Constants of a stage as they stand at a draw: what was uploaded up to it for its program."""
    rows = activity.table("draws").to_pylist()
    program = rows[draw]["program"]
    values = np.zeros((count, 4), np.float32)
    for row in rows[: draw + 1]:
        for upload in row["uploads"] if row["program"] == program else ():
            if upload["stage"] == stage:
                data = np.frombuffer(upload["data"], "<f4").reshape(-1, 4)
                start = upload["offset_bytes"] // 16
                values[start : start + len(data)] = data
    return values


def test_colors_follow_from_recorded_programs_and_geometry(visible: Activity) -> None:
    programs = {p["program"]: p for p in visible.table("programs").to_pylist()}
    draws = visible.frame("draws", 0).to_pylist()
    vertices = visible.frame("vertices", 0).to_pylist()
    primitives = visible.frame("primitives", 0).to_pylist()
    quads = visible.frame("quads", 0).to_pylist()
    clip = np.array([[v[f"clip_{c}"] for c in "xyzw"] for v in vertices])
    outputs = np.array([v["outputs"] for v in vertices], np.float32)
    corners = np.array([[p[f"vertex_{i}"] for i in range(3)] for p in primitives], np.int32)
    window = np.zeros((len(vertices), 4), np.float32)
    window[:, :2] = (clip[:, :2] / clip[:, 3:] + 1) * SIZE / 2
    window[:, 3] = 1 / clip[:, 3]
    backend, compared = NumpyBackend(), 0
    for draw in draws:
        shader = parse_shader(programs[draw["program"]]["fragment_ir"])
        mine = [q for q in quads if primitives[q["primitive"]]["draw"] == draw["draw"] and q["colors"]]
        if shader.samplers or not mine:
            continue
        kinds = {"primitive": np.int32, "x": np.uint16, "y": np.uint16}
        columns = [np.array([q[c] for q in mine], kind) for c, kind in kinds.items()]
        first, second = np.zeros((2, 4 * len(mine)), np.float32)
        lane_weights(*columns, corners, window, first, second)
        inputs = np.zeros((len(shader.inputs), 4, 4 * len(mine)), np.float32)
        components = np.concatenate([np.arange(4) + 4 * d.slot for d in shader.inputs])
        interpolate(columns[0], corners, outputs, first, second, components, inputs.reshape(-1, 4 * len(mine)))
        uniforms = constants(visible, draw["draw"], "fragment", shader.constant_count)
        done = backend.run(shader, inputs, uniforms, lambda request: None)
        recorded = np.array([q["colors"] for q in mine]).reshape(-1, 4).T
        np.testing.assert_allclose(done.outputs[0], recorded, atol=2e-5)
        compared += 1
    assert compared >= 5


def test_instructions_are_those_of_the_text(visible: Activity) -> None:
    instructions = visible.table("instructions").to_pylist()
    for program in visible.table("programs").to_pylist():
        for stage in ("vertex", "fragment"):
            shader = parse_shader(program[f"{stage}_ir"])
            mine = [i for i in instructions if (i["program"], i["stage"]) == (program["program"], stage)]
            assert [i["opcode"] for i in mine] == [i.opcode for i in shader.instructions]
            for kind in ("alu", "sfu", "tex", "flow"):
                assert program[f"{stage}_{kind}"] == sum(i["class"] == kind for i in mine)
            assert any(i["in_position_slice"] for i in mine) == (stage == "vertex")
            # Vertex shaders are highp by default: only constants, which have no precision, are copied as halves.
            halves = [{s["file"] for s in i["sources"]} for i in mine if i["half"]]
            assert stage == "fragment" or all(files == {"IMM"} for files in halves)


def test_paths_lead_through_blocks(visible: Activity) -> None:
    blocks = {(i["program"], i["stage"], i["block"]) for i in visible.table("instructions").to_pylist()}
    paths = visible.table("paths").to_pylist()
    assert len({(p["program"], p["stage"]) for p in paths}) == 6
    for path in paths:
        assert path["runs"]
        assert all(
            (path["program"], path["stage"], run["first_pc"]) in blocks and run["repetitions"] > 0
            for run in path["runs"]
        )


def test_surfaces_and_buffers_are_those_that_draws_name(visible: Activity) -> None:
    surfaces = {s["surface"]: s for s in visible.table("surfaces").to_pylist()}
    buffers = {b["buffer"]: b for b in visible.table("buffers").to_pylist()}
    for draw in visible.table("draws").to_pylist():
        for attribute in draw["attributes"]:
            size = buffers[attribute["buffer"]]["size_bytes"]
            last = draw["first"] + draw["count"] - 1 if draw["index_stream"] is None else max(draw["index_stream"])
            assert attribute["offset_bytes"] + last * attribute["stride_bytes"] + 4 * attribute["components"] <= size
        for binding in draw["bindings"]:
            surface = surfaces[binding["surface"]]
            assert (surface["kind"], surface["format"]) == ("texture_2d", "RGBA8")
            assert surface["levels"] == [{"width": 16, "height": 16, "depth": 1}]
    assert {s["kind"] for s in surfaces.values()} == {"texture_2d", "default_color", "default_depth_stencil"}


def test_pass_images_show_the_attachment(visible: Activity, images: list[np.ndarray]) -> None:
    from PIL import Image

    for frame, expected in enumerate(images):
        (only,) = visible.frame("passes", frame).to_pylist()
        np.testing.assert_array_equal(np.asarray(Image.open(visible.folder / only["image"])), expected)


@pytest.fixture
def displaced(tmp_path: Path) -> tuple[Activity, np.ndarray]:
    """A grid whose vertices read a texture, and the texture."""
    texels = np.random.default_rng(8).integers(0, 256, (8, 8, 4), np.uint8)
    with Recorder(tmp_path / "grid.trace", SIZE, SIZE) as r:
        fragment = "precision highp float; varying vec4 height; void main() { gl_FragColor = height; }"
        r.glUseProgram(r.program(VERTEX, fragment, ("position",)))
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
        places = np.array([(x / 4 - 0.9, y / 4 - 0.9) for y in range(7) for x in range(7)], np.float32)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, places)
        r.glDrawArrays(gl.TRIANGLES, 0, 48)
        r.swap()
    record(tmp_path / "grid.trace", tmp_path / "activity")
    return Activity(tmp_path / "activity"), texels


def test_vertex_outputs_follow_from_vertex_texture_reads(displaced: tuple[Activity, np.ndarray]) -> None:
    activity, texels = displaced
    vertices = activity.table("vertices").to_pylist()
    reads = activity.table("vertex_texture_reads").to_pylist()
    assert [r["vertex"] for r in reads] == list(range(48))
    for read in reads:
        assert (read["linear"], read["level"], read["layer"]) == (False, 0, 0)
        np.testing.assert_allclose(
            np.array(vertices[read["vertex"]]["outputs"]) * 255, texels[read["y"], read["x"]], atol=1e-3
        )


UNIFORMS = """#version 300 es
uniform mat4 world;
uniform vec3 offsets[2];
uniform sampler2D heights;
layout(std140) uniform Wind { float strength; layout(row_major) mat3x2 turn; vec4 gusts[3]; } wind;
in vec4 position;
void main() {
    vec4 gust = wind.gusts[1] * wind.strength + vec4(wind.turn * position.xyz, 0.0, 0.0);
    gl_Position = world * position + vec4(offsets[1] + texture(heights, gust.xy).xyz, 0.0);
}
"""
PLAIN = """#version 300 es
precision highp float;
uniform vec4 tint;
out vec4 color;
void main() { color = tint; }
"""
MATRIX_4, VECTOR_3, VECTOR_4, FLOAT, MATRIX_3X2 = "0x8b5c", "0x8b51", "0x8b52", "0x1406", "0x8b67"


def test_uniforms_are_found_in_what_was_uploaded(tmp_path: Path) -> None:
    world = np.arange(16, dtype=np.float32).reshape(4, 4)
    block = np.arange(100, 100 + 24, dtype=np.float32)
    with Recorder(tmp_path / "scene.trace", SIZE, SIZE, 3) as r:
        program = r.program(UNIFORMS, PLAIN, ("position",))
        r.glUseProgram(program)
        r.glUniformMatrix4fv(r.glGetUniformLocation(program, "world"), 1, False, world)
        r.glUniform3fv(r.glGetUniformLocation(program, "offsets"), 2, np.array([1, 2, 3, 4, 5, 6], np.float32))
        r.glUniform4f(r.glGetUniformLocation(program, "tint"), 0.1, 0.2, 0.3, 1.0)
        name = r.glGenBuffers(1)[0]
        r.glBindBuffer(gl.UNIFORM_BUFFER, name)
        r.glBufferData(gl.UNIFORM_BUFFER, block.nbytes, block.tobytes(), 0x88E4)
        r.glBindBufferBase(gl.UNIFORM_BUFFER, 0, name)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 16, np.zeros((3, 4), np.float32).tobytes())
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()
    record(tmp_path / "scene.trace", tmp_path / "activity")
    activity = Activity(tmp_path / "activity")
    uniforms = {u["name"]: u for u in activity.table("programs")["uniforms"][0].as_py()}
    kinds = {name: (u["stage"], u["block"], u["type"], u["array_size"]) for name, u in uniforms.items()}
    assert kinds == {
        "world": ("vertex", "", MATRIX_4, 0),
        "offsets": ("vertex", "", VECTOR_3, 2),
        "Wind.strength": ("vertex", "Wind", FLOAT, 0),
        "Wind.turn": ("vertex", "Wind", MATRIX_3X2, 0),
        "Wind.gusts": ("vertex", "Wind", VECTOR_4, 3),
        "tint": ("fragment", "", VECTOR_4, 0),
    }
    vertex = constants(activity, 0, "vertex", 64).reshape(-1)
    place = {name: u["offset_bytes"] // 4 for name, u in uniforms.items()}
    assert (vertex[place["world"] :][:16].reshape(4, 4) == world).all()
    second = place["offsets"] + uniforms["offsets"]["array_stride_bytes"] // 4
    assert vertex[second : second + 3].tolist() == [4, 5, 6]
    # std140: the float takes the first 16 bytes, each of two rows of the matrix 16 bytes, then the array of vec4.
    assert vertex[place["Wind.strength"]] == 100
    turn = uniforms["Wind.turn"]
    assert turn["row_major"] and turn["matrix_stride_bytes"] == 16
    assert vertex[place["Wind.turn"] :][:3].tolist() == [104, 105, 106]
    assert vertex[place["Wind.gusts"] :][:4].tolist() == [112, 113, 114, 115]
