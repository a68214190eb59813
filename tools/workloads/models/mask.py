"""A mask: a thin shell with a nose, brows and lips, and openings for eyes and mouth.

Emerald tells no more of its model than the name.
"""

from __future__ import annotations

import numpy as np

from ..geometry import Floats, Mesh
from ..textures import Texels, paint
from .model import Model, Part, turntable
from .surface import vertex_normals

ACROSS, UP = 56, 72
THICKNESS = 0.06
EYES, MOUTH = (0.36, 0.28), (0.0, -0.58)
OPENINGS = ((*EYES, 0.19, 0.09), (*MOUTH, 0.2, 0.055))
"""Middle and half sizes of the openings; that of the eyes is there twice."""


def leather(size: int) -> Texels:
    """Cloth with a golden trim."""
    return paint("cloth", size, 17, (0.75, 0.24, 0.2))


def mesh() -> Mesh:
    """The mask's surface, closed, its face along +z: front, back, and the rims that join them."""
    y, x = np.meshgrid(np.linspace(-1, 1, UP + 1), np.linspace(-1, 1, ACROSS + 1), indexing="ij")
    # From the square to a disc, so that the outline is smooth.
    u, v = x * np.sqrt(1 - y**2 / 2), y * np.sqrt(1 - x**2 / 2)
    squares = _kept(u, v)
    u, v = _rounded(u, v, squares)
    front = np.stack([u * (1 - 0.12 * np.clip(-v, 0, 1)), 1.25 * v, relief(u, v)], 2).reshape(-1, 3)
    triangles = _shell(squares, len(front))
    position = np.concatenate([front, front - (0, 0, THICKNESS)])
    coordinate = np.tile(np.stack([u, v], 2).reshape(-1, 2) * 0.5 + 0.5, (2, 1))
    used, triangles = np.unique(triangles, return_inverse=True)
    triangles = triangles.reshape(-1, 3)
    position = position[used]
    normal = vertex_normals(position, triangles)
    return Mesh(position, normal, coordinate[used], np.ones((len(used), 4)), triangles)


def relief(u: Floats, v: Floats) -> Floats:
    """Height of the face over its plane at places of the unit disc."""

    def bump(x: float, y: float, wide: float, high: float) -> Floats:
        return np.asarray(np.exp(-(((np.abs(u) - x) / wide) ** 2) - ((v - y) / high) ** 2))

    face = 0.75 * np.sqrt(np.clip(1.05 - 0.75 * u**2 - 0.5 * v**2, 0, None))
    nose = 0.3 * bump(0.0, -0.08, 0.13, 0.2) + 0.16 * bump(0.0, 0.18, 0.09, 0.25)
    brows, cheeks = 0.12 * bump(0.36, 0.5, 0.25, 0.09), 0.1 * bump(0.45, -0.2, 0.2, 0.2)
    sockets = -0.1 * bump(*EYES, 0.24, 0.16)
    lips = 0.11 * bump(0.0, -0.45, 0.25, 0.07) + 0.12 * bump(0.0, -0.71, 0.2, 0.07)
    return np.asarray(face + nose + brows + cheeks + sockets + lips)


def _kept(u: Floats, v: Floats) -> np.ndarray:
    """Squares that are no part of an opening, as indices of their corners, (squares, 4)."""

    def middle(values: Floats) -> Floats:
        return np.asarray((values[:-1, :-1] + values[1:, :-1] + values[:-1, 1:] + values[1:, 1:]) / 4)

    inside = [reach(middle(u), middle(v), *opening) < 1 for opening in OPENINGS]
    row, column = np.nonzero(~np.logical_or.reduce(inside))
    first = row * (ACROSS + 1) + column
    return np.stack([first, first + 1, first + ACROSS + 2, first + ACROSS + 1], 1)


def reach(u: Floats, v: Floats, x: float, y: float, wide: float, high: float) -> Floats:
    """Distance of places from the middle of an opening and its mirror image, 1 at its edge."""
    return np.asarray(np.hypot((np.abs(u) - x) / wide, (v - y) / high))


def _rounded(u: Floats, v: Floats, squares: np.ndarray) -> tuple[Floats, Floats]:
    """Places with those at openings moved to their edges, which squares alone would leave jagged."""
    uses = np.bincount(squares.reshape(-1), minlength=u.size).reshape(u.shape)
    for x, y, wide, high in OPENINGS:
        far = reach(u, v, x, y, wide, high)
        at = (uses < 4) & (far < 1.8)
        middle = np.sign(u) * x
        u = np.where(at, middle + (u - middle) / np.maximum(far, 1e-3), u)
        v = np.where(at, y + (v - y) / np.maximum(far, 1e-3), v)
    return u, v


def _shell(squares: np.ndarray, behind: int) -> np.ndarray:
    """Triangles of front, back and rims; a vertex of the back is that of the front plus `behind`."""
    edges = np.stack([squares, np.roll(squares, -1, axis=1)], 2).reshape(-1, 2)
    here = {(int(a), int(b)) for a, b in edges}
    rim = np.array([(b, a, a + behind, b + behind) for a, b in edges if (int(b), int(a)) not in here])
    a, b, c, d = np.concatenate([squares, squares[:, ::-1] + behind, rim]).T
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def model() -> Model:
    """The mask on a turntable."""
    part = Part("mask", mesh(), leather, light=(0.45, 0.6, 0.15))
    return Model((part,), turntable((0.0, 0.3, 4.6), (0.0, 0.0, 0.2), -0.2), lamp=(3.0, 4.0, 6.0))
