"""Work that all compute programs have: to make buffers and images, read results back, show them in the window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as names

_WHOLE_WINDOW = """#version 310 es
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 4.0 - 1.0, 0.0, 1.0);
}
"""
_SHOWN = """#version 310 es
precision highp float;
precision highp int;
layout(location = 0) out vec4 color;
%s
void main() {
    color = vec4(vec3(shade(ivec2(gl_FragCoord.xy))) / 255.0, 1.0);
}
"""
_WORDS = """
layout(std430, binding = 0) readonly buffer Words { uint word[]; };
uniform int width;
uvec3 shade(ivec2 at) {
    uint shown = word[(at.y * width + at.x) % word.length()];
    return uvec3(shown, shown >> 8, shown >> 16) & 255u;
}
"""


class Session:
    """A recorder with what compute programs have in common.

    Parameters
    ----------
    gl
        Where to record.
    width, height
        Size of the window in pixels.
    """

    def __init__(self, gl: Recorder, width: int, height: int) -> None:
        self.gl, self.width, self.height = gl, width, height
        self._words: int | None = None

    def buffer(self, data: NDArray[Any]) -> int:
        """A new buffer with these bytes."""
        (buffer,) = self.gl.glGenBuffers(1)
        self.gl.glBindBuffer(names.SHADER_STORAGE_BUFFER, buffer)
        self.gl.glBufferData(names.SHADER_STORAGE_BUFFER, data.nbytes, data, names.DYNAMIC_COPY)
        return int(buffer)

    def empty(self, words: int) -> int:
        """A new buffer with that many 32-bit zeros."""
        return self.buffer(np.zeros(words, np.uint32))

    def update(self, buffer: int, data: NDArray[Any]) -> None:
        """Overwrite a buffer from its beginning."""
        self.gl.glBindBuffer(names.SHADER_STORAGE_BUFFER, buffer)
        self.gl.glBufferSubData(names.SHADER_STORAGE_BUFFER, 0, data.nbytes, data)

    def image(self, width: int, height: int, layout: int = names.RGBA8, levels: int = 1) -> int:
        """A new texture that shaders load from and store to; bound to the current unit."""
        gl = self.gl
        (texture,) = gl.glGenTextures(1)
        gl.glBindTexture(names.TEXTURE_2D, texture)
        gl.glTexStorage2D(names.TEXTURE_2D, levels, layout, width, height)
        fetched = names.NEAREST if levels == 1 else names.NEAREST_MIPMAP_NEAREST
        gl.glTexParameteri(names.TEXTURE_2D, names.TEXTURE_MIN_FILTER, fetched)
        gl.glTexParameteri(names.TEXTURE_2D, names.TEXTURE_MAG_FILTER, names.NEAREST)
        return int(texture)

    def bind(self, *buffers: int) -> None:
        """Give shaders storage buffers at the bindings 0, 1 …"""
        for binding, buffer in enumerate(buffers):
            self.gl.glBindBufferBase(names.SHADER_STORAGE_BUFFER, binding, buffer)

    def run(self, program: int, groups: tuple[int, int, int] | int, barriers: int) -> None:
        """Dispatch a program, and wait for what it wrote."""
        x, y, z = (groups, 1, 1) if isinstance(groups, int) else groups
        self.gl.glUseProgram(program)
        self.gl.glDispatchCompute(x, y, z)
        self.gl.glMemoryBarrier(barriers)

    def read(self, buffer: int, size: int) -> None:
        """Map the first bytes of a buffer to read them."""
        gl = self.gl
        gl.glMemoryBarrier(names.BUFFER_UPDATE_BARRIER_BIT)
        gl.glBindBuffer(names.SHADER_STORAGE_BUFFER, buffer)
        gl.glMapBufferRange(names.SHADER_STORAGE_BUFFER, 0, size, names.MAP_READ_BIT)
        gl.glUnmapBuffer(names.SHADER_STORAGE_BUFFER)

    def window_program(self, shade: str) -> int:
        """A program that draws the whole window by a function in GLSL: `uvec3 shade(ivec2 pixel)`, of 0 to 255."""
        return self.gl.program(_WHOLE_WINDOW, _SHOWN % shade)

    def show(self, program: int) -> None:
        """Draw a frame with a program of `window_program`, and read it."""
        self.gl.glUseProgram(program)
        self.gl.glDrawArrays(names.TRIANGLES, 0, 3)
        self.read_window()

    def read_window(self) -> None:
        """Read the window and end the frame."""
        self.gl.glReadPixels(0, 0, self.width, self.height, names.RGBA, names.UNSIGNED_BYTE, None)
        self.gl.swap()

    def show_words(self, buffer: int) -> None:
        """Draw a frame whose pixels are the low three bytes of a buffer's words, row by row, again from the first after
        the last."""
        if self._words is None:
            self._words = self.window_program(_WORDS)
            self.gl.glUseProgram(self._words)
            self.gl.glUniform1i(self.gl.glGetUniformLocation(self._words, "width"), self.width)
        self.bind(buffer)
        self.show(self._words)


@contextmanager
def recording(path: Path, width: int, height: int) -> Iterator[Session]:
    """A session in a window of OpenGL ES 3.1, recorded to a file."""
    with Recorder(path, width, height, version=(3, 1)) as gl:
        yield Session(gl, width, height)
