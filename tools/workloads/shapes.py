"""Things to be seen, by name, each with as many triangles as asked: characters, cars, trees, houses, rocks …

Every shape stands on y = 0 within about one unit of the origin, faces +z, and is textured from the whole of one image.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from tilegpu.functional.errors import UserError

from .geometry import Floats, Mesh, ball, box, exactly, joined, lathe, sheet, turned_on_lathe
from .vertex_order import ordered_for_reuse

Maker = Callable[[int, np.random.Generator], Mesh]
ROAD = 0.065
"""Half of the width of hills that a road may cover: the hills' triangles there are level."""
SUN = np.array([0.45, 0.75, 0.48])


def shape(name: str, triangles: int, variant: int = 0, quads: bool = False) -> Mesh:
    """A shape of exactly so many triangles, shaded by the sun in its vertices' colours.

    Parameters
    ----------
    name, triangles, variant
        Which one, and of its kind.
    quads
        Whether sheets are made of quads that share no vertices.

    Raises
    ------
    UserError
        If there is no such shape, or it needs more triangles.
    """
    if name not in MAKERS:
        raise UserError(f"shape {name!r}: choose {', '.join(sorted(MAKERS))}")
    for aim in (triangles, int(triangles * 0.85), int(triangles * 0.7), int(triangles * 0.5), 0):
        mesh = MAKERS[name](aim, np.random.default_rng([variant, zlib.crc32(name.encode())]))
        if len(mesh.triangles) <= triangles:
            break
    if quads and name in OF_SHEETS:
        return exactly(_as_quads(mesh), triangles)
    mesh = exactly(mesh, triangles)
    return _shaded(replace(mesh, triangles=ordered_for_reuse(mesh.triangles)), name in FLAT)


def _as_quads(mesh: Mesh) -> Mesh:
    """Sheets with four vertices for each square, whose triangles both begin at the same one."""
    pairs = mesh.triangles[np.argsort(mesh.triangles[:, 0], kind="stable")].reshape(-1, 2, 3)
    corner = np.concatenate([pairs[:, 0], pairs[:, 1, 2:]], axis=1).reshape(-1)
    first = 4 * np.arange(len(pairs))[:, None]
    triangles = np.stack([first + (0, 1, 2), first + (0, 2, 3)], axis=1).reshape(-1, 3)
    return Mesh(mesh.position[corner], mesh.normal[corner], mesh.coordinate[corner], mesh.color[corner], triangles)


@cache
def fewest(name: str) -> int:
    """Triangles that a shape needs."""
    return len(MAKERS[name](0, np.random.default_rng(0)).triangles)


def _shaded(mesh: Mesh, flat: bool) -> Mesh:
    if flat:
        return mesh
    light = 0.55 + 0.45 * np.clip(mesh.normal @ SUN, -0.35, 1)
    low, high = mesh.position[:, 1].min(), max(mesh.position[:, 1].max(), 1e-6)
    light *= 0.78 + 0.22 * np.clip((mesh.position[:, 1] - low) / (high - low + 1e-9), 0, 1)
    return replace(
        mesh, color=mesh.color * np.concatenate([np.repeat(light[:, None], 3, 1), np.ones((len(light), 1))], 1)
    )


def _shares(triangles: int, *parts: float) -> list[int]:
    total = sum(parts)
    return [int(triangles * part / total) for part in parts]


