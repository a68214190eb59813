"""Mipmaps for the textures of a draw that have none, or whose filter leaves them out."""

from __future__ import annotations

from tilegpu.functional.capture import Call
from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import enums as gl

from ..captured import Around, CapturedFrame
from ..declare import RefusedError, Transformation
from ..texels import chain, levels_of, same_format
from ..texture_changes import NewLevels, change_textures

WITH = {gl.NEAREST: gl.NEAREST_MIPMAP_NEAREST, gl.LINEAR: gl.LINEAR_MIPMAP_NEAREST}
"""Filter with mipmaps that reads as many texels."""


def with_mipmaps(texture: Texture, around: Around) -> NewLevels:
    """All levels, by 2x2 means, and a filter that reads them."""
    if texture.sampling.mipmapped:
        raise RefusedError(f"texture {texture.name} is read with mipmaps")
    levels = levels_of(texture)
    if not levels or max(levels[0].shape[:2]) == 1:
        raise RefusedError(f"texture {texture.name} has one texel")
    assert texture.format is not None
    return NewLevels(chain(levels[0], texture.format), same_format(texture), WITH[texture.sampling.min_filter])


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Upload all levels, and let no call of the frame set the filter back."""
    drawn = frame.draw(draw)
    if drawn.samplers:
        raise RefusedError("a sampler object says how its textures are filtered")
    calls = change_textures(frame, draw, with_mipmaps)
    set_back = {id(frame.calls[place]) for place, name in frame.parameters.items() if name in drawn.textures}
    return [_with_mipmaps(each) if id(each) in set_back else each for each in calls]


def _with_mipmaps(original: Call) -> Call:
    """A call that sets a filter, of a texture that has mipmaps now."""
    value = original.arguments[-1]
    if original.arguments[1] != gl.TEXTURE_MIN_FILTER or not isinstance(value, int | float) or int(value) not in WITH:
        return original
    filtered = WITH[int(value)]
    return original.with_arguments(
        [*original.arguments[:-1], float(filtered) if isinstance(value, float) else filtered]
    )


TRANSFORMATION = Transformation(
    "mipmaps",
    "mipmaps for its textures",
    "textures that are seen from far: less noise, less sharp",
    apply,
    frozenset({"texture_filtering", "texture_misses", "bandwidth"}),
    caution="all draws with these textures change",
    shares="textures",
)
