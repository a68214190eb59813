"""Textures, painted by formula: uint8 RGBA (height, width, 4), row 0 at the bottom, repeating at the borders."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.errors import UserError

Texels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Color = tuple[float, float, float]
Painter = Callable[[int, np.random.Generator, Color], Texels]


def paint(name: str, size: int, seed: int, color: Color = (0.6, 0.6, 0.6)) -> Texels:
    """A texture by name.

    Parameters
    ----------
    name
        One of `PAINTERS`.
    size
        Width and height in texels, a power of two.
    seed
        Textures of one name and different seeds are of one kind, but not equal.
    color
        Main colour, 0 to 1.

    Raises
    ------
    UserError
        If there is no such texture.
    """
    if name not in PAINTERS:
        raise UserError(f"texture {name!r}: choose {', '.join(sorted(PAINTERS))}")
    return PAINTERS[name](size, np.random.default_rng(seed), color)


def noise(size: int, cells: int, random: np.random.Generator) -> Floats:
    """Smooth noise 0 to 1 that repeats at the borders, (size, size)."""
    cells = min(cells, size)
    grid = random.random((cells, cells))
    at = np.arange(size) * cells / size
    low, part = at.astype(int), at % 1
    part = part * part * (3 - 2 * part)
    rows = grid[low] * (1 - part)[:, None] + grid[(low + 1) % cells] * part[:, None]
    return np.asarray(rows[:, low] * (1 - part) + rows[:, (low + 1) % cells] * part)


def turbulence(size: int, cells: int, random: np.random.Generator) -> Floats:
    """Noise of five octaves, 0 to 1."""
    total, weight = np.zeros((size, size)), 0.0
    for octave in range(5):
        total += noise(size, cells << octave, random) * 0.55**octave
        weight += 0.55**octave
    return np.clip((total / weight - 0.5) * 1.7 + 0.5, 0, 1)


def _texels(shade: Floats, color: Color, contrast: float = 0.7, alpha: Floats | None = None) -> Texels:
    """Colour from dark to light by shade."""
    light = 1 - contrast + contrast * shade[..., None] * 1.3
    rgb = np.clip(np.array(color) * light, 0, 1)
    a = np.ones(shade.shape) if alpha is None else alpha
    return np.round(np.concatenate([rgb, a[..., None]], 2) * 255).astype(np.uint8)


def _grid(size: int) -> tuple[Floats, Floats]:
    y, x = np.mgrid[:size, :size] / size
    return x, y


def _plain(size: int, random: np.random.Generator, color: Color) -> Texels:
    """One colour."""
    return _texels(np.full((size, size), 1 / 1.3), color)


def _ground(size: int, random: np.random.Generator, color: Color) -> Texels:
    shade = 0.6 * turbulence(size, 4, random) + 0.4 * noise(size, size // 4, random)
    texels = _texels(shade, color)
    patch = turbulence(size, 3, random)[..., None] * 0.35
    other = np.array(color)[[1, 0, 2]] * 200
    texels[..., :3] = texels[..., :3] * (1 - patch) + other * patch
    return texels


def _road(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    texels = _texels(0.5 + 0.4 * noise(size, size // 3, random) * turbulence(size, 6, random), color, 0.5)
    line = ((np.abs(x - 0.5) < 0.012) & (y % 0.5 < 0.3)) | (np.abs(np.abs(x - 0.5) - 0.44) < 0.012)
    texels[line, :3] = (232, 226, 205)
    verge = np.abs(x - 0.5) > 0.48
    texels[verge & (y % 0.25 < 0.125), :3] = (205, 60, 50)
    texels[verge & (y % 0.25 >= 0.125), :3] = (235, 235, 235)
    return texels


def _bricks(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    row = (y * 8).astype(int)
    along = x * 4 + 0.5 * (row % 2)
    tone = random.random((8, 8))[row, along.astype(int) % 4]
    joint = (y * 8 % 1 < 0.1) | (along % 1 < 0.05)
    shade = np.where(joint, 0.05, 0.4 + 0.35 * tone + 0.3 * turbulence(size, 8, random))
    return _texels(shade, color)


def _slabs(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    tone = random.random((4, 4))[(y * 4).astype(int), (x * 4).astype(int)]
    edge = np.minimum(np.minimum(x * 4 % 1, y * 4 % 1), np.minimum(1 - x * 4 % 1, 1 - y * 4 % 1))
    return _texels(np.clip(edge * 12, 0, 1) * (0.4 + 0.3 * tone + 0.4 * turbulence(size, 8, random)), color)


def _planks(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    board = (x * 6).astype(int)
    grain = np.sin((x * 60 + 3 * noise(size, 8, random) + 0.6 * np.sin(y * 12 + board)) * 6)
    shade = 0.55 + 0.13 * grain + 0.3 * random.random(6)[board] - 0.45 * (x * 6 % 1 < 0.06)
    return _texels(np.clip(shade, 0, 1), color)


def _metal(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    panel = (x * 4 % 1 < 0.04) | (y * 4 % 1 < 0.04)
    rivet = (((x * 4 % 1) - 0.14) ** 2 + ((y * 4 % 1) - 0.14) ** 2) < 0.0016
    streak = turbulence(size, 5, random) * 0.4 + noise(size, 64, random)[:, :1] * 0.2
    return _texels(np.clip(0.45 + streak - 0.4 * panel + 0.3 * rivet, 0, 1), color)


def _windows(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    u, v = x * 4 % 1, y * 4 % 1
    texels = _texels(0.5 + 0.4 * turbulence(size, 8, random), color, 0.5)
    pane = (u > 0.22) & (u < 0.78) & (v > 0.2) & (v < 0.8)
    lit = random.random((4, 4))[(y * 4).astype(int), (x * 4).astype(int)] > 0.6
    texels[pane & lit, :3] = (250, 226, 150)
    texels[pane & ~lit, :3] = (60, 82, 110)
    frame = (u > 0.18) & (u < 0.82) & (v > 0.16) & (v < 0.84) & ~pane
    texels[frame, :3] = (225, 222, 214)
    return texels


def _leaves(size: int, random: np.random.Generator, color: Color) -> Texels:
    shade = np.zeros((size, size))
    x, y = _grid(size)
    for px, py, r in zip(*random.random((2, 160)), random.uniform(0.02, 0.07, 160), strict=True):
        dx, dy = (x - px + 0.5) % 1 - 0.5, (y - py + 0.5) % 1 - 0.5
        inside = np.clip(1 - (dx * dx * 2 + dy * dy) / r**2, 0, 1)
        shade = np.where(inside > 0, 0.3 + 0.7 * np.sqrt(inside) * (0.6 + 0.4 * random.random()), shade)
    return _texels(shade, color, 0.75)


def _cloth(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    weave = 0.5 + 0.18 * np.sin(x * size * 0.8) * np.sin(y * size * 0.8)
    fold = 0.35 * turbulence(size, 3, random)
    texels = _texels(np.clip(weave + fold, 0, 1), color, 0.6)
    trim = (np.abs(y - 0.42) < 0.03) | (np.abs(y - 0.93) < 0.02)
    texels[trim, :3] = (236, 208, 120)
    return texels


def _sky(size: int, random: np.random.Generator, color: Color) -> Texels:
    _, y = _grid(size)
    base = np.array(color) * (1.15 - 0.55 * y[..., None]) + 0.18 * (1 - y[..., None])
    cloud = np.clip(turbulence(size, 3, random) * 1.7 - 0.75, 0, 1)[..., None] * (1 - np.array(color).min()) * 0.8
    rgb = np.clip(base * (1 - cloud) + cloud, 0, 1)
    return np.round(np.concatenate([rgb, np.ones((size, size, 1))], 2) * 255).astype(np.uint8)


def _space(size: int, random: np.random.Generator, color: Color) -> Texels:
    nebula = turbulence(size, 3, random) ** 2
    texels = _texels(nebula, color, 1.0)
    texels[..., :3] = (texels[..., :3] * 0.5).astype(np.uint8)
    stars = random.random((size, size)) > 0.997
    texels[stars, :3] = 240
    return texels


def _range(size: int, random: np.random.Generator, color: Color) -> Texels:
    """Far hills: forest and rock, paler upwards."""
    _, y = _grid(size)
    tone = turbulence(size, 8, random) * 0.8 + 0.2 * noise(size, size // 2, random)
    texels = _texels(tone, color, 0.6)
    pale = np.clip(y - 0.4, 0, 1)[..., None] * 0.5
    texels[..., :3] = texels[..., :3] * (1 - pale) + 225 * pale
    return texels


def _cloud(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    edge = np.clip(1.25 - 2.5 * np.hypot(x - 0.5, y - 0.5), 0, 1)
    return _texels(
        np.ones((size, size)), color, 0.1, np.clip(turbulence(size, 4, random) * 1.5 - 0.35, 0, 1) * edge * 0.6
    )


def _spark(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    far = np.hypot(x - 0.5, y - 0.5) * 2
    ray = np.abs(np.cos(3 * np.arctan2(y - 0.5, x - 0.5 + 1e-9))) ** 6
    return _texels(np.ones((size, size)), color, 0.0, np.clip(1.1 - far * (1.6 - 0.6 * ray), 0, 1) ** 1.6)


def _foliage(size: int, random: np.random.Generator, color: Color) -> Texels:
    """Blades and leaves before nothing."""
    x, y = _grid(size)
    alpha, shade = np.zeros((size, size)), np.full((size, size), 0.5)
    for root, lean, tall, wide in zip(*random.random((4, 46)), strict=True):
        at = root + (lean - 0.5) * 0.5 * y**1.5
        blade = np.abs((x - at + 0.5) % 1 - 0.5) < (0.012 + 0.02 * wide) * (1 - y / (0.45 + 0.55 * tall))
        alpha[blade], shade[blade] = 1, 0.3 + 0.5 * tall * y[blade] + 0.2 * wide
    return _texels(shade, color, 0.8, alpha)


def _panel(size: int, random: np.random.Generator, color: Color) -> Texels:
    x, y = _grid(size)
    inset = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    shade = np.where(inset < 0.05, 0.95, 0.35 + 0.4 * y + 0.08 * noise(size, 16, random))
    corner = np.hypot(np.clip(0.12 - np.minimum(x, 1 - x), 0, 1), np.clip(0.12 - np.minimum(y, 1 - y), 0, 1))
    return _texels(shade, color, 0.8, np.where(corner < 0.12, 0.92, 0.0))


def _font(size: int, random: np.random.Generator, color: Color) -> Texels:
    """Letters in 8 x 4 cells: strokes from a grid of 3 x 5."""
    x, y = _grid(size)
    column, row = (x * 8).astype(int), (y * 4).astype(int)
    strokes = random.random((32, 5, 3)) > 0.4
    strokes[:, :, 0] |= random.random((32, 5)) > 0.5
    u, v = np.clip(((x * 8 % 1) - 0.15) / 0.7, 0, 0.999), np.clip(((y * 4 % 1) - 0.12) / 0.76, 0, 0.999)
    inside = (x * 8 % 1 > 0.15) & (x * 8 % 1 < 0.85) & (y * 4 % 1 > 0.12) & (y * 4 % 1 < 0.88)
    on = strokes[row * 8 + column, (v * 5).astype(int), (u * 3).astype(int)] & inside
    return _texels(np.ones((size, size)), color, 0.0, on.astype(float))


def _pieces(size: int, random: np.random.Generator, color: Color) -> Texels:
    """Glossy pieces of a board game in 4 x 4 cells."""
    x, y = _grid(size)
    cell = (y * 4).astype(int) * 4 + (x * 4).astype(int)
    u, v = (x * 4 % 1 - 0.5) * 2.2, (y * 4 % 1 - 0.5) * 2.2
    power = random.choice([1.0, 2.0, 5.0], 16)[cell]
    far = (np.abs(u) ** power + np.abs(v) ** power) ** (1 / power)
    hues = random.random((16, 3)) * 0.75 + 0.25
    hues[np.arange(16), random.integers(0, 3, 16)] = 0.12
    gloss = np.clip(1 - np.hypot(u + 0.3, v - 0.4) * 1.6, 0, 1)
    rgb = hues[cell] * (1.15 - 0.55 * far)[..., None] + 0.75 * gloss[..., None] ** 2
    alpha = np.clip((1 - far) * 14, 0, 1)
    painted: Floats = np.clip(np.concatenate([rgb, alpha[..., None]], 2), 0, 1)
    return np.round(painted * 255).astype(np.uint8)


def _building(size: int, random: np.random.Generator, color: Color) -> Texels:
    """A small building seen from above at an angle, before nothing."""
    x, y = _grid(size)
    u, v = x - 0.5, y
    wall = (np.abs(u) < 0.4) & (v > 0.1 + 0.45 * np.abs(u)) & (v < 0.5 + 0.1 * np.abs(u))
    roof = (np.abs(u) < 0.46) & (v >= 0.42) & (v < 0.92 - 0.75 * np.abs(u))
    shade = 0.5 + 0.2 * turbulence(size, 8, random) + np.where(u > 0, 0.2, -0.12)
    shade -= 0.25 * ((v * 14 + 3 * np.abs(u)) % 1 < 0.2) * roof
    texels = _texels(shade, color, 0.7, (wall | roof).astype(float))
    texels[wall, :3] = texels[wall, :3] * 0.45 + np.array((120, 108, 90)) * (0.6 + 0.5 * (u[wall] > 0))[:, None]
    door = (np.abs(u + 0.18) < 0.07) & (v > 0.14) & (v < 0.34)
    texels[door & wall, :3] = (70, 46, 30)
    return texels


def _hero(size: int, random: np.random.Generator, color: Color) -> Texels:
    """A round little creature with eyes, before nothing."""
    x, y = _grid(size)
    u, v = (x - 0.5) * 2.1, (y - 0.45) * 2.1
    body = np.hypot(u, v * 1.05) + 0.06 * np.sin(5 * np.arctan2(v, u + 1e-9) + random.random() * 6)
    ear = (np.abs(np.abs(u) - 0.5) < 0.16 * (1.1 - v)) & (v > 0.5) & (v < 1.05)
    texels = _texels(np.clip(0.95 - 0.5 * body + 0.25 * v, 0, 1), color, 0.75, ((body < 0.88) | ear).astype(float))
    for side in (-1, 1):
        eye, pupil = np.hypot(u - 0.28 * side, v - 0.2), np.hypot(u - 0.24 * side, v - 0.17)
        texels[eye < 0.2, :3] = 250
        texels[pupil < 0.09, :3] = 20
    mouth = (np.abs(np.hypot(u, v + 0.05) - 0.34) < 0.04) & (v < -0.2)
    texels[mouth, :3] = 60
    return texels


def _detail(size: int, random: np.random.Generator, color: Color) -> Texels:
    """Fine grain near white."""
    return _texels(0.6 + 0.4 * turbulence(size, 16, random), (1, 1, 1), 0.25)


def _light(size: int, random: np.random.Generator, color: Color) -> Texels:
    """Soft light and shadow near white."""
    return _texels(np.clip(0.35 + 0.8 * turbulence(size, 2, random), 0, 1), (1, 0.98, 0.93), 0.35)


PAINTERS: dict[str, Painter] = {
    "plain": _plain,
    "ground": _ground,
    "road": _road,
    "bricks": _bricks,
    "slabs": _slabs,
    "planks": _planks,
    "metal": _metal,
    "windows": _windows,
    "leaves": _leaves,
    "cloth": _cloth,
    "sky": _sky,
    "space": _space,
    "range": _range,
    "cloud": _cloud,
    "spark": _spark,
    "foliage": _foliage,
    "panel": _panel,
    "font": _font,
    "pieces": _pieces,
    "building": _building,
    "hero": _hero,
    "detail": _detail,
    "light": _light,
}
TRANSLUCENT = frozenset({"cloud", "spark", "foliage", "panel", "font", "pieces", "building", "hero"})
"""Those with alpha; the others may be compressed without."""


def mipmaps(texels: Texels) -> list[Texels]:
    """All levels, each the mean of 2 x 2 texels of the one above."""
    levels = [texels]
    while max(levels[-1].shape[:2]) > 1:
        last = levels[-1].astype(np.uint16)
        last = last[::1, :].reshape(max(1, last.shape[0] // 2), -1, *last.shape[1:]).mean(axis=1)
        last = last.reshape(last.shape[0], max(1, last.shape[1] // 2), -1, 4).mean(axis=2)
        levels.append(np.round(last).astype(np.uint8))
    return levels
