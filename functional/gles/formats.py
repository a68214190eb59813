"""Texel formats: how client pixels become texels, how many bits a channel keeps (OpenGL ES 2.0, 3.6.2 and 3.7.1)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from . import enums as gl
from .errors import GLError


@dataclass(frozen=True)
class Format:
    """A sized texel format.

    Attributes
    ----------
    name
        Name without the GL_ prefix, as the activity gives it.
    bits
        Bits of red, green, blue, alpha; 0 where a channel is absent (it then reads 0, alpha 1).
    texel_bytes
        Size of a texel as the application stores it.
    """

    name: str
    bits: tuple[int, int, int, int]
    texel_bytes: int


RGBA8 = Format("RGBA8", (8, 8, 8, 8), 4)
RGB8 = Format("RGB8", (8, 8, 8, 0), 3)
RGB565 = Format("RGB565", (5, 6, 5, 0), 2)
RGBA4 = Format("RGBA4", (4, 4, 4, 4), 2)
RGB5_A1 = Format("RGB5_A1", (5, 5, 5, 1), 2)
LUMINANCE8 = Format("LUMINANCE8", (8, 8, 8, 0), 1)
LUMINANCE8_ALPHA8 = Format("LUMINANCE8_ALPHA8", (8, 8, 8, 8), 2)
ALPHA8 = Format("ALPHA8", (0, 0, 0, 8), 1)

TEXTURE_FORMATS = MappingProxyType(
    {
        (gl.RGBA, gl.UNSIGNED_BYTE): RGBA8,
        (gl.RGB, gl.UNSIGNED_BYTE): RGB8,
        (gl.BGRA, gl.UNSIGNED_BYTE): RGBA8,
        (gl.LUMINANCE, gl.UNSIGNED_BYTE): LUMINANCE8,
        (gl.LUMINANCE_ALPHA, gl.UNSIGNED_BYTE): LUMINANCE8_ALPHA8,
        (gl.ALPHA, gl.UNSIGNED_BYTE): ALPHA8,
        (gl.RGB, gl.UNSIGNED_SHORT_5_6_5): RGB565,
        (gl.RGBA, gl.UNSIGNED_SHORT_4_4_4_4): RGBA4,
        (gl.RGBA, gl.UNSIGNED_SHORT_5_5_5_1): RGB5_A1,
    }
)
RENDERBUFFER_FORMATS = MappingProxyType(
    {gl.RGBA4: RGBA4, gl.RGB5_A1: RGB5_A1, gl.RGB565: RGB565, gl.RGBA8: RGBA8, gl.RGB8: RGB8}
)
DEPTH_FORMATS = MappingProxyType(
    {
        gl.DEPTH_COMPONENT16: "DEPTH16",
        gl.DEPTH_COMPONENT24: "DEPTH24",
        gl.DEPTH24_STENCIL8: "DEPTH24_STENCIL8",
    }
)
STENCIL_FORMATS = frozenset({gl.STENCIL_INDEX8, gl.DEPTH24_STENCIL8})

_CHANNELS = MappingProxyType({gl.RGBA: 4, gl.BGRA: 4, gl.RGB: 3, gl.LUMINANCE: 1, gl.LUMINANCE_ALPHA: 2, gl.ALPHA: 1})
_PACKED = MappingProxyType(
    {
        gl.UNSIGNED_SHORT_5_6_5: ((11, 5), (5, 6), (0, 5)),
        gl.UNSIGNED_SHORT_4_4_4_4: ((12, 4), (8, 4), (4, 4), (0, 4)),
        gl.UNSIGNED_SHORT_5_5_5_1: ((11, 5), (6, 5), (1, 5), (0, 1)),
    }
)


@dataclass(frozen=True)
class Unpack:
    """Layout of client pixels (glPixelStorei)."""

    alignment: int = 4
    row_length: int = 0
    skip_rows: int = 0
    skip_pixels: int = 0


def texture_format(pixel_format: int, pixel_type: int) -> Format:
    """Sized format that a client format and type make; GLError where ES 2.0 has no such pair."""
    try:
        return TEXTURE_FORMATS[pixel_format, pixel_type]
    except KeyError:
        raise GLError(
            gl.INVALID_ENUM, f"format {pixel_format:#06x} with type {pixel_type:#06x} is not supported"
        ) from None


def unpack_pixels(
    data: bytes, width: int, height: int, pixel_format: int, pixel_type: int, unpack: Unpack
) -> NDArray[np.uint8]:
    """Client pixels as RGBA8 texels.

    Parameters
    ----------
    data
        Bytes from the client pointer on; the last row need not be padded.
    width, height
        Size in pixels.
    pixel_format, pixel_type
        GL enums; see `texture_format`.
    unpack
        Layout.

    Returns
    -------
    uint8, shape (height, width, 4)
        Row 0 is the first in memory. Narrow channels are widened to 8 bits by rounding 255 * value / maximum.

    Raises
    ------
    GLError
        The data is shorter than the layout asks for, or the format is unknown.
    """
    texture_format(pixel_format, pixel_type)
    packed = pixel_type in _PACKED
    texel = 2 if packed else _CHANNELS[pixel_format]
    row = (unpack.row_length or width) * texel
    stride = -(-row // unpack.alignment) * unpack.alignment
    start = unpack.skip_rows * stride + unpack.skip_pixels * texel
    needed = start + (height - 1) * stride + width * texel if width and height else 0
    if len(data) < needed:
        raise GLError(gl.INVALID_OPERATION, f"{width}x{height} pixels need {needed} bytes, the stream has {len(data)}")
    flat = np.frombuffer(data, np.uint8)
    rows = np.zeros((height, stride), np.uint8)
    available = min(len(flat) - start, height * stride)
    rows.reshape(-1)[: max(available, 0)] = flat[start : start + available]
    texels = np.ascontiguousarray(rows[:, : width * texel])
    return (
        _widen_packed(texels.view("<u2"), pixel_type)
        if packed
        else _widen(texels.reshape(height, width, texel), pixel_format)
    )


def _widen(texels: NDArray[np.uint8], pixel_format: int) -> NDArray[np.uint8]:
    out = np.zeros((*texels.shape[:2], 4), np.uint8)
    out[..., 3] = 255
    if pixel_format == gl.ALPHA:
        out[..., 3] = texels[..., 0]
    elif pixel_format in (gl.LUMINANCE, gl.LUMINANCE_ALPHA):
        out[..., :3] = texels[..., :1]
        if pixel_format == gl.LUMINANCE_ALPHA:
            out[..., 3] = texels[..., 1]
    elif pixel_format == gl.BGRA:
        out[...] = texels[..., [2, 1, 0, 3]]
    else:
        out[..., : texels.shape[2]] = texels
    return out


def _widen_packed(texels: NDArray[np.uint16], pixel_type: int) -> NDArray[np.uint8]:
    out = np.full((*texels.shape, 4), 255, np.uint8)
    for channel, (shift, bits) in enumerate(_PACKED[pixel_type]):
        top = (1 << bits) - 1
        value = (texels >> shift & top).astype(np.uint32)
        out[..., channel] = (value * 510 + top) // (2 * top)
    return out
