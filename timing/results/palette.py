"""Colours of what charts show: as many as there are kinds, none twice."""

from __future__ import annotations

import colorsys

BASE = (
    "#3b7dd8",
    "#e8863b",
    "#3aa66b",
    "#c94f6d",
    "#8a6bc9",
    "#a8802f",
    "#39a9b8",
    "#c66fb4",
    "#7d8590",
    "#93a832",
)
"""Apart in lightness too, on white and on dark."""
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
GOLDEN = 0.618033988749895


def colours(count: int) -> list[str]:
    """So many colours: the base, its light and its dark tones, then hues far from each other's."""
    made = [*BASE, *(_mixed(each, WHITE, 0.5) for each in BASE), *(_mixed(each, BLACK, 0.4) for each in BASE)]
    number = 0
    while len(made) < count:
        red, green, blue = colorsys.hls_to_rgb(number * GOLDEN % 1.0, 0.35 + 0.1 * (number % 4), 0.6)
        colour = _hexadecimal((255 * red, 255 * green, 255 * blue))
        if colour not in made:
            made.append(colour)
        number += 1
    return made[:count]


def _mixed(colour: str, other: tuple[int, int, int], share: float) -> str:
    own = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return _hexadecimal([(1 - share) * a + share * b for a, b in zip(own, other, strict=True)])


def _hexadecimal(parts: list[float] | tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in parts)
