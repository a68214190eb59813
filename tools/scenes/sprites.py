"""The 2D scene: a map of tiles that stands still, a few sprites that move, and a row of badges on top."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Recorder
from tilegpu.shaders import source

from . import textures

WIDTH, HEIGHT, FRAMES = 640, 360, 8
TILE = 32
ATTRIBUTES = ("position", "texture_coordinate")


def quads(places: NDArray[np.float64], cells: NDArray[np.int64], size: float) -> NDArray[np.float32]:
    """Two triangles per sprite, (n * 6, 4): position in pixels and texture coordinate of an atlas cell."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)], np.float64)
    position = places[:, None] + corners * size
    coordinate = (np.stack([cells % 4, cells // 4], 1)[:, None] + 1 / 64 + corners * (1 - 1 / 32)) / 4
    return np.concatenate([position, coordinate], 2).reshape(-1, 4).astype(np.float32)


class Sprites:
    """Draws the scene with a recorder."""

    def __init__(self, gl: Recorder) -> None:
        self.gl = gl
        random = np.random.default_rng(7)
        self.ground_program = gl.program(source("demo/sprite.vert"), source("demo/background.frag"), ATTRIBUTES)
        self.sprite_program = gl.program(source("demo/sprite.vert"), source("demo/sprite.frag"), ATTRIBUTES)
        self.uniforms = {
            program: {name: gl.glGetUniformLocation(program, name) for name in ("screen", "offset", "opacity")}
            for program in (self.ground_program, self.sprite_program)
        }
        y, x = np.mgrid[: -(-HEIGHT // TILE), : WIDTH // TILE]
        places = np.stack([x, y], 2).reshape(-1, 2) * float(TILE)
        self.ground = self._buffer(quads(places, random.choice(4, len(places), p=[0.6, 0.2, 0.15, 0.05]), TILE))
        self.moving = [
            (
                self._buffer(quads(np.zeros((1, 2)), np.array([4 + i]), 40.0 + 4 * i)),
                random.random(2) * (500, 250),
                5 * random.random(2),
            )
            for i in range(8)
        ]
        badges = np.stack([np.arange(12) * 52.0 + 8, np.full(12, HEIGHT - 56.0)], 1)
        self.badges = self._buffer(quads(badges, 4 + np.arange(12), 48.0))
        self._atlas()

    def _buffer(self, vertices: NDArray[np.float32]) -> tuple[int, int]:
        gl = self.gl
        name: int = gl.glGenBuffers(1)[0]
        gl.glBindBuffer(0x8892, name)
        gl.glBufferData(0x8892, vertices.nbytes, vertices, 0x88E4)
        return name, len(vertices)

    def _atlas(self) -> None:
        gl = self.gl
        texels = textures.atlas()
        gl.glBindTexture(0x0DE1, gl.glGenTextures(1)[0])
        gl.glTexImage2D(0x0DE1, 0, 0x1908, texels.shape[1], texels.shape[0], 0, 0x1908, 0x1401, texels)
        gl.glTexParameteri(0x0DE1, 0x2801, 0x2601)
        gl.glTexParameteri(0x0DE1, 0x2802, 0x812F)
        gl.glTexParameteri(0x0DE1, 0x2803, 0x812F)

    def _use(self, program: int) -> None:
        self.gl.glUseProgram(program)
        self.gl.glUniform2f(self.uniforms[program]["screen"], WIDTH, HEIGHT)

    def _draw(
        self,
        program: int,
        buffer: tuple[int, int],
        offset: tuple[float, float] = (0, 0),
        opacity: float = 1.0,
    ) -> None:
        gl, u = self.gl, self.uniforms[program]
        gl.glBindBuffer(0x8892, buffer[0])
        for location in (0, 1):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, 2, 0x1406, False, 16, 8 * location)
        gl.glUniform2f(u["offset"], *offset)
        if program == self.sprite_program:
            gl.glUniform1f(u["opacity"], opacity)
        gl.glDrawArrays(4, 0, buffer[1])

    def frame(self, number: int) -> None:
        """Draw one frame: only the sprites have moved."""
        gl = self.gl
        gl.glClearColor(0.0, 0.0, 0.0, 1.0)
        gl.glClear(0x4100)
        gl.glDisable(0x0BE2)
        self._use(self.ground_program)
        self._draw(self.ground_program, self.ground)
        gl.glEnable(0x0BE2)
        gl.glBlendFunc(0x0302, 0x0303)
        self._use(self.sprite_program)
        for buffer, start, speed in self.moving:
            x, y = start + speed * number
            self._draw(self.sprite_program, buffer, (float(x), float(y)), 0.9)
        self._draw(self.sprite_program, self.badges, opacity=0.8)
        gl.swap()


def record(path: Path) -> None:
    """Write the scene's trace."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        scene = Sprites(gl)
        for number in range(FRAMES):
            scene.frame(number)
