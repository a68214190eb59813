"""Textures of the bundled scenes, drawn by formula from a fixed seed; uint8 RGBA."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Texels = NDArray[np.uint8]


def _noise(size: int, cells: int, seed: int) -> NDArray[np.float64]:
    """Smooth noise 0…1 that repeats at the borders."""
    grid = np.random.default_rng(seed).random((cells, cells))
    at = np.arange(size) * cells / size
    low, part = at.astype(int), at % 1
    part = part * part * (3 - 2 * part)
    rows = grid[low] * (1 - part)[:, None] + grid[(low + 1) % cells] * part[:, None]
    return np.asarray(rows[:, low] * (1 - part) + rows[:, (low + 1) % cells] * part)


def _colored(shade: NDArray[np.float64], dark: tuple[int, int, int], light: tuple[int, int, int]) -> Texels:
    out = np.full((*shade.shape, 4), 255, np.uint8)
    out[..., :3] = np.array(dark) + shade[..., None] * (np.array(light) - np.array(dark))
    return out


def paving(size: int = 128) -> Texels:
    """Stone slabs with dark joints."""
    y, x = np.mgrid[:size, :size]
    joint = ((x % 32) < 2) | ((y % 32) < 2)
    return _colored(np.where(joint, 0.1, 0.5 + 0.5 * _noise(size, 16, 1)), (40, 38, 36), (190, 184, 170))


def bricks(size: int = 128) -> Texels:
    """Red bricks in staggered rows."""
    y, x = np.mgrid[:size, :size]
    joint = ((y % 16) < 2) | (((x + 16 * (y // 16 % 2)) % 32) < 2)
    out = _colored(0.4 + 0.6 * _noise(size, 32, 2), (110, 40, 28), (205, 105, 80))
    out[joint] = (200, 195, 185, 255)
    return out


def marble(size: int = 128) -> Texels:
    """Pale stone with veins."""
    veins = np.abs(np.sin(6 * np.pi * (_noise(size, 4, 3) + 0.5 * _noise(size, 8, 4))))
    return _colored(veins**0.5, (120, 125, 140), (238, 238, 240))


def atlas(size: int = 128) -> Texels:
    """Sixteen cells of 32 texels: four kinds of ground in the lowest row, discs and stars with soft edges above."""
    out = np.zeros((size, size, 4), np.uint8)
    cell = size // 4
    grounds = [
        ((40, 110, 40), (90, 170, 70)),
        ((150, 120, 70), (205, 180, 120)),
        ((30, 70, 140), (80, 140, 210)),
        ((90, 90, 95), (150, 150, 155)),
    ]
    for i, (dark, light) in enumerate(grounds):
        out[:cell, i * cell : (i + 1) * cell] = _colored(_noise(cell, 8, 10 + i), dark, light)
    y, x = (np.mgrid[:cell, :cell] - (cell - 1) / 2) / (cell / 2)
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    for i in range(12):
        row, column = 1 + i // 4, i % 4
        edge = 0.85 if i % 2 == 0 else 0.55 + 0.3 * np.cos((3 + i // 2) * angle)
        alpha = np.clip((edge - radius) * 8, 0, 1)
        hue = np.array([np.cos(i), np.cos(i + 2.1), np.cos(i + 4.2)]) * 0.4 + 0.55
        color = np.clip(255 * hue * (1.1 - 0.5 * radius[..., None]), 0, 255)
        part = out[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]
        part[..., :3], part[..., 3] = color, 255 * alpha
    return out
