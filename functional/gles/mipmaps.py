"""Derives the levels of a texture from its base level (OpenGL ES 3.0, 3.8.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..opengl.formats import Format
from .pixels import stored
from .srgb import decode_srgb, encode_srgb

Image = NDArray[Any]


def smaller_levels(images: Sequence[Image], volume: bool, texel_format: Format) -> Iterator[list[Image]]:
    """Images of each level after the base level, down to a single texel.

    Every level is the mean of 2x2 (2x2x2) texels of the one before, rounded to the format's bits.

    Parameters
    ----------
    images
        Base level: (height, width, 4) each, faces, layers or slices.
    volume
        Whether slices are halved, too.
    texel_format
        Format of all levels.
    """
    level = list(images)
    while max(level[0].shape[:2]) > 1 or (volume and len(level) > 1):
        if volume and len(level) > 1:
            level = _fewer(level, texel_format)
        else:
            level = [_smaller(image, texel_format) for image in level]
        yield level


def blank_levels(images: Sequence[Image], volume: bool) -> Iterator[list[Image]]:
    """Images of the sizes that `smaller_levels` gives, black."""
    (height, width), count, kind = images[0].shape[:2], len(images), images[0].dtype
    while max(height, width) > 1 or (volume and count > 1):
        height, width = max(1, height // 2), max(1, width // 2)
        count = max(1, count // 2) if volume else count
        yield [np.zeros((height, width, 4), kind) for _ in range(count)]


def _fewer(slices: Sequence[Image], texel_format: Format) -> list[Image]:
    """The next level of a volume; slices are filtered last and texels are rounded once, as in Mesa."""
    srgb = texel_format.kind == "srgb"
    halves = np.stack([_half(decode_srgb(i).reshape(i.shape) if srgb else _exact(i, texel_format)) for i in slices])
    places, share = _centres(len(slices), len(slices) // 2)
    near, far = (halves[np.minimum(places + i, len(slices) - 1)] for i in (0, 1))
    filtered = near + (far - near) * share.astype(halves.dtype).reshape(-1, 1, 1, 1)
    return [encode_srgb(i) if srgb else stored(i, texel_format) for i in filtered]


def _smaller(image: Image, texel_format: Format) -> Image:
    if texel_format.kind == "srgb":
        return encode_srgb(_half(decode_srgb(image).reshape(image.shape)))
    if image.dtype == np.uint8 and any(0 < bits < 8 for bits in texel_format.bits):
        return stored(_half(_exact(image, texel_format)), texel_format)
    half = _half(image)
    return half if image.dtype == np.uint8 else stored(half, texel_format)


def _exact(image: Image, texel_format: Format) -> Image:
    """Texels as float32: stored as bytes, those of fewer than eight bits are only near the format's values."""
    if image.dtype != np.uint8:
        return image
    tops = np.array([(1 << bits) - 1 if bits else 255 for bits in texel_format.bits], np.float32)
    steps = np.floor(image.astype(np.float32) * tops / np.float32(255) + np.float32(0.5))
    return np.asarray(steps * (np.float32(1) / tops), np.float32)


def _centres(length: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Old texels before the centres of `count` texels that cover `length` of them, and the share of the next one."""
    at = (np.arange(count) + 0.5) * length / count - 0.5
    low = np.floor(at).astype(np.int64)
    return low, at - low


def _half(image: Image) -> Image:
    """Next level: averages of 2x2; for odd sizes, linear filtering at the centres of the new texels, as in Mesa."""
    height, width = (max(1, s // 2) for s in image.shape[:2])
    if image.shape[0] > 1 and image.shape[0] % 2 or image.shape[1] > 1 and image.shape[1] % 2:
        return _filtered(image, height, width)
    rows = [np.minimum(2 * np.arange(height) + i, image.shape[0] - 1) for i in (0, 1)]
    columns = [np.minimum(2 * np.arange(width) + i, image.shape[1] - 1) for i in (0, 1)]
    texels = [[image[r][:, c] for c in columns] for r in rows]
    if image.dtype == np.uint8:
        total: Any = sum((texel.astype(np.uint16) for row in texels for texel in row), np.zeros(1, np.uint16))
        return np.asarray((total + 2) // 4, np.uint8)
    # In the order of a bilinear filter, whose rounding decides ties of formats with few bits.
    low, high = (a + (b - a) / 2 for a, b in texels)
    return np.asarray(low + (high - low) / 2, image.dtype)


def _filtered(image: Image, height: int, width: int) -> Image:
    values = image.astype(np.float64)
    for axis, size in ((0, height), (1, width)):
        length = image.shape[axis]
        low, share = _centres(length, size)
        share = share.reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        near, far = (np.take(values, np.clip(low + i, 0, length - 1), axis) for i in (0, 1))
        values = near + share * (far - near)
    return np.asarray(np.floor(values + 0.5) if image.dtype == np.uint8 else values, image.dtype)
