"""The 3D scene: a courtyard with columns, walls, spheres and panes of glass, seen by a moving camera, with overdraw."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder

from . import meshes
from .mesh_scene import MeshScene

WIDTH, HEIGHT, FRAMES = 640, 360, 8


class Courtyard(MeshScene):
    """Draws the scene with a recorder."""

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
                collides=f"column {i}",
            )
        for i in range(4):
            turn = i * np.pi / 2 + 0.4 + 0.08 * number
            self.draw(
                "sphere",
                "marble",
                place(2.4 * np.cos(turn), 0.9, 2.4 * np.sin(turn), (0.9, 0.9, 0.9)),
                (2, 1),
                (0.8 + 0.05 * i, 0.75, 0.9, 1),
                collides=f"ball {i}",
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
                collides=f"pane {i}",
            )
        gl.glDepthMask(True)
        gl.glDisable(0x0BE2)


def record(path: Path) -> None:
    """Write the scene's trace."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        scene = Courtyard(gl)
        for number in range(FRAMES):
            scene.frame(number)
