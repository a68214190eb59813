"""Texel formats (OpenGL ES 2.0, table 3.4; OpenGL ES 3.0, tables 3.2, 3.3 and 3.13)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from . import enums as gl
from .errors import GLError

Kind = Literal["unorm", "srgb", "snorm", "float", "int", "uint", "depth"]
Bits = tuple[int, int, int, int]


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
    """

    name: str
    bits: Bits
    texel_bytes: int
    kind: Kind = "unorm"
    block: tuple[int, int] = (1, 1)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of a channel in the simulator: uint8 for channels of at most 8 bits, float32, or int32 for integers."""
        if self.kind in ("int", "uint"):
            return np.dtype(np.int32)
        return np.dtype(np.uint8 if self.kind in ("unorm", "srgb") and max(self.bits) <= 8 else np.float32)

    @property
    def renderable(self) -> bool:
        """Whether it is colour-renderable (ES 3.0, table 3.13, with EXT_color_buffer_float and half_float)."""
        if self.kind in ("depth", "snorm") or self.block != (1, 1) or self.name in ("RGB9_E5", "SRGB8"):
            return False
        three = self.bits[2] > 0 and self.bits[3] == 0
        if three and self.kind in ("int", "uint"):
            return False
        return not self.name.startswith(("LUMINANCE", "ALPHA"))

    @property
    def one(self) -> int:
        """Value that represents 1 in the simulator."""
        return 255 if self.dtype == np.uint8 else 1


RGBA8 = Format("RGBA8", (8, 8, 8, 8), 4)
RGB8 = Format("RGB8", (8, 8, 8, 0), 3)
RGB565 = Format("RGB565", (5, 6, 5, 0), 2)
RGBA4 = Format("RGBA4", (4, 4, 4, 4), 2)
RGB5_A1 = Format("RGB5_A1", (5, 5, 5, 1), 2)
LUMINANCE8 = Format("LUMINANCE8", (8, 8, 8, 0), 1)
LUMINANCE8_ALPHA8 = Format("LUMINANCE8_ALPHA8", (8, 8, 8, 8), 2)
ALPHA8 = Format("ALPHA8", (0, 0, 0, 8), 1)


def _integer_formats() -> dict[int, Format]:
    """R8I to RGBA32UI: signed and unsigned of each width are next to each other in the registry."""
    signed = {
        "R": (gl.R8I, gl.R16I, gl.R32I),
        "RG": (gl.RG8I, gl.RG16I, gl.RG32I),
        "RGB": (gl.RGB8I, gl.RGB16I, gl.RGB32I),
        "RGBA": (gl.RGBA8I, gl.RGBA16I, gl.RGBA32I),
    }
    table: dict[int, Format] = {}
    for channels, numbers in signed.items():
        for bits, number in zip((8, 16, 32), numbers, strict=True):
            r, g, b, a = (bits if i < len(channels) else 0 for i in range(4))
            unsigned = number + 1 if len(channels) <= 2 else number - 0x12
            size = bits // 8 * len(channels)
            table[number] = Format(f"{channels}{bits}I", (r, g, b, a), size, "int")
            table[unsigned] = Format(f"{channels}{bits}UI", (r, g, b, a), size, "uint")
    return table


SIZED = MappingProxyType(
    {
        gl.R8: Format("R8", (8, 0, 0, 0), 1),
        gl.RG8: Format("RG8", (8, 8, 0, 0), 2),
        gl.RGB8: RGB8,
        gl.RGBA8: RGBA8,
        gl.BGRA8_EXT: Format("BGRA8", (8, 8, 8, 8), 4),
        gl.RGB565: RGB565,
        gl.RGBA4: RGBA4,
        gl.RGB5_A1: RGB5_A1,
        gl.ALPHA8: ALPHA8,
        gl.LUMINANCE8: LUMINANCE8,
        gl.LUMINANCE8_ALPHA8: LUMINANCE8_ALPHA8,
        gl.SRGB8: Format("SRGB8", (8, 8, 8, 0), 3, "srgb"),
        gl.SRGB8_ALPHA8: Format("SRGB8_ALPHA8", (8, 8, 8, 8), 4, "srgb"),
        gl.RGB10_A2: Format("RGB10_A2", (10, 10, 10, 2), 4),
        gl.R8_SNORM: Format("R8_SNORM", (8, 0, 0, 0), 1, "snorm"),
        gl.RG8_SNORM: Format("RG8_SNORM", (8, 8, 0, 0), 2, "snorm"),
        gl.RGB8_SNORM: Format("RGB8_SNORM", (8, 8, 8, 0), 3, "snorm"),
        gl.RGBA8_SNORM: Format("RGBA8_SNORM", (8, 8, 8, 8), 4, "snorm"),
        gl.R16F: Format("R16F", (16, 0, 0, 0), 2, "float"),
        gl.RG16F: Format("RG16F", (16, 16, 0, 0), 4, "float"),
        gl.RGB16F: Format("RGB16F", (16, 16, 16, 0), 6, "float"),
        gl.RGBA16F: Format("RGBA16F", (16, 16, 16, 16), 8, "float"),
        gl.R32F: Format("R32F", (32, 0, 0, 0), 4, "float"),
        gl.RG32F: Format("RG32F", (32, 32, 0, 0), 8, "float"),
        gl.RGB32F: Format("RGB32F", (32, 32, 32, 0), 12, "float"),
        gl.RGBA32F: Format("RGBA32F", (32, 32, 32, 32), 16, "float"),
        gl.R11F_G11F_B10F: Format("R11F_G11F_B10F", (11, 11, 10, 0), 4, "float"),
        gl.RGB9_E5: Format("RGB9_E5", (9, 9, 9, 0), 4, "float"),
        gl.DEPTH_COMPONENT16: Format("DEPTH16", (16, 0, 0, 0), 2, "depth"),
        gl.DEPTH_COMPONENT24: Format("DEPTH24", (24, 0, 0, 0), 4, "depth"),
        gl.DEPTH_COMPONENT32F: Format("DEPTH32F", (32, 0, 0, 0), 4, "depth"),
        gl.DEPTH24_STENCIL8: Format("DEPTH24_STENCIL8", (24, 0, 0, 0), 4, "depth"),
        gl.DEPTH32F_STENCIL8: Format("DEPTH32F_STENCIL8", (32, 0, 0, 0), 8, "depth"),
        gl.RGB10_A2UI: Format("RGB10_A2UI", (10, 10, 10, 2), 4, "uint"),
        **_integer_formats(),
    }
)  # fmt: skip
"""Sized internal formats by GL enum."""

_UNSIZED = MappingProxyType(
    {
        (gl.RGBA, gl.UNSIGNED_BYTE): RGBA8,
        (gl.RGB, gl.UNSIGNED_BYTE): RGB8,
        (gl.BGRA, gl.UNSIGNED_BYTE): RGBA8,
        (gl.LUMINANCE, gl.UNSIGNED_BYTE): LUMINANCE8,
        (gl.LUMINANCE_ALPHA, gl.UNSIGNED_BYTE): LUMINANCE8_ALPHA8,
        (gl.ALPHA, gl.UNSIGNED_BYTE): ALPHA8,
        (gl.RED, gl.UNSIGNED_BYTE): SIZED[gl.R8],
        (gl.RG, gl.UNSIGNED_BYTE): SIZED[gl.RG8],
        **{
            (client, kind): SIZED[number]
            for client, half, single in ((gl.RED, gl.R16F, gl.R32F), (gl.RG, gl.RG16F, gl.RG32F))
            for kind, number in ((gl.HALF_FLOAT_OES, half), (gl.HALF_FLOAT, half), (gl.FLOAT, single))
        },
        (gl.RGB, gl.UNSIGNED_SHORT_5_6_5): RGB565,
        (gl.RGBA, gl.UNSIGNED_SHORT_4_4_4_4): RGBA4,
        (gl.RGBA, gl.UNSIGNED_SHORT_5_5_5_1): RGB5_A1,
        (gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT): SIZED[gl.DEPTH_COMPONENT16],
        (gl.DEPTH_COMPONENT, gl.UNSIGNED_INT): SIZED[gl.DEPTH_COMPONENT24],
        (gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8): SIZED[gl.DEPTH24_STENCIL8],
        (gl.RGBA, gl.UNSIGNED_INT_2_10_10_10_REV): SIZED[gl.RGB10_A2],
        **{
            (client, kind): Format(f"{name}{bits}F", (color, color, color, alpha), bits // 8 * channels, "float")
            for client, name, channels in (
                (gl.RGBA, "RGBA", 4), (gl.RGB, "RGB", 3), (gl.LUMINANCE, "LUMINANCE", 1), (gl.ALPHA, "ALPHA", 1),
                (gl.LUMINANCE_ALPHA, "LUMINANCE_ALPHA", 2))
            for bits, kinds in ((16, (gl.HALF_FLOAT_OES, gl.HALF_FLOAT)), (32, (gl.FLOAT,)))
            for kind in kinds
            for color, alpha in ((bits * (client != gl.ALPHA), bits * (client not in (gl.RGB, gl.LUMINANCE))),)
        },
    }
)  # fmt: skip


def _integer_types() -> dict[int, dict[str, tuple[int, ...]]]:
    kinds = {"8I": gl.BYTE, "8UI": gl.UNSIGNED_BYTE, "16I": gl.SHORT, "16UI": gl.UNSIGNED_SHORT, "32I": gl.INT,
             "32UI": gl.UNSIGNED_INT}  # fmt: skip
    clients = {gl.RED_INTEGER: "R", gl.RG_INTEGER: "RG", gl.RGB_INTEGER: "RGB", gl.RGBA_INTEGER: "RGBA"}
    table: dict[int, dict[str, tuple[int, ...]]] = {
        client: {f"{name}{suffix}": (kind,) for suffix, kind in kinds.items()} for client, name in clients.items()
    }
    table[gl.RGBA_INTEGER]["RGB10_A2UI"] = (gl.UNSIGNED_INT_2_10_10_10_REV,)
    return table


_ALLOWED: MappingProxyType[int, dict[str, tuple[int, ...]]] = MappingProxyType(
    {
        gl.RGBA: {
            "RGBA8": (gl.UNSIGNED_BYTE,),
            "RGB5_A1": (gl.UNSIGNED_BYTE, gl.UNSIGNED_SHORT_5_5_5_1, gl.UNSIGNED_INT_2_10_10_10_REV),
            "RGBA4": (gl.UNSIGNED_BYTE, gl.UNSIGNED_SHORT_4_4_4_4),
            "SRGB8_ALPHA8": (gl.UNSIGNED_BYTE,),
            "RGBA8_SNORM": (gl.BYTE,),
            "RGB10_A2": (gl.UNSIGNED_INT_2_10_10_10_REV,),
            "RGBA16F": (gl.HALF_FLOAT, gl.HALF_FLOAT_OES, gl.FLOAT),
            "RGBA32F": (gl.FLOAT,),
        },
        gl.BGRA: {"BGRA8": (gl.UNSIGNED_BYTE,), "RGBA8": (gl.UNSIGNED_BYTE,)},
        gl.RGB: {
            "RGB8": (gl.UNSIGNED_BYTE,),
            "SRGB8": (gl.UNSIGNED_BYTE,),
            "RGB565": (gl.UNSIGNED_BYTE, gl.UNSIGNED_SHORT_5_6_5),
            "RGB8_SNORM": (gl.BYTE,),
            "R11F_G11F_B10F": (gl.UNSIGNED_INT_10F_11F_11F_REV, gl.HALF_FLOAT, gl.HALF_FLOAT_OES, gl.FLOAT),
            "RGB9_E5": (gl.UNSIGNED_INT_5_9_9_9_REV, gl.HALF_FLOAT, gl.HALF_FLOAT_OES, gl.FLOAT),
            "RGB16F": (gl.HALF_FLOAT, gl.HALF_FLOAT_OES, gl.FLOAT),
            "RGB32F": (gl.FLOAT,),
        },
        **{
            client: {
                f"{name}8": (gl.UNSIGNED_BYTE,),
                f"{name}8_SNORM": (gl.BYTE,),
                f"{name}16F": (gl.HALF_FLOAT, gl.HALF_FLOAT_OES, gl.FLOAT),
                f"{name}32F": (gl.FLOAT,),
            }
            for client, name in ((gl.RG, "RG"), (gl.RED, "R"))
        },
        gl.LUMINANCE: {"LUMINANCE8": (gl.UNSIGNED_BYTE,)},
        gl.LUMINANCE_ALPHA: {"LUMINANCE8_ALPHA8": (gl.UNSIGNED_BYTE,)},
        gl.ALPHA: {"ALPHA8": (gl.UNSIGNED_BYTE,)},
        gl.DEPTH_COMPONENT: {
            "DEPTH16": (gl.UNSIGNED_SHORT, gl.UNSIGNED_INT),
            "DEPTH24": (gl.UNSIGNED_INT,),
            "DEPTH32F": (gl.FLOAT,),
        },
        gl.DEPTH_STENCIL: {
            "DEPTH24_STENCIL8": (gl.UNSIGNED_INT_24_8,),
            "DEPTH32F_STENCIL8": (gl.FLOAT_32_UNSIGNED_INT_24_8_REV,),
        },
        **_integer_types(),
    }
)
"""Valid types of client pixels by client format and sized format (OpenGL ES 3.0, table 3.2)."""

_BASES = frozenset(client for client, _ in _UNSIZED)
RENDERBUFFER_FORMATS = MappingProxyType({number: f for number, f in SIZED.items() if f.kind != "depth"})
DEPTH_FORMATS = MappingProxyType({number: f.name for number, f in SIZED.items() if f.kind == "depth"})
STENCIL_FORMATS = frozenset({gl.STENCIL_INDEX8, gl.DEPTH24_STENCIL8, gl.DEPTH32F_STENCIL8})


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
        if pixel_type not in _ALLOWED.get(pixel_format, {}).get(sized.name, ()):
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
    found = _UNSIZED.get((pixel_format, pixel_type))
    if found is None or (pixel_format != internal and (internal, pixel_format) != (gl.RGBA, gl.BGRA)):
        raise GLError(
            gl.INVALID_OPERATION,
            f"format {pixel_format:#06x} and type {pixel_type:#06x} for internal format {internal:#06x}",
        )
    return found


def base_of(sized: Format) -> int:
    """Client format that matches a sized format."""
    return next((client for client, names in _ALLOWED.items() if sized.name in names), _unsized_base(sized))


def _unsized_base(sized: Format) -> int:
    return next((client for (client, _), found in _UNSIZED.items() if found == sized), gl.NONE)
