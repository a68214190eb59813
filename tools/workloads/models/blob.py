"""A cow as smooth as a toy, in place of Keenan Crane's Spot: a body, four legs, a large head with ears and horns.

Spot is a smooth closed body without holes of 5,856 triangles (spot_triangulated.obj of its author's model repository).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..geometry import Mesh
from .model import Model, Part, turntable
from .painted import hide
from .subdivision import Cage, box, mesh_of, smoother

MIDDLE = 0.55
"""Place of the cow's middle along its body."""
PALE = 0.15, 0.4


def mesh() -> Mesh:
    """The cow's surface, closed, looking along +z: 5,824 triangles."""
    cage = _body()
    _legs(cage)
    _head(cage)
    for center in cage.nearest((0.0, 0.5, -1.6)):
        cage.draw_out([center], (0.0, 0.1, -0.35), 0.45)
        cage.draw_out([center], (0.0, -0.55, -0.3), 0.9)
    surface = mesh_of(smoother(smoother(cage)), tile=2.6)
    _paint(surface)
    # A place of the texture where the face is pale.
    return replace(surface, position=surface.position - (0.0, 0.0, MIDDLE), coordinate=surface.coordinate + PALE)


def _body() -> Cage:
    cage = box((3, 2, 5), (0.85, 0.75, 1.45))
    x, y, z = cage.position.T
    # A back that sags a little, and a belly that hangs.
    y += 0.06 * z**2
    y -= np.where(y < 0, 0.15 * np.cos(z), 0.0)
    cage.position = np.stack([x * (1.08 - 0.06 * z**2), y, z], 1)
    return cage


def _legs(cage: Cage) -> None:
    for x in (-0.6, 0.6):
        for z in (-1.2, 1.2):
            (leg,) = cage.nearest((x, -0.8, z))
            cage.draw_out([leg], (0.06 * x, -0.35, 0.0), (1.15, 1.0, 1.1))
            cage.draw_out([leg], (0.0, -0.55, 0.0), (0.9, 0.3, 0.9))
            cage.draw_out([leg], (0.0, -0.42, 0.05), (1.12, 0.3, 1.12))


def _head(cage: Cage) -> None:
    front = cage.nearest(*((x, y, 1.5) for x in (-0.57, 0.0, 0.57) for y in (-0.3, 0.5)))
    cage.draw_out(front, (0.0, 0.45, 0.35), (0.72, 0.62, 0.4))
    cage.draw_out(front, (0.0, 0.4, 0.25), (1.35, 1.45, 0.4))
    cage.draw_out(front, (0.0, 0.05, 0.6), (1.05, 1.15, 1.0))
    cage.draw_out(front, (0.0, -0.3, 0.65), (0.62, 0.55, 0.8))
    for side in (-1, 1):
        (ear,) = cage.nearest((0.95 * side, 1.55, 2.05))
        cage.draw_out([ear], (0.3 * side, 0.14, -0.08), (1.0, 0.9, 0.8))
        cage.draw_out([ear], (0.5 * side, 0.05, -0.05), (1.0, 0.8, 0.7))
        (horn,) = cage.nearest((0.5 * side, 1.95, 2.1))
        cage.draw_out([horn], (0.12 * side, 0.5, 0.0), 0.4)


def _paint(mesh: Mesh) -> None:
    """A pink muzzle, dark eyes, and hooves that are darker than the hide."""
    x, y, z = mesh.position.T
    muzzle = (np.clip((z - 2.95) * 5, 0, 1) * np.clip((1.25 - y) * 4, 0, 1))[:, None]
    eye = np.exp(-((np.abs(x) - 0.78) ** 2 + (y - 1.3) ** 2 + (z - 2.8) ** 2) / 0.03)[:, None]
    hoof = np.clip((-1.72 - y) * 8, 0, 1)[:, None]
    mesh.color[:, :3] *= 1 - muzzle * (0.02, 0.3, 0.28)
    mesh.color[:, :3] *= (1 - 0.65 * hoof) * (1 - 0.95 * np.clip(2 * eye, 0, 1))


def model() -> Model:
    """The cow on a turntable."""
    part = Part("cow", mesh(), hide, light=(0.45, 0.6, 0.1))
    return Model((part,), turntable((0.0, 1.7, 7.4), (0.0, 0.05, 0.0), 0.8))