def _character(triangles: int, random: np.random.Generator) -> Mesh:
    head, body, arm, leg = _shares(triangles, 3, 4, 1.5, 2)
    skin, shirt, trousers = (1.0, 0.82, 0.68), 0.5 + 0.5 * random.random(3), 0.25 + 0.5 * random.random(3)
    limb = np.array([[0.0, 0.0], [0.75, 0.1], [1.0, 0.55], [0.8, 0.95], [0.0, 1.0]])

    def part(share: int, at: tuple[float, float, float], size: tuple[float, float, float]) -> Mesh:
        return (box(12) if share < 32 else turned_on_lathe(limb, share).moved((0, -0.5, 0))).moved(at, size)

    return joined(
        (box(12) if head < 24 else ball(head)).moved((0, 1.62, 0.02), (0.19, 0.23, 0.2)).tinted(*skin),
        part(body, (0, 1.1, 0), (0.28, 0.36 if body < 32 else 0.72, 0.18)).tinted(*shirt),
        *(
            part(arm // 2, (0.36 * s, 1.08, 0.05), (0.09, 0.32 if arm < 64 else 0.66, 0.09)).tinted(*shirt)
            for s in (-1, 1)
        ),
        *(
            part(leg // 2, (0.14 * s, 0.38, 0), (0.12, 0.38 if leg < 64 else 0.78, 0.12)).tinted(*trousers)
            for s in (-1, 1)
        ),
    )


def _car(triangles: int, random: np.random.Generator) -> Mesh:
    body, cabin, wheel = _shares(triangles, 4, 2, 4)
    paint = 0.35 + 0.65 * random.random(3)
    hull = _soft_box(body).moved((0, 0.42, 0), (0.62, 0.26, 1.25)).tinted(*paint)
    glass = _soft_box(cabin).moved((0, 0.8, -0.12), (0.5, 0.22, 0.62)).tinted(0.25, 0.3, 0.38)
    tyre = np.array([[0.0, -0.12], [1.0, -0.12], [1.0, 0.12], [0.0, 0.12]]) * (0.26, 1)
    wheels = []
    for x, z in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        round_one = turned_on_lathe(tyre, wheel // 4).turned(np.pi / 2).moved((0.58 * x, 0.26, 0.78 * z))
        wheels.append(
            box().moved((0.58 * x, 0.24, 0.78 * z), (0.1, 0.24, 0.24)).tinted(0.15, 0.15, 0.15)
            if wheel < 96
            else round_one.tinted(0.16, 0.16, 0.17)
        )
    return joined(hull, glass, *wheels)


def _soft_box(triangles: int) -> Mesh:
    """A cube with rounded edges where there are triangles enough."""
    cube = box(triangles)
    if len(cube.triangles) < 48:
        return cube
    length = np.linalg.norm(cube.position**3, axis=1, keepdims=True) ** (1 / 3)
    normal = np.sign(cube.position) * np.abs(cube.position) ** 3
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    return replace(cube, position=cube.position / np.maximum(length, 1e-9), normal=normal)


def _blob(triangles: int, random: np.random.Generator, rough: float) -> Mesh:
    mesh = ball(max(12, triangles))
    wave = random.normal(size=(6, 3)) * 3
    swell = 1 + rough * np.sin(mesh.position @ wave.T + np.arange(6)).mean(axis=1, keepdims=True) * 1.6
    return replace(mesh, position=mesh.position * swell)


def _tree(triangles: int, random: np.random.Generator) -> Mesh:
    crowns = 3 if triangles >= 90 else 1
    trunk, crown = _shares(triangles, 1, 5)
    stem = turned_on_lathe(np.array([[0.13, 0], [0.08, 0.5], [0.05, 1.2]]), trunk).tinted(0.5, 0.36, 0.24)
    leaves = []
    for i in range(crowns):
        at = (0.3 * np.sin(2.1 * i + 1) * (crowns > 1), 1.3 + 0.35 * i, 0.3 * np.cos(2.1 * i + 1) * (crowns > 1))
        size = 0.62 - 0.1 * i
        green = (0.5 + 0.2 * random.random(), 0.75 + 0.2 * random.random(), 0.4)
        leaves.append(_blob(crown // crowns, random, 0.35).moved(at, (size, size * 0.85, size)).tinted(*green))
    return joined(stem, *leaves)


def _pine(triangles: int, random: np.random.Generator) -> Mesh:
    layers = 3 if triangles >= 48 else 1
    trunk, crown = _shares(triangles, 1, 5)
    parts = [turned_on_lathe(np.array([[0.1, 0], [0.07, 0.5]]), trunk).tinted(0.45, 0.33, 0.25)]
    for i in range(layers):
        base, size = 0.35 + 0.55 * i, 0.7 - 0.17 * i
        profile = np.array([[size * 0.25, base], [size, base - 0.05], [0.02, base + 0.95]])
        parts.append(turned_on_lathe(profile, crown // layers).tinted(0.42 + 0.08 * i, 0.66 + 0.08 * i, 0.46))
    return joined(*parts)


def _house(triangles: int, random: np.random.Generator) -> Mesh:
    walls = box(max(12, triangles // 2)).moved((0, 0.6, 0), (0.8, 0.6, 0.7)).tinted(*(0.72 + 0.28 * random.random(3)))
    roof = lathe(np.array([[1.2, 1.15], [0.0, 1.95]]), 4)
    roof = replace(roof, position=roof.position @ _quarter()).tinted(0.8, 0.42, 0.33)
    return joined(walls, roof)


def _quarter() -> Floats:
    c = np.sqrt(0.5)
    return np.array([[c, 0, c], [0, 1, 0], [-c, 0, c]])


def _tower(triangles: int, random: np.random.Generator) -> Mesh:
    height = 1.5 + 2 * random.random()
    return box(triangles).moved((0, height, 0), (0.7, height, 0.7)).tinted(*(0.7 + 0.3 * random.random(3)))


def _pillar(triangles: int, random: np.random.Generator) -> Mesh:
    profile = np.array([[0.34, 0], [0.34, 0.12], [0.22, 0.2], [0.2, 1.8], [0.32, 1.9], [0.32, 2.05]])
    points = profile if triangles >= 40 else profile[[0, -1]]
    return turned_on_lathe(points, triangles)


def _crate(triangles: int, random: np.random.Generator) -> Mesh:
    return box(triangles).moved((0, 0.5, 0), (0.5, 0.5, 0.5)).tinted(*(0.8 + 0.2 * random.random(3)))


def _rock(triangles: int, random: np.random.Generator) -> Mesh:
    return _blob(triangles, random, 0.7).moved((0, 0.3, 0), (0.7, 0.45, 0.6)).tinted(0.8, 0.8, 0.8)


def _coin(triangles: int, random: np.random.Generator) -> Mesh:
    rim = np.array([[0.0, -0.06], [0.3, -0.06], [0.3, 0.06], [0.0, 0.06]])
    mesh = turned_on_lathe(rim, triangles).turned(np.pi / 2)
    turn = np.array([[0, 0, -1.0], [0, 1, 0], [1, 0, 0]])
    return (
        replace(mesh, position=mesh.position @ turn, normal=mesh.normal @ turn).moved((0, 0.5, 0)).tinted(1, 0.85, 0.3)
    )


def _ship(triangles: int, random: np.random.Generator) -> Mesh:
    hull, wing = _shares(triangles, 3, 1)
    body = np.array([[0.0, -1.2], [0.3, -0.9], [0.36, 0.0], [0.2, 0.8], [0.0, 1.3]])
    fuselage = turned_on_lathe(body, hull)
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    fuselage = replace(fuselage, position=fuselage.position @ turn, normal=fuselage.normal @ turn)
    wings = box(max(12, wing)).moved((0, 0.0, 0.1), (1.25, 0.05, 0.36))
    fin = box(12).moved((0, 0.3, 0.8), (0.05, 0.32, 0.25))
    return joined(fuselage, wings, fin).moved((0, 0.6, 0)).tinted(*(0.6 + 0.4 * random.random(3)))


def _module(triangles: int, random: np.random.Generator) -> Mesh:
    """Part of a space station: a drum with two panels."""
    drum, panel = _shares(triangles, 2, 1)
    profile = np.array([[0.0, -1], [0.4, -0.95], [0.45, -0.6], [0.42, 0.6], [0.3, 0.95], [0.0, 1]])
    panels = [
        box(max(12, panel // 2)).moved((1.3 * s, 0, 0), (0.75, 0.4, 0.02)).tinted(0.45, 0.5, 0.9) for s in (-1, 1)
    ]
    return joined(turned_on_lathe(profile, drum), *panels).moved((0, 1, 0))


def _sheet(triangles: int, random: np.random.Generator) -> Mesh:
    side = max(1, int(np.sqrt(triangles / 2)))
    return sheet(side, max(1, triangles // (2 * side)))


def _ground(triangles: int, random: np.random.Generator) -> Mesh:
    """Square that faces +y, level; texture coordinates in units."""
    flat = _sheet(triangles, random)
    position = flat.position[:, [0, 2, 1]] * (1, 1, -1)
    return replace(flat, position=position, normal=np.tile([0.0, 1, 0], (len(position), 1)))


def _hills(triangles: int, random: np.random.Generator) -> Mesh:
    """Square that faces +y with gentle hills away from its middle."""
    flat = _ground(triangles, random)
    x, z = flat.position[:, 0], flat.position[:, 2]
    rise = sum(np.sin(x * a + p) * np.cos(z * b + q) for a, b, p, q in random.uniform(2, 9, (5, 4))) / 5
    position = flat.position.copy()
    # Level where a road may lie, the triangles at its edges, too.
    level = max(0.125, ROAD + 2 / (len(np.unique(x)) - 1))
    position[:, 1] = 0.05 * (rise + 0.6) * np.clip((np.abs(x) - level) * 2, 0, 1)
    shade = np.clip(0.85 + rise * 0.35, 0.5, 1)[:, None]
    return replace(
        flat, position=position, color=flat.color * np.concatenate([shade, shade, shade, np.ones_like(shade)], 1)
    )


def _skyline(triangles: int, random: np.random.Generator) -> Mesh:
    """Sheet from -1 to 1 with a ragged upper edge; its area is that of the square, 2 x 2."""
    across = max(2, min(96, triangles // 2))
    mesh = sheet(across, max(1, triangles // (2 * across)))
    x, y = mesh.position[:, 0], mesh.position[:, 1]
    rugged = sum(np.sin(x * f + p) / f**0.7 for f, p in zip((3, 7, 13, 29, 53), random.uniform(0, 6, 5), strict=True))
    rugged = (rugged - rugged.mean()) * 0.16
    position = mesh.position.copy()
    position[:, 1] = -1 + (y + 1) / 2 * (2 + rugged)
    haze = np.clip(0.65 + 0.2 * (y + 1), 0, 1)[:, None]
    return replace(mesh, position=position, color=np.concatenate([haze, haze, haze, np.ones_like(haze)], 1))


def _sprites(triangles: int, random: np.random.Generator) -> Mesh:
    """Sixteen or fewer small cards from one image, strewn over the square from -1 to 1; together a quarter of it."""
    count = int(np.clip(triangles // 2, 1, 16))
    size = 0.5 / np.sqrt(count)
    places = _strewn(count, random)
    each = max(2, triangles // count)
    return joined(*(_sheet(each, random).moved((x, y, 0), (size, size, 1)) for x, y in places))


def _strewn(count: int, random: np.random.Generator) -> Floats:
    side = int(np.ceil(np.sqrt(count)))
    cells = random.permutation(side * side)[:count]
    at = np.stack([cells % side, cells // side], 1) + 0.5 + random.uniform(-0.3, 0.3, (count, 2))
    return np.asarray(at / side * 2 - 1)


def _glyphs(triangles: int, random: np.random.Generator) -> Mesh:
    """A line of letters from a font of 8 x 4 cells, from -1 to 1."""
    count = int(np.clip(triangles // 2, 1, 24))
    each = max(2, triangles // count)
    letters = []
    for i, cell in enumerate(random.integers(0, 32, count)):
        card = _sheet(each, random).textured(cell % 8 / 8, cell // 8 / 4, 1 / 8, 1 / 4)
        letters.append(card.moved(((i + 0.5) / count * 2 - 1, 0, 0), (0.9 / count, 1, 1)))
    return joined(*letters)


def _board(triangles: int, random: np.random.Generator) -> Mesh:
    """A board of 8 x 8 pieces, each a card with one of 4 x 4 cells of the image."""
    across = 8 if triangles >= 128 else max(1, int(np.sqrt(triangles / 2)))
    each = max(2, triangles // (across * across))
    cards = []
    for i in range(across * across):
        cell = int(random.integers(0, 16))
        card = _sheet(each, random).textured(cell % 4 / 4, cell // 4 / 4, 1 / 4, 1 / 4)
        at = ((i % across + 0.5) / across * 2 - 1, (i // across + 0.5) / across * 2 - 1, 0)
        cards.append(card.moved(at, (0.92 / across, 0.92 / across, 1)))
    return joined(*cards)


MAKERS: dict[str, Maker] = {
    "character": _character,
    "car": _car,
    "tree": _tree,
    "pine": _pine,
    "house": _house,
    "tower": _tower,
    "pillar": _pillar,
    "crate": _crate,
    "rock": _rock,
    "coin": _coin,
    "ship": _ship,
    "module": _module,
    "sheet": _sheet,
    "ground": _ground,
    "hills": _hills,
    "skyline": _skyline,
    "sprites": _sprites,
    "glyphs": _glyphs,
    "board": _board,
}
FLAT = frozenset({"sheet", "ground", "hills", "skyline", "ranks", "shells", "sprites", "glyphs", "board"})
"""Shapes that are open, and lit evenly; ranks and shells are made of pieces (`ranks`)."""
OF_SHEETS = frozenset({"sheet", "board", "sprites", "glyphs"})
"""Shapes that are made of sheets alone."""
