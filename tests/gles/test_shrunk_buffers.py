"""Buffers that became smaller after they were bound: the call that needs what is gone is an error, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tilegpu.functional.capture import Pointer
from tilegpu.functional.opengl import enums as gl

from .session import Session
from .test_resources import linked

VERTEX = """#version 310 es
layout(location = 0) in vec4 place; out vec4 v; void main() { gl_Position = place; v = place; }"""
FRAGMENT = """#version 310 es
precision mediump float; in vec4 v; out vec4 color; void main() { color = v; }"""


def _bound(s: Session, target: int, size: int = 1024) -> int:
    (name,) = s.glGenBuffers(1)
    s.glBindBuffer(target, name)
    s.glBufferData(target, size, bytes([1, 0, 0, 0]) * (size // 4), gl.DYNAMIC_DRAW)
    return int(name)


def _arrays(s: Session) -> None:
    s.glUseProgram(s.program(VERTEX, FRAGMENT, names=["v"]))
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    _bound(s, gl.ARRAY_BUFFER)
    s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, Pointer(0))
    s.glEnableVertexAttribArray(0)


def _feedback(s: Session) -> None:
    _arrays(s)
    name = _bound(s, gl.TRANSFORM_FEEDBACK_BUFFER)
    s.glBindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, name, 512, 256)
    s.glBeginTransformFeedback(gl.POINTS)


def _texture(s: Session) -> None:
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    _bound(s, gl.PIXEL_UNPACK_BUFFER)


def _draw_indirect(s: Session) -> None:
    _arrays(s)
    _bound(s, gl.DRAW_INDIRECT_BUFFER)


def _indexed(s: Session) -> None:
    _arrays(s)
    _bound(s, gl.ELEMENT_ARRAY_BUFFER)


def _dispatch(s: Session) -> None:
    s.glUseProgram(linked(s, "buffer O { uint o; }; void main() { o = 1u; }"))
    _bound(s, gl.DISPATCH_INDIRECT_BUFFER)


Step = Callable[[Session], None]
CASES: dict[str, tuple[int, Step, Step]] = {
    "transform feedback": (
        gl.TRANSFORM_FEEDBACK_BUFFER,
        _feedback,
        lambda s: s.glDrawArrays(gl.POINTS, 0, 4),
    ),
    "draw indirect": (
        gl.DRAW_INDIRECT_BUFFER,
        _draw_indirect,
        lambda s: s.glDrawArraysIndirect(gl.POINTS, Pointer(512)),
    ),
    "dispatch indirect": (gl.DISPATCH_INDIRECT_BUFFER, _dispatch, lambda s: s.glDispatchComputeIndirect(512)),
    "indices": (
        gl.ELEMENT_ARRAY_BUFFER,
        _indexed,
        lambda s: s.glDrawElements(gl.POINTS, 4, gl.UNSIGNED_INT, Pointer(512)),
    ),
    "pixels to read": (
        gl.PIXEL_UNPACK_BUFFER,
        _texture,
        lambda s: s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, Pointer(512)),
    ),
    "pixels to write": (
        gl.PIXEL_PACK_BUFFER,
        lambda s: None if _bound(s, gl.PIXEL_PACK_BUFFER) else None,
        lambda s: s.glReadPixels(0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, Pointer(512)),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_the_call_that_needs_it_fails(case: str) -> None:
    target, prepare, use = CASES[case]
    s = Session(minor=1)
    prepare(s)
    use(s)
    assert s.error() == gl.NO_ERROR
    assert not s.display.report.lines()
    for size in (520, 512, 16, 0):
        s.glBufferData(target, size, bytes(size), gl.DYNAMIC_DRAW)
        use(s)
        assert s.error() == gl.INVALID_OPERATION, size


@pytest.mark.parametrize("size", [16, 0])
def test_vertices_beyond_the_end(size: int) -> None:
    s = Session(minor=1)
    _arrays(s)
    s.glDrawArrays(gl.POINTS, 0, 4)
    s.glBindBuffer(gl.ARRAY_BUFFER, 1)
    s.glBufferData(gl.ARRAY_BUFFER, size, bytes(size), gl.DYNAMIC_DRAW)
    s.glDrawArrays(gl.POINTS, 0, 4)
    s.glDrawArrays(gl.POINTS, 1 << 20, 4)
