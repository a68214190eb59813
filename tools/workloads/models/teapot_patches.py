"""Control points of the Utah teapot: 32 Bezier patches of the third degree.

Source: Martin Newell's data of 1975, published in F. C. Crow, The origins of the teapot, IEEE Computer Graphics and
Applications 7 (1), 1987: 28 patches, and the four of the bottom that were added to them later. The published list has
306 points; what is equal by symmetry stands here once. At the top of the lid, where Newell moved four points by 0.002
to keep normals from vanishing, all are at the axis.
"""

from __future__ import annotations

import numpy as np

from ..geometry import Floats

TURNED = {
    # Rows of a quarter of a turn: radius, offset of the two points between that make the arc, height.
    "rim": ((1.4, 0.784, 2.4), (1.3375, 0.749, 2.53125), (1.4375, 0.805, 2.53125), (1.5, 0.84, 2.4)),
    "upper body": ((1.5, 0.84, 2.4), (1.75, 0.98, 1.875), (2.0, 1.12, 1.35), (2.0, 1.12, 0.9)),
    "lower body": ((2.0, 1.12, 0.9), (2.0, 1.12, 0.45), (1.5, 0.84, 0.225), (1.5, 0.84, 0.15)),
    "knob": ((0.0, 0.0, 3.15), (0.8, 0.45, 3.15), (0.0, 0.0, 2.85), (0.2, 0.112, 2.7)),
    "lid": ((0.2, 0.112, 2.7), (0.4, 0.224, 2.55), (1.3, 0.728, 2.55), (1.3, 0.728, 2.4)),
    "bottom": ((1.5, 0.84, 0.15), (1.5, 0.84, 0.075), (1.425, 0.798, 0.0), (0.0, 0.0, 0.0)),
}
DRAWN = {
    # Stations of a bent tube: x and z on its one side, x and z on the other, and y of the points between.
    "upper handle": (
        (-1.6, 2.025, -1.5, 2.25, 0.3),
        (-2.3, 2.025, -2.5, 2.25, 0.3),
        (-2.7, 2.025, -3.0, 2.25, 0.3),
        (-2.7, 1.8, -3.0, 1.8, 0.3),
    ),
    "lower handle": (
        (-2.7, 1.8, -3.0, 1.8, 0.3),
        (-2.7, 1.575, -3.0, 1.35, 0.3),
        (-2.5, 1.125, -2.65, 0.9375, 0.3),
        (-2.0, 0.9, -1.9, 0.6, 0.3),
    ),
    "spout": (
        (1.7, 1.425, 1.7, 0.6, 0.66),
        (2.6, 1.425, 3.1, 0.825, 0.66),
        (2.3, 2.1, 2.4, 2.025, 0.25),
        (2.7, 2.4, 3.3, 2.4, 0.25),
    ),
    "mouth": (
        (2.7, 2.4, 3.3, 2.4, 0.25),
        (2.8, 2.475, 3.525, 2.49375, 0.25),
        (2.9, 2.475, 3.45, 2.5125, 0.15),
        (2.8, 2.4, 3.2, 2.4, 0.15),
    ),
}


def patches() -> dict[str, Floats]:
    """Control points by part of the teapot, z upwards: (patches, 4, 4, 3), second index along the part."""
    by_part = {name: np.stack([_quarter(np.array(rows), turn) for turn in range(4)]) for name, rows in TURNED.items()}
    by_part |= {name: np.stack([_half(np.array(rows), side) for side in (-1, 1)]) for name, rows in DRAWN.items()}
    return by_part


def _quarter(rows: Floats, turn: int) -> Floats:
    radius, knee, height = rows.T
    none = np.zeros_like(radius)
    x = np.stack([radius, radius, knee, none], 1)
    y = np.stack([none, knee, radius, radius], 1)
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    return np.stack([c * x - s * y, s * x + c * y, np.repeat(height[:, None], 4, axis=1)], 2)


def _half(rows: Floats, side: int) -> Floats:
    x0, z0, x1, z1, width = rows.T
    x, z = np.stack([x0, x0, x1, x1], 1), np.stack([z0, z0, z1, z1], 1)
    none = np.zeros_like(width)
    y = side * np.stack([none, width, width, none], 1)
    points = np.stack([x, y, z], 2)
    # Around in the same sense on both sides, so that all patches have their fronts outside.
    return points if side < 0 else points[:, ::-1]
