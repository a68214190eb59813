"""The 3D scene: a courtyard with columns, walls, spheres and panes of glass, seen by a moving camera, with overdraw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Recorder
from tilegpu.shaders import source

from . import meshes, textures

WIDTH, HEIGHT, FRAMES = 640, 360, 8
ATTRIBUTES = (("position", 3, 0), ("normal", 3, 12), ("texture_coordinate", 2, 24))


class Courtyard:
    """Draws the scene with a recorder."""

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
    ) -> None:
        """Draw one object."""
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
        gl.glDrawElements(4, count, 0x1403, 0)

    def frame(self, number: int) -> None:
        """Draw one frame; the camera circles the courtyard."""
        gl = self.gl
        angle = 0.5 + 0.04 * number
        eye = np.array([8.5 * np.cos(angle), 3.2, 8.5 * np.sin(angle)])
        view = meshes.perspective(55, WIDTH / HEIGHT, 0.5, 60) @ meshes.look_at(eye, np.array([0.0, 1.2, 0.0]))
        gl.glClearColor(0.55, 0.7, 0.9, 1.0)
        gl.glClear(0x4100)
        gl.glUniformMatrix4fv(self.uniforms["view_projection"], 1, False, meshes.columns(view))
        gl.glUniform3f(self.uniforms["eye"], *eye)
        place = meshes.placed
        # The ground and the far walls come first: what stands in front is drawn over them.
        self.draw("plane", "paving", place(0, 0, 0, (14, 1, 14)), (12, 12))
        for side in range(4):
            turn = side * np.pi / 2
            self.draw("box", "bricks", place(11 * np.sin(turn), 2, 11 * np.cos(turn), (11, 2, 0.4), turn), (8, 2))
        for i in range(10):
            turn = i * np.pi / 5
            self.draw(
                "box",
                "marble",
                place(5 * np.cos(turn), 1.6, 5 * np.sin(turn), (0.35, 1.6, 0.35), -turn),
                (1, 3),
            )
        for i in range(4):
            turn = i * np.pi / 2 + 0.4 + 0.08 * number
            self.draw(
                "sphere",
                "marble",
                place(2.4 * np.cos(turn), 0.9, 2.4 * np.sin(turn), (0.9, 0.9, 0.9)),
                (2, 1),
                (0.8 + 0.05 * i, 0.75, 0.9, 1),
            )
        self._panes()
        gl.swap()

    def _panes(self) -> None:
        gl = self.gl
        gl.glEnable(0x0BE2)
        gl.glBlendFunc(0x0302, 0x0303)
        gl.glDepthMask(False)
        for i in range(3):
            self.draw(
                "box",
                "marble",
                meshes.placed(-1.5 + 1.5 * i, 1.3, 0.4 * i, (0.6, 1.2, 0.03), 0.3 * i),
                tint=(0.5, 0.8, 0.9, 0.4),
            )
        gl.glDepthMask(True)
        gl.glDisable(0x0BE2)


def record(path: Path) -> None:
    """Write the scene's trace."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        scene = Courtyard(gl)
        for number in range(FRAMES):
            scene.frame(number)
