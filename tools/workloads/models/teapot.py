"""The Utah teapot, evaluated from its patches.

The one in McGuire's archive has 15,704 triangles.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..geometry import Floats, Mesh, joined
from .model import Faces, Model, Part, turntable
from .painted import china
from .surface import grid
from .teapot_patches import patches

AROUND = 16
"""Steps around each patch."""
ALONG = {
    "rim": 6,
    "upper body": 24,
    "lower body": 16,
    "knob": 16,
    "lid": 16,
    "bottom": 9,
    "upper handle": 20,
    "lower handle": 20,
    "spout": 24,
    "mouth": 8,
}
"""Steps along each patch."""
UPWARDS = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""From z upwards, as the patches have it, to y upwards."""
FLIPPED = frozenset({"spout", "mouth"})
"""Parts whose patches have their fronts inside."""


def bernstein(t: Floats) -> Floats:
    """Polynomials of the third degree at places t, (len(t), 4)."""
    return np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], 1)


def evaluated(patch: Floats, along: Floats, around: Floats) -> Floats:
    """Points of a patch with control points (4, 4, 3): (len(along), len(around), 3)."""
    return np.asarray(np.einsum("ai,bj,ijk->abk", bernstein(along), bernstein(around), patch))


def mesh() -> Mesh:
    """The teapot's surface, y upwards, the spout along +x: 15,616 triangles."""
    parts, start = [], 0.0
    for name, controls in patches().items():
        made = [_patch(name, number, patch, start) for number, patch in enumerate(controls)]
        # A part goes on in the texture where the one before ended.
        start = float(made[0].coordinate[:, 1].max())
        parts += made
    return joined(*parts).moved((-0.25, -1.575, 0.0))


def _patch(name: str, number: int, patch: Floats, start: float) -> Mesh:
    """One patch; the texture is there once around it."""
    along, around = np.linspace(0, 1, ALONG[name] + 1), np.linspace(0, 1, AROUND + 1)
    surface = grid(evaluated(patch, along, around) @ UPWARDS.T, tile=2.0, flip=name not in FLIPPED)
    across = np.tile(around, len(along))
    return replace(surface, coordinate=np.stack([number + across, start + surface.coordinate[:, 1]], 1))


def model() -> Model:
    """The teapot on a turntable; its lid does not close, so both sides are drawn."""
    part = Part("teapot", mesh(), china, faces=Faces.BOTH, light=(0.45, 0.6, 0.35))
    return Model((part,), turntable((0.0, 2.3, 7.5), (0.0, -0.1, 0.0), 0.5))
