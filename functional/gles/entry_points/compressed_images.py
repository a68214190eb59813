"""Entry points that give textures compressed images (OpenGL ES 3.0, 3.8.6; OpenGL ES 1.1, 3.7.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...opengl import enums as gl
from ...opengl.formats import Format
from ..checks import check_enum, check_operation, check_value
from ..compressed import COMPRESSED, compressed_bytes, decode_image
from ..context import Context
from ..effects import IMAGES
from ..paletted import PALETTED, decode_paletted
from ..textures import MAX_LEVELS, Texture
from .images import blank, check_size, check_square, client_pixels, image_target, uploaded, volume
from .table import EntryPoints

entry = EntryPoints()
Size = tuple[int, int, int]


@entry(effect=IMAGES)
def glCompressedTexImage2D(
    context: Context, target: int, level: int, internal: int, width: int, height: int, border: int, size: int, data: Any
) -> None:
    texture, face = image_target(context, target)
    if internal in PALETTED:
        _define_paletted(context, texture, level, internal, (width, height), client_pixels(context, data))
        return
    _define(context, texture, level, face, internal, (width, height, 1), border, size, data)


@entry("glCompressedTexImage3D", "glCompressedTexImage3DOES", effect=IMAGES)
def glCompressedTexImage3D(
    context: Context,
    target: int,
    level: int,
    internal: int,
    width: int,
    height: int,
    depth: int,
    border: int,
    size: int,
    data: Any,
) -> None:
    texture = volume(context, target)
    _define(context, texture, level, 0, internal, (width, height, depth), border, size, data)


def _define(
    context: Context,
    texture: Texture,
    level: int,
    layer: int,
    internal: int,
    size: Size,
    border: int,
    given: int,
    data: Any,
) -> None:
    check_enum(internal, COMPRESSED, "compressed format")
    check_value(0 <= level < MAX_LEVELS and border == 0, f"level {level}, border {border}")
    check_size(size)
    check_square(texture, size)
    needed = compressed_bytes(internal, *size)
    check_value(given == needed, f"{given} bytes for {needed} of {COMPRESSED[internal].format.name}")
    check_operation(texture.target != gl.TEXTURE_3D, f"{COMPRESSED[internal].format.name} in a 3D texture")
    check_operation(not texture.immutable, f"texture {texture.name} has immutable storage")
    texels, sized = _texels(context, internal, size, data)
    texture.set_image(level, layer, texels, sized)
    uploaded(context, texture, level, layer, (0, 0, size[0], size[1]), texels.shape[0], sized)


def _texels(context: Context, internal: int, size: Size, data: Any) -> tuple[NDArray[Any], Format]:
    """Decoded images, (depth, height, width, 4). Without data from the program they are undefined, here zeros."""
    content = client_pixels(context, data)
    width, height, depth = size
    if content is None:
        return blank(size, COMPRESSED[internal].format), COMPRESSED[internal].format
    part = compressed_bytes(internal, width, height, 1)
    images = [decode_image(internal, width, height, bytes(content[i * part : (i + 1) * part])) for i in range(depth)]
    sized = COMPRESSED[internal].format
    return np.stack([texels for texels, _ in images]) if images else blank(size, sized), sized


def _define_paletted(
    context: Context,
    texture: Texture,
    level: int,
    internal: int,
    size: tuple[int, int],
    content: bytes | memoryview | None,
) -> None:
    """Store all levels of a paletted image; `level` is minus the number of levels after the first."""
    check_value(-MAX_LEVELS < level <= 0, f"level {level}")
    check_size((*size, 1))
    sized, images = decode_paletted(internal, size[0], size[1], 1 - level, bytes(content or b""))
    for number, texels in enumerate(images):
        texture.set_image(number, 0, texels[None], sized)
        uploaded(context, texture, number, 0, (0, 0, texels.shape[1], texels.shape[0]), 1, sized)


@entry(effect=IMAGES)
def glCompressedTexSubImage2D(
    context: Context,
    target: int,
    level: int,
    x: int,
    y: int,
    width: int,
    height: int,
    internal: int,
    size: int,
    data: Any,
) -> None:
    texture, face = image_target(context, target)
    _update(context, texture, level, face, (x, y), (width, height, 1), internal, size, data)


@entry("glCompressedTexSubImage3D", "glCompressedTexSubImage3DOES", effect=IMAGES)
def glCompressedTexSubImage3D(
    context: Context,
    target: int,
    level: int,
    x: int,
    y: int,
    z: int,
    width: int,
    height: int,
    depth: int,
    internal: int,
    size: int,
    data: Any,
) -> None:
    texture = volume(context, target)
    check_value(z >= 0 and depth >= 0, f"layers {z} to {z + depth}")
    _update(context, texture, level, z, (x, y), (width, height, depth), internal, size, data)


def _update(
    context: Context,
    texture: Texture,
    level: int,
    layer: int,
    at: tuple[int, int],
    size: Size,
    internal: int,
    given: int,
    data: Any,
) -> None:
    check_enum(internal, COMPRESSED, "compressed format")
    sized = COMPRESSED[internal].format
    check_value(0 <= level < MAX_LEVELS, f"level {level}")
    check_size(size)
    needed = compressed_bytes(internal, *size)
    check_value(given == needed, f"{given} bytes for {needed} of {sized.name}")
    image = texture.images.get((level, layer))
    of_format = image is None or texture.formats[level, layer] == sized
    check_operation(of_format, f"{sized.name} for a texture of another format")
    check_operation(image is not None, f"texture {texture.name} has no image at level {level}")
    assert image is not None
    for axis in range(2):
        whole = at[axis] % sized.block[axis] == 0
        reaches = (size[axis] % sized.block[axis] == 0) or at[axis] + size[axis] == image.shape[1 - axis]
        check_operation(whole and reaches, f"a box of {size[0]}x{size[1]} at {at[0]},{at[1]} is not aligned to blocks")
    texels, _ = _texels(context, internal, size, data)
    texture.update(level, layer, *at, texels)
    uploaded(context, texture, level, layer, (*at, size[0], size[1]), size[2], sized)
