"""Common parts of 3D scenes: textured meshes lit by one lamp."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.activity.marks import COLLISIONABLE
from tilegpu.functional.capture import Recorder
from tilegpu.shaders import source

from . import meshes, textures

ATTRIBUTES = (("position", 3, 0), ("normal", 3, 12), ("texture_coordinate", 2, 24))


class MeshScene:
    """Draws with a recorder."""

    def __init__(self, gl: Recorder) -> None:
        self.gl = gl
        self.program = gl.program(
            source("demo/lit.vert"), source("demo/lit.frag"), tuple(name for name, _, _ in ATTRIBUTES)
        )
        gl.glUseProgram(self.program)
        self.uniforms = {
            name: gl.glGetUniformLocation(self.program, name)
            for name in ("model", "view_projection", "texture_scale", "surface", "lamp", "eye", "tint")
        }
        self.meshes = {
            name: self._mesh(*mesh)
            for name, mesh in (("box", meshes.box()), ("sphere", meshes.sphere()), ("plane", meshes.plane()))
        }
        self.textures = {
            name: self._texture(make())
            for name, make in (
                ("paving", textures.paving),
                ("bricks", textures.bricks),
                ("marble", textures.marble),
            )
        }
        gl.glEnable(0x0B71)
        gl.glEnable(0x0B44)
        gl.glUniform1i(self.uniforms["surface"], 0)
        gl.glUniform3f(self.uniforms["lamp"], 4.0, 7.0, 3.0)

    def _mesh(self, vertices: NDArray[np.float32], indices: NDArray[np.uint16]) -> tuple[int, int, int]:
        gl = self.gl
        vertex_buffer, index_buffer = gl.glGenBuffers(2)
        gl.glBindBuffer(0x8892, vertex_buffer)
        gl.glBufferData(0x8892, vertices.nbytes, vertices, 0x88E4)
        gl.glBindBuffer(0x8893, index_buffer)
        gl.glBufferData(0x8893, indices.nbytes, indices, 0x88E4)
        return vertex_buffer, index_buffer, len(indices)

    def _texture(self, texels: NDArray[np.uint8]) -> int:
        gl = self.gl
        name: int = gl.glGenTextures(1)[0]
        gl.glBindTexture(0x0DE1, name)
        gl.glTexImage2D(0x0DE1, 0, 0x1908, texels.shape[1], texels.shape[0], 0, 0x1908, 0x1401, texels)
        gl.glTexParameteri(0x0DE1, 0x2801, 0x2703)
        gl.glGenerateMipmap(0x0DE1)
        return name

    def draw(
        self,
        mesh: str,
        texture: str,
        model: NDArray[np.float64],
        scale: tuple[float, float] = (1, 1),
        tint: tuple[float, float, float, float] = (1, 1, 1, 1),
        collides: str = "",
    ) -> None:
        """Draw one object; one that collides has a label that says so."""
        gl, u = self.gl, self.uniforms
        vertex_buffer, index_buffer, count = self.meshes[mesh]
        gl.glBindTexture(0x0DE1, self.textures[texture])
        gl.glBindBuffer(0x8892, vertex_buffer)
        gl.glBindBuffer(0x8893, index_buffer)
        for location, (_, size, offset) in enumerate(ATTRIBUTES):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, size, 0x1406, False, 32, offset)
        gl.glUniformMatrix4fv(u["model"], 1, False, meshes.columns(model))
        gl.glUniform2f(u["texture_scale"], *scale)
        gl.glUniform4f(u["tint"], *tint)
        with gl.group(COLLISIONABLE + collides) if collides else nullcontext():
            gl.glDrawElements(4, count, 0x1403, 0)
