"""Texel formats (OpenGL ES 2.0, table 3.4; OpenGL ES 3.0, tables 3.2, 3.3 and 3.13)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from . import enums as gl
from .channel_bits import CHANNEL_BITS, Bits
from .errors import GLError

Kind = Literal["unorm", "srgb", "snorm", "float", "int", "uint", "depth"]
Enums = tuple[int, ...]


@dataclass(frozen=True)
class Format:
    """A sized texel format.

    Attributes
    ----------
    name
        Name without the GL_ prefix, as stored in the activity.
    bits
        Bits of red, green, blue, alpha; 0 if a channel is absent (it then reads as 0, alpha as 1).
    texel_bytes
        Size of a texel as the application stores it; for compressed formats, size of a block.
    kind
        Interpretation of a channel's bits.
    block
        Texels per block, width and height; (1, 1) if not compressed.
    clients
        Client formats of its pixels, first the one that matches; none if compressed.
    types
        Types of client pixels that are valid with the sized internal format (OpenGL ES 3.0, table 3.2).
    unsized
        Types of client pixels that select it if the internal format is unsized (OpenGL ES 3.0, table 3.3).
    renderable
        Whether it is colour-renderable (ES 3.0, table 3.13, with EXT_color_buffer_float and half_float).
    """

    name: str
    bits: Bits
    texel_bytes: int
    kind: Kind = "unorm"
    block: tuple[int, int] = (1, 1)
    clients: Enums = ()
    types: Enums = ()
    unsized: Enums = ()
    renderable: bool = False

    @property
    def client(self) -> int:
        """Client format that matches; GL_NONE if compressed."""
        return self.clients[0] if self.clients else gl.NONE

    @property
    def luminance(self) -> bool:
        """Whether red, green and blue are one value."""
        return self.client in (gl.LUMINANCE, gl.LUMINANCE_ALPHA)

    @property
    def exponent_bits(self) -> int:
        """Bits of an exponent that floats share: those of a texel that no channel has."""
        return max(0, 8 * self.texel_bytes - sum(self.bits)) if self.kind == "float" else 0

    @property
    def filterable(self) -> bool:
        """Whether texels may be filtered: floats may (OES_texture_float_linear), integers never."""
        return self.kind not in ("int", "uint")

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of a channel in the simulator: uint8 for channels of at most 8 bits, float32, or int32 for integers."""
        if self.kind in ("int", "uint"):
            return np.dtype(np.int32)
        return np.dtype(np.uint8 if self.kind in ("unorm", "srgb") and max(self.bits) <= 8 else np.float32)

    @property
    def one(self) -> int:
        """Value that represents 1 in the simulator."""
        return 255 if self.dtype == np.uint8 else 1


_BYTE: Enums = (gl.UNSIGNED_BYTE,)
_SIGNED: Enums = (gl.BYTE,)
_HALF: Enums = (gl.HALF_FLOAT, gl.HALF_FLOAT_OES)
_FLOAT: Enums = (gl.FLOAT,)
_5_6_5: Enums = (gl.UNSIGNED_SHORT_5_6_5,)
_4_4_4_4: Enums = (gl.UNSIGNED_SHORT_4_4_4_4,)
_5_5_5_1: Enums = (gl.UNSIGNED_SHORT_5_5_5_1,)
_10_10_10_2: Enums = (gl.UNSIGNED_INT_2_10_10_10_REV,)
_11_11_10: Enums = (gl.UNSIGNED_INT_10F_11F_11F_REV,)
_9_9_9_5: Enums = (gl.UNSIGNED_INT_5_9_9_9_REV,)
_SHORT: Enums = (gl.UNSIGNED_SHORT,)
_INT: Enums = (gl.UNSIGNED_INT,)
_24_8: Enums = (gl.UNSIGNED_INT_24_8,)
_32_24_8: Enums = (gl.FLOAT_32_UNSIGNED_INT_24_8_REV,)
_Row = tuple[int, str, int, Kind, bool, Enums, Enums, Enums]


def _integers() -> list[_Row]:
    """R8I to RGBA32UI."""
    clients = {"R": gl.RED_INTEGER, "RG": gl.RG_INTEGER, "RGB": gl.RGB_INTEGER, "RGBA": gl.RGBA_INTEGER}
    types = {8: (gl.BYTE, gl.UNSIGNED_BYTE), 16: (gl.SHORT, gl.UNSIGNED_SHORT), 32: (gl.INT, gl.UNSIGNED_INT)}
    rows: list[_Row] = []
    for channels, client in clients.items():
        for bits, (signed, unsigned) in types.items():
            size, drawn = bits // 8 * len(channels), channels != "RGB"
            whole, positive = f"{channels}{bits}I", f"{channels}{bits}UI"
            rows.append((getattr(gl, whole), whole, size, "int", drawn, (client,), (signed,), ()))
            rows.append((getattr(gl, positive), positive, size, "uint", drawn, (client,), (unsigned,), ()))
    return rows


