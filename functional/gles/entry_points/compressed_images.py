"""Entry points that give textures compressed images (OpenGL ES 3.0, 3.8.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import enums as gl
from ..compressed import decode_image
from ..context import Context
from ..errors import GLError
from ..textures import MAX_IMAGE_BYTES
from .images import check_size, client_pixels, image_target, uploaded, volume
from .table import EntryPoints

entry = EntryPoints()


@entry()
def glCompressedTexImage2D(
    context: Context,
    target: int,
    level: int,
    internal: int,
    width: int,
    height: int,
    border: int,
    size: int,
    data: Any,
) -> None:
    texture, face = image_target(context, target)
    check_size((width, height, 1))
    content = client_pixels(context, data)
    if content is None:
        content = bytes(size if 0 <= size <= MAX_IMAGE_BYTES else 0)
    texels, sized = decode_image(internal, width, height, content)
    texture.set_image(level, face, texels[None], sized)
    uploaded(context, texture, level, face, (0, 0, width, height), 1, sized)


@entry()
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
    check_size((width, height, 1))
    texels, sized = decode_image(internal, width, height, client_pixels(context, data) or b"")
    texture.update(level, face, x, y, texels[None])
    uploaded(context, texture, level, face, (x, y, width, height), 1, sized)


@entry()
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
    check_size((width, height, depth))
    content = client_pixels(context, data) or b""
    part = len(content) // max(1, depth)
    images = [decode_image(internal, width, height, content[i * part : (i + 1) * part]) for i in range(depth)]
    if not images:
        raise GLError(gl.INVALID_VALUE, "no layers")
    sized = images[0][1]
    texture.set_image(level, 0, np.stack([texels for texels, _ in images]), sized)
    uploaded(context, texture, level, 0, (0, 0, width, height), depth, sized)


@entry()
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
    check_size((width, height, depth))
    content = client_pixels(context, data) or b""
    part = len(content) // max(1, depth)
    for layer in range(depth):
        texels, sized = decode_image(internal, width, height, content[layer * part : (layer + 1) * part])
        texture.update(level, z + layer, x, y, texels[None])
        uploaded(context, texture, level, z + layer, (x, y, width, height), 1, sized)
