"""Pieces of a church: columns, arcades, walls with windows, vaults, ribs; lengths in metres, y upwards."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry import Floats, Mesh, box, joined, lathe
from .surface import Color, grid, ring, sweep

TILE = 3.0
"""Metres that a texture covers."""


@dataclass(frozen=True)
class Bay:
    """A rectangle of wall.

    Attributes
    ----------
    x
        Where the wall stands.
    near, far
        Its ends along z.
    low, high
        Its heights.
    """

    x: float
    near: float
    far: float
    low: float
    high: float

    def at(self, plane: Floats, depth: float = 0.0) -> Floats:
        """Places of the wall's plane, z and y in the last axis, in the world; `depth` to the side of larger x."""
        x = np.full((*plane.shape[:-1], 1), self.x + depth)
        return np.concatenate([x, plane[..., 1:], plane[..., :1]], -1)


def facing(mesh: Mesh, place: Color) -> Mesh:
    """The mesh with its fronts, as most of them are, towards a place."""
    towards = np.einsum("ij,ij->i", np.array(place) - mesh.position, mesh.normal)
    if towards.sum() >= 0:
        return mesh
    return replace(mesh, normal=-mesh.normal, triangles=mesh.triangles[:, ::-1])


def flat(mesh: Mesh, tile: float = TILE) -> Mesh:
    """The mesh with its texture laid on along z and y, as on a wall that stands along z."""
    return replace(mesh, coordinate=mesh.position[:, [2, 1]] / tile)


def column(x: float, z: float, height: float, radius: float, segments: int) -> Mesh:
    """A round column with base and capital between two square slabs.

    Parameters
    ----------
    x, z
        Where it stands.
    height, radius
        Its height with the slabs, and the radius of its shaft.
    segments
        Steps around it.
    """
    profile = np.array(
        [
            (1.45, 0.25), (1.5, 0.3), (1.5, 0.36), (1.42, 0.42), (1.3, 0.45), (1.22, 0.5), (1.25, 0.56), (1.3, 0.6),
            (1.25, 0.64), (1.1, 0.68), (1.0, 0.74), (0.99, 1.6), (0.97, 2.5), (0.94, 3.4), (0.91, 4.0), (0.9, 4.25),
            (1.0, 4.28), (1.02, 4.32), (0.98, 4.36), (0.92, 4.4), (0.95, 4.5), (1.02, 4.6), (1.15, 4.7), (1.3, 4.78),
            (1.45, 4.85), (1.5, 4.9), (1.5, 4.95),
        ]
    )  # fmt: skip
    shaft = lathe(profile * (radius, (height - 0.25) / 4.95), segments)
    shaft = replace(shaft, coordinate=shaft.coordinate * (1.0, 2.0))
    slabs = [box().moved((0.0, y, 0.0), (1.7 * radius, 0.125, 1.7 * radius)) for y in (0.125, height - 0.125)]
    return joined(shaft, *slabs).moved((x, 0.0, z))


def arcade(bay: Bay, radius: float, thickness: float, steps: tuple[int, int]) -> Mesh:
    """A round arch in a bay of wall, seen from both sides: wall, underside, and a moulding around it.

    Parameters
    ----------
    bay
        The wall; the arch springs from its lower edge.
    radius, thickness
        Radius of the arch, and thickness of the wall.
    steps
        Steps along the arch, and from it to the edges of the wall.
    """
    middle, spring = (bay.near + bay.far) / 2, bay.low
    turn = np.linspace(0, np.pi, steps[0] + 1)
    arch = np.stack([middle + radius * np.cos(turn), spring + radius * np.sin(turn)], 1)
    outer = _along([(bay.near, spring), (bay.near, bay.high), (bay.far, bay.high), (bay.far, spring)], arch)
    pieces = []
    for side in (-1, 1):
        wall = bay.at(_between(arch, outer, steps[1]), side * thickness / 2)
        pieces.append(facing(flat(grid(wall)), (bay.x + 50 * side, spring, middle)))
        edge = bay.at(arch + 0.06 * np.stack([np.cos(turn), np.sin(turn)], 1), side * thickness / 2)
        pieces.append(sweep(edge, (1.0, 0.0, 0.0), ring(0.13, 6), TILE, (0.92, 0.9, 0.86)))
    depths = np.linspace(-thickness / 2, thickness / 2, 5)
    under = grid(np.stack([bay.at(arch, depth) for depth in depths]), TILE)
    return joined(*pieces, facing(under, (bay.x, spring - 1.0, middle)))


