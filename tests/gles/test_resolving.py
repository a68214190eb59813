"""State resolved once per change, and draws executed together: nobody can tell from the image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.pipeline.command import DrawCommand
from tilegpu.functional.pipeline.draw import Outcome, Renderer
from tilegpu.functional.pipeline.sink import Sink
from tilegpu.functional.player import Player

SIZE = 32
VERTEX = """
attribute vec2 position;
attribute vec4 color;
uniform vec4 shift;
varying vec4 shade;
void main() { shade = color; gl_Position = vec4(position * 0.5, 0.0, 1.0) + shift; gl_PointSize = 3.0; }
"""
PLAIN = "precision highp float; varying vec4 shade; void main() { gl_FragColor = shade; }"
TEXTURED = """
precision highp float;
varying vec4 shade;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, shade.xy); }
"""


class Stream:
    """Random calls and draws; with `apart`, a call between all of them that changes nothing, but might."""

    def __init__(self, gl: Recorder, seed: int, apart: bool) -> None:
        self.gl, self.apart = gl, apart
        self.random = np.random.default_rng(seed)
        self.programs = [gl.program(VERTEX, fragment, ("position", "color")) for fragment in (PLAIN, TEXTURED)]
        self.shift = {p: gl.glGetUniformLocation(p, "shift") for p in self.programs}
        self.image = gl.glGetUniformLocation(self.programs[1], "image")
        self.program = self.programs[0]
        self.buffers, self.textures = gl.glGenBuffers(3), gl.glGenTextures(2)
        for name in self.buffers[:2]:
            gl.glBindBuffer(0x8892, name)
            gl.glBufferData(0x8892, 1024, self.vertices(), 0x88E4)
        gl.glBindBuffer(0x8893, self.buffers[2])
        gl.glBufferData(0x8893, 64, self.random.integers(0, 32, 64, np.uint8), 0x88E4)
        for name in self.textures:
            gl.glBindTexture(0x0DE1, name)
            gl.glTexImage2D(0x0DE1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, self.random.integers(0, 256, 64, np.uint8))
            gl.glTexParameteri(0x0DE1, 0x2801, 0x2600)
        for location, (size, offset) in enumerate(((2, 0), (4, 8))):
            gl.glVertexAttribPointer(location, size, 0x1406, False, 24, offset)
            gl.glEnableVertexAttribArray(location)
        gl.glUseProgram(self.program)

    def vertices(self) -> bytes:
        """Places and colours of forty vertices."""
        return self.random.uniform(-1, 1, (42, 6)).astype(np.float32).tobytes()[:1024]

    def step(self) -> None:
        """One random call, or a few draws."""
        gl, random = self.gl, self.random
        on = bool(random.integers(2))
        name = self.buffers[random.integers(2)]
        texture = self.textures[random.integers(2)]
        shift = random.uniform(-0.5, 0.5, 4).tolist()
        data, texels = self.vertices(), random.integers(0, 256, 64, np.uint8)
        number = int(random.integers(16))
        if number == 0:
            self.program = self.programs[random.integers(2)]
            gl.glUseProgram(self.program)
        elif number == 1:
            gl.glUniform4f(self.shift[self.program], *shift)
        elif number == 2:
            gl.glBindBuffer(0x8892, name)
            gl.glBufferSubData(0x8892, 0, len(data), data)
        elif number == 3:
            gl.glBindBuffer(0x8892, name)
            gl.glVertexAttribPointer(1, 4, 0x1406, False, 24, 8)
        elif number == 4:
            (gl.glEnableVertexAttribArray if on else gl.glDisableVertexAttribArray)(1)
            gl.glVertexAttrib4f(1, *shift)
        elif number == 5:
            (gl.glEnable if on else gl.glDisable)(0x0BE2)
            gl.glBlendFunc(0x0302, 0x0303)
        elif number == 6:
            gl.glViewport(0, 0, SIZE, SIZE // 2 if on else SIZE)
        elif number == 7:
            gl.glBindTexture(0x0DE1, texture)
            gl.glTexSubImage2D(0x0DE1, 0, 0, 0, 4, 4, 0x1908, 0x1401, texels)
        elif number == 8:
            gl.glTexParameteri(0x0DE1, 0x2800, 0x2601 if on else 0x2600)
        elif number == 9:
            (gl.glEnable if on else gl.glDisable)(0x0B71)
            gl.glClear(0x100)
        elif number == 10:
            gl.glColorMask(True, on, True, True)
        for _ in range(int(random.integers(4))):
            mode, count = int(random.choice([0, 1, 3, 4, 5, 6])), int(random.integers(1, 12))
            if random.integers(2):
                gl.glDrawArrays(mode, int(random.integers(16)), count)
            else:
                gl.glDrawElements(mode, count, 0x1401, int(random.integers(16)))
            if self.apart:
                gl.glHint(0x8192, 0x1100)


def rendered(path: Path, seed: int, apart: bool) -> list[np.ndarray]:
    """Images of a random stream."""
    with Recorder(path, SIZE, SIZE) as gl:
        stream = Stream(gl, seed, apart)
        for _ in range(3):
            gl.glClear(0x4100)
            for _ in range(25):
                stream.step()
            gl.swap()
    player = Player(path, backend=NumpyBackend())
    frames = [frame.pixels for frame in player.run()]
    assert not player.warnings
    return frames


@pytest.mark.parametrize("seed", range(8))
def test_draws_look_the_same_joined_and_apart(tmp_path: Path, seed: int) -> None:
    together = rendered(tmp_path / "together.trace", seed, False)
    apart = rendered(tmp_path / "apart.trace", seed, True)
    assert len(together) == len(apart) == 3
    assert any(len(np.unique(frame)) > 8 for frame in together)
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one, other)


def test_draws_of_one_state_are_executed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executed: list[int] = []
    run = Renderer.run

    def noted(self: Renderer, draw: DrawCommand, sink: Sink | None) -> Outcome:
        executed.append(draw.vertices.stream.count)
        return run(self, draw, sink)

    monkeypatch.setattr(Renderer, "run", noted)
    with Recorder(tmp_path / "draws.trace", SIZE, SIZE) as gl:
        stream = Stream(gl, 1, False)
        for _ in range(3):
            gl.glDrawArrays(4, 0, 6)
        gl.glDrawArrays(5, 0, 6)
        gl.glUniform4f(stream.shift[stream.program], 0.1, 0.0, 0.0, 0.0)
        gl.glDrawArrays(4, 0, 6)
        gl.swap()
    list(Player(tmp_path / "draws.trace", backend=NumpyBackend()).run())
    # Between joined draws stands a mark that starts new primitives.
    assert executed == [3 * 7, 6, 6]


def test_a_vertex_beyond_the_arrays_is_told_for_its_own_draw(tmp_path: Path) -> None:
    with Recorder(tmp_path / "beyond.trace", SIZE, SIZE) as gl:
        Stream(gl, 1, False)
        gl.glDrawArrays(4, 0, 6)
        gl.glDrawArrays(4, 100, 6)
        gl.glDrawArrays(4, 0, 6)
        gl.swap()
    player = Player(tmp_path / "beyond.trace", backend=NumpyBackend())
    assert len(list(player.run())) == 1
    (line,) = player.warnings
    assert "(1 call)" in line
    assert "vertex 105 lies outside its array" in line


@pytest.mark.parametrize("instances", (1, 2))
def test_more_vertices_than_any_array_holds_take_no_memory(tmp_path: Path, instances: int) -> None:
    with Recorder(tmp_path / "endless.trace", SIZE, SIZE) as gl:
        Stream(gl, 1, False)
        gl.glDrawArraysInstanced(0, 0, 0xFFFFFFFF, instances)
        gl.glDrawArrays(0, 0, 0x7FFFFFFF)
        gl.swap()
    player = Player(tmp_path / "endless.trace", backend=NumpyBackend())
    assert len(list(player.run())) == 1
    assert any("2147483647 vertices from 0 on; no array is that large" in line for line in player.warnings)
