"""Textures of the models that the twins have none of: uint8 RGBA (size, size, 4), repeating at the borders."""

from __future__ import annotations

import numpy as np

from ..geometry import Floats
from ..textures import Texels, noise, turbulence


def hide(size: int) -> Texels:
    """Dark patches with soft borders on pale hair."""
    random = np.random.default_rng(22)
    patch = np.clip((turbulence(size, 4, random) - 0.53) * 14, 0, 1)[..., None]
    hair = 0.88 + 0.12 * noise(size, size // 4, random)[..., None]
    return _texels(hair * (patch * (0.22, 0.16, 0.14) + (1 - patch) * (0.96, 0.94, 0.9)))


def fur(size: int) -> Texels:
    """Short hair in strands."""
    random = np.random.default_rng(46)
    strands = noise(size, size // 4, random) * 0.6 + turbulence(size, 8, random) * 0.6
    return _texels((0.55 + 0.4 * strands)[..., None] * (1.0, 0.93, 0.86))


def china(size: int) -> Texels:
    """Glazed white with a painted pattern of rings and leaves."""
    y, x = np.mgrid[:size, :size] / size
    wave = np.sin(2 * np.pi * (2 * x + 0.25 * np.sin(4 * np.pi * y)))
    leaf = np.clip(4 * (np.abs(wave) * np.sin(4 * np.pi * y) - 0.55), 0, 1)
    line = np.exp(-(((y * 2) % 1 - 0.5) ** 2) / 0.0008)
    ink = np.maximum(leaf, line)[..., None]
    grain = 0.94 + 0.06 * turbulence(size, 8, np.random.default_rng(75))[..., None]
    return _texels(grain * ((1 - ink) * (0.97, 0.96, 0.93) + ink * (0.13, 0.26, 0.55)))


def stained_glass(size: int) -> Texels:
    """Panes of coloured glass between lines of lead."""
    random = np.random.default_rng(75)
    panes = 8
    y, x = np.mgrid[:size, :size] / size * panes
    # Diamonds: two families of slanting lines.
    u, v = (x + y) / 2, (x - y) / 2
    colors = np.array([(0.85, 0.2, 0.15), (0.15, 0.3, 0.8), (0.95, 0.8, 0.3), (0.2, 0.6, 0.35), (0.9, 0.92, 0.95)])
    which = random.integers(0, len(colors), (panes, panes))
    pane = colors[which[np.floor(u).astype(int) % panes, np.floor(v).astype(int) % panes]]
    edge = np.minimum(np.minimum(u % 1, 1 - u % 1), np.minimum(v % 1, 1 - v % 1))
    lead = np.clip(edge * 14 - 0.4, 0, 1)[..., None]
    return _texels(pane * lead * (0.8 + 0.2 * turbulence(size, 8, random)[..., None]))


def _texels(rgb: Floats) -> Texels:
    """Colours from 0 to 1 as opaque texels."""
    texels = np.full((*rgb.shape[:2], 4), 255, np.uint8)
    texels[..., :3] = np.round(np.clip(rgb, 0, 1) * 255)
    return texels
