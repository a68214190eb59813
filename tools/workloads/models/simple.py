"""The plainest models: a cube, and a few triangles."""

from __future__ import annotations

import numpy as np

from ..geometry import Mesh, box, joined
from ..textures import Texels, paint
from .model import Faces, Model, Part, turntable

BLADES = 12
"""Triangles of the model of triangles."""


def crate(size: int) -> Texels:
    """Planks of a crate."""
    return paint("planks", size, 3, (0.72, 0.5, 0.3))


def tiles(size: int) -> Texels:
    """Slabs of stone."""
    return paint("slabs", size, 8, (0.75, 0.72, 0.8))


def cube() -> Model:
    """A cube of 12 triangles on a turntable, seen from above."""
    return Model((Part("cube", box(), crate),), turntable((0.0, 1.9, 4.6), (0.0, -0.05, 0.0), 0.5))


def triangles_mesh() -> Mesh:
    """Triangles like the blades of a fan in two rows, which hide each other as they turn."""
    blades = []
    for i in range(BLADES):
        turn, height = 2 * np.pi * i / (BLADES // 2), -0.85 if i % 2 else 0.85
        out = np.array([np.sin(turn), 0.0, np.cos(turn)])
        across = np.array([np.cos(turn), 0.0, -np.sin(turn)])
        corners = np.stack([1.1 * out - 0.95 * across, 1.1 * out + 0.95 * across, 0.9 * out])
        corners[:, 1] += np.array([-0.8, -0.8, 0.8]) + height
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        hue = 0.65 + 0.35 * np.cos(turn + np.array([0.0, 2.1, 4.2]))
        blades.append(
            Mesh(
                corners,
                np.tile(normal / np.linalg.norm(normal), (3, 1)),
                np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]]),
                np.tile([*hue, 1.0], (3, 1)),
                np.array([[0, 1, 2]]),
            )
        )
    return joined(*blades)


def triangles() -> Model:
    """The triangles on a turntable; both of their sides show."""
    part = Part("triangles", triangles_mesh(), tiles, faces=Faces.BOTH)
    return Model((part,), turntable((0.0, 0.8, 6.2)))
