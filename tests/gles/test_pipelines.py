"""Program pipelines: pictures, answers and errors are Mesa's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .mesa import SIZE
from .session import Session

VERTEX_BIT, FRAGMENT_BIT, COMPUTE_BIT = 0x1, 0x2, 0x20
HEAD = "#version 310 es\nprecision highp float; precision highp int;\n"
VERTEX = f"""{HEAD}layout(location = 0) in vec2 corner; uniform vec2 shift; uniform float scale;
    layout(location = 1) out vec4 passed; out vec2 beside; flat out ivec2 whole;
    void main() {{
        passed = vec4(corner * 0.5 + 0.5, scale, 1.0); beside = corner * scale; whole = ivec2(corner * 3.0);
        gl_Position = vec4(corner * 0.8731 * scale + shift, 0.0, 1.0);
    }}"""
FIRST = f"""{HEAD}layout(location = 1) in vec4 other; in vec2 beside; flat in ivec2 whole; uniform vec4 scale;
    out vec4 color; void main() {{ color = other * scale + 0.0 * vec4(whole, beside); }}"""
SECOND = f"""{HEAD}layout(location = 1) in vec4 passed; in vec2 beside; flat in ivec2 whole;
    layout(std140, binding = 2) uniform B {{ vec4 tint; }}; uniform sampler2D s; out vec4 color;
    void main() {{ color = tint + vec4(beside, 0.0, 0.0) + texture(s, vec2(0.5)); }}"""
COMPUTE = f"""{HEAD}layout(local_size_x = 1) in; uniform uint n; buffer B {{ uint b; }}; void main() {{ b = n; }}"""
KINDS = {gl.VERTEX_SHADER: VERTEX, gl.FRAGMENT_SHADER: FIRST, gl.COMPUTE_SHADER: COMPUTE}


def separate(s: Session, kind: int, source: str) -> int:
    """A separable program of one stage."""
    program: int = s.glCreateShaderProgramv(kind, 1, [source])
    agree(s, "glGetProgramiv", program, gl.LINK_STATUS, expected=1)
    return program


def agree(s: Session, name: str, *arguments: Any, expected: Any = None) -> Any:
    """The answer that both give, with the same error."""
    assert s.mesa is not None
    ours, error = s.answer(name, *arguments), s.error()
    theirs = s.mesa.get(name, *arguments)
    assert error == s.mesa.error(), (name, arguments)
    if not error:
        assert [ours] == theirs, (name, arguments)
        assert expected in (None, ours)
    return ours


def picture(s: Session) -> None:
    """Both drew the same."""
    assert s.mesa is not None
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    s.mesa.call("glReadPixels", 0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    ours = s.answer("glReadPixels", 0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, None)
    assert s.error() == s.mesa.error()
    found = np.frombuffer(ours, np.uint8).reshape(pixels.shape).astype(int)
    assert np.abs(found - pixels).max() <= 1
    assert pixels[..., :3].any()


def corners(s: Session) -> None:
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    data = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], np.float32)
    s.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, gl.STATIC_DRAW)
    s.glEnableVertexAttribArray(0)
    s.glVertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)


def test_pictures(both_31: Session) -> None:
    """Fragment shaders are exchanged, uniforms of the same name belong to each program, and units and blocks follow."""
    s = both_31
    corners(s)
    vertex, first, second = (
        separate(s, kind, source)
        for kind, source in (
            (gl.VERTEX_SHADER, VERTEX),
            (gl.FRAGMENT_SHADER, FIRST),
            (gl.FRAGMENT_SHADER, SECOND),
        )
    )
    (pipeline,) = s.glGenProgramPipelines(1)
    s.glUseProgramStages(pipeline, VERTEX_BIT, vertex)
    s.glUseProgramStages(pipeline, FRAGMENT_BIT, first)
    s.glBindProgramPipeline(pipeline)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glActiveShaderProgram(pipeline, vertex)
    s.glUniform1f(s.glGetUniformLocation(vertex, "scale"), 0.75)
    s.glProgramUniform4f(first, s.glGetUniformLocation(first, "scale"), 1.0, 0.5, 0.25, 1.0)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)
    s.glUniform2f(s.glGetUniformLocation(vertex, "shift"), 0.25, -0.125)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)
    s.glBindBuffer(gl.UNIFORM_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.UNIFORM_BUFFER, 16, np.array([0.25, 0.5, 0.125, 1], np.float32), gl.STATIC_DRAW)
    s.glBindBufferBase(gl.UNIFORM_BUFFER, 2, s.answer("glGetIntegerv", gl.UNIFORM_BUFFER_BINDING))
    s.glActiveTexture(gl.TEXTURE0 + 3)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 1, 1)
    texel = np.array([20, 0, 90, 255], np.uint8)
    s.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, texel)
    s.glProgramUniform1i(second, s.glGetUniformLocation(second, "s"), 3)
    s.glUseProgramStages(pipeline, FRAGMENT_BIT, second)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)
    s.glBufferData(gl.UNIFORM_BUFFER, 16, np.array([0.5, 0, 0.25, 1], np.float32), gl.STATIC_DRAW)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)
    s.glDeleteProgram(second)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)
    agree(s, "glGetProgramPipelineiv", pipeline, gl.FRAGMENT_SHADER, expected=second)
    # A program in use goes before the pipeline.
    s.glUseProgram(s.program(VERTEX, FIRST))
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)


PAIRS = {
    "alike": ("out vec2 a; layout(location = 3) out vec4 b;", "in vec2 a; layout(location = 3) in vec4 c;"),
    "one is missing": ("out vec2 a;", "in vec2 a; in vec4 b;"),
    "one is too many": ("out vec2 a; out vec4 b;", "in vec2 a;"),
    "types": ("out vec2 a;", "in vec3 a;"),
    "precisions": ("out mediump vec2 a;", "in highp vec2 a;"),
    "flat in one": ("flat out vec2 a;", "in vec2 a;"),
    "names": ("out vec2 a;", "in vec2 b;"),
    "location in one": ("layout(location = 0) out vec2 a;", "in vec2 a;"),
    "arrays": ("out vec2 a[2];", "in vec2 a[3];"),
    "other order": ("out vec2 a; out vec3 b;", "in vec3 b; in vec2 a;"),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_interfaces(both_31: Session, pair: str) -> None:
    """Programs whose interfaces do not match exactly cannot draw together."""
    s = both_31
    outputs, inputs = PAIRS[pair]

    def used(declared: str) -> list[tuple[str, str]]:
        """Type and name of what is declared, or of its first element."""
        words = [part.replace("[2]", "[0]").replace("[3]", "[0]").split() for part in declared.split(";") if part]
        return [(word[-2], word[-1]) for word in words]

    written = "".join(f"{name} = {kind}(1); " for kind, name in used(outputs))
    read = " + ".join(f"{name}.x" for _, name in used(inputs))
    vertex = separate(s, gl.VERTEX_SHADER, f"{HEAD}{outputs} void main() {{ {written} gl_Position = vec4(0); }}")
    source = f"{HEAD}{inputs} out vec4 color; void main() {{ color = vec4({read}); }}"
    fragment = separate(s, gl.FRAGMENT_SHADER, source)
    (pipeline,) = s.glGenProgramPipelines(1)
    s.glUseProgramStages(pipeline, VERTEX_BIT, vertex)
    s.glUseProgramStages(pipeline, FRAGMENT_BIT, fragment)
    s.glBindProgramPipeline(pipeline)
    s.glDrawArrays(gl.POINTS, 0, 1)
    assert s.mesa is not None
    assert s.error() == s.mesa.error()
    s.glValidateProgramPipeline(pipeline)
    agree(s, "glGetProgramPipelineiv", pipeline, gl.VALIDATE_STATUS)


def test_a_vertex_shader_draws_alone(both_31: Session) -> None:
    s = both_31
    corners(s)
    vertex = separate(s, gl.VERTEX_SHADER, VERTEX)
    (pipeline,) = s.glGenProgramPipelines(1)
    s.glUseProgramStages(pipeline, VERTEX_BIT, vertex)
    s.glBindProgramPipeline(pipeline)
    s.glProgramUniform1f(vertex, s.glGetUniformLocation(vertex, "scale"), 0.7)
    s.glValidateProgramPipeline(pipeline)
    agree(s, "glGetProgramPipelineiv", pipeline, gl.VALIDATE_STATUS, expected=1)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    picture(s)


def test_a_fragment_shader_alone_draws_nothing(both_31: Session) -> None:
    s = both_31
    (pipeline,) = s.glGenProgramPipelines(1)
    s.glUseProgramStages(pipeline, FRAGMENT_BIT, separate(s, gl.FRAGMENT_SHADER, SECOND))
    s.glBindProgramPipeline(pipeline)
    s.glValidateProgramPipeline(pipeline)
    agree(s, "glGetProgramPipelineiv", pipeline, gl.VALIDATE_STATUS)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    assert s.mesa is not None
    assert s.error() == s.mesa.error() == 0


def test_names_and_queries(both_31: Session) -> None:
    s = both_31
    one, other = s.glGenProgramPipelines(2)
    assert s.mesa is not None
    for name in (0, one, other, 999):
        assert bool(s.answer("glIsProgramPipeline", name)) == bool(s.mesa.call("glIsProgramPipeline", name) & 255)
    s.glBindProgramPipeline(one)
    programs = {kind: separate(s, kind, source) for kind, source in KINDS.items()}
    for kind, bit in zip(KINDS, (VERTEX_BIT, FRAGMENT_BIT, COMPUTE_BIT), strict=True):
        s.glUseProgramStages(one, bit, programs[kind])
    s.glActiveShaderProgram(one, programs[gl.VERTEX_SHADER])
    s.glUseProgramStages(other, 0xFFFFFFFF, programs[gl.COMPUTE_SHADER])
    for name in (one, other):
        assert bool(s.answer("glIsProgramPipeline", name)) == bool(s.mesa.call("glIsProgramPipeline", name) & 255)
        for parameter in (*KINDS, gl.ACTIVE_PROGRAM, gl.VALIDATE_STATUS, gl.INFO_LOG_LENGTH, 0x1234):
            agree(s, "glGetProgramPipelineiv", name, parameter)
    agree(s, "glGetIntegerv", gl.PROGRAM_PIPELINE_BINDING, expected=one)
    for program in programs.values():
        for parameter in (gl.PROGRAM_SEPARABLE, 0x8B85, gl.DELETE_STATUS, gl.ACTIVE_UNIFORMS):
            agree(s, "glGetProgramiv", program, parameter)
    s.glDeleteProgramPipelines(1, [one])
    agree(s, "glGetIntegerv", gl.PROGRAM_PIPELINE_BINDING, expected=0)
    agree(s, "glGetProgramPipelineiv", one, gl.ACTIVE_PROGRAM)


ERRORS: list[tuple[str, Any]] = [
    ("glBindProgramPipeline", (999,)),
    ("glUseProgramStages", (999, 1, "program")),
    ("glUseProgramStages", ("pipeline", 1, 999)),
    ("glUseProgramStages", ("pipeline", 1, "shader")),
    ("glUseProgramStages", ("pipeline", 0x40000000, "program")),
    ("glUseProgramStages", ("pipeline", 1, "whole")),
    ("glUseProgramStages", ("pipeline", 1, "empty")),
    ("glUseProgramStages", ("pipeline", 2, "program")),
    ("glUseProgramStages", ("pipeline", 1, 0)),
    ("glActiveShaderProgram", (999, "program")),
    ("glActiveShaderProgram", ("pipeline", 999)),
    ("glActiveShaderProgram", ("pipeline", "shader")),
    ("glActiveShaderProgram", ("pipeline", "empty")),
    ("glActiveShaderProgram", ("pipeline", 0)),
    ("glValidateProgramPipeline", (999,)),
    ("glValidateProgramPipeline", ("pipeline",)),
    ("glDeleteProgramPipelines", (-1, [1])),
    ("glDeleteProgramPipelines", (1, [999])),
    ("glCreateShaderProgramv", (0x1234, 1, [VERTEX])),
    ("glCreateShaderProgramv", (gl.VERTEX_SHADER, -1, [VERTEX])),
    ("glProgramParameteri", ("program", gl.PROGRAM_SEPARABLE, 2)),
    ("glProgramParameteri", (999, gl.PROGRAM_SEPARABLE, 1)),
    ("glProgramParameteri", ("program", 0x1234, 1)),
    ("glUniform1f", (0, 1.0)),
]


@pytest.mark.parametrize(("name", "arguments"), ERRORS)
def test_errors(both_31: Session, name: str, arguments: tuple[Any, ...]) -> None:
    s = both_31
    assert s.mesa is not None
    (pipeline,) = s.glGenProgramPipelines(1)
    s.glBindProgramPipeline(pipeline)
    known = {
        "pipeline": pipeline,
        "program": separate(s, gl.VERTEX_SHADER, VERTEX),
        "shader": s.glCreateShader(gl.VERTEX_SHADER),
        "whole": s.program(VERTEX, FIRST),
        "empty": s.glCreateProgram(),
    }
    assert s.error() == s.mesa.error() == 0
    s.call(name, *[known.get(a, a) if isinstance(a, str) else a for a in arguments])
    assert s.error() == s.mesa.error()


def test_a_program_that_does_not_compile(both_31: Session) -> None:
    s = both_31
    program = s.glCreateShaderProgramv(gl.VERTEX_SHADER, 1, [f"{HEAD}void main() {{ wrong(); }}"])
    agree(s, "glGetProgramiv", program, gl.LINK_STATUS, expected=0)
    assert "wrong" in s.answer("glGetProgramInfoLog", program, 999, None, None)
