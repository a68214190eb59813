"""Open terrain with vegetation, seen by somebody who walks, flies or aims over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...scenes.meshes import look_at, perspective
from ..geometry import Floats, placed
from ..scene import Image, Layer, Thing, Time, World, clock
from ..twin import Twin, theme_of
from .palettes import Color, palette

WIDE, DEEP, SPEED = 44.0, 50.0, 0.12


@dataclass(frozen=True)
class Theme:
    """A look."""

    growth: tuple[tuple[str, str, float], ...]
    hero: tuple[str, str, float] | None
    ground: Color
    sky: Color
    far: Color
    eye: tuple[float, float, float] = (0.0, 2.4, 7.0)
    aim: tuple[float, float, float] = (0.0, 1.4, -6.0)
    speed: float = SPEED
    leaves: Color = (0.34, 0.56, 0.26)
    near: float = 3.0
    sky_from: float = 0.0


THEMES = {
    "forest": Theme(
        (
            ("tree", "leaves", 2.6),
            ("pine", "leaves", 3.0),
            ("sheet", "grass", 0.9),
            ("rock", "stone", 0.9),
            ("sheet", "grass", 0.7),
        ),
        None,
        (0.24, 0.3, 0.16),
        (0.3, 0.36, 0.42),
        (0.12, 0.2, 0.15),
        leaves=(0.2, 0.34, 0.17),
    ),
    "golf": Theme(
        (
            ("tree", "leaves", 2.2),
            ("house", "bricks", 1.6),
            ("rock", "stone", 0.8),
            ("crate", "planks", 0.8),
            ("pillar", "paint", 0.9),
        ),
        ("character", "cloth", 1.2),
        (0.45, 0.72, 0.28),
        (0.45, 0.72, 0.98),
        (0.36, 0.55, 0.4),
    ),
    "town": Theme(
        (
            ("tower", "windows", 2.0),
            ("house", "bricks", 1.9),
            ("tree", "leaves", 1.6),
            ("car", "paint", 1.0),
            ("character", "cloth", 1.0),
            ("tower", "bricks", 1.6),
        ),
        ("character", "cloth", 1.2),
        (0.5, 0.5, 0.46),
        (0.65, 0.76, 0.92),
        (0.46, 0.5, 0.56),
        near=4.0,
    ),
    "battlefield": Theme(
        (
            ("car", "metal", 1.4),
            ("rock", "stone", 1.3),
            ("house", "bricks", 1.6),
            ("pine", "leaves", 1.8),
            ("crate", "planks", 1.0),
        ),
        ("car", "metal", 1.5),
        (0.6, 0.53, 0.38),
        (0.66, 0.72, 0.8),
        (0.5, 0.46, 0.38),
        near=4.0,
    ),
    "roofs": Theme(
        (
            ("tower", "windows", 1.7),
            ("tower", "bricks", 1.4),
            ("character", "cloth", 1.0),
            ("car", "paint", 1.0),
            ("crate", "metal", 1.0),
        ),
        ("ship", "metal", 0.5),
        (0.42, 0.43, 0.46),
        (0.7, 0.72, 0.78),
        (0.42, 0.45, 0.52),
        eye=(0.0, 6.5, 9.0),
        near=5.0,
    ),
    "flight": Theme(
        (
            ("tree", "leaves", 1.6),
            ("pine", "leaves", 1.7),
            ("house", "bricks", 1.4),
            ("ship", "metal", 1.3),
            ("rock", "stone", 1.2),
        ),
        ("ship", "metal", 1.2),
        (0.36, 0.52, 0.26),
        (0.5, 0.72, 0.96),
        (0.3, 0.45, 0.3),
        eye=(0.0, 7.5, 8.0),
        aim=(0.0, 0.0, -7.0),
        speed=0.4,
        sky_from=0.45,
    ),
}


def world(twin: Twin, room: int) -> World:
    """Lay out the terrain."""
    theme, random, time = theme_of(twin, THEMES), np.random.default_rng(twin.seed), clock(twin)
    projection = perspective(56, twin.width / twin.height)

    def camera(t: float) -> tuple[Floats, Floats]:
        sway = 0.5 * np.sin(0.05 * time(t))
        eye = np.array(theme.eye) + (sway, 0.05 * np.sin(0.25 * time(t)), 0)
        return projection @ look_at(eye, np.array(theme.aim) + (1.4 * sway, 0, 0)), eye

    def run(t: float) -> float:
        return theme.speed * time(t)

    way = theme.speed / DEEP
    things = [
        Thing(
            "ground",
            "hills",
            "ground",
            "ground",
            lambda t: placed(0, 0, -18, (WIDE, 30, DEEP / 2)),
            Layer.GROUND,
            heft=9,
            repeat=(26, 15),
            scroll=(0, 15 * way),
        ),
        Thing(
            "path",
            "ground",
            "ground",
            "path",
            lambda t: placed(0, 0.03, -18, (1.1, 1, DEEP / 2)),
            Layer.GROUND,
            heft=1.5,
            repeat=(1, 12),
            scroll=(0, 12 * way),
        ),
    ]
    if theme.hero is not None:
        things.append(_hero(theme))
    for i in range(max(0, room - len(things))):
        things.append(_growth(theme, i, random, run))
    images = palette(
        Image("sky", 512, theme.sky),
        Image("range", 512, theme.far),
        Image("ground", 512, theme.ground),
        path=Image("ground", 256, (0.6, 0.52, 0.4)),
        leaves=Image("leaves", 256, theme.leaves),
        grass=Image("foliage", 256, (0.4, 0.62, 0.28)),
        windows=Image("windows", 256, (0.62, 0.6, 0.62)),
        bricks=Image("bricks", 256, (0.72, 0.45, 0.36)),
        stone=Image("ground", 256, (0.55, 0.54, 0.52)),
        planks=Image("planks", 256, (0.72, 0.52, 0.32)),
        metal=Image("metal", 256, (0.6, 0.64, 0.68)),
        paint=Image("metal", 128, (0.95, 0.88, 0.8)),
        cloth=Image("cloth", 256, (0.85, 0.8, 0.78)),
    )
    return World(things, camera, images, sky_from=theme.sky_from, clear=theme.sky, sky_scroll=0.004)


def _hero(theme: Theme) -> Thing:
    assert theme.hero is not None
    name, image, size = theme.hero
    high = 2.6 if theme.aim[1] == 0.0 else 0.0

    def pose(t: float) -> Floats:
        return placed(
            0.9 * np.sin(0.06 * t), high + 0.05 * abs(np.sin(0.3 * t)), 2.2, size, np.pi * (name != "ship") + 0.2
        )

    return Thing("hero", name, "hero", image, pose, heft=8)


def _growth(theme: Theme, i: int, random: np.random.Generator, run: Time) -> Thing:
    name, image, size = theme.growth[(i + i // 5) % len(theme.growth)]
    side = 1 if i % 2 else -1
    x = side * (theme.near * 0.6 + float(random.gamma(2.0, theme.near)))
    start, turn, grown = random.uniform(0, DEEP), random.uniform(0, 6), size * random.uniform(0.75, 1.3)
    standing = grown if name == "sheet" else 0.0
    high = 3.4 * random.random() if name == "ship" else 0.0

    def pose(t: float) -> Floats:
        z = (start + run(t)) % DEEP - DEEP + 5
        return placed(x, standing + high, z, grown, turn if name != "sheet" else 0.0)

    heft = 4.0 if random.random() < 0.08 else random.uniform(0.4, 1.0)
    layer = Layer.VEIL if name == "sheet" else Layer.OPAQUE
    role = "veil" if name == "sheet" else "prop" if i % 3 else "other"
    return Thing(
        f"{name} {i}",
        name,
        role,
        image,
        pose,
        layer,
        heft=heft,
        variant=i % 5,
        repeat=(2, 2) if name != "sheet" else (1, 1),
        sway=0.03 if image in ("leaves", "grass") else 0.0,
    )
