"""First fills of the last-level cache: lines that are there for the first time, counted by hand."""

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.results.first_fills import KINDS

VERTEX = """attribute vec4 position; varying vec2 place;
void main() { place = position.xy * 0.5 + 0.5; gl_Position = position; }"""
FRAGMENT = """precision highp float; uniform sampler2D image; varying vec2 place;
void main() { gl_FragColor = texture2D(image, place); }"""
LINES = 64 * 64 * 4 // 64
"""Of a texture that is as large as the window, a texel per pixel."""


def test_lines_are_new_once(tmp_path: Path) -> None:
    """Frames 0 and 1 show one texture, 2 shows another, 3 the first one again, of which its upload left no line."""
    corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32).tobytes()
    texels = np.zeros((64, 64, 4), np.uint8)
    with Recorder(tmp_path / "a.trace", 64, 64) as gl:
        program = gl.program(VERTEX, FRAGMENT, ("position",))
        first, second = gl.glGenTextures(2)
        gl.glUseProgram(program)
        gl.glEnableVertexAttribArray(0)
        for texture in (second, first):
            gl.glBindTexture(0x0DE1, texture)
            gl.glTexImage2D(0x0DE1, 0, 0x1908, 64, 64, 0, 0x1908, 0x1401, texels)
            for parameter in (0x2800, 0x2801):
                gl.glTexParameteri(0x0DE1, parameter, 0x2600)
        for texture in (first, first, second, first):
            gl.glBindTexture(0x0DE1, texture)
            gl.glClear(0x4000)
            gl.glVertexAttribPointer(0, 2, 0x1406, False, 8, corners)
            gl.glDrawArrays(5, 0, 4)
            gl.swap()
            if texture == second:
                gl.glBindTexture(0x0DE1, first)
                gl.glTexSubImage2D(0x0DE1, 0, 0, 0, 64, 64, 0x1908, 0x1401, texels)
    record(tmp_path / "a.trace", tmp_path / "activity")
    every = replay(tmp_path / "activity", load_configuration("ptr-2022"))
    names = (f"memory.l2_cache.misses{kind}" for kind in ("", ".texture", ".vertex", ".instruction"))
    misses, textures, vertices, instructions = ([frame[name] for frame in every.by_frame()] for name in names)
    assert textures == [LINES, 0, LINES, LINES]
    # The vertices are in the program's memory, and new in every frame.
    assert vertices == [1, 1, 1, 1] and misses[1:] == [1, 1 + LINES, 1 + LINES]
    texels, buffers, parameters, commands, code, others = (every.first_fills[kind] for kind in KINDS)
    assert texels == {0: LINES, 1: 0, 2: LINES, 3: 0} and buffers == {0: 1, 1: 1, 2: 1, 3: 1}
    # The Parameter Buffer stays in the Tile Cache. A draw takes 64 bytes of commands.
    assert not any((*parameters.values(), *others.values())) and code == {0: instructions[0], 1: 0, 2: 0, 3: 0}
    assert commands == {0: misses[0] - LINES - 1 - code[0], 1: 0, 2: 0, 3: 0} and commands[0] == 1
    # Each of the four tiles has a list of a line, and two triangles have two attributes of 48 bytes each: three lines.
    through = load_configuration("ptr-2022", ["tile_cache.write=through"])
    fills = replay(tmp_path / "activity", through, [0, 1]).first_fills
    assert fills["parameter_buffer"] == {0: 4 + 3, 1: 0}
    # Frames that only warm up are counted, too.
    later = replay(tmp_path / "activity", load_configuration("ptr-2022"), [1, 2], 1)
    assert later.frames == [2] and later.first_fills["texels"] == {1: LINES, 2: LINES}
