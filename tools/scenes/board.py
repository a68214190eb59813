"""The board game: a 2D board with pieces and a row of buttons. In the first half of the frames nobody moves; in the
second one piece slides over the board."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder

from .sprite_scene import SpriteScene, quads

WIDTH, HEIGHT, FRAMES = 320, 192, 12
MOVES_FROM = 6
CELL = 24


class Board(SpriteScene):
    """Draws the scene with a recorder."""

    def __init__(self, gl: Recorder) -> None:
        super().__init__(gl, WIDTH, HEIGHT)
        random = np.random.default_rng(11)
        y, x = np.mgrid[:8, : WIDTH // CELL + 1]
        places = np.stack([x, y], 2).reshape(-1, 2) * float(CELL)
        self.board = self.buffer(quads(places, ((x + y) % 2 * 3).ravel(), CELL))
        taken = random.choice(80, 14, replace=False)
        pieces = np.stack([taken % 10, taken // 10], 1).astype(np.float64) * CELL + (2.0 * CELL, 0.0)
        self.pieces = self.buffer(quads(pieces, 4 + random.integers(0, 6, len(taken)), CELL))
        self.moved = self.buffer(quads(np.array([[3.0 * CELL, 4.0 * CELL]]), np.array([11]), CELL))
        buttons = np.stack([np.full(4, 8.0), 16.0 + 44 * np.arange(4)], 1)
        self.buttons = self.buffer(quads(buttons, 12 + np.arange(4), 32.0))
        self.atlas()

    def frame(self, number: int) -> None:
        """Draw one frame."""
        gl = self.gl
        gl.glClearColor(0.1, 0.1, 0.1, 1.0)
        gl.glClear(0x4100)
        gl.glDisable(0x0BE2)
        self.use(self.ground_program)
        self.draw(self.ground_program, self.board)
        gl.glEnable(0x0BE2)
        gl.glBlendFunc(0x0302, 0x0303)
        self.use(self.sprite_program)
        self.draw(self.sprite_program, self.pieces)
        self.draw(self.sprite_program, self.moved, (10.0 * max(0, number - MOVES_FROM + 1), 0.0))
        self.draw(self.sprite_program, self.buttons, opacity=0.9)
        gl.swap()


def record(path: Path) -> None:
    """Write the scene's trace."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        scene = Board(gl)
        for number in range(FRAMES):
            scene.frame(number)
