"""The 2D scene: a map of tiles that stands still, a few sprites that move, and a row of badges on top."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder

from .sprite_scene import SpriteScene, quads

WIDTH, HEIGHT, FRAMES = 640, 360, 8
TILE = 32


class Sprites(SpriteScene):
    """Draws the scene with a recorder."""

    def __init__(self, gl: Recorder) -> None:
        super().__init__(gl, WIDTH, HEIGHT)
        random = np.random.default_rng(7)
        y, x = np.mgrid[: -(-HEIGHT // TILE), : WIDTH // TILE]
        places = np.stack([x, y], 2).reshape(-1, 2) * float(TILE)
        self.ground = self.buffer(quads(places, random.choice(4, len(places), p=[0.6, 0.2, 0.15, 0.05]), TILE))
        self.moving = [
            (
                self.buffer(quads(np.zeros((1, 2)), np.array([4 + i]), 40.0 + 4 * i)),
                random.random(2) * (500, 250),
                5 * random.random(2),
            )
            for i in range(8)
        ]
        badges = np.stack([np.arange(12) * 52.0 + 8, np.full(12, HEIGHT - 56.0)], 1)
        self.badges = self.buffer(quads(badges, 4 + np.arange(12), 48.0))
        self.atlas()

    def frame(self, number: int) -> None:
        """Draw one frame: only the sprites have moved."""
        gl = self.gl
        gl.glClearColor(0.0, 0.0, 0.0, 1.0)
        gl.glClear(0x4100)
        gl.glDisable(0x0BE2)
        self.use(self.ground_program)
        self.draw(self.ground_program, self.ground)
        gl.glEnable(0x0BE2)
        gl.glBlendFunc(0x0302, 0x0303)
        self.use(self.sprite_program)
        for buffer, start, speed in self.moving:
            x, y = start + speed * number
            self.draw(self.sprite_program, buffer, (float(x), float(y)), 0.9)
        self.draw(self.sprite_program, self.badges, opacity=0.8)
        gl.swap()


def record(path: Path) -> None:
    """Write the scene's trace."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        scene = Sprites(gl)
        for number in range(FRAMES):
            scene.frame(number)
