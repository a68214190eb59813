"""Surfaces from grids of points: with normals, texture coordinates in units of length, and triangles."""

from __future__ import annotations

import numpy as np

from ..geometry import TINY, Floats, Mesh, face_normals, lattice, without_slivers

Color = tuple[float, float, float]
WHITE: Color = (1.0, 1.0, 1.0)


def grid(
    points: Floats,
    tile: float = 1.0,
    closed: tuple[bool, bool] = (False, False),
    flip: bool = False,
    color: Color = WHITE,
) -> Mesh:
    """Surface through a grid of points.

    Seen from the front, rows follow each other upwards and columns to the right.

    Parameters
    ----------
    points
        (rows, columns, 3).
    tile
        Length of the surface that a texture covers.
    closed
        Whether the last row, and the last column, is the first one again; normals are smooth there.
    flip
        Whether the other side is the front.
    color
        Red, green, blue.

    Returns
    -------
    Mesh
        rows x columns vertices; triangles without area are left out, as at a pole.
    """
    rows, columns = points.shape[:2]
    normal = np.cross(_tangents(points, 1, closed[1]), _tangents(points, 0, closed[0]))
    normal = _unit(_filled(normal))
    coordinate = np.stack([_lengths(points, 1), _lengths(points, 0)], 2) / tile
    triangles = lattice(columns - 1, rows - 1)
    if flip:
        normal, triangles = -normal, triangles[:, ::-1]
    position = points.reshape(-1, 3)
    tint = np.tile([*color, 1.0], (len(position), 1))
    mesh = Mesh(position, normal.reshape(-1, 3), coordinate.reshape(-1, 2), tint, triangles)
    return without_slivers(mesh)


def vertex_normals(position: Floats, triangles: np.ndarray) -> Floats:
    """Unit normals of vertices: means of the triangles around them, weighted by area, (vertices, 3)."""
    total = np.zeros_like(position)
    faces = face_normals(position, triangles)
    for corner in range(3):
        np.add.at(total, triangles[:, corner], faces)
    return _unit(total)


def wall(
    start: Color, along: Color, up: Color, cells: tuple[int, int], tile: float = 1.0, color: Color = WHITE
) -> Mesh:
    """A parallelogram of squares.

    Parameters
    ----------
    start, along, up
        A corner and the two edges from it; the front is on the side of their cross product.
    cells
        Squares along both edges.
    tile, color
        As for `grid`.
    """
    s, t = np.linspace(0, 1, cells[0] + 1), np.linspace(0, 1, cells[1] + 1)
    points = np.array(start) + s[None, :, None] * np.array(along) + t[:, None, None] * np.array(up)
    return grid(points, tile, color=color)


def sweep(path: Floats, binormal: Color, profile: Floats, tile: float = 1.0, color: Color = WHITE) -> Mesh:
    """A profile moved along a plane curve.

    Parameters
    ----------
    path
        Points of the curve, (points, 3).
    binormal
        Unit normal of its plane.
    profile
        (n, 2): outward from the curve's own bend (to the left of its way, seen from where the binormal points), and
        along the binormal; counter-clockwise profiles face outwards.
    tile, color
        As for `grid`.
    """
    ahead = _unit(np.gradient(path, axis=0))
    sideways = np.cross(np.array(binormal), ahead)
    points = path[:, None] + profile[None, :, :1] * sideways[:, None] + profile[None, :, 1:] * np.array(binormal)
    ends_meet = bool(np.allclose(profile[0], profile[-1]))
    return grid(points, tile, (False, ends_meet), flip=True, color=color)


def ring(radius: float, segments: int) -> Floats:
    """A circle as a profile, closed, (segments + 1, 2)."""
    turn = np.linspace(0, 2 * np.pi, segments + 1)
    return radius * np.stack([np.cos(turn), np.sin(turn)], 1)


def _tangents(points: Floats, axis: int, closed: bool) -> Floats:
    if not closed:
        return np.gradient(points, axis=axis)
    body = np.delete(points, -1, axis=axis)
    around = (np.roll(body, -1, axis=axis) - np.roll(body, 1, axis=axis)) / 2
    return np.concatenate([around, np.take(around, [0], axis=axis)], axis=axis)


def _filled(normal: Floats) -> Floats:
    """Normals with those of a row that is one point, as at a pole, replaced by the mean of the row beside it."""
    normals = normal.copy()
    for row, beside in ((0, 1), (len(normal) - 1, len(normal) - 2)):
        if np.linalg.norm(normal[row], axis=1).max() < TINY:
            normals[row] = normal[beside].mean(axis=0)
    return normals


def _lengths(points: Floats, axis: int) -> Floats:
    """Mean length of the way to each row or column, as a grid."""
    steps = np.linalg.norm(np.diff(points, axis=axis), axis=2).mean(axis=1 - axis)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    return np.broadcast_to(np.expand_dims(along, 1 - axis), points.shape[:2]).copy()


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), TINY))
