"""Closed bodies from cages of squares: a box is divided, parts of it are drawn out, and the cage is made smooth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import Floats, Mesh
from .surface import vertex_normals

Squares = NDArray[np.int64]
Vector = tuple[float, float, float]


@dataclass
class Cage:
    """Squares of a closed body.

    Attributes
    ----------
    position
        (vertices, 3).
    squares
        Indices of vertices, counter-clockwise seen from outside, (squares, 4).
    """

    position: Floats
    squares: Squares

    def centers(self) -> Floats:
        """Centres of the squares, (squares, 3)."""
        return np.asarray(self.position[self.squares].mean(axis=1))

    def nearest(self, *places: Vector) -> list[int]:
        """The squares whose centres are nearest to places."""
        centers = self.centers()
        return [int(np.linalg.norm(centers - place, axis=1).argmin()) for place in places]

    def draw_out(self, squares: Sequence[int], move: Vector, scale: float | Vector = 1.0) -> None:
        """Draw connected squares out of the body, or into it: scaled about their middle, then moved.

        The squares keep their numbers; a new one joins each edge around them to where it was.

        Parameters
        ----------
        squares
            Their numbers.
        move, scale
            How far they are moved, and how they are scaled, in all directions or in each.
        """
        chosen = self.squares[list(squares)]
        edges = [(int(s[i]), int(s[(i + 1) % 4])) for s in chosen for i in range(4)]
        around = [(a, b) for a, b in edges if (b, a) not in edges]
        old = np.unique(chosen)
        middle = self.position[old].mean(axis=0)
        moved = middle + (self.position[old] - middle) * np.array(scale) + np.array(move)
        # Vertices around the squares stay with those that are joined; others have nothing that would hold them.
        held = np.isin(old, np.unique(around))
        fresh = {int(vertex): int(vertex) for vertex in old}
        fresh |= dict(zip(old[held].tolist(), range(len(self.position), len(self.position) + held.sum()), strict=True))
        self.position[old[~held]] = moved[~held]
        self.position = np.concatenate([self.position, moved[held]])
        self.squares[list(squares)] = np.vectorize(fresh.__getitem__)(chosen)
        sides = np.array([(a, b, fresh[b], fresh[a]) for a, b in around])
        self.squares = np.concatenate([self.squares, sides])


def box(cells: tuple[int, int, int], size: Vector) -> Cage:
    """A box about the origin, each of its sides divided into squares.

    Parameters
    ----------
    cells
        Squares along x, y and z.
    size
        Half sizes.
    """
    points: dict[tuple[int, ...], int] = {}
    squares = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, cells[axis]):
            for i in range(cells[u]):
                for j in range(cells[v]):
                    corners = []
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)) if end else ((0, 0), (0, 1), (1, 1), (1, 0)):
                        at = [0, 0, 0]
                        at[axis], at[u], at[v] = end, i + a, j + b
                        corners.append(points.setdefault(tuple(at), len(points)))
                    squares.append(corners)
    position = np.array(list(points), float) / cells * 2 - 1
    return Cage(position * size, np.array(squares, np.int64))


def smoother(cage: Cage) -> Cage:
    """The cage divided once more: four squares for each, nearer to the smooth body that it stands for.

    Source: E. Catmull and J. Clark, Recursively generated B-spline surfaces on arbitrary topological meshes,
    Computer-Aided Design 10 (6), 1978; of a closed cage of squares.
    """
    position, squares = cage.position, cage.squares
    count, number = len(position), len(squares)
    middle = cage.centers()
    sides = np.sort(np.stack([squares, np.roll(squares, -1, axis=1)], 2).reshape(-1, 2), axis=1)
    edges, which = np.unique(sides, axis=0, return_inverse=True)
    which = which.reshape(-1)
    beside = np.zeros((len(edges), 3))
    np.add.at(beside, which, np.repeat(middle, 4, axis=0))
    halves = position[edges].sum(axis=1)
    on_edge = (halves + beside) / 4
    # Each vertex has as many edges as squares: `valence`.
    valence = np.bincount(squares.reshape(-1), minlength=count)[:, None].astype(float)
    of_squares, of_edges = np.zeros((count, 3)), np.zeros((count, 3))
    np.add.at(of_squares, squares.reshape(-1), np.repeat(middle, 4, axis=0))
    np.add.at(of_edges, edges.reshape(-1), np.repeat(halves / 2, 2, axis=0))
    moved = (of_squares / valence + 2 * of_edges / valence + (valence - 3) * position) / valence
    edge = count + which.reshape(-1, 4)
    center = np.broadcast_to((count + len(edges) + np.arange(number))[:, None], (number, 4))
    fresh = np.stack([squares, edge, center, np.roll(edge, 1, axis=1)], 2).reshape(-1, 4)
    return Cage(np.concatenate([moved, on_edge, middle]), fresh)


def triangles_of(cage: Cage) -> Squares:
    """Two triangles for each square, (2 x squares, 3)."""
    a, b, c, d = cage.squares.T
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def mesh_of(cage: Cage, tile: float) -> Mesh:
    """The cage as a mesh with smooth normals and one vertex for each of its own.

    Texture coordinates are the same on both sides of x = 0, so that a texture that is laid around has no seam: z and y
    with a share of |x|, in units of `tile`.
    """
    triangles = triangles_of(cage)
    x, y, z = np.abs(cage.position[:, 0]), cage.position[:, 1], cage.position[:, 2]
    coordinate = np.stack([z - 0.6 * x, y + 0.6 * x], 1) / tile
    white = np.ones((len(cage.position), 4))
    return Mesh(cage.position, vertex_normals(cage.position, triangles), coordinate, white, triangles)
