"""A monkey's head, in place of Blender's Suzanne: a round head with a muzzle, brows, ears and eyes of their own.

Suzanne has 507 vertices and 500 faces, 32 of them triangles: 968 triangles.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..geometry import Mesh, joined
from .model import Faces, Model, Part, turntable
from .painted import fur
from .subdivision import Cage, box, mesh_of, smoother

EYE = 0.49, 0.15, 0.88
EYE_RADIUS = 0.27


def mesh() -> Mesh:
    """Head and two eyes, each of them closed, looking along +z: 976 triangles."""
    cage = _skull()
    _face(cage)
    _ears(cage)
    head = mesh_of(smoother(cage), tile=1.2)
    _paint(head)
    return joined(head, _eye(-1), _eye(1))


def _skull() -> Cage:
    cage = box((3, 3, 3), (1.0, 1.0, 1.0))
    # Half-way from a box to a ball, and a chin that is narrower than the crown.
    around = cage.position / np.linalg.norm(cage.position, axis=1, keepdims=True)
    cage.position = (0.25 * cage.position + 0.9 * around) * (1.02, 0.98, 0.98)
    x, y, z = cage.position.T
    narrow = 1 - 0.22 * np.clip(-y, 0, 1)
    cage.position = np.stack([x * narrow, y, z], 1)
    return cage


def _face(cage: Cage) -> None:
    muzzle = cage.nearest((-0.6, -0.6, 0.75), (0.0, -0.6, 0.9), (0.6, -0.6, 0.75))
    cage.draw_out(muzzle, (0.0, -0.02, 0.28), (0.78, 0.95, 0.5))
    cage.draw_out(muzzle, (0.0, -0.05, 0.25), (0.72, 0.72, 0.6))
    for side in (-1, 1):
        (socket,) = cage.nearest((0.62 * side, 0.08, 0.8))
        cage.draw_out([socket], (-0.06 * side, 0.08, 0.1), 0.92)
        cage.draw_out([socket], (-0.04 * side, 0.0, -0.22), 0.7)


def _ears(cage: Cage) -> None:
    for side in (-1, 1):
        (ear,) = cage.nearest((1.1 * side, 0.0, 0.0))
        cage.draw_out([ear], (0.14 * side, 0.12, -0.06), (1.0, 0.8, 0.45))
        cage.draw_out([ear], (0.42 * side, 0.12, -0.1), (1.0, 1.9, 1.0))
        cage.draw_out([ear], (0.12 * side, 0.0, 0.0), (1.0, 0.75, 0.8))


def _eye(side: int) -> Mesh:
    """A ball of 48 triangles with a pupil."""
    cage = smoother(box((1, 1, 1), (1.0, 1.0, 1.0)))
    around = cage.position / np.linalg.norm(cage.position, axis=1, keepdims=True)
    pupil = around[:, 2] > 0.9
    cage.position = around * EYE_RADIUS + np.array([EYE[0] * side, EYE[1], EYE[2]])
    ball = mesh_of(cage, tile=1.2)
    color = np.where(pupil[:, None], (0.05, 0.04, 0.04, 1.0), (1.0, 1.0, 1.0, 1.0))
    return replace(ball, color=color)


def _paint(mesh: Mesh) -> None:
    """A face that is paler than the hair around it."""
    x, y, z = mesh.position.T
    face = np.clip(3.5 * (z - 0.38 - 0.55 * np.hypot(0.8 * x, y + 0.2)), 0, 1)[:, None]
    mesh.color[:, :3] *= (1 - face) * (0.5, 0.32, 0.2) + face * (1.0, 0.78, 0.6)


def model() -> Model:
    """The head on a turntable."""
    part = Part("head", mesh(), fur, light=(0.45, 0.6, 0.1))
    return Model((part,), turntable((0.0, 0.35, 4.0), (0.0, -0.05, 0.0), -0.1))


def translucent() -> Model:
    """The same head of tinted glass: first what is seen of its inside, then its outside."""
    inside = Part("head, inside", mesh(), fur, faces=Faces.BACK, light=(0.45, 0.6, 0.1))
    outside = replace(inside, label="head, outside", faces=Faces.FRONT)
    return replace(model(), parts=(inside, outside), opacity=0.55)
