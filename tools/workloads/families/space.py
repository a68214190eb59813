"""Space and sky: things that float before next to nothing, so that a part of the screen stays empty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...scenes.meshes import look_at, perspective
from ..geometry import Floats, placed
from ..scene import Image, Thing, Time, World, clock
from ..twin import Twin, theme_of
from .palettes import Color, palette


@dataclass(frozen=True)
class Theme:
    """A look."""

    hero: tuple[str, str]
    floats: tuple[tuple[str, str, float], ...]
    sky: Color
    far: Color
    backdrop: bool
    clear: Color


THEMES = {
    "orbit": Theme(
        ("character", "cloth"),
        (("module", "metal", 1.5), ("rock", "stone", 0.8), ("module", "panels", 1.1), ("ship", "metal", 1.0)),
        (0.25, 0.3, 0.6),
        (0.2, 0.34, 0.6),
        True,
        (0.01, 0.01, 0.03),
    ),
    "blocks": Theme(
        ("ship", "metal"),
        (("crate", "panels", 1.9), ("crate", "planks", 1.8), ("coin", "paint", 1.4), ("crate", "metal", 1.9)),
        (0.2, 0.22, 0.45),
        (0.25, 0.3, 0.5),
        True,
        (0.02, 0.02, 0.05),
    ),
    "void": Theme(
        ("character", "cloth"),
        (("module", "metal", 1.9), ("rock", "stone", 0.9), ("module", "panels", 1.5), ("ship", "metal", 1.2)),
        (0.25, 0.3, 0.6),
        (0.2, 0.34, 0.6),
        False,
        (0.01, 0.01, 0.04),
    ),
    "dream": Theme(
        ("character", "cloth"),
        (
            ("rock", "ground", 1.2),
            ("ship", "paint", 0.8),
            ("coin", "paint", 1.0),
            ("tree", "leaves", 0.9),
            ("crate", "planks", 0.9),
        ),
        (0.95, 0.7, 0.6),
        (0.85, 0.6, 0.65),
        False,
        (0.98, 0.76, 0.6),
    ),
}


def world(twin: Twin, room: int) -> World:
    """Lay out what floats."""
    theme, random, time = theme_of(twin, THEMES), np.random.default_rng(twin.seed), clock(twin)
    projection = perspective(56, twin.width / twin.height)

    def camera(t: float) -> tuple[Floats, Floats]:
        eye = np.array([0.6 * np.sin(0.05 * time(t)), 1.6 + 0.3 * np.sin(0.04 * time(t)), 8.5])
        return projection @ look_at(eye, np.array([0.0, 1.2, 0.0])), eye

    def hero(t: float) -> Floats:
        x, y, turn = 0.7 * np.sin(0.09 * t), 0.5 + 0.3 * np.sin(0.13 * t), np.pi + 0.6 * np.sin(0.05 * t)
        return placed(x, y, 3.0, 1.1 * twin.crowd.scale, turn)

    things = [Thing("hero", theme.hero[0], "hero", theme.hero[1], hero, heft=9)]
    for i in range(max(0, room - 1)):
        things.append(_floating(theme, i, random, time))
    images = palette(
        Image("space" if twin.theme != "dream" else "sky", 512, theme.sky),
        Image("range", 512, theme.far),
        Image("ground", 256, (0.5, 0.62, 0.4)),
        metal=Image("metal", 256, (0.72, 0.74, 0.78)),
        panels=Image("windows", 256, (0.66, 0.66, 0.72)),
        stone=Image("ground", 256, (0.46, 0.42, 0.4)),
        planks=Image("planks", 256, (0.72, 0.52, 0.32)),
        leaves=Image("leaves", 256, (0.5, 0.66, 0.36)),
        paint=Image("metal", 128, (0.98, 0.86, 0.6)),
        cloth=Image("cloth", 256, (0.92, 0.9, 0.88)),
    )
    return World(things, camera, images, sky=theme.backdrop, clear=theme.clear)


def _floating(theme: Theme, i: int, random: np.random.Generator, time: Time) -> Thing:
    name, image, size = theme.floats[i % len(theme.floats)]
    x, y, z = random.uniform(-7, 7), random.uniform(-2.5, 4.5), random.uniform(-14, 1)
    drift, spin, start = random.uniform(0.01, 0.04), random.uniform(-0.03, 0.03), random.uniform(0, 6)
    grown = size * random.uniform(0.7, 1.2)
    if i % 5 == 1:
        # Some drift through where the hero is.
        x, y, z, drift, grown = -2.2 + 0.6 * (i // 5 % 5), 0.4, 3.0, 0.03, 0.6 * grown

    def pose(t: float) -> Floats:
        at = time(t)
        return placed((x + drift * at + 8) % 16 - 8, y + 0.3 * np.sin(0.05 * at + start), z, grown, start + spin * at)

    heft = 5.0 if random.random() < 0.12 else random.uniform(0.4, 1.0)
    return Thing(
        f"{name} {i}", name, "prop" if i % 3 else "other", image, pose, heft=heft, variant=i % 5, repeat=(2, 2)
    )
