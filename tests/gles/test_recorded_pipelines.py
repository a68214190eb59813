"""Draws with a program pipeline are those of one program of the same shaders: pictures, and rows of the activity."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

VERTEX = """#version 310 es
layout(location = 0) in vec2 p; uniform float size; out highp vec3 v;
void main() { v = vec3(p, size); gl_Position = vec4(p * size, 0.0, 1.0); }"""
FRAGMENT = """#version 310 es
precision highp float; in highp vec3 v; uniform vec4 tint; out vec4 color;
void main() { color = vec4(v, 1.0) * tint; }"""


def _trace(path: Path, pipeline: bool) -> Path:
    """Three frames whose uniforms change."""
    with Recorder(path, 32, 32, version=(3, 1)) as r:
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        corners = np.array([-1, -1, 1, -1, -1, 1, 1, 1], np.float32)
        r.glBufferData(gl.ARRAY_BUFFER, corners.nbytes, corners, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)
        if pipeline:
            vertex = r.glCreateShaderProgramv(gl.VERTEX_SHADER, 1, [VERTEX])
            fragment = r.glCreateShaderProgramv(gl.FRAGMENT_SHADER, 1, [FRAGMENT])
            (name,) = r.glGenProgramPipelines(1)
            r.glUseProgramStages(name, 1, vertex)
            r.glUseProgramStages(name, 2, fragment)
            r.glBindProgramPipeline(name)
        else:
            vertex = fragment = r.program(VERTEX, FRAGMENT)
            r.glUseProgram(vertex)
        for frame in range(3):
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glProgramUniform1f(vertex, r.glGetUniformLocation(vertex, "size"), 0.5 + 0.1 * frame)
            tint = r.glGetUniformLocation(fragment, "tint")
            r.glProgramUniform4f(fragment, tint, 1.0, 0.5 + 0.2 * frame, 1.0, 1.0)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
            r.swap()
    return path


def test_pictures_and_activity(tmp_path: Path) -> None:
    whole, parts = (_trace(tmp_path / f"{name}.trace", name == "parts") for name in ("whole", "parts"))
    pictures = [[frame.pixels for frame in Player(path).run()] for path in (whole, parts)]
    np.testing.assert_array_equal(*pictures)
    assert len({picture.tobytes() for picture in pictures[0]}) == 3
    rows = [record(path, path.with_suffix("")).rows for path in (whole, parts)]
    assert rows[0] == rows[1] and rows[0]["programs"] == 1
