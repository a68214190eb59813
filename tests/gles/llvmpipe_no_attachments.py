"""Framebuffers without attachments: parameters, completeness and errors are Mesa's, and draws into them count; see
`test_on_llvmpipe`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

from .session import Session

FRAMEBUFFER, WIDTH, HEIGHT = gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, gl.FRAMEBUFFER_DEFAULT_HEIGHT
SAMPLES, FIXED = gl.FRAMEBUFFER_DEFAULT_SAMPLES, gl.FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS
VERTEX = """#version 300 es
uniform vec2 place;
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 0.1 + place, 0.0, 1.0); }"""
FRAGMENT = "#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(1); }"


@pytest.fixture
def both() -> Iterator[Session]:
    """Contexts here and on llvmpipe with a framebuffer object."""
    s = Session(3, mesa=True)
    s.glBindFramebuffer(FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    yield s
    assert s.mesa is not None
    s.mesa.close()


def _agree(s: Session, error: int = 0) -> None:
    assert s.mesa is not None
    assert (s.error(), s.mesa.error()) == (error, error)
    for name in (WIDTH, HEIGHT, SAMPLES, FIXED):
        arguments = FRAMEBUFFER, name
        assert [s.answer("glGetFramebufferParameteriv", *arguments)] == s.mesa.get(
            "glGetFramebufferParameteriv", *arguments
        )
    status = s.answer("glCheckFramebufferStatus", FRAMEBUFFER)
    assert status == s.mesa.call("glCheckFramebufferStatus", FRAMEBUFFER)


def test_parameters(both: Session) -> None:
    _agree(both)
    for name, value in ((WIDTH, 20), (HEIGHT, 30), (SAMPLES, 4), (FIXED, 1), (HEIGHT, 0)):
        both.glFramebufferParameteri(FRAMEBUFFER, name, value)
        _agree(both)


def test_samples_follow(both: Session) -> None:
    """SAMPLES is derived from the parameter where nothing is attached (9.2.3.1); Mesa answers 0."""
    for name, value, samples in ((WIDTH, 20, 0), (HEIGHT, 30, 0), (SAMPLES, 4, 4), (SAMPLES, 0, 0)):
        both.glFramebufferParameteri(FRAMEBUFFER, name, value)
        assert both.answer("glGetIntegerv", gl.SAMPLES) == samples


@pytest.mark.parametrize(
    ("target", "name", "value", "error"),
    [
        (gl.RENDERBUFFER, WIDTH, 1, gl.INVALID_ENUM),
        (FRAMEBUFFER, gl.TEXTURE_MIN_FILTER, 1, gl.INVALID_ENUM),
        (FRAMEBUFFER, WIDTH, -1, gl.INVALID_VALUE),
        (FRAMEBUFFER, HEIGHT, 1 << 20, gl.INVALID_VALUE),
        (FRAMEBUFFER, SAMPLES, 1000, gl.INVALID_VALUE),
    ],
)
def test_errors(both: Session, target: int, name: int, value: int, error: int) -> None:
    both.glFramebufferParameteri(target, name, value)
    _agree(both, error)


def test_windows_have_none(both: Session) -> None:
    both.glBindFramebuffer(FRAMEBUFFER, 0)
    both.glFramebufferParameteri(FRAMEBUFFER, WIDTH, 3)
    assert both.mesa is not None
    assert (both.error(), both.mesa.error()) == (gl.INVALID_OPERATION,) * 2
    assert both.answer("glGetFramebufferParameteriv", FRAMEBUFFER, WIDTH) is None
    both.mesa.get("glGetFramebufferParameteriv", FRAMEBUFFER, WIDTH)
    assert (both.error(), both.mesa.error()) == (gl.INVALID_OPERATION,) * 2


@pytest.mark.parametrize("samples", [0, 4])
def test_draws_pass_inside(both: Session, samples: int) -> None:
    """A triangle inside of the framebuffer passes samples, one outside does not."""
    s = both
    assert s.mesa is not None
    program = s.program(VERTEX, FRAGMENT)
    s.glUseProgram(program)
    place = s.glGetUniformLocation(program, "place")
    s.glFramebufferParameteri(FRAMEBUFFER, WIDTH, 100)
    s.glFramebufferParameteri(FRAMEBUFFER, HEIGHT, 50)
    s.glFramebufferParameteri(FRAMEBUFFER, SAMPLES, samples)
    s.glViewport(0, 0, 200, 50)
    query = s.glGenQueries(1)[0]
    for x, passes in ((-0.5, 1), (0.3, 0), (-0.05, 1)):
        s.glUniform2f(place, x, 0.0)
        s.glBeginQuery(gl.ANY_SAMPLES_PASSED, query)
        s.glDrawArrays(gl.TRIANGLES, 0, 3)
        s.glEndQuery(gl.ANY_SAMPLES_PASSED)
        ours = s.answer("glGetQueryObjectuiv", query, gl.QUERY_RESULT)
        assert [ours] == s.mesa.get("glGetQueryObjectuiv", query, gl.QUERY_RESULT) == [passes]
    s.glClear(gl.COLOR_BUFFER_BIT)
    assert s.error() == s.mesa.error() == 0


def test_there_is_nothing_to_read_or_copy(both: Session) -> None:
    """Buffers that are missing are an error of reads, and left out of blits and clears."""
    s = both
    assert s.mesa is not None
    s.glFramebufferParameteri(FRAMEBUFFER, WIDTH, 20)
    s.glFramebufferParameteri(FRAMEBUFFER, HEIGHT, 20)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    blit = 0, 0, 4, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.NEAREST
    calls = [
        ("glClear", (gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT,), 0),
        ("glClearBufferfv", (gl.COLOR, 0, [1.0, 0.0, 0.0, 1.0]), 0),
        ("glReadPixels", (0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, np.zeros(4, np.uint8)), gl.INVALID_OPERATION),
        ("glCopyTexImage2D", (gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 4, 4, 0), gl.INVALID_OPERATION),
        ("glInvalidateFramebuffer", (FRAMEBUFFER, 1, [gl.COLOR_ATTACHMENT0]), 0),
        ("glBlitFramebuffer", blit, 0),
        ("glBindFramebuffer", (gl.DRAW_FRAMEBUFFER, 0), 0),
        ("glBlitFramebuffer", blit, 0),
    ]
    for name, arguments, error in calls:
        s.call(name, *arguments)
        assert (s.error(), s.mesa.error()) == (error, error), name


def test_recorded(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 16, 16, 3) as r:
        r.glUseProgram(r.program(VERTEX.replace("* 0.1 + place", "* 4.0 - 1.0"), FRAGMENT))
        r.glBindFramebuffer(FRAMEBUFFER, r.glGenFramebuffers(1)[0])
        for name, value in ((WIDTH, 40), (HEIGHT, 40)):
            r.glFramebufferParameteri(FRAMEBUFFER, name, value)
        r.glViewport(0, 0, 40, 40)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.glBindFramebuffer(FRAMEBUFFER, 0)
        r.glViewport(0, 0, 16, 16)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()
    record(tmp_path / "a.trace", tmp_path / "activity")
    summary = Activity(tmp_path / "activity").table("summary").to_pandas()
    assert list(summary.primitives) == [2]
    assert list(summary.fragments) == [40 * 40 + 16 * 16]
