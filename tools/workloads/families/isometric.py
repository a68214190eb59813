"""Isometric strategy: a map seen from above at an angle, with buildings and people as sprites, drawn from the back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import Floats
from ..scene import Image, Pose, Thing, Time, World, chosen, clock, on_screen, still
from ..twin import Twin, theme_of
from .palettes import Color, palette


@dataclass(frozen=True)
class Theme:
    """A look."""

    ground: Color
    roofs: tuple[Color, Color, Color]
    share: float
    """Share of the screen that sprites cover together."""


THEMES = {
    "village": Theme((0.46, 0.66, 0.3), ((0.85, 0.5, 0.3), (0.55, 0.42, 0.75), (0.9, 0.75, 0.35)), 0.9),
    "outpost": Theme((0.44, 0.5, 0.3), ((0.46, 0.48, 0.34), (0.58, 0.54, 0.42), (0.4, 0.42, 0.4)), 0.9),
    "kingdom": Theme((0.62, 0.6, 0.4), ((0.8, 0.32, 0.26), (0.4, 0.5, 0.72), (0.72, 0.6, 0.42)), 0.22),
}


def world(twin: Twin, room: int) -> World:
    """Lay out the map."""
    theme, random, time = theme_of(twin, THEMES), np.random.default_rng(twin.seed), clock(twin)
    side = int(np.ceil(np.sqrt(room)))
    # A building's card is twice as large as what is seen of it.
    size = np.sqrt(theme.share / max(1, room))
    cells = sorted(range(side * side), key=lambda cell: -(cell // side))
    chosen = sorted(random.permutation(len(cells))[:room].tolist(), key=lambda i: cells.index(i))
    things = []
    for number, cell in enumerate(chosen):
        column, row = cell % side, cell // side
        x = ((column + 0.5 + 0.5 * (row % 2)) / (side + 0.5) * 2 - 1) * 0.92
        y = ((row + 0.5) / side * 2 - 1) * 0.8
        things.append(_sprite(twin, number, x, y, size * random.uniform(0.85, 1.15), random, time))

    def camera(t: float) -> tuple[Floats, Floats]:
        return np.eye(4), np.zeros(3)

    images = palette(
        Image("ground", 1024, theme.ground),
        Image("ground", 256, theme.ground),
        Image("ground", 256, theme.ground),
        house=Image("building", 256, theme.roofs[0]),
        hall=Image("building", 256, theme.roofs[1]),
        barn=Image("building", 256, theme.roofs[2]),
        grass=Image("foliage", 256, (0.36, 0.58, 0.24)),
        people=Image("hero", 128, (0.9, 0.7, 0.5)),
        foe=Image("hero", 128, (0.5, 0.7, 0.9)),
    )
    return World(things, camera, images, depth=False)


def _sprite(twin: Twin, i: int, x: float, y: float, size: float, random: np.random.Generator, time: Time) -> Thing:
    kind = i % 8
    if kind in (3, 6):
        moves = twin.motion.things and chosen(f"unit {i}", twin.motion.movers)
        start, way = random.uniform(0, 6), 0.04 * moves

        def pose(t: float) -> Floats:
            at = t if moves else 0.0
            return on_screen(
                x + way * np.sin(0.05 * at + start), y + 0.5 * way * np.cos(0.05 * at + start), size * 0.5, size * 0.8
            )

        image = "people" if kind == 3 else "foe"
        return Thing(f"unit {i}", "sheet", "hero", image, pose, heft=1.5, on_screen=True, moves=moves)
    place = _shifted(on_screen(x, y, size, size * 1.3), time)
    if kind in (2, 5):
        return Thing(f"grass {i}", "sprites", "other", "grass", place, heft=1.0, variant=i, on_screen=True)
    image = ("house", "hall", "barn")[(i + i // 8) % 3]
    return Thing(f"building {i}", "sheet", "prop", image, place, heft=6.0 if i % 12 == 0 else 1.0, on_screen=True)


def _shifted(matrix: Floats, time: Time) -> Pose:
    """The map scrolls to and fro with the camera's time."""

    def pose(t: float) -> Floats:
        moved = matrix.copy()
        moved[0, 3] += 0.12 * np.sin(0.04 * time(t))
        return moved

    return pose


__all__ = ["THEMES", "still", "world"]
