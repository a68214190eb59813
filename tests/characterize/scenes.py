"""Small scenes whose draws take every way of counting."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

SIZE = 64
VERTEX = """#version 300 es
layout(location = 0) in vec4 v; uniform float turn; out vec2 place;
void main() { place = 0.5 * v.xy + 0.5; gl_PointSize = 7.0; gl_Position = v + vec4(turn, 0.0, 0.0, 0.0); }
"""
BRANCHING = """#version 300 es
layout(location = 0) in vec4 v; uniform float turn; out vec2 place;
void main() {
    place = 0.5 * v.xy + 0.5;
    gl_Position = v;
    if (v.x > 0.0) for (int i = 0; i < int(4.0 * v.y + 5.0); i++) gl_Position.x = sin(gl_Position.x + turn);
}
"""
_HEAD = "#version 300 es\nprecision highp float; in vec2 place; out vec4 o; uniform sampler2D s;\n"
TEXTURED = _HEAD + "void main() { o = texture(s, 3.0 * place); }"
DIVERGING = _HEAD + (
    "void main() { if (fract(5.0 * place.x) < 0.4) discard;"
    " o = place.y > 0.5 ? texture(s, place * place) : vec4(place, 0.0, 1.0); }"
)
LOOPING = _HEAD + "void main() { o = vec4(0); for (float i = 0.0; i < 4.0 * place.x; i++) o += texture(s, i * place); }"
FETCHING = _HEAD + "void main() { o = texelFetch(s, ivec2(8.0 * place), 1) + vec4(textureSize(s, 0), 0, 1); }"


def record_ways(path: Path, frames: int = 2) -> Path:
    """Straight and branching shaders, filters with and without mipmaps, draws that are joined or capture vertices, and
    a pass of depth alone."""
    with Recorder(path, SIZE, SIZE, 3) as r:
        _texture(r)
        corners = [[x, y, 0.2 * x, 1.0] for y in (-0.9, 0.1, 0.9) for x in (-0.9, -0.2, 0.6, 1.8)]
        vertices = np.array(corners, np.float32)
        buffer, captured = r.glGenBuffers(2)
        r.glBindBuffer(gl.ARRAY_BUFFER, buffer)
        r.glBufferData(gl.ARRAY_BUFFER, vertices.nbytes, vertices, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 16, 0)
        r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, captured)
        indices = np.array([0, 1, 4, 1, 4, 5, 5, 2, 1, 6, 7, 3, 8, 9, 5, 10, 6, 11], np.uint16)
        r.glBufferData(gl.ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, gl.STATIC_DRAW)
        pairs = [(VERTEX, f) for f in (TEXTURED, DIVERGING, LOOPING, FETCHING)] + [(BRANCHING, TEXTURED)]
        programs = [r.program(vertex, fragment) for vertex, fragment in pairs]
        r.glEnable(gl.DEPTH_TEST)
        for number in range(frames):
            r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
            for i, program in enumerate(programs):
                r.glUseProgram(program)
                r.glUniform1f(r.glGetUniformLocation(program, "turn"), 0.1 * number - 0.05 * i)
                mipmapped = (i + number) % 2
                r.glTexParameteri(
                    gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR if mipmapped else gl.LINEAR
                )
                # Consecutive draws of one state, which share vertices.
                for first in (0, 6, 12):
                    r.glDrawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 2 * first)
                r.glDrawArrays(gl.POINTS, 0, 3)
                r.glDrawArrays(gl.LINE_STRIP, 2, 5)
                r.glColorMask(False, False, False, False)
                r.glDepthFunc(gl.LEQUAL)
                r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 12)
                r.glColorMask(True, True, True, True)
                r.glDepthFunc(gl.LESS)
            r.swap()
    return path


def record_upload_between(path: Path, frames: int = 3) -> Path:
    """Two rectangles with a texture of which a part is written between them in the first frame."""
    with Recorder(path, SIZE, SIZE, 3) as r:
        _texture(r)
        r.glUseProgram(r.program(VERTEX, TEXTURED))
        r.glEnableVertexAttribArray(0)
        for number in range(frames):
            r.glClear(gl.COLOR_BUFFER_BIT)
            for left in (-1.0, 0.5):
                corners = [[x, y, 0.0, 1.0] for x in (left, left + 0.5) for y in (-1.0, 1.0)]
                r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 16, np.array(corners, np.float32))
                r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
                if number == 0 and left < 0.0:
                    texels = np.full((4, 4, 4), 99, np.uint8)
                    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 2, 3, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, texels)
            r.swap()
    return path


def _texture(r: Recorder) -> None:
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    texels = np.random.default_rng(3).integers(0, 256, (16, 16, 4), np.uint8)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 16, 16, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    r.glGenerateMipmap(gl.TEXTURE_2D)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
