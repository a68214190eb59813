"""Queries of storage blocks, their members, atomic counters and images: answers and errors are Mesa's."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from tilegpu.functional.gles.entry_points.resource_properties import PROGRAM_INPUT, PROGRAM_OUTPUT
from tilegpu.functional.opengl import enums as gl

from .session import Session

HEAD = "#version 310 es\nprecision highp float; precision highp int; layout(local_size_x = 2, local_size_y = 3) in;\n"
SOURCES = {
    "storage": """struct S { vec3 a; float b[3]; mat2x3 m; };
        layout(std430, binding = 2) buffer A { uint first; S s; vec4 rest[]; } a;
        layout(std140, binding = 5) readonly buffer B { mat3 m; uvec2 grid[2][3]; S last[]; };
        void main() { a.first = grid[1][2].x; a.rest[0].x = m[0][0] + last[0].a.x; }""",
    "arrays of blocks": """layout(std430, binding = 1) buffer A { int x; float y[]; } a[3];
        void main() { a[0].x = 1; a[2].y[4] = 3.0; }""",
    "counters": """layout(binding = 1, offset = 8) uniform atomic_uint one; buffer O { uint o; };
        layout(binding = 1) uniform atomic_uint more[3]; layout(binding = 0) uniform atomic_uint other; uniform uint l;
        void main() { o = atomicCounterIncrement(one) + atomicCounter(more[2]) + atomicCounterDecrement(other) +l; }""",
    "images": """layout(r32ui, binding = 3) uniform highp uimage2D one; layout(rgba8, binding = 1) writeonly uniform
        highp image2DArray two; layout(r32f, location = 4) readonly uniform highp image2D many[2]; uniform sampler2D s;
        void main() {
            imageStore(one, ivec2(0), imageLoad(one, ivec2(1)));
            vec4 sum = imageLoad(many[0], ivec2(1)) + imageLoad(many[1], ivec2(1));
            imageStore(two, ivec3(0), sum + textureLod(s, vec2(0), 0.0));
        }""",
    "uniform blocks": """layout(std140, binding = 1) uniform U { vec4 u; mat4 m; }; buffer O { vec4 o; };
        void main() { o = m * u; }""",
}
DRAWN = {
    "arrays of outputs": (
        "in vec4 a; in mat2 b; out vec4 v; out float unread[2]; void main() { v = a + b[0].xyxy * float(gl_VertexID);"
        " gl_Position = v; unread[0] = 1.0; unread[1] = 2.0; }",
        "in vec4 v; layout(location = 1) out highp ivec3 o[2]; layout(location = 0) out vec4 p; void main()"
        " { o[0] = ivec3(1); o[1] = ivec3(2); p = v; gl_FragDepth = 0.5; }",
    ),
    "a single output": ("void main() { gl_Position = vec4(0); }", "out uvec2 o; void main() { o = uvec2(1); }"),
}
LONE = {
    "vertex": "layout(location = 2) in vec3 a; layout(location = 3) out vec4 v[2]; out flat ivec2 w;"
    " void main() { v[0] = a.xyzz; v[1] = a.xxxx; w = ivec2(a.xy); gl_Position = v[0]; gl_PointSize = 2.0; }",
    "fragment": "layout(location = 3) in vec4 v[2]; in flat ivec2 w; out vec4 o;"
    " void main() { o = v[0] + v[1] * float(w.x) + gl_FragCoord; }",
}
INTERFACES = (gl.UNIFORM, gl.UNIFORM_BLOCK, gl.BUFFER_VARIABLE, gl.SHADER_STORAGE_BLOCK, gl.ATOMIC_COUNTER_BUFFER)
PARAMETERS = (gl.ACTIVE_RESOURCES, 0x92F6, 0x92F7)
PROPERTIES = (*range(0x92F9, 0x9305), 0x9306, 0x930A, 0x930B, 0x930C, 0x930D)


def linked(s: Session, source: str) -> int:
    """A compute program."""
    program, shader = s.glCreateProgram(), s.glCreateShader(gl.COMPUTE_SHADER)
    s.glShaderSource(shader, 1, [HEAD + source], None)
    s.glCompileShader(shader)
    s.glAttachShader(program, shader)
    s.glLinkProgram(program)
    assert s.answer("glGetProgramiv", program, gl.LINK_STATUS) == 1, s.answer("glGetProgramInfoLog", program, 999)
    return int(program)


def _name(s: Session, program: int, interface: int, index: int) -> str:
    assert s.mesa is not None
    buffer = ctypes.create_string_buffer(256)
    s.mesa.gles.glGetProgramResourceName(program, interface, index, 256, None, buffer)
    return buffer.value.decode()


def _property(s: Session, program: int, interface: int, index: int, name: int) -> list[int]:
    assert s.mesa is not None
    out, length = (ctypes.c_int * 64)(), ctypes.c_int(0)
    given = (ctypes.c_int * 1)(name)
    s.mesa.gles.glGetProgramResourceiv(program, interface, index, 1, given, 64, ctypes.byref(length), out)
    return list(out)[: length.value]


def _described(s: Session, program: int, interface: int, name_of: Any, property_of: Any, count: int) -> dict[str, Any]:
    """Properties of every resource by its name; numbers of others by their names."""
    named = interface != gl.ATOMIC_COUNTER_BUFFER
    found = {}
    for index in range(count):
        values = {p: property_of(program, interface, index, p) for p in PROPERTIES}
        block = {gl.UNIFORM: gl.UNIFORM_BLOCK, gl.BUFFER_VARIABLE: gl.SHADER_STORAGE_BLOCK}.get(interface)
        if block is not None and values[0x92FD] and values[0x92FD][0] >= 0:
            values[0x92FD] = name_of(program, block, values[0x92FD][0])
        if values.get(0x9305):
            members = gl.BUFFER_VARIABLE if interface == gl.SHADER_STORAGE_BLOCK else gl.UNIFORM
            values[0x9305] = sorted(name_of(program, members, i) for i in values[0x9305])
        found[name_of(program, interface, index) if named else str(index)] = values
    return found


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("source", SOURCES)
def test_resources(both_31: Session, source: str, interface: int) -> None:
    s = both_31
    assert s.mesa is not None
    program = linked(s, SOURCES[source])
    for parameter in PARAMETERS:
        ours, error = s.answer("glGetProgramInterfaceiv", program, interface, parameter), s.error()
        theirs = s.mesa.get("glGetProgramInterfaceiv", program, interface, parameter)
        assert error == s.mesa.error(), hex(parameter)
        assert error or [ours] == theirs, hex(parameter)
    count = s.answer("glGetProgramInterfaceiv", program, interface, gl.ACTIVE_RESOURCES)

    def ours_of(program: int, interface: int, index: int, name: int) -> Any:
        answer = s.answer("glGetProgramResourceiv", program, interface, index, 1, [name], 64, None, None)
        return answer if answer is not None else []

    own = _described(
        s, program, interface, lambda *a: s.answer("glGetProgramResourceName", *a, 256, None, None), ours_of, count
    )
    theirs_of = _described(s, program, interface, lambda *a: _name(s, *a), lambda *a: _property(s, *a), count)
    assert own == theirs_of
    for name in own if interface != gl.ATOMIC_COUNTER_BUFFER else ():
        index = s.mesa.call("glGetProgramResourceIndex", program, interface, name)
        assert _name(s, program, interface, index) == name


def test_programs(both_31: Session) -> None:
    s = both_31
    assert s.mesa is not None
    program = linked(s, SOURCES["counters"])
    size = gl.COMPUTE_WORK_GROUP_SIZE
    assert (
        s.answer("glGetProgramiv", program, size) == s.mesa.get("glGetProgramiv", program, size, count=3) == [2, 3, 1]
    )
    for name in (gl.ACTIVE_ATOMIC_COUNTER_BUFFERS, gl.PROGRAM_SEPARABLE, gl.ACTIVE_UNIFORMS):
        assert [s.answer("glGetProgramiv", program, name)] == s.mesa.get("glGetProgramiv", program, name)
    s.glProgramParameteri(program, gl.PROGRAM_SEPARABLE, 1)
    assert [s.answer("glGetProgramiv", program, gl.PROGRAM_SEPARABLE)] == s.mesa.get(
        "glGetProgramiv", program, gl.PROGRAM_SEPARABLE
    )
    other = s.glCreateProgram()
    assert s.answer("glGetProgramiv", other, size) is None
    s.mesa.get("glGetProgramiv", other, size)
    assert s.error() == s.mesa.error() == gl.INVALID_OPERATION


def _agree_on(s: Session, program: int, interface: int) -> None:
    assert s.mesa is not None
    count = s.answer("glGetProgramInterfaceiv", program, interface, gl.ACTIVE_RESOURCES)
    assert [count] == s.mesa.get("glGetProgramInterfaceiv", program, interface, gl.ACTIVE_RESOURCES)
    names = [s.answer("glGetProgramResourceName", program, interface, i, 256, None, None) for i in range(count)]
    assert sorted(names) == sorted(_name(s, program, interface, i) for i in range(count))
    for index, name in enumerate(names):
        theirs = s.mesa.call("glGetProgramResourceIndex", program, interface, name)
        for wanted in (0x92F9, 0x92FA, 0x92FB, 0x9306, 0x930A, 0x930B, 0x930E):
            ours = s.answer("glGetProgramResourceiv", program, interface, index, 1, [wanted], 9, None, None)
            assert ours == _property(s, program, interface, theirs, wanted), (name, hex(wanted))
        for asked in (name, name.removesuffix("[0]"), name.replace("[0]", "[1]")):
            s.execute("glGetProgramResourceLocation", [program, interface, asked], None)
            located = s.answers[0]
            found = s.mesa.call("glGetProgramResourceLocation", program, interface, asked)
            assert located == found or (located, found) == (-1, 0xFFFFFFFF)
    assert s.error() == s.mesa.error() == 0


@pytest.mark.parametrize("source", DRAWN)
def test_inputs_and_outputs(both_31: Session, source: str) -> None:
    s = both_31
    head = "#version 310 es\nprecision highp float; precision highp int;\n"
    program = s.program(head + DRAWN[source][0], head + DRAWN[source][1])
    _agree_on(s, program, PROGRAM_INPUT)
    _agree_on(s, program, PROGRAM_OUTPUT)


@pytest.mark.parametrize("stage", LONE)
def test_inputs_and_outputs_of_a_lone_stage(both_31: Session, stage: str) -> None:
    s = both_31
    kind = gl.VERTEX_SHADER if stage == "vertex" else gl.FRAGMENT_SHADER
    head = "#version 310 es\nprecision highp float; precision highp int;\n"
    program, shader = s.glCreateProgram(), s.glCreateShader(kind)
    s.glShaderSource(shader, 1, [head + LONE[stage]], None)
    s.glCompileShader(shader)
    s.glAttachShader(program, shader)
    s.glProgramParameteri(program, gl.PROGRAM_SEPARABLE, 1)
    s.glLinkProgram(program)
    assert s.answer("glGetProgramiv", program, gl.LINK_STATUS) == 1, s.answer("glGetProgramInfoLog", program, 999)
    _agree_on(s, program, PROGRAM_INPUT)
    _agree_on(s, program, PROGRAM_OUTPUT)
