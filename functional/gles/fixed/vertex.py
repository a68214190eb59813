"""The vertex shader of fixed-function transformation and lighting (OpenGL ES 1.1, chapter 2)."""

from __future__ import annotations

from typing import NamedTuple

from tilegpu.shaders import source

from .fragment import FragmentKey
from .state import MAX_UNITS

COLORS = ("ambient", "diffuse", "specular", "emission")
"""Colours of a material."""


class Key(NamedTuple):
    """State that determines a program; `moved` are the units whose texture matrix is not the identity."""

    lighting: bool
    lights: tuple[int, ...]
    tracking: tuple[str, ...]
    back_material: bool
    back_tracks: bool
    normalize: bool
    clip_planes: tuple[int, ...]
    flat: bool
    points: bool
    moved: tuple[int, ...]
    fragment: FragmentKey


def vertex_source(key: Key) -> str:
    """GLSL ES 1.00 source."""
    macros = {
        "LIGHTING": key.lighting,
        "LIGHTS": len(key.lights),
        **{f"COLOR_{color.upper()}": color in key.tracking for color in COLORS},
        "BACK_MATERIAL": key.back_material,
        "BACK_TRACKS": key.back_tracks,
        "NORMALIZE": key.normalize,
        "TWO_SIDED": key.fragment.two_sided,
        "UNITS": key.fragment.coordinates,
        "CLIP_PLANES": len(key.clip_planes),
        "POINTS": key.points,
    } | {f"MOVED{i}": i in key.moved for i in range(MAX_UNITS)}
    header = "".join(f"#define {name} {int(value)}\n" for name, value in macros.items())
    return header + source("fixed_function/vertex.glsl")
