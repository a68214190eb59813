"""Scenes of a few solids, recorded through the recorder, and solids as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from tilegpu.collisions.meshes import CollidingObject
from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record

SIZE = 16
VERTEX = """
attribute vec3 tint; attribute vec3 a_position;
uniform mat4 u_view; uniform mat4 u_world;
varying vec3 color;
void main() { color = tint; gl_Position = u_view * (u_world * vec4(a_position, 1.0)); }
"""
FRAGMENT = "precision highp float; varying vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }"
CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
CUBE_FACES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
     (1, 5, 7), (1, 7, 3)],
    np.uint16,
)  # fmt: skip
VIEW = np.array([(0.1, 0, 0, 0), (0, 0.1, 0, 0), (0, 0, 0.1, 0), (0, 0, 0, 1)], np.float32)
Placed = tuple[str, np.ndarray]
"""Label of a cube, and its world matrix for columns."""


def moved(x: float, y: float = 0.0, z: float = 0.0, turn: float = 0.0, scale: float = 1.0) -> np.ndarray:
    """Matrix that scales, turns about z and moves."""
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    return np.array([(c, -s, 0, x), (s, c, 0, y), (0, 0, scale, z), (0, 0, 0, 1)], np.float32)


def solid(name: str, positions: np.ndarray) -> CollidingObject:
    """A mesh without triangles."""
    points = np.asarray(positions, np.float32)
    shape = sha256((points - points[0]).tobytes()).digest()
    return CollidingObject(name, points, np.zeros((0, 3), np.int32), shape)


def cube(name: str, x: float, y: float = 0.0, z: float = 0.0, half: float = 1.0) -> CollidingObject:
    """A cube."""
    return solid(name, CUBE * half + np.array((x, y, z), np.float32))


def record_cubes(path: Path, frames: Sequence[Sequence[Placed]]) -> Path:
    """Trace of cubes, drawn with indices from one buffer; a label of "" is none."""
    data = np.concatenate([np.abs(CUBE), CUBE], 1)
    with Recorder(path, SIZE, SIZE) as r:
        program = r.program(VERTEX, FRAGMENT, ("tint", "a_position"))
        r.glUseProgram(program)
        world, view = (r.glGetUniformLocation(program, name) for name in ("u_world", "u_view"))
        r.glUniformMatrix4fv(view, 1, False, VIEW.T)
        for target, content in ((0x8892, data), (0x8893, CUBE_FACES)):
            r.glBindBuffer(target, r.glGenBuffers(1)[0])
            r.glBufferData(target, content.nbytes, content, 0x88E4)
        for location in range(2):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 3, 0x1406, False, 24, 12 * location)
        for frame in frames:
            for label, matrix in frame:
                r.glUniformMatrix4fv(world, 1, False, matrix.T)
                if label:
                    r.glPushGroupMarkerEXT(0, label)
                r.glDrawElements(4, CUBE_FACES.size, 0x1403, 0)
                if label:
                    r.glPopGroupMarkerEXT()
            r.swap()
    return path


def recorded(folder: Path, frames: Sequence[Sequence[Placed]], groups: frozenset[str] = frozenset({"inputs"})) -> Path:
    """Activity of such a trace."""
    record(record_cubes(folder / "cubes.trace", frames), folder / "activity", groups=groups)
    return folder / "activity"