_ROWS: tuple[_Row, ...] = (
    (gl.R8, "R8", 1, "unorm", True, (gl.RED,), _BYTE, _BYTE),
    (gl.RG8, "RG8", 2, "unorm", True, (gl.RG,), _BYTE, _BYTE),
    (gl.RGB8, "RGB8", 3, "unorm", True, (gl.RGB,), _BYTE, _BYTE),
    (gl.RGBA8, "RGBA8", 4, "unorm", True, (gl.RGBA, gl.BGRA), _BYTE, _BYTE),
    (gl.BGRA8_EXT, "BGRA8", 4, "unorm", True, (gl.BGRA,), _BYTE, ()),
    (gl.RGB565, "RGB565", 2, "unorm", True, (gl.RGB,), _BYTE + _5_6_5, _5_6_5),
    (gl.RGBA4, "RGBA4", 2, "unorm", True, (gl.RGBA,), _BYTE + _4_4_4_4, _4_4_4_4),
    (gl.RGB5_A1, "RGB5_A1", 2, "unorm", True, (gl.RGBA,), _BYTE + _5_5_5_1 + _10_10_10_2, _5_5_5_1),
    (gl.ALPHA8, "ALPHA8", 1, "unorm", False, (gl.ALPHA,), _BYTE, _BYTE),
    (gl.LUMINANCE8, "LUMINANCE8", 1, "unorm", False, (gl.LUMINANCE,), _BYTE, _BYTE),
    (gl.LUMINANCE8_ALPHA8, "LUMINANCE8_ALPHA8", 2, "unorm", False, (gl.LUMINANCE_ALPHA,), _BYTE, _BYTE),
    (gl.SRGB8, "SRGB8", 3, "srgb", False, (gl.RGB,), _BYTE, ()),
    (gl.SRGB8_ALPHA8, "SRGB8_ALPHA8", 4, "srgb", True, (gl.RGBA,), _BYTE, ()),
    (gl.RGB10_A2, "RGB10_A2", 4, "unorm", True, (gl.RGBA,), _10_10_10_2, _10_10_10_2),
    (gl.R8_SNORM, "R8_SNORM", 1, "snorm", False, (gl.RED,), _SIGNED, ()),
    (gl.RG8_SNORM, "RG8_SNORM", 2, "snorm", False, (gl.RG,), _SIGNED, ()),
    (gl.RGB8_SNORM, "RGB8_SNORM", 3, "snorm", False, (gl.RGB,), _SIGNED, ()),
    (gl.RGBA8_SNORM, "RGBA8_SNORM", 4, "snorm", False, (gl.RGBA,), _SIGNED, ()),
    (gl.R16F, "R16F", 2, "float", True, (gl.RED,), _HALF + _FLOAT, _HALF),
    (gl.RG16F, "RG16F", 4, "float", True, (gl.RG,), _HALF + _FLOAT, _HALF),
    (gl.RGB16F, "RGB16F", 6, "float", True, (gl.RGB,), _HALF + _FLOAT, _HALF),
    (gl.RGBA16F, "RGBA16F", 8, "float", True, (gl.RGBA,), _HALF + _FLOAT, _HALF),
    (gl.R32F, "R32F", 4, "float", True, (gl.RED,), _FLOAT, _FLOAT),
    (gl.RG32F, "RG32F", 8, "float", True, (gl.RG,), _FLOAT, _FLOAT),
    (gl.RGB32F, "RGB32F", 12, "float", True, (gl.RGB,), _FLOAT, _FLOAT),
    (gl.RGBA32F, "RGBA32F", 16, "float", True, (gl.RGBA,), _FLOAT, _FLOAT),
    (gl.R11F_G11F_B10F, "R11F_G11F_B10F", 4, "float", True, (gl.RGB,), _11_11_10 + _HALF + _FLOAT, ()),
    (gl.RGB9_E5, "RGB9_E5", 4, "float", False, (gl.RGB,), _9_9_9_5 + _HALF + _FLOAT, ()),
    (gl.DEPTH_COMPONENT16, "DEPTH16", 2, "depth", False, (gl.DEPTH_COMPONENT,), _SHORT + _INT, _SHORT),
    (gl.DEPTH_COMPONENT24, "DEPTH24", 4, "depth", False, (gl.DEPTH_COMPONENT,), _INT, _INT),
    (gl.DEPTH_COMPONENT32F, "DEPTH32F", 4, "depth", False, (gl.DEPTH_COMPONENT,), _FLOAT, ()),
    (gl.DEPTH24_STENCIL8, "DEPTH24_STENCIL8", 4, "depth", False, (gl.DEPTH_STENCIL,), _24_8, _24_8),
    (gl.DEPTH32F_STENCIL8, "DEPTH32F_STENCIL8", 8, "depth", False, (gl.DEPTH_STENCIL,), _32_24_8, ()),
    (gl.RGB10_A2UI, "RGB10_A2UI", 4, "uint", True, (gl.RGBA_INTEGER,), _10_10_10_2, ()),
    *_integers(),
    (gl.NONE, "LUMINANCE16F", 2, "float", False, (gl.LUMINANCE,), (), _HALF),
    (gl.NONE, "LUMINANCE32F", 4, "float", False, (gl.LUMINANCE,), (), _FLOAT),
    (gl.NONE, "LUMINANCE_ALPHA16F", 4, "float", False, (gl.LUMINANCE_ALPHA,), (), _HALF),
    (gl.NONE, "LUMINANCE_ALPHA32F", 8, "float", False, (gl.LUMINANCE_ALPHA,), (), _FLOAT),
    (gl.NONE, "ALPHA16F", 2, "float", False, (gl.ALPHA,), (), _HALF),
    (gl.NONE, "ALPHA32F", 4, "float", False, (gl.ALPHA,), (), _FLOAT),
)  # fmt: skip
"""Sized internal format (GL_NONE if applications cannot name it), name, bytes, kind, whether it is renderable, client
formats, their types, and those that select it if the internal format is unsized."""

