"""Results of queries, beside Mesa's for the same calls."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session

VERTEX = """#version 300 es
layout(location = 0) in vec4 position;
out vec4 captured;
void main() { captured = position * 2.0; gl_Position = position; }
"""
FRAGMENT = "#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(1.0); }"
ANY, CONSERVATIVE, WRITTEN, RESULT = 0x8C2F, 0x8D6A, 0x8C88, 0x8866


@pytest.fixture
def both() -> Iterator[Session]:
    """A context here and one on Mesa, with a program that captures and a triangle to draw."""
    session = Session(3, mesa=True)
    session.glUseProgram(session.program(VERTEX, FRAGMENT, names=["captured"]))
    session.glBindBuffer(gl.ARRAY_BUFFER, session.glGenBuffers(1)[0])
    corners = np.array([(-0.9, -0.9, 0, 1), (0.9, -0.9, 0, 1), (0, 0.9, 0, 1)] * 2, np.float32)
    session.glBufferData(gl.ARRAY_BUFFER, corners.nbytes, corners, 0x88E4)
    session.glEnableVertexAttribArray(0)
    session.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    yield session
    assert session.mesa is not None
    session.mesa.close()


def result(session: Session, name: int) -> int:
    """Result of a query, once both agree on it."""
    ours = session.answer("glGetQueryObjectuiv", name, RESULT)
    assert session.mesa is not None
    assert [int(ours)] == session.mesa.get("glGetQueryObjectuiv", name, RESULT)
    return int(ours)


@pytest.mark.parametrize("target", [ANY, CONSERVATIVE])
def test_whether_samples_passed(target: int, both: Session) -> None:
    s = both
    seen, hidden, outside, nothing = s.glGenQueries(4)
    s.glEnable(gl.DEPTH_TEST)
    s.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    for query in (seen, hidden):
        s.glBeginQuery(target, query)
        s.glDrawArrays(gl.TRIANGLES, 0, 3)
        s.glEndQuery(target)
    s.glDisable(gl.DEPTH_TEST)
    s.glViewport(100, 100, 4, 4)
    s.glBeginQuery(target, outside)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    s.glEndQuery(target)
    s.glBeginQuery(target, nothing)
    s.glEndQuery(target)
    assert [result(s, query) for query in (seen, hidden, outside, nothing)] == [1, 0, 0, 0]


def test_primitives_written(both: Session) -> None:
    s = both
    first, second = s.glGenQueries(2)
    s.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, s.glGenBuffers(1)[0])
    s.glBufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 400, None, 0x88E4)
    s.glBeginTransformFeedback(gl.TRIANGLES)
    s.glBeginQuery(WRITTEN, first)
    s.glDrawArrays(gl.TRIANGLES, 0, 6)
    s.glDrawArraysInstanced(gl.TRIANGLES, 0, 3, 2)
    s.glEndQuery(WRITTEN)
    s.glPauseTransformFeedback()
    s.glBeginQuery(WRITTEN, second)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    s.glEndQuery(WRITTEN)
    s.glEndTransformFeedback()
    assert [result(s, query) for query in (first, second)] == [4, 0]
