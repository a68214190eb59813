"""Meshes and textures as engines load them: static buffers; all mipmaps, compressed where there is no alpha."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from tilegpu.functional.capture import Recorder

from .etc1 import encode
from .scene import Image, Thing, World
from .textures import TRANSLUCENT, mipmaps, paint
from .twin import Twin

TEXTURE_2D, RGBA, UNSIGNED_BYTE = 0x0DE1, 0x1908, 0x1401
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, STATIC_DRAW, ETC1 = 0x8892, 0x8893, 0x88E4, 0x8D64
MIN_FILTER = {"nearest": 0x2700, "bilinear": 0x2701, "trilinear": 0x2703, "anisotropic": 0x2703}
MAG_FILTER = {"nearest": 0x2600, "bilinear": 0x2601, "trilinear": 0x2601, "anisotropic": 0x2601}
MIN_FILTER_UNMIPMAPPED = {"nearest": 0x2600, "bilinear": 0x2601}
MAX_ANISOTROPY = 0x84FE
SMALLEST = 4
"""Width and height of the smallest texture: a block of ETC1."""
LOOKS = 3
TextureKey = tuple[str, int, str]
"""Image, look, filter."""
SECOND_IMAGES = ("detail", "light", "grain")
"""What the further textures of a program show."""


def texture_key(twin: Twin, thing: Thing, unit: int) -> TextureKey:
    """Which texture a unit shows for a thing: image, look and filter; things of one kind have up to three looks."""
    filtered = twin.solved.program[thing.role].filter
    if unit:
        return SECOND_IMAGES[unit - 1], 0, filtered
    return thing.image, thing.variant % LOOKS if thing.role not in ("backdrop", "ground", "hud") else 0, filtered


def upload(gl: Recorder, vertices: np.ndarray, indices: np.ndarray) -> tuple[int, int]:
    """Static buffers with a mesh."""
    vertex_buffer, index_buffer = gl.glGenBuffers(2)
    gl.glBindBuffer(ARRAY_BUFFER, vertex_buffer)
    gl.glBufferData(ARRAY_BUFFER, vertices.nbytes, vertices, STATIC_DRAW)
    gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, index_buffer)
    gl.glBufferData(ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, STATIC_DRAW)
    return vertex_buffer, index_buffer


@lru_cache(maxsize=128)
def levels_of(image: Image, seed: int) -> tuple[tuple[int, int, bytes], ...]:
    """Width, height and content of all levels of a texture, compressed where it has no alpha."""
    levels = mipmaps(paint(image.painter, image.size, seed, image.color))
    packs = encode if is_compressed(image) else np.ndarray.tobytes
    return tuple((texels.shape[1], texels.shape[0], packs(texels)) for texels in levels)


def is_compressed(image: Image) -> bool:
    """Whether a texture is stored as ETC1."""
    return image.compressed and image.painter not in TRANSLUCENT


def load_texture(gl: Recorder, world: World, key: TextureKey, twin: Twin) -> int:
    """A texture of the palette, with mipmaps if the twin has any; looks after the first are of other colours."""
    (name, look, filtered), seed = key, twin.seed
    image = world.palette[name]
    shift = np.random.default_rng([seed, look]).uniform(0.82, 1.12, 3) if look else np.ones(3)
    red, green, blue = (float(c) for c in np.clip(np.array(image.color) * shift, 0, 1))
    size = max(SMALLEST, 1 << round(np.log2(image.size * twin.texture_scale)))
    image = replace(image, color=(red, green, blue), size=size)
    texture: int = gl.glGenTextures(1)[0]
    gl.glBindTexture(TEXTURE_2D, texture)
    levels = levels_of(image, seed + len(name) + 31 * look)
    for level, (width, height, data) in enumerate(levels if twin.mipmaps else levels[:1]):
        if is_compressed(image):
            gl.glCompressedTexImage2D(TEXTURE_2D, level, ETC1, width, height, 0, len(data), data)
        else:
            gl.glTexImage2D(TEXTURE_2D, level, RGBA, width, height, 0, RGBA, UNSIGNED_BYTE, data)
    gl.glTexParameteri(TEXTURE_2D, 0x2801, (MIN_FILTER if twin.mipmaps else MIN_FILTER_UNMIPMAPPED)[filtered])
    gl.glTexParameteri(TEXTURE_2D, 0x2800, MAG_FILTER[filtered])
    if filtered == "anisotropic":
        gl.glTexParameteri(TEXTURE_2D, MAX_ANISOTROPY, 4)
    return texture
