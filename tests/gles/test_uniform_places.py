"""Uniforms that go straight to their place hold what the first, careful way of setting them gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .session import Session

VERTEX = """
attribute vec4 position;
uniform mat3 turn; uniform vec3 rows[3]; uniform ivec2 whole; uniform bool flag; uniform float many[4];
void main() {
    gl_Position = vec4(turn * position.xyz + rows[0] + rows[1] + rows[2], many[0] + many[1] + many[2] + many[3]);
    gl_Position.xy += vec2(whole);
    if (flag) gl_Position.x = 0.0;
}
"""
FRAGMENT = "precision highp float; uniform vec3 rows[3]; void main() { gl_FragColor = vec4(rows[2], 1.0); }"
CALLS: list[tuple[str, str, list[Any]]] = [
    ("turn", "glUniformMatrix3fv", [1, False, [float(i) for i in range(9)]]),
    ("turn", "glUniformMatrix3fv", [1, True, [float(i) for i in range(9)]]),
    ("rows", "glUniform3fv", [3, [float(-i) for i in range(9)]]),
    ("rows", "glUniform3fv", [2, [0.5] * 6]),
    ("rows", "glUniform3fv", [5, [0.25] * 15]),
    ("whole", "glUniform2i", [-3, 1 << 30]),
    ("whole", "glUniform2iv", [1, [0xFFFFFFFF, 5]]),
    ("flag", "glUniform1i", [7]),
    ("flag", "glUniform1f", [0.0]),
    ("many", "glUniform1fv", [4, [1e300, float("nan"), -0.0, 1.5]]),
    ("many", "glUniform1f", [1e300]),
    ("many", "glUniform1f", [2.5]),
]


@pytest.mark.filterwarnings("ignore:overflow")
def test_repeated_values_are_those_set_first(session_with_program: tuple[Session, Any]) -> None:
    session, program = session_with_program
    locations = {name: i for i, name in enumerate(("turn", "rows", "whole", "flag", "many"))}
    for name, location in locations.items():
        program.place(name, 10 * location)
    for name, function, arguments in CALLS:
        found = []
        for _ in range(3):
            program.constants.vertex[:] = program.constants.fragment[:] = 9.0
            session.execute(function, [10 * locations[name], *arguments])
            found.append((program.constants.vertex.tobytes(), program.constants.fragment.tobytes()))
        assert found[0] == found[1] == found[2], (function, arguments)
        assert found[0][0] != np.full_like(program.constants.vertex, 9.0).tobytes()


def test_versions_rise_with_changes_alone(session_with_program: tuple[Session, Any]) -> None:
    session, program = session_with_program
    program.place("many", 0)
    versions = []
    for value in (1.0, 1.0, 2.0, 2.0, 1.0):
        session.execute("glUniform1f", [0, value])
        versions.append(program.version)
    assert np.diff(versions).tolist() == [0, 1, 0, 1]


@pytest.fixture
def session_with_program() -> tuple[Session, Any]:
    """A context with a program in use."""
    session = Session(2)
    for name, kind, text in ((1, 0x8B31, VERTEX), (2, 0x8B30, FRAGMENT)):
        session.execute("glCreateShader", [kind], name)
        session.execute("glShaderSource", [name, 1, [text], None])
        session.execute("glCompileShader", [name])
    session.execute("glCreateProgram", [], 3)
    for shader in (1, 2):
        session.execute("glAttachShader", [3, shader])
    session.execute("glLinkProgram", [3])
    session.execute("glUseProgram", [3])
    program = session.display.window_system.contexts[100].program
    assert program is not None
    return session, program


def test_asking_again_for_a_location_changes_nothing(session_with_program: tuple[Session, Any]) -> None:
    session, program = session_with_program
    for name, location in (("many", 0), ("turn", 9), ("gone", 20)):
        for _ in range(2):
            session.execute("glGetUniformLocation", [3, name], location)
    for value in (1.5, 2.5):
        session.execute("glGetUniformLocation", [3, "many"], 0)
        session.execute("glUniform1f", [0, value])
        assert value in program.constants.vertex
    # The captured driver may give a location to another name after the program is linked again.
    session.execute("glGetUniformLocation", [3, "flag"], 0)
    session.execute("glGetUniformLocation", [3, "many"], 0)
    session.execute("glUniform1f", [0, 3.5])
    assert 3.5 in program.constants.vertex
    for _ in range(3):
        session.execute("glUniform1f", [20, 4.5])
    assert 4.5 not in program.constants.vertex
