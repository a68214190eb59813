"""Scenes of collisionable slabs for tests of collision detection: a rectangle that faces the viewer, and one behind it
that faces away and is culled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import Level, record

SIZE = 64
VERTEX = "attribute vec4 position; void main() { gl_Position = position; }"
FRAGMENT = "precision highp float; uniform vec4 tint; void main() { gl_FragColor = tint; }"
CULL_FACE, DEPTH_TEST = 0x0B44, 0x0B71
FRONT, BACK = 0, 1


@dataclass(frozen=True)
class Slab:
    """Corners are in pixels, depths from 0 (near) to 1. Sides are drawn in the order of `sides`."""

    label: str
    near: float
    far: float
    left: int = 0
    right: int = SIZE
    bottom: int = 0
    top: int = SIZE
    sides: tuple[int, ...] = (FRONT, BACK)
    collisionable: bool = True

    def covers(self, x: int, y: int) -> bool:
        """Whether it covers a pixel."""
        return self.left <= x < self.right and self.bottom <= y < self.top

    def corners(self) -> np.ndarray:
        """Two triangles for each side, clip coordinates; those of the far side are wound the other way."""
        x0, x1 = (2 * x / SIZE - 1 for x in (self.left, self.right))
        y0, y1 = (2 * y / SIZE - 1 for y in (self.bottom, self.top))
        parts = []
        for side in self.sides:
            z = 2 * (self.near if side == FRONT else self.far) - 1
            a, b, c, d = (x0, y0, z, 1), (x1, y0, z, 1), (x1, y1, z, 1), (x0, y1, z, 1)
            parts += [a, b, c, a, c, d] if side == FRONT else [a, c, b, a, d, c]
        return np.array(parts, np.float32)


def record_slabs(folder: Path, frames: Sequence[Sequence[Slab]], level: Level = "all") -> Path:
    """Activity of frames; each draws its slabs in their order."""
    trace = folder / "slabs.trace"
    with Recorder(trace, SIZE, SIZE) as gl:
        program = gl.program(VERTEX, FRAGMENT, ("position",))
        gl.glUseProgram(program)
        tint = gl.glGetUniformLocation(program, "tint")
        gl.glEnable(DEPTH_TEST)
        gl.glEnable(CULL_FACE)
        gl.glEnableVertexAttribArray(0)
        for slabs in frames:
            gl.glClearColor(0, 0, 0, 1)
            gl.glClear(0x4100)
            for number, slab in enumerate(slabs):
                gl.glUniform4f(tint, (number + 1) / 16, 1 - (number + 1) / 16, (number % 3) / 3, 1)
                corners = slab.corners()
                gl.glVertexAttribPointer(0, 4, 0x1406, False, 16, corners.tobytes())
                label = f"collisionable:{slab.label}" if slab.collisionable else slab.label
                with gl.group(label):
                    gl.glDrawArrays(4, 0, len(corners))
            gl.swap()
    record(trace, folder / "activity", level=level, groups=frozenset(("colors", "pass_images")), replace=True)
    return folder / "activity"


def random_slabs(chance: np.random.Generator, count: int) -> list[Slab]:
    """Slabs anywhere, of few depths so that many are equal; some lack a side, as if the near plane cut it off, and some
    do not collide."""

    def slab(number: int) -> Slab:
        left, bottom = (int(v) for v in chance.integers(0, SIZE - 8, 2))
        right, top = (int(chance.integers(low + 4, SIZE + 1)) for low in (left, bottom))
        near, far = sorted(int(v) for v in chance.choice(16, 2, replace=False))
        sides = [(FRONT, BACK), (BACK, FRONT), (BACK,), (FRONT,)]
        chosen = sides[int(chance.choice(4, p=[0.5, 0.35, 0.08, 0.07]))]
        collides = bool(chance.random() < 0.9)
        # Some objects are drawn in two parts.
        name = f"slab {number % max(1, count - 2)}"
        return Slab(name, near / 16, far / 16, left, right, bottom, top, chosen, collides)

    return [slab(number) for number in range(count)]
