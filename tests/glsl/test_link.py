"""What linking reports: attributes, uniforms, varyings and their places."""

import pytest

from tilegpu.functional.glsl import LinkError, compile_shader, link_program

VERTEX = """
attribute vec3 position; attribute mat2 pair; attribute vec4 unused; attribute vec2 late;
struct Light { vec4 color; float reach; };
uniform Light lights[2]; uniform mat4 matrix; uniform vec3 table[3]; uniform int idle;
varying vec2 coordinate; varying vec4 dropped; varying vec3 both[2];
void main() {
    gl_Position = matrix * vec4(position, lights[1].reach) + vec4(pair[0], pair[1]);
    coordinate = late; dropped = vec4(1.0); both[0] = table[1]; both[1] = vec3(0.0);
}"""
FRAGMENT = """
precision highp float;
varying vec2 coordinate; varying vec3 both[2];
uniform sampler2D images[2]; uniform samplerCube sky; uniform mat4 matrix;
void main() {
    gl_FragColor = texture2D(images[1], coordinate) + textureCube(sky, both[0]) + vec4(both[1], 1.0) + matrix[2];
}"""


def _program(**locations: int):
    return link_program(compile_shader(VERTEX, "vertex"), compile_shader(FRAGMENT, "fragment"), locations)


def test_attributes_take_bound_locations_and_then_free_ones() -> None:
    locations = {a.name: a.location for a in _program(position=1, late=5, missing=7).attributes}
    assert locations["position"] == 1
    assert locations["late"] == 5
    assert set(locations) == {"position", "pair", "late"}
    assert not {locations["pair"], locations["pair"] + 1} & {1, 5}


def test_attribute_beyond_the_last_location() -> None:
    with pytest.raises(LinkError, match="pair"):
        _program(pair=15)


def test_matrix_attribute_has_an_input_per_column() -> None:
    program = _program(pair=3)
    slots = [d.slot for d in program.vertex.inputs if d.name == "pair"]
    assert slots == [3, 4]


def test_uniforms_have_gl_names_types_and_slots() -> None:
    uniforms = {u.name: u for u in _program().uniforms}
    assert "idle" not in uniforms
    assert uniforms["matrix"].gl_type == 0x8B5C
    assert uniforms["matrix"].slots.keys() == {"vertex", "fragment"}
    first, second = uniforms["lights[0].color"], uniforms["lights[1].color"]
    assert second.slots["vertex"] == first.slots["vertex"] + 2
    assert (uniforms["table"].array_size, uniforms["table"].declared_size) == (2, 3)
    assert uniforms["images"].sampler
    assert uniforms["images"].array_size == 2
    samplers = {s.name: s.target for s in _program().fragment.samplers}
    assert samplers == {"images[1]": "2d", "sky": "cube"}


def test_varyings_nobody_reads_are_dropped() -> None:
    program = _program()
    assert [(v.name, v.slot, v.components) for v in program.varyings] == [("coordinate", 0, 2), ("both", 1, 3)]
    assert {d.name for d in program.vertex.outputs} == {"gl_Position", "coordinate", "both"}
    outputs = sorted(d.slot for d in program.vertex.outputs if d.semantic == "varying")
    assert outputs == sorted(d.slot for d in program.fragment.inputs) == [0, 1, 2]
