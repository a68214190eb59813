"""Textures of a draw at half their width and height: the next level, if there are mipmaps, or means of 2x2 texels."""

from __future__ import annotations

from tilegpu.functional.capture import Call
from tilegpu.functional.gles.textures import Texture

from ..captured import Around, CapturedFrame
from ..declare import RefusedError, Transformation
from ..sources import check_coordinates
from ..texels import chain, levels_of, same_format
from ..texture_changes import NewLevels, change_textures

LEAST = 8
"""Texels of a side below which a texture stays as it is."""


def halved(texture: Texture, around: Around) -> NewLevels:
    """The levels behind the first one."""
    levels = levels_of(texture)
    if not levels or max(levels[0].shape[:2]) < LEAST:
        raise RefusedError(f"texture {texture.name} is smaller than {LEAST} texels")
    assert texture.format is not None
    smaller = levels[1:] or chain(levels[0], texture.format)[1:2]
    return NewLevels(smaller, same_format(texture), texture.sampling.min_filter)


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Upload the smaller levels in the place of all."""
    check_coordinates(frame, draw)
    return change_textures(frame, draw, halved)


TRANSFORMATION = Transformation(
    "half_textures",
    "its textures at half size",
    "detail of textures that are seen from near",
    apply,
    frozenset({"texture_filtering", "texture_misses", "bandwidth"}),
    caution="all draws with these textures change",
    shares="textures",
)
