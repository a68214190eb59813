"""Opaque textures of a draw in ETC2, blocks of 4x4 texels in 8 bytes, by an encoder that any decoder of ETC1 reads."""

from __future__ import annotations

from tilegpu.functional.capture import Call
from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import enums as gl
from tilegpu.tools.workloads import etc1

from ..calls import call
from ..captured import Around, CapturedFrame
from ..declare import RefusedError, Transformation
from ..texels import Image, levels_of
from ..texture_changes import NewLevels, change_textures

FIRST_WITH_ETC2 = 3
OPAQUE = 255


def compressed(texture: Texture, around: Around) -> NewLevels:
    """The same levels in ETC2; in ETC1, of which it is a superset, where the context is of OpenGL ES 2."""
    format_ = texture.format
    assert format_ is not None
    if format_.block != (1, 1):
        raise RefusedError(f"texture {texture.name} is compressed: {format_.name}")
    if format_.client not in (gl.RGB, gl.RGBA) or texture.swizzle != (0, 1, 2, 3):
        raise RefusedError(f"texture {texture.name} has no red, green and blue: {format_.name}")
    levels, srgb = levels_of(texture), format_.kind == "srgb"
    if not levels or (format_.client == gl.RGBA and any((level[..., 3] != OPAQUE).any() for level in levels)):
        raise RefusedError(f"texture {texture.name} is transparent somewhere")
    if around.version < FIRST_WITH_ETC2 and srgb:
        raise RefusedError(f"texture {texture.name} is sRGB, which ETC1 has not")
    internal = gl.COMPRESSED_SRGB8_ETC2 if srgb else gl.COMPRESSED_RGB8_ETC2
    if around.version < FIRST_WITH_ETC2:
        internal = gl.ETC1_RGB8_OES

    def upload(around: Around, level: int, image: Image) -> list[Call]:
        data = etc1.encode(image)
        height, width = image.shape[:2]
        place = gl.TEXTURE_2D, level
        return [
            call("glCompressedTexImage2D", *place, internal, width, height, 0, len(data), data, thread=around.thread)
        ]

    return NewLevels(levels, upload, texture.sampling.min_filter)


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Upload the same levels as ETC2."""
    return change_textures(frame, draw, compressed)


TRANSFORMATION = Transformation(
    "etc2",
    "its textures in ETC2 (4 bits a texel)",
    "fine detail of its textures, and colours that differ within a few texels",
    apply,
    frozenset({"texture_misses", "bandwidth"}),
    caution="all draws with these textures change",
    shares="textures",
)