FORMATS = tuple(
    (number, Format(name, CHANNEL_BITS[name], size, kind, (1, 1), clients, types, unsized, drawn))
    for number, name, size, kind, drawn, clients, types, unsized in _ROWS
)
"""All formats that are not compressed, each with its GL enum, GL_NONE if it has none."""
SIZED = MappingProxyType({number: sized for number, sized in FORMATS if number != gl.NONE})
"""Sized internal formats by GL enum."""
RGBA8, RGB8, RGB565, RGBA4, RGB5_A1 = (SIZED[n] for n in (gl.RGBA8, gl.RGB8, gl.RGB565, gl.RGBA4, gl.RGB5_A1))
_UNSIZED = MappingProxyType(
    {(client, kind): sized for _, sized in FORMATS for client in sized.clients for kind in sized.unsized}
)
_BASES = frozenset(client for client, _ in _UNSIZED)
COPIED = MappingProxyType({s.client: number for number, s in SIZED.items() if gl.UNSIGNED_BYTE in s.unsized})
"""Sized internal format that pixels of the framebuffer are copied to, by unsized internal format."""
RENDERBUFFER_FORMATS = MappingProxyType({number: f for number, f in SIZED.items() if f.kind != "depth"})
DEPTH_FORMATS = MappingProxyType({number: f.name for number, f in SIZED.items() if f.kind == "depth"})
DEPTH_BYTES = MappingProxyType({f.name: f.texel_bytes for f in SIZED.values() if f.kind == "depth"})
"""Bytes of a pixel of depth, with the stencil that is stored with it, by name."""
STENCIL_FORMATS = frozenset({gl.STENCIL_INDEX8, gl.DEPTH24_STENCIL8, gl.DEPTH32F_STENCIL8})


def depth_bits(name: str | None) -> int:
    """Bits of depth of a format by its name, 0 without one."""
    return CHANNEL_BITS[name][0] if name is not None else 0


def texture_format(internal: int, pixel_format: int, pixel_type: int) -> Format:
    """Sized format of an image.

    Parameters
    ----------
    internal
        Internal format of the call: sized, or the same as `pixel_format`.
    pixel_format, pixel_type
        Format and type of the client's pixels.

    Raises
    ------
    GLError
        The internal format is unknown, or the client's pixels do not match it.
    """
    sized = SIZED.get(internal)
    if sized is not None:
        if pixel_format not in sized.clients or pixel_type not in sized.types:
            raise GLError(
                gl.INVALID_OPERATION,
                f"format {pixel_format:#06x} and type {pixel_type:#06x} for internal format {sized.name}",
            )
        return sized
    srgb = {gl.SRGB: SIZED[gl.SRGB8], gl.SRGB_ALPHA: SIZED[gl.SRGB8_ALPHA8]}.get(internal)
    if srgb is not None and pixel_type == gl.UNSIGNED_BYTE:
        return srgb
    if internal not in _BASES:
        raise GLError(gl.INVALID_VALUE, f"internal format {internal:#06x}")
    layout = _UNSIZED.get((pixel_format, pixel_type))
    if layout is None or (pixel_format != internal and (internal, pixel_format) != (gl.RGBA, gl.BGRA)):
        raise GLError(
            gl.INVALID_OPERATION,
            f"format {pixel_format:#06x} and type {pixel_type:#06x} for internal format {internal:#06x}",
        )
    return layout
