"""A wooden chair: turned legs and posts, rails between them, a seat and curved slats.

Emerald tells no more of its model than the name.
"""

from __future__ import annotations

import numpy as np

from ..geometry import Floats, Mesh, joined, lathe
from ..textures import Texels, paint
from .model import Model, Part, turntable
from .subdivision import box, mesh_of, smoother
from .surface import grid

SEAT, TOP, HALF = 0.0, 1.55, 0.62
"""Heights of the seat and of the back, and half of the chair's width."""


def wood(size: int) -> Texels:
    """Brown wood."""
    return paint("planks", size, 11, (0.66, 0.42, 0.24))


def mesh() -> Mesh:
    """The chair's surface, its front along +z."""
    parts = [_seat()]
    for x in (-HALF, HALF):
        parts.append(_turned(1.2, 0.085).moved((x * 0.92, SEAT - 1.22, 0.5)))
        parts.append(_turned(1.2, 0.085).moved((x * 0.92, SEAT - 1.22, -0.5)))
        parts.append(_turned(1.6, 0.075).moved((x * 0.92, SEAT - 0.02, -0.56)))
        parts.append(_bar((x * 0.92, SEAT - 0.8, -0.5), (0.0, 0.0, 1.0)))
    parts += [_bar((-HALF * 0.92, SEAT - 0.6, z), (2 * HALF * 0.92, 0.0, 0.0)) for z in (-0.5, 0.5)]
    parts += [_slat(SEAT + height) for height in (0.55, 0.95, 1.35)]
    return joined(*parts)


def _seat() -> Mesh:
    """A board with round corners, deeper in the middle."""
    cage = smoother(smoother(box((6, 1, 6), (HALF + 0.14, 0.08, 0.74))))
    x, y, z = cage.position.T
    hollow = 0.06 * np.exp(-6 * (x**2 + z**2)) * (y > 0)
    cage.position = np.stack([x, y - hollow, z], 1)
    return mesh_of(cage, tile=1.1)


def _turned(height: float, radius: float) -> Mesh:
    """A post from a lathe, closed at its ends."""
    along = np.linspace(0, 1, 21)
    bulge = radius * (0.75 + 0.25 * np.sin(2 * np.pi * (3 * along + 0.1)) * (np.abs(along - 0.5) < 0.4))
    bulge[[0, -1]] = 0.0
    along[0], along[-1] = along[1] - 1e-3, along[-2] + 1e-3
    return lathe(np.stack([bulge, along * height], 1), 20).textured(0.0, 0.0, 0.5, 1.0)


def _bar(start: tuple[float, float, float], way: tuple[float, float, float]) -> Mesh:
    """A round rail between two legs."""
    ahead = np.array(way) / np.linalg.norm(way)
    side, up = np.cross(ahead, (0.0, 1.0, 0.0)), np.array([0.0, 1.0, 0.0])
    turn = np.linspace(0, 2 * np.pi, 17)
    around = 0.045 * (np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * up)
    centers = np.array(start) + np.linspace(0, 1, 9)[:, None] * np.array(way)
    return grid(centers[:, None] + around[None], 1.1, (False, True), flip=True)


def _slat(height: float) -> Mesh:
    """A board of the back, bent backwards: a loop around its edge, carried along."""
    x = np.linspace(-HALF * 0.92, HALF * 0.92, 25)
    turn = np.linspace(0, 2 * np.pi, 21)
    across: Floats = np.stack([0.13 * np.sin(turn), 0.035 * np.cos(turn)], 1)
    bend = -0.56 - 0.16 * np.cos(np.pi * x / (2 * HALF))
    points = np.stack(np.broadcast_arrays(x[:, None], height + across[None, :, 0], bend[:, None] + across[:, 1]), 2)
    return grid(points, 1.1, (False, True), flip=True)


def model() -> Model:
    """The chair on a turntable."""
    part = Part("chair", mesh(), wood, light=(0.45, 0.6, 0.1))
    return Model((part,), turntable((0.0, 1.5, 5.0), (0.0, 0.1, 0.0), 0.6))
