"""Two dimensions: a background, a board or a stage, creatures and pieces, sparks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import Floats
from ..scene import Image, Pose, Thing, Time, World, chosen, clock, on_screen
from ..twin import Twin, theme_of
from .palettes import Color, palette


@dataclass(frozen=True)
class Theme:
    """A look."""

    background: Image
    board: float
    """Half height of the board in clip coordinates; 0: none."""
    creatures: Color
    share: float
    """Share of the screen that creatures cover together."""
    standing: bool = False
    creature: str = "hero"
    """Drawing of one."""
    repeat: tuple[float, float] = (2.0, 1.0)
    """Repetitions of the background; 0: all its fragments are the same."""


THEMES = {
    "candy": Theme(Image("sky", 1024, (0.9, 0.55, 0.8)), 0.78, (0.95, 0.6, 0.3), 0.18),
    "castle": Theme(Image("range", 1024, (0.42, 0.58, 0.34)), 0.0, (0.7, 0.5, 0.35), 0.22, standing=True),
    "rope": Theme(Image("planks", 1024, (0.6, 0.42, 0.26)), 0.0, (0.4, 0.75, 0.3), 0.15),
    # "A small number of repeated fragments, most of them completely black" (Rendering Elimination, V-A, of hop).
    "dark": Theme(Image("plain", 64, (0.0, 0.0, 0.0)), 0.0, (0.85, 0.75, 0.4), 0.15, standing=True, repeat=(0, 0)),
    "slingshot": Theme(Image("sky", 1024, (0.5, 0.78, 0.95)), 0.0, (0.85, 0.3, 0.25), 0.25, standing=True),
    "circuit": Theme(Image("ground", 1024, (0.62, 0.52, 0.38)), 0.0, (0.9, 0.25, 0.2), 0.3, creature="panel"),
}


def world(twin: Twin, room: int) -> World:
    """Lay out the stage."""
    theme, random, time = theme_of(twin, THEMES), np.random.default_rng(twin.seed), clock(twin)
    things = []
    if theme.board:
        wide = theme.board * twin.height / twin.width
        tray = _still(on_screen(0.1, -0.02, wide * 1.08, theme.board * 1.08))
        board = _still(on_screen(0.1, -0.02, wide, theme.board))
        things += [
            Thing("tray", "sheet", "other", "panel", tray, heft=1.0, on_screen=True),
            Thing("board", "board", "prop", "pieces", board, heft=9.0, on_screen=True),
        ]
    count = max(0, room - len(things))
    size = np.sqrt(theme.share / max(1, count))
    for i in range(count):
        things.append(_creature(twin, theme, i, count, size, random, time))

    def camera(t: float) -> tuple[Floats, Floats]:
        return np.eye(4), np.zeros(3)

    images = palette(
        theme.background,
        Image("range", 256, (0.5, 0.6, 0.4)),
        Image("ground", 256, (0.5, 0.6, 0.35)),
        pieces=Image("pieces", 512),
        hero=Image(theme.creature, 256, theme.creatures),
        friend=Image(theme.creature, 256, theme.creatures[::-1]),
        house=Image("building", 256, (0.75, 0.6, 0.45)),
        grass=Image("foliage", 256, (0.4, 0.62, 0.3)),
    )
    scroll = 0.006 if twin.motion.camera > 0 and not theme.board else 0.0
    sparks = "spark" if theme.board else "cloud"
    return World(things, camera, images, depth=False, veil_image=sparks, sky_scroll=scroll, sky_repeat=theme.repeat)


def _still(matrix: Floats) -> Pose:
    return lambda t: matrix


def _creature(
    twin: Twin, theme: Theme, i: int, count: int, size: float, random: np.random.Generator, time: Time
) -> Thing:
    x = ((i + 0.5) / max(1, count) * 2 - 1) * 0.94
    y = -0.62 + 0.3 * random.random() if theme.standing else random.uniform(-0.8, 0.8)
    grown = size * random.uniform(0.75, 1.2)
    high = grown * twin.width / twin.height
    kind = i % 6
    moves = twin.motion.things and kind == 0 and chosen(f"creature {i}", twin.motion.movers)
    way, start = random.uniform(0.02, 0.08), random.uniform(0, 6)

    def pose(t: float) -> Floats:
        at = time(t)
        hop = way * abs(np.sin(0.12 * t + start)) if moves else 0.0
        scroll = 0.25 * np.sin(0.05 * at) if twin.motion.camera > 0 else 0.0
        return on_screen(x + scroll, y + hop, grown * 0.8, high * 0.8)

    if kind in (0, 3):
        image = "hero" if kind else "friend"
        return Thing(f"creature {i}", "sheet", "hero", image, pose, heft=3.0, on_screen=True, moves=moves)
    if kind == 1:
        return Thing(f"grass {i}", "sprites", "other", "grass", pose, heft=1.0, variant=i, on_screen=True)
    if kind == 2 and theme.standing:
        return Thing(f"house {i}", "sheet", "prop", "house", pose, heft=2.0, on_screen=True)
    return Thing(f"pieces {i}", "board", "prop", "pieces", pose, heft=1.5, variant=i, on_screen=True)
