"""Converts pixels of a framebuffer to client memory (OpenGL ES 3.0, 4.3.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..opengl import enums as gl
from ..opengl.formats import Format
from .pixels import CHANNELS, COMPONENTS, UNSIGNED_INT_2_10_10_10_REV, Unpack

_ORDER = {
    gl.RGBA: (0, 1, 2, 3),
    gl.BGRA: (2, 1, 0, 3),
    gl.RGB: (0, 1, 2),
    gl.RG: (0, 1),
    gl.RED: (0,),
    gl.ALPHA: (3,),
    gl.LUMINANCE: (0,),
    gl.LUMINANCE_ALPHA: (0, 3),
    gl.RED_INTEGER: (0,),
    gl.RG_INTEGER: (0, 1),
    gl.RGB_INTEGER: (0, 1, 2),
    gl.RGBA_INTEGER: (0, 1, 2, 3),
}
INTEGER_FORMATS = frozenset({gl.RED_INTEGER, gl.RG_INTEGER, gl.RGB_INTEGER, gl.RGBA_INTEGER})
_WORDS = {
    gl.UNSIGNED_SHORT_5_6_5: ("<u2", ((5, 11), (6, 5), (5, 0))),
    gl.UNSIGNED_SHORT_4_4_4_4: ("<u2", ((4, 12), (4, 8), (4, 4), (4, 0))),
    gl.UNSIGNED_SHORT_5_5_5_1: ("<u2", ((5, 11), (5, 6), (5, 1), (1, 0))),
    UNSIGNED_INT_2_10_10_10_REV: ("<u4", ((10, 0), (10, 10), (10, 20), (2, 30))),
}


def readable(pixel_format: int, pixel_type: int) -> bool:
    """Whether pixels can be read as a format and a type."""
    if pixel_type in _WORDS:
        return pixel_format in CHANNELS and CHANNELS[pixel_format] == len(_WORDS[pixel_type][1])
    return pixel_format in _ORDER and pixel_type in COMPONENTS


def pack_pixels(
    pixels: NDArray[Any], sized: Format, pixel_format: int, pixel_type: int, pack: Unpack, before: bytes = b""
) -> bytes:
    """Pack pixels into client memory.

    Parameters
    ----------
    pixels
        (height, width, 4) in the framebuffer's type.
    sized
        Format of the framebuffer.
    pixel_format, pixel_type
        GL enums of the requested format and type.
    pack
        Layout.
    before
        Previous content; bytes between rows are kept.
    """
    components = _components(pixels[..., _ORDER.get(pixel_format, (0, 1, 2, 3))], sized, pixel_type)
    height, width = pixels.shape[:2]
    pixel = components.itemsize * components.shape[2]
    stride = -(-(pack.row_length or width) * pixel // pack.alignment) * pack.alignment
    start = pack.skip_rows * stride + pack.skip_pixels * pixel
    if not width or not height:
        return b""
    out = bytearray(before.ljust(start + (height - 1) * stride + width * pixel, b"\0"))
    for row, content in enumerate(components):
        first = start + row * stride
        out[first : first + width * pixel] = np.ascontiguousarray(content).tobytes()
    return bytes(out)


def _components(channels: NDArray[Any], sized: Format, pixel_type: int) -> NDArray[Any]:
    """Channels in the requested type, (height, width, components)."""
    if channels.dtype == np.int32:
        values: NDArray[Any] = channels.view(np.uint32) if sized.kind == "uint" else channels
        return values.astype(COMPONENTS[pixel_type])
    unit = channels.astype(np.float64) / (255 if channels.dtype == np.uint8 else 1)
    if pixel_type in _WORDS:
        word, fields = _WORDS[pixel_type]
        tops = [(1 << bits) - 1 for bits, _ in fields]
        parts = [np.floor(np.clip(unit[..., i], 0, 1) * top + 0.5).astype(np.uint32) for i, top in enumerate(tops)]
        words = sum((part << shift for part, (_, shift) in zip(parts, fields, strict=True)), np.uint32(0))
        return np.asarray(words).astype(word)[..., None]
    dtype = np.dtype(COMPONENTS[pixel_type])
    if dtype.kind == "f":
        return unit.astype(dtype)
    if channels.dtype == np.uint8 and dtype == np.uint8:
        return channels
    low = 0.0 if dtype.kind == "u" else -1.0
    return np.floor(np.clip(unit, low, 1) * np.iinfo(dtype).max + 0.5).astype(dtype)
