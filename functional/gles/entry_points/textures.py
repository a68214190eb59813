"""Entry points of textures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import enums as gl
from ..context import Context
from ..errors import GLError, Unsupported
from ..formats import texture_format, unpack_pixels
from ..textures import MAX_SIZE, Texture
from .table import EntryPoints

entry = EntryPoints()


@entry()
def glActiveTexture(context: Context, unit: int) -> None:
    if not 0 <= unit - gl.TEXTURE0 < 32:
        raise GLError(gl.INVALID_ENUM, f"texture unit {unit:#06x}")
    context.state.active_unit = unit - gl.TEXTURE0


@entry()
def glGenTextures(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.textures.setdefault(name, Texture(name, context.identities.take("surface")))


@entry()
def glBindTexture(context: Context, target: int, name: int) -> None:
    if target not in (gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP):
        raise Unsupported(f"texture target {target:#06x}")
    if name:
        if name not in context.group.textures:
            glGenTextures(context, 1, [name])
        texture = context.group.textures[name]
        if texture.target not in (0, target):
            raise GLError(gl.INVALID_OPERATION, f"texture {name} has another target")
        texture.target = target
    context.state.units[context.state.active_unit, target] = name


@entry()
def glDeleteTextures(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.textures.pop(name, None)
        for key, bound in list(context.state.units.items()):
            if bound == name:
                context.state.units[key] = 0


@entry("glTexParameteri", "glTexParameterf")
def glTexParameter(context: Context, target: int, name: int, value: float) -> None:
    texture = context.texture(target)
    fields = {
        gl.TEXTURE_MIN_FILTER: "min_filter",
        gl.TEXTURE_MAG_FILTER: "mag_filter",
        gl.TEXTURE_WRAP_S: "wrap_s",
        gl.TEXTURE_WRAP_T: "wrap_t",
        gl.TEXTURE_WRAP_R: "wrap_r",
    }
    if name == gl.TEXTURE_MAX_ANISOTROPY:
        texture.anisotropy = max(1.0, float(value))
        if value > 1:
            raise Unsupported("anisotropic filtering; isotropic filtering is used")
        return
    if name not in fields:
        raise Unsupported(f"texture parameter {name:#06x}")
    known = gl.FILTERS if "filter" in fields[name] else gl.WRAPS
    if int(value) not in known:
        raise GLError(gl.INVALID_ENUM, f"{int(value):#06x} is not one of the values allowed")
    setattr(texture, fields[name], int(value))


@entry("glTexParameteriv", "glTexParameterfv")
def glTexParameterv(context: Context, target: int, name: int, values: Sequence[float]) -> None:
    glTexParameter(context, target, name, values[0])


@entry()
def glTexImage2D(
    context: Context,
    target: int,
    level: int,
    internal: int,
    width: int,
    height: int,
    border: int,
    pixel_format: int,
    kind: int,
    pixels: bytes | None,
) -> None:
    texture, face = _image_target(context, target)
    if not (0 <= width <= MAX_SIZE and 0 <= height <= MAX_SIZE) or border:
        raise GLError(gl.INVALID_VALUE, f"image of {width}x{height}, border {border}")
    sized = texture_format(pixel_format, kind)
    if isinstance(pixels, bytes):
        texels = unpack_pixels(pixels, width, height, pixel_format, kind, context.state.unpack)
    else:
        texels = np.zeros((height, width, 4), np.uint8)
        if sized.bits[3] == 0:
            texels[..., 3] = 255
    texture.set_image(level, face, texels, sized)
    _uploaded(context, texture, level, face, (0, 0, width, height), width * height * sized.texel_bytes)


@entry()
def glTexSubImage2D(
    context: Context,
    target: int,
    level: int,
    x: int,
    y: int,
    width: int,
    height: int,
    pixel_format: int,
    kind: int,
    pixels: bytes | None,
) -> None:
    texture, face = _image_target(context, target)
    if not isinstance(pixels, bytes):
        raise Unsupported("pixels from a buffer object")
    if not (0 <= width <= MAX_SIZE and 0 <= height <= MAX_SIZE):
        raise GLError(gl.INVALID_VALUE, f"box of {width}x{height}")
    texels = unpack_pixels(pixels, width, height, pixel_format, kind, context.state.unpack)
    texture.update(level, face, x, y, texels)
    _uploaded(
        context,
        texture,
        level,
        face,
        (x, y, width, height),
        width * height * texture_format(pixel_format, kind).texel_bytes,
    )


@entry("glGenerateMipmap", "glGenerateMipmapOES")
def glGenerateMipmap(context: Context, target: int) -> None:
    texture = context.texture(target)
    texture.generate_mipmap()
    context.journal.event("generate_mipmap", context.call, texture=texture)


def _image_target(context: Context, target: int) -> tuple[Texture, int]:
    if gl.TEXTURE_CUBE_MAP_POSITIVE_X <= target < gl.TEXTURE_CUBE_MAP_POSITIVE_X + 6:
        return context.texture(gl.TEXTURE_CUBE_MAP), target - gl.TEXTURE_CUBE_MAP_POSITIVE_X
    if target != gl.TEXTURE_2D:
        raise Unsupported(f"texture target {target:#06x}")
    return context.texture(target), 0


def _uploaded(
    context: Context, texture: Texture, level: int, face: int, box: tuple[int, int, int, int], size: int
) -> None:
    context.journal.event("upload", context.call, texture=texture, level=level, layer=face, box=box, size_bytes=size)
