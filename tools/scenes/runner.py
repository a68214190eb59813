"""The runner: a 3D track that a ball runs along, between walls and over blocks. In the first half of the frames all of
it moves; then the game is paused: three frames stand still, and in the last three the ball alone bobs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder

from . import meshes
from .mesh_scene import MeshScene

WIDTH, HEIGHT, FRAMES = 320, 192, 12
PAUSED_FROM, BOBS_FROM = 6, 9
STEP = 0.7


class Runner(MeshScene):
    """Draws the scene with a recorder."""

    def frame(self, number: int) -> None:
        """Draw one frame; the camera runs behind the ball."""
        gl, place = self.gl, meshes.placed
        z = -STEP * min(number, PAUSED_FROM)
        eye = np.array([0.6, 2.6, z + 5.0])
        view = meshes.perspective(60, WIDTH / HEIGHT, 0.5, 40) @ meshes.look_at(eye, np.array([0.0, 0.8, z - 4.0]))
        gl.glClearColor(0.5, 0.65, 0.85, 1.0)
        gl.glClear(0x4100)
        gl.glUniformMatrix4fv(self.uniforms["view_projection"], 1, False, meshes.columns(view))
        gl.glUniform3f(self.uniforms["eye"], *eye)
        self.draw("plane", "paving", place(0, 0, -12, (3, 1, 24)), (4, 32))
        for side in (-1, 1):
            self.draw("box", "bricks", place(3.2 * side, 0.8, -12, (0.2, 0.8, 24)), (32, 1))
        for i in range(8):
            x, height = (-1.6, 0.0, 1.6)[i * 5 % 3], 0.4 + 0.2 * (i % 3)
            model = place(x, height, -3.0 * i - 2, (0.6, height, 0.5), 0.3 * i)
            self.draw("box", "marble", model, collides=f"block {i}")
        bob = 0.12 * (number - BOBS_FROM + 1) if number >= BOBS_FROM else 0.0
        tint = (1.0, 0.75, 0.55, 1.0)
        self.draw("sphere", "marble", place(0.3, 0.6 + bob, z, (0.6, 0.6, 0.6), 1.2 * z), (2, 1), tint, "ball")
        gl.swap()


def record(path: Path) -> None:
    """Write the scene's trace."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        scene = Runner(gl)
        for number in range(FRAMES):
            scene.frame(number)