def window_wall(
    bay: Bay, inward: int, half: float, sill: float, spring: float, steps: tuple[int, int]
) -> tuple[Mesh, Mesh]:
    """A bay of wall with a window that has a round head: the wall with the window's sides, and the pane.

    Parameters
    ----------
    bay
        The wall.
    inward
        1 if the inside is at larger x, else -1.
    half, sill, spring
        Half of the window's width, and heights of its sill and of where its head begins.
    steps
        Steps around the window, and from it to the edges of the wall.
    """
    middle = (bay.near + bay.far) / 2
    turn = np.linspace(0, np.pi, steps[0] // 2 + 1)
    head = np.stack([middle + half * np.cos(turn), spring + half * np.sin(turn)], 1)
    rest = _evenly([(middle - half, spring), (middle - half, sill), (middle + half, sill), (middle + half, spring)],
                   steps[0] - steps[0] // 2 + 1)  # fmt: skip
    outline = np.concatenate([head, rest[1:]])
    frame = np.concatenate(
        [
            _along([(bay.near, spring), (bay.near, bay.high), (bay.far, bay.high), (bay.far, spring)], head),
            _along([(bay.far, spring), (bay.far, bay.low), (bay.near, bay.low), (bay.near, spring)], rest)[1:],
        ]
    )
    inside = (bay.x + 50.0 * inward, spring, middle)
    wall = facing(flat(grid(bay.at(_between(outline, frame, steps[1])), closed=(False, True))), inside)
    depths = np.linspace(0.0, -0.45 * inward, 3)
    sides = grid(np.stack([bay.at(outline, depth) for depth in depths]), TILE, (False, True))
    sides = facing(sides, (bay.x - 0.2 * inward, (sill + spring) / 2, middle))
    center = np.broadcast_to(outline.mean(axis=0), outline.shape)
    pane = flat(grid(bay.at(_between(center, outline, 3), -0.4 * inward), closed=(False, True)), 1.6)
    return joined(wall, sides), facing(pane, inside)


def groin_vault(low: Color, high: Color, cells: int) -> Mesh:
    """Two barrels that cross over a rectangle.

    Parameters
    ----------
    low, high
        A corner of the rectangle where the barrels spring, and the opposite one at the height of their crowns.
    cells
        Squares along each side.
    """
    s, t = np.meshgrid(np.linspace(-1, 1, cells + 1), np.linspace(-1, 1, cells + 1))
    rise = np.sqrt(1 - np.minimum(np.abs(s), np.abs(t)) ** 2)
    share = np.stack([(s + 1) / 2, rise, (t + 1) / 2], 2)
    vault = grid(np.array(low) + share * (np.array(high) - np.array(low)), TILE, color=(1.0, 0.97, 0.9))
    return facing(vault, ((low[0] + high[0]) / 2, low[1] - 20.0, (low[2] + high[2]) / 2))


def rib(start: Color, end: Color, rise: float, radius: float, steps: tuple[int, int]) -> Mesh:
    """Half an ellipse of stone.

    Parameters
    ----------
    start, end
        Its ends, at one height.
    rise
        How far its crown is above them.
    radius
        Half of its thickness.
    steps
        Steps along and around it.
    """
    a, b = np.array(start), np.array(end)
    turn = np.linspace(0, np.pi, steps[0] + 1)
    path = (a + b) / 2 - np.cos(turn)[:, None] * (b - a) / 2 + np.sin(turn)[:, None] * (0.0, rise, 0.0)
    ahead = (b - a) / np.linalg.norm(b - a)
    aside = np.cross((0.0, 1.0, 0.0), ahead)
    return sweep(
        path, (float(aside[0]), float(aside[1]), float(aside[2])), ring(radius, steps[1]), TILE, (0.9, 0.87, 0.82)
    )


def _between(inner: Floats, outer: Floats, steps: int) -> Floats:
    """Outlines from one to another, (steps + 1, points, 2)."""
    share = np.linspace(0, 1, steps + 1)[:, None, None]
    return np.asarray(inner + share * (outer - inner))


def _evenly(corners: list[tuple[float, float]], number: int) -> Floats:
    """So many places along a line with corners, as far from each other."""
    points = np.array(corners)
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    along = np.linspace(0, at[-1], number)
    return np.stack([np.interp(along, at, points[:, i]) for i in range(2)], 1)


def _along(corners: list[tuple[float, float]], beside: Floats) -> Floats:
    """As many places along a line with corners as there are beside it; its corners are among them."""
    points = np.array(corners)
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    along = np.linspace(0, at[-1], len(beside))
    for corner in at[1:-1]:
        along[np.abs(along - corner).argmin()] = corner
    return np.stack([np.interp(along, at, points[:, i]) for i in range(2)], 1)
