"""Triangle meshes: parts, joining them, and giving them an exact number of triangles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.errors import UserError

Floats = NDArray[np.float64]
TINY = 1e-9


@dataclass(frozen=True)
class Mesh:
    """Vertices and triangles.

    Attributes
    ----------
    position, normal
        (vertices, 3).
    coordinate
        Texture coordinates, (vertices, 2).
    color
        Red, green, blue, alpha, 0 to 1, (vertices, 4).
    triangles
        Indices of vertices, int64 (triangles, 3), counter-clockwise seen from the front.
    """

    position: Floats
    normal: Floats
    coordinate: Floats
    color: Floats
    triangles: NDArray[np.int64]

    def moved(self, offset: tuple[float, float, float], scale: tuple[float, float, float] = (1, 1, 1)) -> Mesh:
        """Scaled, then moved."""
        normal = self.normal / np.array(scale)
        length = np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
        return replace(self, position=self.position * scale + offset, normal=normal / length)

    def tinted(self, red: float, green: float, blue: float, alpha: float = 1.0) -> Mesh:
        """With its colours multiplied."""
        return replace(self, color=self.color * (red, green, blue, alpha))

    def textured(self, x: float, y: float, width: float, height: float) -> Mesh:
        """With its texture coordinates squeezed into a rectangle of the texture."""
        return replace(self, coordinate=self.coordinate % 1.0000001 * (width, height) + (x, y))

    def turned(self, radians: float) -> Mesh:
        """Turned about z."""
        c, s = np.cos(radians), np.sin(radians)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return replace(self, position=self.position @ turn, normal=self.normal @ turn)


def joined(*meshes: Mesh) -> Mesh:
    """Several meshes as one."""
    firsts = np.cumsum([0, *(len(m.position) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.position for m in meshes]),
        np.concatenate([m.normal for m in meshes]),
        np.concatenate([m.coordinate for m in meshes]),
        np.concatenate([m.color for m in meshes]),
        np.concatenate([m.triangles + first for m, first in zip(meshes, firsts, strict=True)]),
    )


def sheet(across: int, up: int) -> Mesh:
    """Square from -1 to 1 at z = 0 that faces +z, of 2 x across x up triangles."""
    x, y = np.meshgrid(np.linspace(-1, 1, across + 1), np.linspace(-1, 1, up + 1))
    position = np.stack([x, y, np.zeros_like(x)], 2).reshape(-1, 3)
    return _mesh(position, np.tile([0.0, 0, 1], (len(position), 1)), (position[:, :2] + 1) / 2, lattice(across, up))


def lathe(profile: Floats, segments: int) -> Mesh:
    """Solid of revolution about y; `profile` has radius and height from the bottom upwards, (points, 2).

    Squares that touch the axis are single triangles.
    """
    turn = np.linspace(0, 2 * np.pi, segments + 1)
    radius, height = profile[:, :1], np.repeat(profile[:, 1:], segments + 1, axis=1)
    position = np.stack([radius * np.sin(turn), height, radius * np.cos(turn)], 2)
    slope = np.gradient(profile, axis=0)
    outward, upward = slope[:, 1:], -slope[:, :1]
    normal = np.stack([outward * np.sin(turn), np.repeat(upward, segments + 1, axis=1), outward * np.cos(turn)], 2)
    normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-9)
    along = np.linspace(0, 1, len(profile))
    coordinate = np.stack(np.meshgrid(np.linspace(0, 1, segments + 1), along), 2)
    triangles = lattice(segments, len(profile) - 1)
    mesh = _mesh(position.reshape(-1, 3), normal.reshape(-1, 3), coordinate.reshape(-1, 2), triangles)
    return without_slivers(mesh)


def turned_on_lathe(profile: Floats, triangles: int) -> Mesh:
    """Solid of revolution of at most so many triangles, of three segments at least."""
    poles = int((profile[[0, -1], 0] == 0).sum())
    return lathe(profile, max(3, triangles // (2 * (len(profile) - 1) - poles)))


def ball(triangles: int) -> Mesh:
    """Unit sphere of about so many triangles, of 6 at least."""
    segments = max(3, round(np.sqrt(triangles)))
    rings = max(2, triangles // (2 * segments) + 1)
    theta = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    radius = np.cos(theta)
    # The cosine of a right angle is not quite 0, and poles have to be.
    radius[[0, -1]] = 0
    mesh = lathe(np.stack([radius, np.sin(theta)], 1), segments)
    return replace(mesh, normal=mesh.position.copy())


def box(triangles: int = 12) -> Mesh:
    """Cube from -1 to 1 of at most so many triangles, of 12 at least."""
    steps = max(1, int(np.sqrt(triangles / 12)))
    side = sheet(steps, steps).moved((0, 0, 1))
    sides = []
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)):
        order = {0: (2, 1, 0), 1: (0, 2, 1), 2: (0, 1, 2)}[axis]
        signs = {0: (sign, 1, -sign), 1: (1, sign, -sign), 2: (sign, 1, sign)}[axis]
        sides.append(replace(side, position=side.position[:, order] * signs, normal=side.normal[:, order] * signs))
    return joined(*sides)


def exactly(mesh: Mesh, triangles: int) -> Mesh:
    """The mesh with exactly so many triangles: its largest are split at their longest edges.

    Raises
    ------
    UserError
        If it has more already.
    """
    if len(mesh.triangles) > triangles:
        raise UserError(f"a mesh of {len(mesh.triangles)} triangles cannot have {triangles}")
    while len(mesh.triangles) < triangles:
        mesh = _split(mesh, min(triangles - len(mesh.triangles), len(mesh.triangles)))
    return mesh


def _split(mesh: Mesh, number: int) -> Mesh:
    corner = mesh.position[mesh.triangles]
    area = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    chosen = np.sort(np.argsort(-area, kind="stable")[:number])
    edges = np.linalg.norm(corner[chosen] - np.roll(corner[chosen], -1, axis=1), axis=2)
    longest = edges.argmax(axis=1)
    rows = np.arange(len(chosen))
    a, b, c = (mesh.triangles[chosen][rows, (longest + i) % 3] for i in range(3))
    middle = len(mesh.position) + rows
    triangles = mesh.triangles.copy()
    triangles[chosen] = np.stack([a, middle, c], 1)
    values = {}
    for name in ("position", "normal", "coordinate", "color"):
        old = getattr(mesh, name)
        values[name] = np.concatenate([old, (old[a] + old[b]) / 2])
    return Mesh(**values, triangles=np.concatenate([triangles, np.stack([middle, b, c], 1)]))


def without_slivers(mesh: Mesh) -> Mesh:
    """The mesh without triangles that have no area."""
    kept = np.linalg.norm(face_normals(mesh.position, mesh.triangles), axis=1) > TINY
    return replace(mesh, triangles=mesh.triangles[kept])


def face_normals(position: Floats, triangles: NDArray[np.int64]) -> Floats:
    """Normals of triangles, as long as twice their area, (triangles, 3)."""
    corner = position[triangles]
    return np.asarray(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]))


def lattice(across: int, up: int) -> NDArray[np.int64]:
    """Triangles of a grid of across x up squares whose vertices are numbered row by row, (2 x across x up, 3)."""
    first = (np.arange(up)[:, None] * (across + 1) + np.arange(across)).reshape(-1)
    right, above = first + 1, first + across + 1
    return np.concatenate([np.stack([first, right, above + 1], 1), np.stack([first, above + 1, above], 1)]).astype(
        np.int64
    )


def _mesh(position: Floats, normal: Floats, coordinate: Floats, triangles: NDArray[np.int64]) -> Mesh:
    return Mesh(position, normal, coordinate, np.ones((len(position), 4)), triangles)


def packed(mesh: Mesh) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Interleaved vertices of 36 bytes (position, normal, texture coordinate as floats, colour as bytes); indices."""
    count = len(mesh.position)
    if count > 65535:
        raise UserError(f"a mesh of {count} vertices is too large for indices of 16 bits")
    rows = np.zeros(count, [("f", "<f4", 8), ("c", "u1", 4)])
    rows["f"] = np.concatenate([mesh.position, mesh.normal, mesh.coordinate], axis=1)
    rows["c"] = np.round(np.clip(mesh.color, 0, 1) * 255)
    return rows.view(np.uint8), mesh.triangles.astype(np.uint16)


def translation(x: float, y: float, z: float) -> Floats:
    """Matrix that moves."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def placed(x: float, y: float, z: float, scale: float | tuple[float, float, float] = 1, turn: float = 0.0) -> Floats:
    """Matrix that scales, turns about y (radians), then moves."""
    c, s = np.cos(turn), np.sin(turn)
    size = (scale,) * 3 if isinstance(scale, int | float) else scale
    matrix = np.array([[c, 0, s, x], [0, 1, 0, y], [-s, 0, c, z], [0, 0, 0, 1.0]])
    matrix[:3, :3] *= size
    return matrix
