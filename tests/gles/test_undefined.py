"""Memory that a draw reads although nothing was ever written to it is named, once, as in captures that were cut."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session

VERTEX = """#version 300 es
layout(location = 0) in vec4 p; uniform Block { vec4 shift; };
void main() { gl_Position = p + shift; }
"""
FRAGMENT = """#version 300 es
precision mediump float; uniform sampler2D image; out vec4 color;
void main() { color = texture(image, vec2(0.5)); }
"""
BYTES = {"attribute 0": 48, "uniform block Block": 16, "an indexed draw": 6}
TARGETS = {
    "attribute 0": gl.ARRAY_BUFFER,
    "uniform block Block": gl.UNIFORM_BUFFER,
    "an indexed draw": gl.ELEMENT_ARRAY_BUFFER,
}
READERS = [*BYTES, "sampler image"]


def upload(s: Session, target: int, size: int) -> None:
    s.glBufferSubData(target, 0, size, bytes(size))


def nothing(s: Session, target: int, size: int) -> None:
    """Leave it as it is."""


def scene(without: str = "", write: Callable[[Session, int, int], None] = nothing) -> Session:
    """Draw with everything defined but what one reader reads, whose storage has no content of its own."""
    s = Session(3)
    s.glUseProgram(s.program(VERTEX, FRAGMENT))
    for reader, size in BYTES.items():
        target = TARGETS[reader]
        s.glBindBuffer(target, s.glGenBuffers(1)[0])
        s.glBufferData(target, size, None if reader == without else bytes(size), 0x88E4)
        if reader == without:
            write(s, target, size)
    s.glBindBufferBase(gl.UNIFORM_BUFFER, 0, 2)
    s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, 0)
    s.glEnableVertexAttribArray(0)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2, 2)
    if without != "sampler image":
        s.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, np.zeros(4, np.uint8))
    for _ in range(3):
        s.glDrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0)
    return s


@pytest.mark.parametrize("reader", READERS)
def test_what_nothing_was_written_to_is_named_once(reader: str) -> None:
    (line,) = scene(reader).display.report.lines()
    name = 1 if reader == "sampler image" else 1 + [*BYTES].index(reader)
    kind = "texture" if reader == "sampler image" else "buffer"
    assert line.startswith("tolerated memory that nothing was written to (1 call)")
    assert f"{reader} reads {kind} {name}, which was never written" in line


def test_a_single_texel_stands_for_no_texture() -> None:
    s = scene("sampler image")
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    s.glDrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0)
    (line,) = s.display.report.lines()
    assert "texture 1," in line


def through_memory(s: Session, target: int, size: int) -> None:
    s.call("glMapBufferRange", target, 0, size, 2)
    address = s.names["glMapBufferRange"]
    s.execute("memcpy", [address, bytes(size), size])
    s.glUnmapBuffer(target)


def by_copy(s: Session, target: int, size: int) -> None:
    s.glBindBuffer(gl.COPY_READ_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.COPY_READ_BUFFER, size, bytes(size), 0x88E4)
    s.glCopyBufferSubData(gl.COPY_READ_BUFFER, target, 0, 0, size)


@pytest.mark.parametrize("write", [upload, through_memory, by_copy])
@pytest.mark.parametrize("reader", ["", *BYTES])
def test_what_was_written_is_not(reader: str, write: Callable[[Session, int, int], None]) -> None:
    assert not scene(reader, write).display.report.lines()


def test_a_texture_that_was_drawn_to_is_defined() -> None:
    s = scene("sampler image")
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2, 2)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 2, 0)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    s.glDrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0)
    (line,) = s.display.report.lines()
    assert "texture 1," in line
