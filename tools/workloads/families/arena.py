"""Arenas and corridors: a walled place with pillars and crates, fighters in it, seen by somebody who walks there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...scenes.meshes import look_at, perspective
from ..geometry import Floats, placed
from ..motion import Crowd
from ..scene import Image, Layer, Pose, Thing, World, clock, still
from ..twin import Twin, theme_of
from .palettes import Color, palette


@dataclass(frozen=True)
class Theme:
    """A look."""

    wall: str
    floor: Image
    furniture: tuple[tuple[str, str, float], ...]
    fighters: int
    sky: Color
    far: Color
    eye: str = "orbit"
    """orbit, side or first: how the camera goes."""
    half: float = 11.0
    tint: Color = (1.0, 1.0, 1.0)


THEMES = {
    "street": Theme(
        "bricks",
        Image("slabs", 512, (0.5, 0.5, 0.52)),
        (("crate", "planks", 1.0), ("pillar", "metal", 1.3), ("car", "paint", 1.0)),
        5,
        (0.55, 0.62, 0.75),
        (0.42, 0.44, 0.52),
        "side",
    ),
    "shooter": Theme(
        "slabs",
        Image("ground", 512, (0.66, 0.58, 0.44)),
        (("crate", "planks", 1.2), ("crate", "metal", 0.9), ("pillar", "stone", 1.4), ("rock", "stone", 1.0)),
        5,
        (0.6, 0.75, 0.95),
        (0.62, 0.56, 0.48),
        "first",
    ),
    "maze": Theme(
        "bricks",
        Image("slabs", 512, (0.45, 0.5, 0.42)),
        (("pillar", "stone", 1.6), ("crate", "bricks", 1.7), ("coin", "paint", 1.0), ("crate", "slabs", 1.9)),
        3,
        (0.4, 0.6, 0.9),
        (0.3, 0.42, 0.36),
        "first",
    ),
    "base": Theme(
        "metal",
        Image("slabs", 512, (0.46, 0.42, 0.38)),
        (("crate", "metal", 1.2), ("pillar", "stone", 1.6), ("crate", "planks", 1.0), ("module", "metal", 0.9)),
        4,
        (0.5, 0.42, 0.36),
        (0.4, 0.34, 0.3),
        "first",
    ),
    "alley": Theme(
        "planks",
        Image("planks", 512, (0.78, 0.6, 0.4)),
        (("pillar", "paint", 0.8), ("coin", "metal", 0.8), ("pillar", "paint", 0.7), ("crate", "planks", 0.8)),
        2,
        (0.25, 0.2, 0.35),
        (0.35, 0.28, 0.4),
        "side",
    ),
    "boxing": Theme(
        "windows",
        Image("planks", 512, (0.62, 0.56, 0.5)),
        (("pillar", "metal", 1.2), ("character", "cloth", 0.9), ("crate", "metal", 0.9)),
        2,
        (0.12, 0.14, 0.25),
        (0.16, 0.18, 0.3),
        "orbit",
    ),
    "temple": Theme(
        "slabs",
        Image("slabs", 512, (0.52, 0.42, 0.34)),
        (("pillar", "stone", 2.2), ("crate", "slabs", 1.0), ("rock", "stone", 1.0)),
        8,
        (0.75, 0.45, 0.3),
        (0.42, 0.3, 0.26),
        "orbit",
    ),
    "goal": Theme(
        "metal",
        Image("ground", 512, (0.34, 0.56, 0.28)),
        (("character", "cloth", 1.0), ("crate", "metal", 0.8), ("pillar", "metal", 1.5)),
        4,
        (0.5, 0.7, 0.95),
        (0.4, 0.44, 0.5),
        "first",
    ),
}


def world(twin: Twin, room: int) -> World:
    """Lay out the arena."""
    theme, random, time = theme_of(twin, THEMES), np.random.default_rng(twin.seed), clock(twin)
    projection = perspective(60, twin.width / twin.height)

    def camera(t: float) -> tuple[Floats, Floats]:
        at = time(t)
        if theme.eye == "orbit":
            turn = 0.4 + 0.012 * at
            eye, target = np.array([8.6 * np.sin(turn), 3.0, 8.6 * np.cos(turn)]), np.array([0, 1.0, 0])
        elif theme.eye == "side":
            x = 2.5 * np.sin(0.05 * at)
            eye, target = np.array([x, 2.4, 8.6]), np.array([x + 0.4, 1.3, 0.0])
        else:
            turn = 0.35 * np.sin(0.04 * at)
            eye = np.array([0.8 * np.sin(0.06 * at), 1.75 + 0.05 * np.sin(0.5 * at), 8.8 - 1.2 * np.sin(0.03 * at)])
            target = eye + (np.sin(turn), -0.08, -np.cos(turn))
        return projection @ look_at(eye, target), eye

    things = [*_room(theme), *_fighters(theme, twin, camera)]
    for i in range(max(0, room - len(things))):
        things.append(_furniture(theme, i, random))
    images = palette(
        Image("sky", 512, theme.sky),
        Image("windows" if theme.wall == "windows" else "range", 512, theme.far),
        theme.floor,
        wall=Image(theme.wall, 512, (0.7, 0.6, 0.52)),
        bricks=Image("bricks", 256, (0.66, 0.5, 0.4)),
        slabs=Image("slabs", 256, (0.6, 0.58, 0.5)),
        stone=Image("ground", 256, (0.56, 0.54, 0.52)),
        planks=Image("planks", 256, (0.7, 0.5, 0.32)),
        metal=Image("metal", 256, (0.55, 0.6, 0.66)),
        paint=Image("metal", 128, (0.95, 0.85, 0.75)),
        cloth=Image("cloth", 256, (0.85, 0.8, 0.78)),
        foe=Image("cloth", 256, (0.8, 0.5, 0.45)),
    )
    return World(things, camera, images, sky_from=0.05, clear=theme.far, sky_scroll=0.004)


def _room(theme: Theme) -> list[Thing]:
    half = theme.half
    floor = placed(0, 0, 0, (half, 1, half))
    things = [Thing("floor", "ground", "ground", "ground", still(floor), Layer.GROUND, heft=4, repeat=(7, 7))]
    for i in range(3):
        turn = (0.0, np.pi / 2, -np.pi / 2)[i]
        x, z = -half * np.sin(turn), -half * np.cos(turn)
        pose = placed(x, 2.2, z, (half, 2.2, 0.3), turn)
        things.append(Thing(f"wall {i}", "sheet", "ground", "wall", still(pose), Layer.GROUND, heft=2, repeat=(6, 1.5)))
    return things


def _fighters(theme: Theme, twin: Twin, camera: object) -> list[Thing]:
    things = []
    for i in range(theme.fighters):
        things.append(
            Thing(
                f"fighter {i}",
                "character",
                "hero",
                "cloth" if i % 2 else "foe",
                _stroll(i, theme, twin.crowd),
                heft=9 - i * 0.6,
                variant=i,
            )
        )
    return things


def _stroll(i: int, theme: Theme, crowd: Crowd) -> Pose:
    """Fighters meet now and then in the middle, and part again."""
    side = 1 if i % 2 else -1
    z = {"orbit": 0.0, "side": 1.5, "first": 1.0}[theme.eye] - 1.9 * (i // 2)

    def pose(t: float) -> Floats:
        apart = 0.9 + 0.75 * np.sin(0.11 * t + i // 2)
        return placed(
            side * apart * (1 + 0.4 * (i // 2)) + crowd.spread * (i // 2 - 1),
            0.05 * abs(np.sin(0.4 * t + i)),
            z + 0.3 * np.sin(0.07 * t),
            1.15 * crowd.scale,
            # Those who stand apart turn to the viewer.
            -side * np.pi / 2 / (1 + crowd.spread) + 0.5,
        )

    return pose


def _furniture(theme: Theme, i: int, random: np.random.Generator) -> Thing:
    name, image, size = theme.furniture[i % len(theme.furniture)]
    turn = i * 2.39996
    far = theme.half * np.sqrt(0.16 + 0.8 * random.random())
    x, z = far * np.sin(turn), min(far * np.cos(turn), 4.0)
    pose = still(placed(x, 0, z, size * random.uniform(0.8, 1.2), random.uniform(0, 6)))
    heft = 4.0 if random.random() < 0.08 else random.uniform(0.4, 1.0)
    return Thing(
        f"{name} {i}", name, "prop" if i % 3 else "other", image, pose, heft=heft, variant=i % 5, repeat=(2, 2)
    )
