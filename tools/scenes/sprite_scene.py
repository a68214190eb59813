"""Common parts of 2D scenes: sprites from one atlas, placed in pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Recorder
from tilegpu.shaders import source

from . import textures

ATTRIBUTES = ("position", "texture_coordinate")


def quads(places: NDArray[np.float64], cells: NDArray[np.int64], size: float) -> NDArray[np.float32]:
    """Two triangles per sprite, (n * 6, 4): position in pixels and texture coordinate of an atlas cell."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)], np.float64)
    position = places[:, None] + corners * size
    coordinate = (np.stack([cells % 4, cells // 4], 1)[:, None] + 1 / 64 + corners * (1 - 1 / 32)) / 4
    return np.concatenate([position, coordinate], 2).reshape(-1, 4).astype(np.float32)


class SpriteScene:
    """Draws with a recorder, on a screen of a size in pixels."""

    def __init__(self, gl: Recorder, width: int, height: int) -> None:
        self.gl, self.width, self.height = gl, width, height
        self.ground_program = gl.program(source("demo/sprite.vert"), source("demo/background.frag"), ATTRIBUTES)
        self.sprite_program = gl.program(source("demo/sprite.vert"), source("demo/sprite.frag"), ATTRIBUTES)
        self.uniforms = {
            program: {name: gl.glGetUniformLocation(program, name) for name in ("screen", "offset", "opacity")}
            for program in (self.ground_program, self.sprite_program)
        }

    def buffer(self, vertices: NDArray[np.float32]) -> tuple[int, int]:
        """A buffer and its number of vertices."""
        gl = self.gl
        name: int = gl.glGenBuffers(1)[0]
        gl.glBindBuffer(0x8892, name)
        gl.glBufferData(0x8892, vertices.nbytes, vertices, 0x88E4)
        return name, len(vertices)

    def atlas(self) -> None:
        """Upload the atlas."""
        gl = self.gl
        texels = textures.atlas()
        gl.glBindTexture(0x0DE1, gl.glGenTextures(1)[0])
        gl.glTexImage2D(0x0DE1, 0, 0x1908, texels.shape[1], texels.shape[0], 0, 0x1908, 0x1401, texels)
        gl.glTexParameteri(0x0DE1, 0x2801, 0x2601)
        gl.glTexParameteri(0x0DE1, 0x2802, 0x812F)
        gl.glTexParameteri(0x0DE1, 0x2803, 0x812F)

    def use(self, program: int) -> None:
        """Draw with a program."""
        self.gl.glUseProgram(program)
        self.gl.glUniform2f(self.uniforms[program]["screen"], self.width, self.height)

    def draw(
        self,
        program: int,
        buffer: tuple[int, int],
        offset: tuple[float, float] = (0, 0),
        opacity: float = 1.0,
    ) -> None:
        """Draw the sprites of a buffer."""
        gl, u = self.gl, self.uniforms[program]
        gl.glBindBuffer(0x8892, buffer[0])
        for location in (0, 1):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, 2, 0x1406, False, 16, 8 * location)
        gl.glUniform2f(u["offset"], *offset)
        if program == self.sprite_program:
            gl.glUniform1f(u["opacity"], opacity)
        gl.glDrawArrays(4, 0, buffer[1])
