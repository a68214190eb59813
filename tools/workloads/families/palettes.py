"""Common parts of palettes: textures that every scene has."""

from __future__ import annotations

from ..scene import Image

Color = tuple[float, float, float]


def palette(sky: Image, far: Image, ground: Image, **more: Image) -> dict[str, Image]:
    """A palette of a scene's own images and those that all have."""
    return {
        "sky": sky,
        "far": far,
        "ground": ground,
        "detail": Image("detail", 128),
        "light": Image("light", 128),
        "grain": Image("detail", 64),
        "cloud": Image("cloud", 256, (0.96, 0.97, 1.0)),
        "spark": Image("spark", 64, (1.0, 0.9, 0.5)),
        "font": Image("font", 256, (1.0, 1.0, 0.95)),
        "panel": Image("panel", 128, (0.25, 0.42, 0.66)),
        "plain": Image("plain", 64, sky.color),
        **more,
    }
