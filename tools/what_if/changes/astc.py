"""Textures of a draw in ASTC, blocks of 6x6 texels in 16 bytes, encoded by Arm's codec."""

from __future__ import annotations

import numpy as np
from astc_encoder import ASTCConfig, ASTCContext, ASTCImage, ASTCProfile, ASTCSwizzle, ASTCType

from tilegpu.functional.capture import Call
from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import enums as gl

from ..calls import call
from ..captured import Around, CapturedFrame
from ..declare import RefusedError, Transformation
from ..texels import Image, levels_of
from ..texture_changes import NewLevels, change_textures

BLOCK = 6
RGBA_6X6, SRGB_6X6 = 0x93B4, 0x93D4
"""Internal formats of KHR_texture_compression_astc_ldr."""
QUALITY = 60.0
"""Effort of the codec, 0 to 100: medium."""
SWIZZLES = {gl.LUMINANCE: "RRR1", gl.LUMINANCE_ALPHA: "RRRA", gl.RGB: "RGB1", gl.RGBA: "RGBA", gl.ALPHA: "000A"}
"""Channels that a sampler reads, by the format of the application's pixels."""


def encoded(image: Image, swizzle: str, srgb: bool) -> bytes:
    """Blocks of an image, row by row.

    Parameters
    ----------
    image
        uint8, (height, width, 4).
    swizzle
        Channels that are encoded, as Arm's codec names them.
    srgb
        Whether the colours are sRGB.
    """
    profile = ASTCProfile.LDR_SRGB if srgb else ASTCProfile.LDR
    context = ASTCContext(ASTCConfig(profile, BLOCK, BLOCK, 1, QUALITY))
    height, width = image.shape[:2]
    source = ASTCImage(ASTCType.U8, width, height, data=np.ascontiguousarray(image).tobytes())
    return bytes(context.compress(source, ASTCSwizzle.from_str(swizzle)))


def compressed(texture: Texture, around: Around) -> NewLevels:
    """The same levels in ASTC."""
    format_ = texture.format
    assert format_ is not None
    if format_.block != (1, 1):
        raise RefusedError(f"texture {texture.name} is compressed: {format_.name}")
    if format_.client not in SWIZZLES or texture.swizzle != (0, 1, 2, 3):
        raise RefusedError(f"texture {texture.name} has channels that ASTC has not: {format_.name}")
    levels, srgb = levels_of(texture), format_.kind == "srgb"
    if not levels or min(levels[0].shape[:2]) < BLOCK:
        raise RefusedError(f"texture {texture.name} is smaller than a block")
    internal = SRGB_6X6 if srgb else RGBA_6X6

    def upload(around: Around, level: int, image: Image) -> list[Call]:
        data = encoded(image, SWIZZLES[format_.client], srgb)
        height, width = image.shape[:2]
        place = gl.TEXTURE_2D, level
        return [
            call("glCompressedTexImage2D", *place, internal, width, height, 0, len(data), data, thread=around.thread)
        ]

    return NewLevels(levels, upload, texture.sampling.min_filter)


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Upload the same levels as ASTC."""
    return change_textures(frame, draw, compressed)


TRANSFORMATION = Transformation(
    "astc",
    "its textures in ASTC 6x6 (3.56 bits a texel)",
    "fine detail of its textures",
    apply,
    frozenset({"texture_misses", "bandwidth"}),
    caution="all draws with these textures change; the GPU has to read ASTC (KHR_texture_compression_astc_ldr)",
    shares="textures",
)
