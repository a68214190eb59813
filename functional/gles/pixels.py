"""Converts client pixels to texels (OpenGL ES 3.0, 3.8.2)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.blending import limit_integers
from ..activity.kernels.small_floats import round_floats
from ..opengl import enums as gl
from ..opengl.errors import GLError, Unsupported
from ..opengl.formats import Format

CHANNELS = MappingProxyType(
    {
        gl.RGBA: 4,
        gl.BGRA: 4,
        gl.RGB: 3,
        gl.RG: 2,
        gl.RED: 1,
        gl.LUMINANCE: 1,
        gl.LUMINANCE_ALPHA: 2,
        gl.ALPHA: 1,
        gl.RED_INTEGER: 1,
        gl.RG_INTEGER: 2,
        gl.RGB_INTEGER: 3,
        gl.RGBA_INTEGER: 4,
        gl.DEPTH_COMPONENT: 1,
        gl.DEPTH_STENCIL: 1,
    }
)
COMPONENTS = MappingProxyType(
    {
        gl.UNSIGNED_BYTE: "u1", gl.BYTE: "i1", gl.UNSIGNED_SHORT: "<u2", gl.SHORT: "<i2", gl.UNSIGNED_INT: "<u4",
        gl.INT: "<i4", gl.HALF_FLOAT: "<f2", gl.HALF_FLOAT_OES: "<f2", gl.FLOAT: "<f4",
    }
)  # fmt: skip
UNSIGNED_INT_2_10_10_10_REV, UNSIGNED_INT_10F_11F_11F_REV, UNSIGNED_INT_5_9_9_9_REV = (
    gl.UNSIGNED_INT_2_10_10_10_REV,
    gl.UNSIGNED_INT_10F_11F_11F_REV,
    gl.UNSIGNED_INT_5_9_9_9_REV,
)
PACKED = MappingProxyType(
    {
        gl.UNSIGNED_SHORT_5_6_5: ("<u2", ((11, 5), (5, 6), (0, 5))),
        gl.UNSIGNED_SHORT_4_4_4_4: ("<u2", ((12, 4), (8, 4), (4, 4), (0, 4))),
        gl.UNSIGNED_SHORT_5_5_5_1: ("<u2", ((11, 5), (6, 5), (1, 5), (0, 1))),
        UNSIGNED_INT_2_10_10_10_REV: ("<u4", ((0, 10), (10, 10), (20, 10), (30, 2))),
        UNSIGNED_INT_10F_11F_11F_REV: ("<u4", ()),
        UNSIGNED_INT_5_9_9_9_REV: ("<u4", ()),
        gl.UNSIGNED_INT_24_8: ("<u4", ((8, 24),)),
        gl.FLOAT_32_UNSIGNED_INT_24_8_REV: ("<u8", ()),
    }
)
_LARGEST_SHARED = 65408.0
"""Largest value of RGB9_E5."""


@dataclass(frozen=True)
class Unpack:
    """Layout of client pixels (glPixelStorei)."""

    alignment: int = 4
    row_length: int = 0
    skip_rows: int = 0
    skip_pixels: int = 0
    image_height: int = 0
    skip_images: int = 0


def unpack_pixels(
    data: bytes | memoryview,
    size: tuple[int, int, int],
    pixel_format: int,
    pixel_type: int,
    unpack: Unpack,
    texel_format: Format,
) -> NDArray[Any]:
    """Unpack client pixels to texels.

    Parameters
    ----------
    data
        Bytes from the client pointer on; the last row need not be padded.
    size
        Width, height and depth in pixels.
    pixel_format, pixel_type
        GL enums.
    unpack
        Layout.
    texel_format
        Format to store.

    Returns
    -------
    shape (depth, height, width, 4), type `texel_format.dtype`
        Row 0 is the first in memory. Absent channels are 0, absent alpha is 1.

    Raises
    ------
    GLError
        The data is shorter than the layout requires.
    Unsupported
        The client's format or type is unknown.
    """
    if pixel_format not in CHANNELS or (pixel_type not in COMPONENTS and pixel_type not in PACKED):
        raise Unsupported(f"pixel format {pixel_format:#06x} with type {pixel_type:#06x}")
    rows = _rows(data, size, pixel_format, pixel_type, unpack)
    channels = _decoded(rows, pixel_format, pixel_type, texel_format.kind in ("int", "uint"))
    if pixel_type == UNSIGNED_INT_2_10_10_10_REV and texel_format.dtype == np.uint8:
        # Mesa rounds to bytes first, which makes a difference for RGB5_A1.
        channels = np.floor(channels * 255 + 0.5).astype(np.uint8)
    return stored(_placed(channels, pixel_format, texel_format), texel_format)


def unpack_stencils(
    data: bytes | memoryview, size: tuple[int, int, int], pixel_type: int, unpack: Unpack
) -> NDArray[np.uint8]:
    """Stencil of client pixels of depth and stencil, (depth, height, width); parameters as for `unpack_pixels`."""
    words = _rows(data, size, gl.DEPTH_STENCIL, pixel_type, unpack)[..., 0]
    shift = 32 if pixel_type == gl.FLOAT_32_UNSIGNED_INT_24_8_REV else 0
    return np.asarray(words >> words.dtype.type(shift) & words.dtype.type(0xFF), np.uint8)


def _rows(
    data: bytes | memoryview, size: tuple[int, int, int], pixel_format: int, pixel_type: int, unpack: Unpack
) -> NDArray[Any]:
    """Components in memory order, (depth, height, width, components per pixel)."""
    width, height, depth = size
    if pixel_type in PACKED:
        dtype, count = np.dtype(PACKED[pixel_type][0]), 1
    else:
        dtype, count = np.dtype(COMPONENTS[pixel_type]), CHANNELS[pixel_format]
    pixel = dtype.itemsize * count
    stride = -(-(unpack.row_length or width) * pixel // unpack.alignment) * unpack.alignment
    image = stride * (unpack.image_height or height)
    start = unpack.skip_images * image + unpack.skip_rows * stride + unpack.skip_pixels * pixel
    needed = start + (depth - 1) * image + (height - 1) * stride + width * pixel if width and height and depth else 0
    if len(data) < needed:
        raise GLError(
            gl.INVALID_OPERATION, f"{width}x{height}x{depth} pixels need {needed} bytes, the stream has {len(data)}"
        )
    if not needed:
        return np.zeros((depth, height, width, count), dtype)
    strides = (image, stride, pixel, dtype.itemsize)
    return np.ndarray((depth, height, width, count), dtype, data, start, strides)


def _decoded(rows: NDArray[Any], pixel_format: int, pixel_type: int, integers: bool) -> NDArray[Any]:
    """Channels in client order: uint8 unchanged, integers as int64, all else as float64, normalized or as given."""
    if pixel_type in PACKED:
        return _unpacked(rows[..., 0], pixel_type, integers)
    if rows.dtype.kind == "f":
        return rows.astype(np.float64)
    if integers:
        return rows.astype(np.int64)
    if rows.dtype == np.uint8:
        return rows
    return np.maximum(rows.astype(np.float64) / np.iinfo(rows.dtype).max, -1.0)


def _unpacked(words: NDArray[Any], pixel_type: int, integers: bool) -> NDArray[Any]:
    if pixel_type == UNSIGNED_INT_10F_11F_11F_REV:
        return np.stack([_small_float(words, shift, bits) for shift, bits in ((0, 6), (11, 6), (22, 5))], -1)
    if pixel_type == UNSIGNED_INT_5_9_9_9_REV:
        scale = np.exp2((words >> 27).astype(np.float64) - 24)
        return np.stack([(words >> shift & 0x1FF) * scale for shift in (0, 9, 18)], -1)
    if pixel_type == gl.FLOAT_32_UNSIGNED_INT_24_8_REV:
        return (words & 0xFFFFFFFF).astype(np.uint32).view(np.float32).astype(np.float64)[..., None]
    fields = PACKED[pixel_type][1]
    values = [(words >> shift & ((1 << bits) - 1)).astype(np.int64) for shift, bits in fields]
    if integers:
        return np.stack(values, -1)
    return np.stack([value / ((1 << bits) - 1) for value, (_, bits) in zip(values, fields, strict=True)], -1)


def _small_float(words: NDArray[Any], shift: int, mantissa: int) -> NDArray[np.float64]:
    """Unsigned floats of 5 exponent bits (OpenGL ES 3.0, 2.1.3 and 2.1.4)."""
    fraction = (words >> shift & ((1 << mantissa) - 1)).astype(np.float64) / (1 << mantissa)
    exponent = (words >> (shift + mantissa) & 31).astype(np.int64)
    value = np.where(exponent == 0, np.ldexp(fraction, -14), np.ldexp(1 + fraction, exponent - 15))
    return np.where(exponent == 31, np.where(fraction == 0, np.inf, np.nan), value)


def _placed(channels: NDArray[Any], pixel_format: int, texel_format: Format) -> NDArray[Any]:
    """Channels as red, green, blue, alpha."""
    one = 255 if channels.dtype == np.uint8 else 1
    out = np.zeros((*channels.shape[:3], 4), channels.dtype)
    out[..., 3] = one
    if pixel_format == gl.ALPHA:
        out[..., 3] = channels[..., 0]
    elif pixel_format in (gl.LUMINANCE, gl.LUMINANCE_ALPHA):
        out[..., :3] = channels[..., :1]
        if pixel_format == gl.LUMINANCE_ALPHA:
            out[..., 3] = channels[..., 1]
    elif pixel_format == gl.BGRA:
        out[...] = channels[..., [2, 1, 0, 3]]
    else:
        out[..., : channels.shape[3]] = channels
    for channel, bits in enumerate(texel_format.bits):
        if bits == 0:
            out[..., channel] = one if channel == 3 else 0
    return out


def stored(texels: NDArray[Any], texel_format: Format) -> NDArray[Any]:
    """Texels in the type that the format is stored in, rounded to its bits."""
    if texel_format.dtype == np.int32:
        integers = np.array(texels, np.int64, order="C").astype(np.uint32).view(np.int32)
        if max(texel_format.bits) < 32:
            limit_integers(integers.reshape(-1, 4), np.array(texel_format.bits, np.int64), texel_format.kind == "int")
        return integers
    if texel_format.dtype == np.float32:
        values = texels / 255.0 if texels.dtype == np.uint8 else texels
        return np.ascontiguousarray(_rounded(values, texel_format), np.float32)
    if texels.dtype == np.uint8 and min(bits or 8 for bits in texel_format.bits) == 8:
        return np.ascontiguousarray(texels)
    out = np.empty(texels.shape, np.uint8)
    for channel, bits in enumerate(texel_format.bits):
        out[..., channel] = _expanded(texels[..., channel], (1 << (bits or 8)) - 1)
    return out


def _rounded(values: NDArray[Any], texel_format: Format) -> NDArray[Any]:
    """Values of a format that is stored as float32, rounded to its bits; those of 32 bits and of blocks as they are."""
    if texel_format.kind == "depth":
        return np.asarray(np.clip(values, 0, 1))
    if texel_format.kind == "unorm" and texel_format.block == (1, 1):
        tops = (1 << np.array(texel_format.bits)) - 1
        return np.asarray(np.floor(np.clip(values, 0, 1) * tops + 0.5) / tops)
    if texel_format.kind != "float" or max(texel_format.bits) == 32:
        return values
    if texel_format.exponent_bits:
        return _of_shared_exponent(values)
    if max(texel_format.bits) == 16:
        with np.errstate(over="ignore"):
            return values.astype(np.float16)
    small = np.array(values, np.float32, order="C")
    round_floats(small.reshape(-1, 4), np.array(texel_format.bits, np.int64))
    return small


def _of_shared_exponent(texels: NDArray[Any]) -> NDArray[np.float64]:
    """Texels rounded to RGB9_E5 (OpenGL ES 3.0, 3.8.3.2)."""
    values = texels.astype(np.float64)
    color = np.clip(np.nan_to_num(values[..., :3], nan=0.0, posinf=_LARGEST_SHARED), 0, _LARGEST_SHARED)
    largest = color.max(-1, keepdims=True)
    exponent = np.maximum(-16, np.frexp(largest)[1] - 1) + 1
    step = np.ldexp(1.0, exponent - 9)
    step = np.where(np.floor(largest / step + 0.5) == 512, 2 * step, step)
    values[..., :3] = np.floor(color / step + 0.5) * step
    return values


def _expanded(values: NDArray[Any], top: int) -> NDArray[np.uint8]:
    """Values rounded to steps of 1/top, as bytes."""
    if values.dtype != np.uint8:
        steps = np.floor(np.clip(values, 0, 1) * values.dtype.type(top) + values.dtype.type(0.5)).astype(np.uint32)
    elif top == 255:
        return values
    else:
        steps = (values.astype(np.uint32) * 2 * top + 255) // 510
    return np.asarray((steps * 510 + top) // (2 * top), np.uint8)
