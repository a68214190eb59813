"""Derives the levels of a texture from its base level (OpenGL ES 3.0, 3.8.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .formats import Format
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
            last = len(level) - 1
            level = [
                _rounded(_mean(level[2 * i], level[min(2 * i + 1, last)]), texel_format) for i in range(len(level) // 2)
            ]
        level = [_smaller(image, texel_format) for image in level]
        yield level


def _smaller(image: Image, texel_format: Format) -> Image:
    if texel_format.kind == "srgb":
        return encode_srgb(_half(decode_srgb(image).reshape(image.shape)))
    if image.dtype == np.uint8 and any(0 < bits < 8 for bits in texel_format.bits):
        return _rounded(_half(_exact(image, texel_format)), texel_format)
    half = _half(image)
    return half if image.dtype == np.uint8 else _rounded(half, texel_format)


def _exact(image: Image, texel_format: Format) -> NDArray[np.float32]:
    """Texels of fewer than eight bits as float32: stored as bytes, they are only near the format's values."""
    tops = np.array([(1 << bits) - 1 if bits else 255 for bits in texel_format.bits], np.float32)
    steps = np.floor(image.astype(np.float32) * tops / np.float32(255) + np.float32(0.5))
    return np.asarray(steps * (np.float32(1) / tops), np.float32)


def _rounded(image: Image, texel_format: Format) -> Image:
    return stored(image, texel_format)


def _mean(a: Image, b: Image) -> Image:
    if a.dtype == np.uint8:
        return ((a.astype(np.uint16) + b + 1) // 2).astype(np.uint8)
    return np.asarray((a + b) / 2, a.dtype)


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
        at = (np.arange(size) + 0.5) * length / size - 0.5
        low = np.floor(at).astype(np.int64)
        share = (at - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        near, far = (np.take(values, np.clip(low + i, 0, length - 1), axis) for i in (0, 1))
        values = near + share * (far - near)
    return np.asarray(np.floor(values + 0.5) if image.dtype == np.uint8 else values, image.dtype)
