"""Calls with arguments that no program can have passed: reported, without effect, and never taken for a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilegpu.functional.capture import Call, Pointer, TraceWriter
from tilegpu.functional.capture.signatures import SIGNATURES
from tilegpu.functional.gles.argument_types import types_of
from tilegpu.functional.gles.entry_points import ENTRY_POINTS
from tilegpu.functional.inspection import inspect_stream
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl

from .session import Session

NAN, INF = float("nan"), float("inf")
LETTERS = dict(
    GLint="i", GLsizei="i", GLfixed="i", GLclampx="i", GLuint="u", GLenum="u", GLbitfield="u", GLboolean="b",
    GLubyte="b", GLbyte="c", GLshort="s", GLushort="h", GLintptr="l", GLsizeiptr="l", GLint64="l", GLuint64="L",
)  # fmt: skip
"""Letters of `types_of` by type in C."""
VERTEX = "void main() { gl_Position = vec4(0.0); }"
CALLS: list[tuple[str, list[Any], str]] = [
    ("glViewport", [0, 0, 8], "3 arguments where 4 are expected"),
    ("glFlush", [1], "1 arguments where 0 are expected"),
    ("glClear", [], "0 arguments where 1 are expected"),
    ("glBufferData", [gl.ARRAY_BUFFER, 4, 1.5, 0x88E4], "1.5 where data are expected"),
    ("glBufferSubData", [gl.ARRAY_BUFFER, 0, 4, None], "None where data are expected"),
    ("glShaderSource", [1, 1, [b"x"], None], "b'x' where a name is expected"),
    ("glCreateShader", [], "expected at least 1"),
    ("glGetAttribLocation", [[1], "p"], "[1] where an integer is expected"),
    ("glGetUniformLocation", [1], "expected at least 2"),
    ("glUniform2f", [0, 1.0], "2 arguments where 3 are expected"),
    ("glUniform4fv", [0, 1, [1.0, "x", 1.0, 1.0]], "'x' where a number is expected"),
    ("glUniform4fv", [0, 1, [1.0, 2.0, 3.0]], "3 numbers"),
    ("glUniform1i", [[0], 1], "[0] where an integer is expected"),
    ("glVertexAttrib4fv", [0, [0.0] * 5], "5 numbers"),
    ("glVertexAttribI4i", [0, 1, 2], "2 numbers"),
    ("glVertexAttribPointer", [0, 4, gl.FLOAT, 0, 0, "here"], "'here' where an integer is expected"),
    ("glTexParameterf", [gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, INF], "inf where an integer is expected"),
    ("glClearBufferfv", [gl.COLOR, 0, [1.0]], "1 numbers where 4 are expected"),
    ("glDrawBuffers", [1, []], "the window has one draw buffer"),
    ("glReadPixels", [0, 0, 1, 1], "expected at least 5"),
    ("glFenceSync", ["now", 0], "'now' where an integer is expected"),
    ("glIsSync", [[7]], "[7] where an integer is expected"),
    ("glLightf", [0x4000, 0x1205], "2 arguments where 3 are expected"),
    ("glLightf", [[0x4000], 0x1205, 1.0], "where an integer is expected"),
    ("glFogfv", [0x0B66, []], "numbers are missing"),
    ("glFogi", [0x0B65, NAN], "nan where an integer is expected"),
    ("glOrthof", [0.0, 1.0], "2 arguments where 6 are expected"),
    ("glColor4x", [1, 2, 3], "3 arguments where 4 are expected"),
    ("glDrawTexfvOES", [[1.0, 2.0]], "2 numbers"),
    ("eglCreateContext", [1, 1, [2], [egl.NONE]], "[2] where an integer is expected"),
    ("eglMakeCurrent", [1, 77, 77, "context"], "'context' where an integer is expected"),
    ("eglDestroySurface", [], "eglDestroySurface has no argument surface"),
    ("glScissor", [0, 0, 1 << 31, 8], "2147483648 where an integer of -2147483648 to 2147483647 is expected"),
    ("glViewport", [-(1 << 31) - 1, 0, 8, 8], "where an integer of"),
    ("glStencilMask", [1 << 32], "where an integer of"),
    ("glStencilFunc", [gl.ALWAYS, 1 << 31, 0xFFFFFFFF], "where an integer of"),
    ("glVertexAttribDivisor", [0, 1 << 32], "where an integer of"),
    ("glUniform1iv", [0, 1, [1 << 32]], "where an integer of"),
    ("glClearBufferiv", [gl.COLOR, 0, [1 << 31, 0, 0, 0]], "where an integer of"),
    ("glTexParameteri", [gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, 1 << 32], "where an integer of"),
    ("glReadPixels", [0, 0, 1 << 32, 1, gl.RGBA, gl.UNSIGNED_BYTE, None], "where an integer of"),
    ("glBufferSubData", [gl.ARRAY_BUFFER, 1 << 63, 4, bytes(4)], "where an integer of"),
    ("glBindVertexBuffer", [0, 1, -(1 << 63) - 1, 4], "where an integer of"),
]


OF_ES_1 = frozenset({"glLightf", "glFogfv", "glFogi", "glOrthof", "glColor4x", "glDrawTexfvOES"})


@pytest.mark.parametrize(("name", "arguments", "message"), CALLS)
def test_a_damaged_call_goes_to_the_report(name: str, arguments: list[Any], message: str) -> None:
    session = Session(1 if name in OF_ES_1 else 3)
    session.glUseProgram(_program(session))
    session.glBindBuffer(gl.ARRAY_BUFFER, session.glGenBuffers(1)[0])
    session.glBufferData(gl.ARRAY_BUFFER, 4, bytes(4), 0x88E4)
    assert not session.display.report.errors
    session.execute(name, arguments, 7 if name.startswith("egl") else None)
    (line,) = session.display.report.lines()
    assert name in line
    assert message in line


def _program(session: Session) -> int:
    program = session.glCreateProgram()
    stages = {gl.VERTEX_SHADER: VERTEX, gl.FRAGMENT_SHADER: "void main() { gl_FragColor = vec4(1.0); }"}
    for stage, source in stages.items():
        shader = session.glCreateShader(stage)
        session.glShaderSource(shader, 1, [source], None)
        session.glCompileShader(shader)
        session.glAttachShader(program, shader)
    session.glLinkProgram(program)
    return int(program)


def test_what_the_types_of_arguments_hold_is_taken() -> None:
    session = Session()
    session.glBindBuffer(gl.ARRAY_BUFFER, session.glGenBuffers(1)[0])
    session.glScissor(-(1 << 31), -(1 << 31), (1 << 31) - 1, (1 << 31) - 1)
    session.glStencilMask(0xFFFFFFFF)
    session.glStencilMask(-1)
    session.glStencilFunc(gl.ALWAYS, -(1 << 31), 0xFFFFFFFF)
    session.glDepthMask(True)
    session.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, Pointer((1 << 64) - 1))
    session.glBindBufferRange(gl.UNIFORM_BUFFER, 0, 1, 0, (1 << 63) - 1)
    session.execute("eglMakeCurrent", [1, 77, 77, 100])
    assert not session.display.report.lines()


def test_types_are_those_of_the_registry() -> None:
    pytest.importorskip("glad", reason="needs the package glad2")
    from .test_registry import commands

    for name in ENTRY_POINTS.keys() & commands().keys():
        kinds = []
        for parameter in commands()[name].iterfind("param"):
            pointers = "".join(parameter.itertext()).count("*")
            kinds.append("." if pointers > 1 else LETTERS.get(parameter.findtext("ptype", ""), "."))
        assert types_of(name) == "".join(kinds).rstrip("."), name


@pytest.mark.parametrize("handle", [(1 << 64) - 1, 1 << 64, -1, 1.5, "x", [1]])
def test_any_handle_of_a_surface(handle: Any, tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "handle.trace") as writer:
        for name, arguments in (("eglMakeCurrent", [Pointer(1), handle, handle, Pointer(2)]), ("glFlush", [])):
            writer.write(Call(0, SIGNATURES[name], arguments))
    found = inspect_stream(tmp_path / "handle.trace")
    assert found.total_calls == 2 and found.frames == 0


def test_what_may_be_absent() -> None:
    session = Session()
    session.execute("glDeleteSync", [None])
    session.execute("glVertexAttribPointer", [0, 4, gl.FLOAT, 0, 0, Pointer(16)])
    session.execute("glClearColor", [NAN, 0.0, INF, 1.0])
    session.execute("glClearDepthf", [NAN])
    session.execute("glClear", [gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT])
    assert not session.display.report.lines()


def test_names_with_very_large_indices() -> None:
    session = Session()
    program = _program(session)
    for digits in ("9" * 9, "9" * 5000, "٣"):
        session.execute("glGetUniformLocation", [program, f"a[{digits}]"], 7)
        session.glTransformFeedbackVaryings(program, 1, [f"gl_Position[{digits}]"], 0x8C8C)
        session.glLinkProgram(program)
