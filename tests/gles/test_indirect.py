"""Draws whose numbers lie in a buffer: pictures and errors are Mesa's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tilegpu.functional.capture import Pointer
from tilegpu.functional.opengl import enums as gl

from .mesa import SIZE
from .session import Session

VERTEX = """#version 310 es
layout(location = 0) in vec2 corner; layout(location = 1) in vec2 shift; out vec4 v;
void main() {
    v = vec4(corner + 0.5, shift.x * 0.25 + 0.5, 1.0);
    gl_Position = vec4(corner * vec2(0.4137, 0.3671) + shift * 1.013, 0.0, 1.0);
}"""
FRAGMENT = "#version 310 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v; }"
CORNERS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (1, 1), (-0.5, 0.8)], np.float32)
SHIFTS = np.array([(-0.5, -0.5), (0.5, -0.4), (-0.3, 0.5), (0.55, 0.5)], np.float32)
INDIRECT = gl.DRAW_INDIRECT_BUFFER


@pytest.fixture
def both() -> Iterator[Session]:
    """Contexts here and on Mesa with arrays, indices and an empty indirect buffer."""
    s = Session(3, mesa=True)
    s.glUseProgram(s.program(VERTEX, FRAGMENT))
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    for location, values in enumerate((CORNERS, SHIFTS)):
        _fill(s, gl.ARRAY_BUFFER, values)
        s.glEnableVertexAttribArray(location)
        s.glVertexAttribPointer(location, 2, gl.FLOAT, 0, 0, None)
        s.glVertexAttribDivisor(location, location)
    _fill(s, gl.ELEMENT_ARRAY_BUFFER, np.array([9, 9, 2, 1, 0, 3, 2, 1, 4], np.uint16))
    s.glClear(gl.COLOR_BUFFER_BIT)
    yield s
    assert s.mesa is not None
    s.mesa.close()


def _fill(s: Session, target: int, values: np.ndarray) -> None:
    s.glBindBuffer(target, s.glGenBuffers(1)[0])
    s.glBufferData(target, values.nbytes, values, gl.STATIC_DRAW)


def _pictures(s: Session) -> tuple[bytes, bytes]:
    assert s.mesa is not None
    theirs = np.zeros((SIZE, SIZE, 4), np.uint8)
    place = (0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE)
    s.mesa.call("glReadPixels", *place, theirs)
    return s.answer("glReadPixels", *place, None), theirs.tobytes()


@pytest.mark.parametrize(
    ("numbers", "offset", "draw"),
    [
        ([4, 4, 0, 0], 0, lambda s, at: s.glDrawArraysIndirect(gl.TRIANGLE_STRIP, at)),
        ([7, 7, 3, 2, 4, 0], 8, lambda s, at: s.glDrawArraysIndirect(gl.TRIANGLES, at)),
        ([5, 0, 0, 0], 0, lambda s, at: s.glDrawArraysIndirect(gl.TRIANGLES, at)),
        ([3, 2, 2, 0, 0], 0, lambda s, at: s.glDrawElementsIndirect(gl.TRIANGLES, gl.UNSIGNED_SHORT, at)),
        ([9, 5, 3, 3, 1, 0], 4, lambda s, at: s.glDrawElementsIndirect(gl.TRIANGLES, gl.UNSIGNED_SHORT, at)),
        ([4, 1, 5, -1, 0], 0, lambda s, at: s.glDrawElementsIndirect(gl.TRIANGLE_STRIP, gl.UNSIGNED_SHORT, at)),
    ],
)
def test_pictures(both: Session, numbers: list[int], offset: int, draw: Callable[[Session, Pointer], None]) -> None:
    blank = _pictures(both)[1]
    _fill(both, INDIRECT, np.array(numbers, np.int32))
    draw(both, Pointer(offset))
    ours, theirs = _pictures(both)
    difference = np.abs(np.frombuffer(ours, np.uint8).astype(int) - np.frombuffer(theirs, np.uint8))
    assert difference.max() <= 1
    assert (theirs == blank) == (numbers[1] == 0)
    assert both.mesa is not None
    assert both.error() == both.mesa.error() == 0


def _unbound(target: int) -> Callable[[Session], None]:
    return lambda s: s.glBindBuffer(target, 0)


def _without_buffer(s: Session) -> None:
    s.glBindVertexArray(0)


def _mapped(s: Session) -> None:
    s.glMapBufferRange(INDIRECT, 0, 16, 1)


@pytest.mark.parametrize(
    ("prepare", "mode", "kind", "offset", "error"),
    [
        (lambda s: None, 0x1234, gl.UNSIGNED_SHORT, 0, gl.INVALID_ENUM),
        (lambda s: None, gl.TRIANGLES, gl.FLOAT, 0, gl.INVALID_ENUM),
        (lambda s: None, gl.TRIANGLES, gl.UNSIGNED_SHORT, 2, gl.INVALID_VALUE),
        (lambda s: None, gl.TRIANGLES, gl.UNSIGNED_SHORT, 8, gl.INVALID_OPERATION),
        (_unbound(INDIRECT), gl.TRIANGLES, gl.UNSIGNED_SHORT, 0, gl.INVALID_OPERATION),
        (_unbound(gl.ELEMENT_ARRAY_BUFFER), gl.TRIANGLES, gl.UNSIGNED_SHORT, 0, gl.INVALID_OPERATION),
        (_without_buffer, gl.TRIANGLES, gl.UNSIGNED_SHORT, 0, gl.INVALID_OPERATION),
        (_mapped, gl.TRIANGLES, gl.UNSIGNED_SHORT, 0, gl.INVALID_OPERATION),
    ],
)
def test_errors(
    both: Session, prepare: Callable[[Session], None], mode: int, kind: int, offset: int, error: int
) -> None:
    _fill(both, INDIRECT, np.array([3, 1, 0, 0, 0], np.int32))
    prepare(both)
    both.glDrawElementsIndirect(mode, kind, Pointer(offset))
    assert both.mesa is not None
    assert (both.error(), both.mesa.error()) == (error, error)
    if kind != gl.FLOAT and prepare.__name__ != "<lambda>":
        both.glDrawArraysIndirect(mode, Pointer(offset))
        assert (both.error(), both.mesa.error()) == (error, error)


def test_transform_feedback_forbids_them() -> None:
    """In OpenGL ES 3.1; Mesa follows 3.2."""
    s = Session(3)
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    _fill(s, INDIRECT, np.array([3, 1, 0, 0], np.int32))
    s.glUseProgram(s.program(VERTEX, FRAGMENT, names=["v"]))
    s.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, s.glGenBuffers(1)[0])
    s.glBufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 1000, None, gl.STATIC_DRAW)
    s.glBeginTransformFeedback(gl.TRIANGLES)
    s.glDrawArraysIndirect(gl.TRIANGLES, Pointer(0))
    assert s.error() == gl.INVALID_OPERATION


def test_binding_and_barriers(both: Session) -> None:
    s = both
    assert s.mesa is not None
    _fill(s, INDIRECT, np.zeros(4, np.int32))
    binding = gl.DRAW_INDIRECT_BUFFER_BINDING
    assert [s.answer("glGetIntegerv", binding)] == s.mesa.get("glGetIntegerv", binding) != [0]
    for name, barriers, error in (
        ("glMemoryBarrier", 0xFFFFFFFF, 0),
        ("glMemoryBarrier", 0x3FEF, 0),
        ("glMemoryBarrierByRegion", 0xFFFFFFFF, 0),
        ("glMemoryBarrierByRegion", 0x342C, 0),
        ("glMemoryBarrierByRegion", 0x1, gl.INVALID_VALUE),
    ):
        s.call(name, barriers)
        assert (s.error(), s.mesa.error()) == (error, error)
    s.execute("glMemoryBarrier", [0x10])
    assert s.error() == gl.INVALID_VALUE
