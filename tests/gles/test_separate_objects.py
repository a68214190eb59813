"""What EXT_separate_shader_objects brings to programs that are used whole, and queries that come with it."""

from __future__ import annotations

from typing import Any

import pytest

from .session import Session

TYPES = {
    **{f"{n}f": "float" if n == 1 else f"vec{n}" for n in (1, 2, 3, 4)},
    **{f"{n}i": "int" if n == 1 else f"ivec{n}" for n in (1, 2, 3, 4)},
    **{f"{n}ui": "uint" if n == 1 else f"uvec{n}" for n in (1, 2, 3, 4)},
    **{f"Matrix{n}f": f"mat{n}" for n in ("2", "3", "4", "2x3", "3x2", "2x4", "4x2", "3x4", "4x3")},
}
COUNTED = """#version 300 es
layout(location = 0) in vec4 position; uniform mat4 m[2]; uniform Block { vec4 b[3]; float c; }; out vec4 captured;
void main() { captured = b[1] * c; gl_Position = m[1] * position + float(gl_VertexID); }
"""
RESOURCES = {
    "GL_ATOMIC_COUNTER_BUFFER": 0x92C0,
    "GL_UNIFORM": 0x92E1,
    "GL_UNIFORM_BLOCK": 0x92E2,
    "GL_PROGRAM_INPUT": 0x92E3,
    "GL_PROGRAM_OUTPUT": 0x92E4,
    "GL_SHADER_STORAGE_BLOCK": 0x92E6,
    "GL_TRANSFORM_FEEDBACK_VARYING": 0x92F4,
}
VERTEX = "#version 300 es\nvoid main() { gl_Position = vec4(float(gl_VertexID), float(gl_InstanceID), 0.0, 1.0); }"
INVALID_OPERATION, INVALID_VALUE = 0x0502, 0x0501


def program(s: Session, type_: str) -> tuple[int, int]:
    """A program with a uniform of a type, and its location."""
    fragment = f"#version 300 es\nprecision highp float; precision highp int; uniform {type_} u[2]; out vec4 c;"
    whole = type_.startswith("mat")
    read = (
        "vec4(u[0][0][0] + u[1][0][0])"
        if whole
        else f"vec4(float(u[0]{'' if type_ in ('int', 'uint', 'float') else '.x'}))"
    )
    other = "" if whole else f" + float(u[1]{'' if type_ in ('int', 'uint', 'float') else '.x'})"
    name = s.program(VERTEX, f"{fragment} void main() {{ c = {read}{other}; }}")
    location = s.glGetUniformLocation(name, "u")
    return name, location


def components(form: str) -> int:
    sizes = form.removeprefix("Matrix").rstrip("fui").split("x")
    return int(sizes[0]) * (int(sizes[-1]) if form.startswith("Matrix") else 1)


@pytest.mark.parametrize("suffix", ["", "EXT"])
@pytest.mark.parametrize("form", TYPES)
def test_program_uniforms_set_what_uniforms_of_the_current_program_set(form: str, suffix: str) -> None:
    s = Session(3)
    (named, at), (current, beside) = program(s, TYPES[form]), program(s, TYPES[form])
    kind: Any = float if form.endswith("f") else int
    values = [kind(i + 1) for i in range(2 * components(form))]
    transpose = [False] if form.startswith("Matrix") else []
    s.glUseProgram(current)
    s.call(f"glProgramUniform{form}v{suffix}", named, at, 2, *transpose, values)
    before = answers(s, current, beside, form)
    assert not any(before)
    s.call(f"glUniform{form}v", beside, 2, *transpose, values)
    assert answers(s, named, at, form) == answers(s, current, beside, form) == values[: components(form)]
    if not transpose:
        scalars = values[components(form) :]
        s.call(f"glProgramUniform{form}{suffix}", named, at, *scalars)
        assert answers(s, named, at, form) == scalars


def answers(s: Session, name: int, location: int, form: str) -> list[float]:
    query = "glGetUniformfv" if form.endswith("f") else "glGetUniformuiv" if form.endswith("ui") else "glGetUniformiv"
    found = s.answer(query, name, location, None)
    return found if isinstance(found, list) else [found]


def test_errors_of_program_uniforms() -> None:
    s = Session(3)
    named, at = program(s, "vec4")
    s.glProgramUniform4fEXT(99, at, 1.0, 2.0, 3.0, 4.0)
    assert s.error() == INVALID_VALUE
    s.glProgramUniform4fEXT(s.glCreateProgram(), at, 1.0, 2.0, 3.0, 4.0)
    assert s.error() == INVALID_OPERATION
    s.glProgramUniform1iEXT(named, at, 1)
    assert s.error() == INVALID_OPERATION
    s.glProgramUniform4fEXT(named, -1, 1.0, 2.0, 3.0, 4.0)
    assert s.error() == 0


def test_time_can_be_asked_for() -> None:
    s = Session(3)
    assert s.answer("glGetInteger64v", 0x8E28, None) == 0
    assert s.error() == 0


def test_built_in_inputs_are_active_attributes() -> None:
    s = Session(3)
    name, _ = program(s, "float")
    assert s.answer("glGetProgramiv", name, 0x8B89, None) == 2
    assert s.answer("glGetProgramiv", name, 0x8B8A, None) == len("gl_InstanceID") + 1
    found = [s.answer("glGetActiveAttrib", name, i, 64, None, None, None, None) for i in range(2)]
    assert sorted(found) == [["gl_InstanceID", 0x1404, 1], ["gl_VertexID", 0x1404, 1]]
    assert s.answer("glGetAttribLocation", name, "gl_VertexID") == -1


@pytest.mark.parametrize("interface", RESOURCES)
def test_counts_of_resources_are_mesas(interface: str) -> None:
    """ANGLE asks how many atomic counters each program has: its drivers are above 3.0."""
    s = Session(3, mesa=True)
    assert s.mesa is not None
    fragment = "#version 300 es\nprecision highp float; uniform vec4 u; out vec4 c; void main() { c = u; }"
    name = s.program(COUNTED, fragment, names=["captured"])
    ours = s.answer("glGetProgramInterfaceiv", name, RESOURCES[interface], 0x92F5)
    assert [ours] == s.mesa.get("glGetProgramInterfaceiv", name, RESOURCES[interface], 0x92F5)
    s.mesa.close()


def test_no_reset_is_ever_noticed() -> None:
    s = Session(3)
    assert [s.answer(f"glGetGraphicsResetStatus{suffix}") for suffix in ("", "EXT", "KHR")] == [0, 0, 0]
