"""Tracks and runners: a road, a piste or rails run towards the eye, between things that stand beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...scenes.meshes import look_at, perspective
from ..geometry import Floats, placed
from ..motion import Crowd
from ..scene import Image, Layer, Pose, Thing, Time, World, clock
from ..twin import Twin, theme_of
from .palettes import Color, palette

LENGTH, SPEED = 66.0, 0.55
"""Length after which the track repeats, and way per frame."""


@dataclass(frozen=True)
class Theme:
    """A look."""

    hero: str
    beside: tuple[tuple[str, str, float], ...]
    """Shapes beside the track with their images and sizes."""
    ahead: tuple[tuple[str, str, float], ...]
    """Shapes on the track."""
    road: Image
    ground: Color
    sky: Color
    far: Color
    clear: Color = (0.6, 0.75, 0.9)
    eye: tuple[float, float, float] = (0.0, 2.6, 6.6)
    road_width: float = 2.6


THEMES = {
    "race": Theme(
        "car",
        (("tree", "leaves", 2.2), ("tower", "windows", 1.5), ("house", "bricks", 1.7), ("rock", "stone", 1.0)),
        (("car", "paint", 1.0), ("crate", "planks", 0.8)),
        Image("road", 512, (0.36, 0.36, 0.38)),
        (0.45, 0.62, 0.3),
        (0.45, 0.7, 0.98),
        (0.36, 0.5, 0.42),
    ),
    "desert": Theme(
        "car",
        (("rock", "stone", 1.8), ("crate", "metal", 1.2), ("pillar", "stone", 1.8), ("tower", "metal", 1.0)),
        (("car", "paint", 1.0), ("rock", "stone", 0.6)),
        Image("road", 512, (0.5, 0.43, 0.35)),
        (0.83, 0.66, 0.42),
        (0.55, 0.75, 0.95),
        (0.68, 0.48, 0.36),
    ),
    "snow": Theme(
        "character",
        (("pine", "leaves", 2.4), ("rock", "stone", 1.1), ("pine", "leaves", 1.6)),
        (("coin", "paint", 0.9), ("rock", "stone", 0.5)),
        Image("ground", 512, (0.9, 0.94, 1.0)),
        (0.86, 0.91, 0.98),
        (0.38, 0.62, 0.95),
        (0.72, 0.8, 0.9),
    ),
    "city": Theme(
        "car",
        (("tower", "windows", 2.2), ("tower", "bricks", 1.8), ("house", "bricks", 1.6), ("tree", "leaves", 1.5)),
        (("car", "paint", 1.0), ("character", "cloth", 0.9)),
        Image("road", 512, (0.3, 0.3, 0.32)),
        (0.5, 0.5, 0.48),
        (0.7, 0.75, 0.85),
        (0.45, 0.47, 0.55),
    ),
    "rails": Theme(
        "character",
        (("crate", "metal", 2.2), ("tower", "windows", 1.5), ("pillar", "metal", 1.3), ("house", "bricks", 1.8)),
        (("coin", "paint", 0.9), ("crate", "metal", 1.3), ("coin", "paint", 0.9)),
        Image("planks", 512, (0.55, 0.42, 0.3)),
        (0.58, 0.5, 0.4),
        (0.5, 0.78, 0.98),
        (0.42, 0.55, 0.6),
    ),
    "temple": Theme(
        "character",
        (("pillar", "stone", 1.7), ("tree", "leaves", 2.4), ("rock", "stone", 1.3), ("crate", "slabs", 1.5)),
        (("coin", "paint", 0.9), ("crate", "slabs", 0.9), ("character", "cloth", 0.95)),
        Image("slabs", 512, (0.6, 0.55, 0.42)),
        (0.25, 0.42, 0.24),
        (0.62, 0.8, 0.78),
        (0.2, 0.38, 0.3),
    ),
    "hills": Theme(
        "car",
        (("tree", "leaves", 2.0), ("pine", "leaves", 2.0), ("crate", "planks", 1.2), ("rock", "stone", 1.2)),
        (("crate", "planks", 0.9), ("coin", "paint", 0.9)),
        Image("planks", 512, (0.95, 0.5, 0.2)),
        (0.5, 0.66, 0.36),
        (0.5, 0.74, 0.96),
        (0.4, 0.58, 0.46),
        eye=(5.6, 2.4, 4.6),
    ),
}


def world(twin: Twin, room: int) -> World:
    """Lay out the track."""
    theme, random, time = theme_of(twin, THEMES), np.random.default_rng(twin.seed), clock(twin)
    projection = perspective(58, twin.width / twin.height)

    def camera(t: float) -> tuple[Floats, Floats]:
        eye = np.array(theme.eye) + (0.25 * np.sin(0.05 * time(t)), 0.05 * np.sin(0.3 * time(t)), 0)
        return projection @ look_at(eye, np.array([0.0, 1.1, -3.0])), eye

    def run(t: float) -> float:
        return SPEED * time(t)

    things = [*_ground(theme, time), *_heroes(theme, twin.crowd)]
    for i in range(max(0, room - len(things))):
        things.append(_beside(theme, i, room, random, run) if i % 4 else _ahead(theme, i, random, run))
    images = palette(
        Image("sky", 512, theme.sky),
        Image("range", 512, theme.far),
        Image("ground", 512, theme.ground),
        road=theme.road,
        leaves=Image("leaves", 256, (0.36, 0.62, 0.28) if twin.theme != "snow" else (0.55, 0.72, 0.66)),
        windows=Image("windows", 256, (0.62, 0.6, 0.62)),
        bricks=Image("bricks", 256, (0.72, 0.45, 0.36)),
        stone=Image("ground", 256, (0.58, 0.56, 0.54)),
        slabs=Image("slabs", 256, (0.62, 0.58, 0.46)),
        planks=Image("planks", 256, (0.72, 0.52, 0.32)),
        metal=Image("metal", 256, (0.58, 0.62, 0.66)),
        paint=Image("metal", 128, (0.95, 0.85, 0.75)),
        cloth=Image("cloth", 256, (0.85, 0.8, 0.78)),
    )
    image, kind = ("spark", "sprites") if twin.theme == "snow" else ("cloud", "sheet")
    return World(
        things, camera, images, clear=theme.clear, sky_from=-0.05, sky_scroll=0.004, veil_image=image, veil_shape=kind
    )


def _ground(theme: Theme, time: Time) -> list[Thing]:
    flat = Layer.GROUND
    way = SPEED / LENGTH
    field = placed(0, -0.02, -25, (40, 40, LENGTH / 2))
    road = placed(0, 0.0, -25, (theme.road_width, 1, LENGTH / 2))
    return [
        Thing("road", "ground", "ground", "road", lambda t: road, flat, heft=2.5, repeat=(1, 11), scroll=(0, 11 * way)),
        Thing(
            "field", "hills", "ground", "ground", lambda t: field, flat, heft=6, repeat=(24, 20), scroll=(0, 20 * way)
        ),
    ]


def _heroes(theme: Theme, crowd: Crowd) -> list[Thing]:
    """The hero, and who runs after it: between it and the eye."""
    number = 1 + crowd.followers
    image = "cloth" if theme.hero == "character" else "paint"
    return [
        Thing(f"hero {i}" if i else "hero", theme.hero, "hero", image, _run(i, crowd), heft=9 / number)
        for i in range(number)
    ]


def _run(i: int, crowd: Crowd) -> Pose:
    def pose(t: float) -> Floats:
        side = 0.9 * np.sin(0.07 * t) + crowd.spread * i
        turn = np.pi + 0.3 * np.cos(0.07 * t)
        return placed(side, 0.06 * abs(np.sin(0.5 * t)), 1.6 + 0.5 * i, 0.95 * crowd.scale, turn)

    return pose


def _scrolled(x: float, y: float, start: float, size: float, turn: float, run: Time) -> Pose:
    def pose(t: float) -> Floats:
        z = (start + run(t)) % LENGTH - LENGTH + 6
        return placed(x, y, z, size, turn)

    return pose


def _beside(theme: Theme, i: int, room: int, random: np.random.Generator, run: Time) -> Thing:
    name, image, size = theme.beside[(i + i // 7) % len(theme.beside)]
    side = 1 if i % 2 else -1
    x = side * (theme.road_width + 1.6 * size + float(random.gamma(2.0, 2.2)))
    grown = size * random.uniform(0.8, 1.25)
    pose = _scrolled(x, 0, random.uniform(0, LENGTH), grown, random.uniform(0, 6), run)
    heft = 3.0 if random.random() < 0.1 else random.uniform(0.4, 1.0)
    role = "prop" if i % 3 else "other"
    return Thing(
        f"{name} {i}",
        name,
        role,
        image,
        pose,
        heft=heft,
        variant=i % 5,
        repeat=(2, 2),
        sway=0.02 if image == "leaves" else 0.0,
    )


def _ahead(theme: Theme, i: int, random: np.random.Generator, run: Time) -> Thing:
    name, image, size = theme.ahead[i // 4 % len(theme.ahead)]
    lane = (-1, 0, 1)[i // 4 % 3] * theme.road_width * 0.6
    start = random.uniform(0, LENGTH)
    if i < 4:
        # The first one is where the hero runs into it, after some twenty frames.
        lane, start = 0.85, LENGTH - 4.4 - 20 * SPEED
    pose = _scrolled(lane, 0, start, size, np.pi * (i % 2) * 0.15, run)
    return Thing(
        f"{name} {i}", name, "prop", image, pose, heft=2.0 if name in ("car", "character") else 0.8, variant=i % 4
    )
