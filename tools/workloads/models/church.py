"""The inside of a church with a nave, two aisles and an apse, in place of the cathedral of Sibenik; a walk through it.

Marko Dabrovic's model of the cathedral has 75,284 triangles in McGuire's archive. Ours is a church of no place: round
arches on columns, vaults of crossed barrels, windows above and in the aisles.
"""

from __future__ import annotations

import numpy as np

from ...scenes.meshes import look_at
from ..geometry import Mesh, box, joined
from ..textures import Texels, paint
from .masonry import TILE, Bay, arcade, column, facing, groin_vault, rib, window_wall
from .model import Model, Part, View
from .painted import stained_glass
from .surface import grid, wall

BAYS, BAY = 7, 6.0
NAVE, AISLE = 4.5, 9.0
"""Distances of the rows of columns and of the outer walls from the middle, in metres."""
SPRING, AISLE_CROWN, ARCADE, CLERESTORY, CROWN = 5.2, 7.8, 8.6, 12.0, 15.4
"""Heights: of the columns, of the vaults of the aisles, of the wall over the arches, where the vault of the nave
begins, and of its middle."""
LENGTH = BAYS * BAY
PAVING = 0.75
"""Width of a square of the floor."""


def stone(size: int) -> Texels:
    """Hewn blocks."""
    return paint("slabs", size, 75, (0.8, 0.74, 0.64))


def masonry_and_glass() -> tuple[Mesh, Mesh]:
    """All that is of stone, and all panes."""
    stones, panes = [_floor(), _apse(), _entrance(), _altar()], []
    for number in range(BAYS):
        far, near = -BAY * (number + 1), -BAY * number
        stones += _vaults(near, far)
        for side in (-1, 1):
            stones.append(column(side * NAVE, near, SPRING, 0.5, 21))
            stones.append(arcade(Bay(side * NAVE, near, far, SPRING, ARCADE), 2.5, 0.9, (32, 4)))
            above = Bay(side * NAVE, near, far, ARCADE, CROWN)
            outside = Bay(side * AISLE, near, far, 0.0, AISLE_CROWN)
            for bay, half, sill, spring in ((above, 0.85, 9.5, 12.2), (outside, 0.7, 1.9, 4.2)):
                made, pane = window_wall(bay, -side, half, sill, spring, (32, 3))
                stones.append(made)
                panes.append(pane)
    stones += _pews()
    return joined(*stones), joined(*panes)


def _floor() -> Mesh:
    """Squares of two colours."""
    across, along = round(2 * AISLE / PAVING), round(LENGTH / PAVING)
    tone = {0: (0.95, 0.88, 0.76), 1: (0.5, 0.4, 0.36)}
    squares = [
        wall(
            (x * PAVING - AISLE, 0.0, -z * PAVING),
            (PAVING, 0.0, 0.0),
            (0.0, 0.0, -PAVING),
            (1, 1),
            1.5,
            tone[(x + z) % 2],
        )
        for x in range(across)
        for z in range(along)
    ]
    return joined(*squares)


def _vaults(near: float, far: float) -> list[Mesh]:
    """Vaults of a bay over nave and aisles, and the ribs under them."""
    vaults = [groin_vault((-NAVE, CLERESTORY, far), (NAVE, CROWN, near), 20)]
    for side in (-1, 1):
        inner, outer = sorted((side * NAVE, side * AISLE))
        vaults.append(groin_vault((inner, SPRING, far), (outer, AISLE_CROWN, near), 10))
        ends = (-side * NAVE, CLERESTORY, near), (side * NAVE, CLERESTORY, far)
        vaults.append(rib(*ends, CROWN - CLERESTORY, 0.12, (28, 6)))
    vaults.append(rib((-NAVE, CLERESTORY, near), (NAVE, CLERESTORY, near), CROWN - CLERESTORY, 0.28, (28, 8)))
    return vaults


def _apse() -> Mesh:
    """Half a round tower at the end of the nave, half a dome over it, and the walls that close the aisles."""
    turn = np.linspace(0, np.pi, 49)
    circle = np.stack([-NAVE * np.cos(turn), np.zeros(49), -LENGTH - 0.9 * NAVE * np.sin(turn)], 1)
    heights = np.linspace(0, CLERESTORY, 17)
    drum = grid(circle[None] + heights[:, None, None] * np.array([0.0, 1.0, 0.0]), TILE)
    rise = np.linspace(0, np.pi / 2, 17)[:, None, None]
    center = np.array([0.0, 0.0, -LENGTH])
    dome = (
        center
        + (circle - center)[None] * np.cos(rise)
        + np.array([0.0, 1.0, 0.0]) * (CLERESTORY + (CROWN - CLERESTORY) * np.sin(rise))
    )
    ends = [
        wall((x, 0.0, -LENGTH), (AISLE - NAVE, 0.0, 0.0), (0.0, AISLE_CROWN, 0.0), (8, 12), TILE)
        for x in (-AISLE, NAVE)
    ]
    vault = grid(dome, TILE, color=(0.75, 0.8, 0.95))
    inside = (0.0, 6.0, -LENGTH + 2.0)
    return joined(facing(drum, inside), facing(vault, inside), *(facing(end, inside) for end in ends))


def _entrance() -> Mesh:
    """The wall behind the camera."""
    width = 2 * AISLE
    return facing(wall((-AISLE, 0.0, 0.0), (width, 0.0, 0.0), (0.0, CROWN, 0.0), (24, 20), TILE), (0.0, 5.0, -5.0))


def _altar() -> Mesh:
    """A table of stone on three steps."""
    z = -LENGTH - 0.6
    steps = [box().moved((0.0, 0.12 + 0.2 * i, z), (2.6 - 0.5 * i, 0.12, 1.7 - 0.4 * i)) for i in range(3)]
    table = box(108).moved((0.0, 1.1, z), (1.3, 0.5, 0.45)).tinted(1.0, 0.95, 0.85)
    return joined(*steps, table)


def _pews() -> list[Mesh]:
    """Benches on both sides of the way."""
    pews = []
    for row in range(14):
        for side in (-1, 1):
            x, z = 2.3 * side, -9.0 - 1.7 * row
            seat = box().moved((x, 0.45, z), (1.3, 0.04, 0.22))
            back = box().moved((x, 0.75, z + 0.24), (1.3, 0.25, 0.04))
            ends = [box().moved((x + dx, 0.45, z), (0.05, 0.45, 0.3)) for dx in (-1.3, 1.3)]
            pews.append(joined(seat, back, *ends).tinted(0.5, 0.33, 0.2))
    return pews


def walk(t: float) -> View:
    """A walk up the nave, from the entrance towards the apse, by time from 0 to 1: two metres a second at 60 frames a
    second of 220."""
    eye = np.array([0.4 * np.sin(2 * np.pi * t), 1.75, -1.5 - 7.0 * t])
    ahead = np.array([0.9 * np.sin(2 * np.pi * t + 0.8), 4.6 + 0.3 * np.cos(2 * np.pi * t), eye[2] - 14.0])
    return View(eye, look_at(eye, ahead), np.eye(4))


def model() -> Model:
    """The church and a walk through it."""
    stones, panes = masonry_and_glass()
    parts = (
        Part("stone", stones, stone, light=(0.5, 0.55, 0.0)),
        Part("glass", panes, stained_glass, light=(1.25, 0.2, 0.0)),
    )
    return Model(parts, walk, field=62.0, near=0.2, far=70.0, lamp=(1.5, 9.0, -14.0), sky=(0.1, 0.1, 0.12))
