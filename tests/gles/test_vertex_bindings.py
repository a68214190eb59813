"""Queries of vertex buffer bindings and of the limits of OpenGL ES 3.1: answers are Mesa's."""

from __future__ import annotations

from tilegpu.functional.opengl import enums as gl

from .session import Session

BINDINGS = gl.VERTEX_BINDING_BUFFER, gl.VERTEX_BINDING_OFFSET, gl.VERTEX_BINDING_STRIDE, gl.VERTEX_BINDING_DIVISOR


def _agree(s: Session) -> None:
    assert s.mesa is not None
    for index in range(4):
        for name in BINDINGS:
            assert [s.answer("glGetIntegeri_v", name, index)] == s.mesa.get("glGetIntegeri_v", name, index)
        for name in (gl.VERTEX_ATTRIB_BINDING, gl.VERTEX_ATTRIB_RELATIVE_OFFSET):
            assert [s.answer("glGetVertexAttribiv", index, name)] == s.mesa.get("glGetVertexAttribiv", index, name)
    assert s.error() == s.mesa.error() == 0


def test_bindings(both: Session) -> None:
    s = both
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    _agree(s)
    first, second = s.glGenBuffers(2)
    s.glBindBuffer(gl.ARRAY_BUFFER, first)
    s.glBufferData(gl.ARRAY_BUFFER, 1000, None, gl.STATIC_DRAW)
    s.glVertexAttribPointer(1, 3, gl.FLOAT, 0, 20, None)
    _agree(s)
    s.glBindVertexBuffer(2, second, 24, 12)
    s.glVertexAttribFormat(3, 2, gl.SHORT, 0, 8)
    s.glVertexAttribBinding(3, 2)
    s.glVertexBindingDivisor(2, 5)
    _agree(s)
    s.glVertexAttribDivisor(3, 2)
    _agree(s)
    assert s.mesa is not None
    assert s.answer("glGetIntegeri_v", gl.VERTEX_BINDING_STRIDE, 16) is None
    s.mesa.get("glGetIntegeri_v", gl.VERTEX_BINDING_STRIDE, 16)
    assert (s.error(), s.mesa.error()) == (gl.INVALID_VALUE,) * 2


def test_limits_are_at_least_mesas(both: Session) -> None:
    assert both.mesa is not None
    for name in (
        gl.MAX_VERTEX_ATTRIB_BINDINGS,
        gl.MAX_VERTEX_ATTRIB_RELATIVE_OFFSET,
        gl.MAX_VERTEX_ATTRIB_STRIDE,
        gl.MAX_UNIFORM_LOCATIONS,
        gl.MAX_FRAMEBUFFER_WIDTH,
        gl.MAX_FRAMEBUFFER_HEIGHT,
        gl.MAX_FRAMEBUFFER_SAMPLES,
        gl.MAX_PROGRAM_TEXTURE_GATHER_OFFSET,
    ):
        assert both.answer("glGetIntegerv", name) >= both.mesa.get("glGetIntegerv", name)[0] > 0
    least = gl.MIN_PROGRAM_TEXTURE_GATHER_OFFSET
    assert both.answer("glGetIntegerv", least) == both.mesa.get("glGetIntegerv", least)[0]


def _arrays_agree(s: Session) -> None:
    assert s.mesa is not None
    for name in (
        gl.VERTEX_ATTRIB_ARRAY_STRIDE,
        gl.VERTEX_ATTRIB_ARRAY_DIVISOR,
        gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING,
        gl.VERTEX_ATTRIB_BINDING,
    ):
        assert [s.answer("glGetVertexAttribiv", 3, name)] == s.mesa.get("glGetVertexAttribiv", 3, name), hex(name)
    _agree(s)


def test_a_pointer_leaves_the_divisor_of_a_binding_behind(both: Session) -> None:
    """Whatever an attribute read from before, its own binding keeps its own divisor (10.3.2)."""
    s = both
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    first, second = s.glGenBuffers(2)
    s.glBindBuffer(gl.ARRAY_BUFFER, first)
    s.glVertexAttribPointer(3, 4, gl.FLOAT, 0, 24, None)
    s.glVertexBindingDivisor(3, 2)
    s.glVertexAttribBinding(3, 5)
    s.glBindVertexBuffer(5, second, 16, 0)
    s.glVertexBindingDivisor(5, 7)
    _arrays_agree(s)
    s.glVertexAttribPointer(3, 4, gl.FLOAT, 0, 32, None)
    _arrays_agree(s)
    assert s.display.current[0].state.vertex_array.attributes[3].layout.divisor == 2
    s.glVertexAttribDivisor(3, 1)
    _arrays_agree(s)
    s.glBindVertexBuffer(3, second, 4, 0)
    _arrays_agree(s)
