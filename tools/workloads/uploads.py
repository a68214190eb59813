"""Meshes and textures as engines load them: static buffers; all mipmaps, compressed where there is no alpha."""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import lru_cache

import numpy as np

from tilegpu.functional.capture import Recorder

from .etc1 import darker, encode
from .scene import Image, Thing, World, chosen
from .textures import TRANSLUCENT, mipmaps, paint
from .twin import ETC1_FORMAT, Twin

TEXTURE_2D, RGBA, UNSIGNED_BYTE = 0x0DE1, 0x1908, 0x1401
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, STATIC_DRAW, ETC1 = 0x8892, 0x8893, 0x88E4, 0x8D64
MIN_FILTER = {"nearest": 0x2700, "bilinear": 0x2701, "trilinear": 0x2703, "anisotropic": 0x2703}
MAG_FILTER = {"nearest": 0x2600, "bilinear": 0x2601, "trilinear": 0x2601, "anisotropic": 0x2601}
MIN_FILTER_UNMIPMAPPED = {"nearest": 0x2600, "bilinear": 0x2601}
MAX_ANISOTROPY, CLAMP_TO_EDGE = 0x84FE, 0x812F
SMALLEST = 4
"""Width and height of the smallest texture: a block of ETC1."""
LOOKS = 3
TextureKey = tuple[str, int, str, str]
"""Image, look, filter, and the label of the thing whose own it is, or nothing."""
SECOND_IMAGES = ("detail", "light", "grain")
"""Content of the further textures of a program."""


def texture_key(twin: Twin, thing: Thing, unit: int) -> TextureKey:
    """Texture that a unit shows for a thing; things of one kind have up to three looks, or images of their own."""
    filtered = twin.solved.program[thing.role].filter
    owner = thing.label if _owns(twin, thing) else ""
    if unit:
        return SECOND_IMAGES[unit - 1], 0, filtered, owner
    look = thing.variant % LOOKS if thing.role not in ("backdrop", "ground", "hud") else 0
    return thing.image, look, filtered, owner


def _owns(twin: Twin, thing: Thing) -> bool:
    """Whether a thing shows images of its own: so many do as `solved.own_images` says, the same ones for less of it."""
    return chosen(thing.label, twin.solved.own_images)


def upload(gl: Recorder, vertices: np.ndarray, indices: np.ndarray) -> tuple[int, int]:
    """Static buffers with a mesh."""
    vertex_buffer, index_buffer = gl.glGenBuffers(2)
    gl.glBindBuffer(ARRAY_BUFFER, vertex_buffer)
    gl.glBufferData(ARRAY_BUFFER, vertices.nbytes, vertices, STATIC_DRAW)
    gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, index_buffer)
    gl.glBufferData(ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, STATIC_DRAW)
    return vertex_buffer, index_buffer


def _size(image: Image, twin: Twin) -> int:
    """Width and height of an image in texels."""
    size = image.size * twin.texture_scale
    return round(size) if twin.any_size else 1 << round(np.log2(size))


def levels_of(
    image: Image, seed: int, owner: str, compressed: bool, mipmapped: bool = True
) -> tuple[tuple[int, int, bytes], ...]:
    """Width, height and content of all levels of a texture; an owner has the image of its kind in a tone of its own."""
    common = _painted(image, seed, compressed, mipmapped)
    if not owner:
        return common
    steps = np.random.default_rng(zlib.crc32(owner.encode())).integers(0, 4, 3)
    darkened = darker if compressed else darker_texels
    return tuple((width, height, darkened(data, steps)) for width, height, data in common)


@lru_cache(maxsize=64)
def _painted(image: Image, seed: int, compressed: bool, mipmapped: bool) -> tuple[tuple[int, int, bytes], ...]:
    texels = paint(image.painter, image.size, seed, image.color)
    levels = mipmaps(texels) if mipmapped else [texels]
    packs = encode if compressed else np.ndarray.tobytes
    return tuple((texels.shape[1], texels.shape[0], packs(texels)) for texels in levels)


def darker_texels(data: bytes, steps: np.ndarray) -> bytes:
    """Texels of four bytes whose red, green and blue are so many sixteenths of all darker, as far as that goes."""
    texels = np.frombuffer(data, np.uint8).reshape(-1, 4)
    dark = np.array([*steps * 16, 0], np.uint8)
    return (texels - np.minimum(texels, dark)).tobytes()


def is_compressed(image: Image, twin: Twin) -> bool:
    """Whether a texture is stored as ETC1, which has no alpha."""
    return twin.texel_format == ETC1_FORMAT and image.compressed and image.painter not in TRANSLUCENT


def load_texture(gl: Recorder, world: World, key: TextureKey, twin: Twin) -> int:
    """A texture of the palette, with mipmaps if the twin has any; looks after the first are of other colours."""
    (name, look, filtered, owner), seed = key, twin.seed
    image = world.palette[name]
    shift = np.random.default_rng([seed, look]).uniform(0.82, 1.12, 3) if look else np.ones(3)
    red, green, blue = (float(c) for c in np.clip(np.array(image.color) * shift, 0, 1))
    size = max(SMALLEST, _size(image, twin))
    image = replace(image, color=(red, green, blue), size=size)
    texture: int = gl.glGenTextures(1)[0]
    gl.glBindTexture(TEXTURE_2D, texture)
    compressed = is_compressed(image, twin)
    levels = levels_of(image, seed + len(name) + 31 * look, owner, compressed, not twin.any_size)
    for level, (width, height, data) in enumerate(levels if twin.mipmaps else levels[:1]):
        if compressed:
            gl.glCompressedTexImage2D(TEXTURE_2D, level, ETC1, width, height, 0, len(data), data)
        else:
            gl.glTexImage2D(TEXTURE_2D, level, RGBA, width, height, 0, RGBA, UNSIGNED_BYTE, data)
    gl.glTexParameteri(TEXTURE_2D, 0x2801, (MIN_FILTER if twin.mipmaps else MIN_FILTER_UNMIPMAPPED)[filtered])
    gl.glTexParameteri(TEXTURE_2D, 0x2800, MAG_FILTER[filtered])
    if twin.any_size:
        for axis in (0x2802, 0x2803):
            gl.glTexParameteri(TEXTURE_2D, axis, CLAMP_TO_EDGE)
    if filtered == "anisotropic":
        gl.glTexParameteri(TEXTURE_2D, MAX_ANISOTROPY, 4)
    return texture
