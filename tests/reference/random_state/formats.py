"""Texel formats that scenes choose from, and random pixels of their clients' types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .scene import texels, value_of

Class = Literal["unorm", "srgb", "snorm", "float", "int", "uint", "depth"]


@dataclass(frozen=True)
class Layout:
    """How a texture is given its pixels: internal format, client format and type, by name."""

    internal: str
    client: str
    type: str
    kind: Class

    def __repr__(self) -> str:
        return f"{self.internal}/{self.client}/{self.type}"

    @property
    def sized(self) -> bool:
        """Whether the internal format is sized."""
        return self.internal not in (self.client, "BGRA")

    @property
    def enums(self) -> tuple[int, int, int]:
        """Internal format, client format, type."""
        return value_of(self.internal), value_of(self.client), value_of(self.type)

    @property
    def integer(self) -> bool:
        """Whether shaders read integers."""
        return self.kind in ("int", "uint")

    @property
    def prefix(self) -> str:
        """First letter of sampler and vector types."""
        return {"int": "i", "uint": "u"}.get(self.kind, "")

    @property
    def channels(self) -> int:
        """Channels of the client's pixels."""
        return {"RED": 1, "RG": 2, "RGB": 3, "RGBA": 4, "BGRA": 4, "LUMINANCE": 1, "LUMINANCE_ALPHA": 2, "ALPHA": 1,
                "DEPTH_COMPONENT": 1, "DEPTH_STENCIL": 1}[self.client.removesuffix("_INTEGER")]  # fmt: skip

    @property
    def shown(self) -> tuple[float, float]:
        """Scale and offset that bring texels of `pixels` into 0 to 1."""
        return {"snorm": (0.5, 0.5), "float": (0.2, 0.4)}.get(self.kind, (1.0, 0.0))


def _layouts() -> tuple[Layout, ...]:
    lines = """
    unorm R8 RED UNSIGNED_BYTE | RG8 RG UNSIGNED_BYTE | RGB8 RGB UNSIGNED_BYTE | RGBA8 RGBA UNSIGNED_BYTE
    unorm RGB565 RGB UNSIGNED_BYTE UNSIGNED_SHORT_5_6_5 | RGBA4 RGBA UNSIGNED_BYTE UNSIGNED_SHORT_4_4_4_4
    unorm RGB5_A1 RGBA UNSIGNED_BYTE UNSIGNED_SHORT_5_5_5_1 UNSIGNED_INT_2_10_10_10_REV
    unorm RGB10_A2 RGBA UNSIGNED_INT_2_10_10_10_REV
    unorm RGBA RGBA UNSIGNED_BYTE UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_5_5_5_1
    unorm RGB RGB UNSIGNED_BYTE UNSIGNED_SHORT_5_6_5 | LUMINANCE LUMINANCE UNSIGNED_BYTE
    unorm LUMINANCE_ALPHA LUMINANCE_ALPHA UNSIGNED_BYTE | ALPHA ALPHA UNSIGNED_BYTE | BGRA BGRA UNSIGNED_BYTE
    unorm RED RED UNSIGNED_BYTE | RG RG UNSIGNED_BYTE
    srgb SRGB8 RGB UNSIGNED_BYTE | SRGB8_ALPHA8 RGBA UNSIGNED_BYTE
    snorm R8_SNORM RED BYTE | RG8_SNORM RG BYTE | RGB8_SNORM RGB BYTE | RGBA8_SNORM RGBA BYTE
    float R16F RED HALF_FLOAT FLOAT | RG16F RG HALF_FLOAT FLOAT | RGB16F RGB HALF_FLOAT FLOAT
    float RGBA16F RGBA HALF_FLOAT FLOAT | R32F RED FLOAT | RG32F RG FLOAT | RGB32F RGB FLOAT | RGBA32F RGBA FLOAT
    float R11F_G11F_B10F RGB UNSIGNED_INT_10F_11F_11F_REV HALF_FLOAT FLOAT
    float RGB9_E5 RGB UNSIGNED_INT_5_9_9_9_REV HALF_FLOAT FLOAT
    float RGBA RGBA FLOAT HALF_FLOAT_OES | RGB RGB FLOAT HALF_FLOAT_OES | LUMINANCE LUMINANCE FLOAT HALF_FLOAT_OES
    float LUMINANCE_ALPHA LUMINANCE_ALPHA FLOAT HALF_FLOAT_OES | ALPHA ALPHA FLOAT HALF_FLOAT_OES
    float RED RED FLOAT HALF_FLOAT_OES | RG RG FLOAT HALF_FLOAT_OES
    depth DEPTH_COMPONENT16 DEPTH_COMPONENT UNSIGNED_SHORT UNSIGNED_INT
    depth DEPTH_COMPONENT24 DEPTH_COMPONENT UNSIGNED_INT | DEPTH_COMPONENT32F DEPTH_COMPONENT FLOAT
    depth DEPTH24_STENCIL8 DEPTH_STENCIL UNSIGNED_INT_24_8
    depth DEPTH32F_STENCIL8 DEPTH_STENCIL FLOAT_32_UNSIGNED_INT_24_8_REV
    depth DEPTH_COMPONENT DEPTH_COMPONENT UNSIGNED_SHORT UNSIGNED_INT | DEPTH_STENCIL DEPTH_STENCIL UNSIGNED_INT_24_8
    uint RGB10_A2UI RGBA_INTEGER UNSIGNED_INT_2_10_10_10_REV
    """
    found: list[Layout] = []
    for line in lines.split("\n"):
        kind, _, rest = line.strip().partition(" ")
        for entry in rest.split("|") if rest else ():
            internal, client, *types = entry.split()
            found += [Layout(internal, client, type_, kind) for type_ in types]  # type: ignore[arg-type]
    clients = {"R": "RED", "RG": "RG", "RGB": "RGB", "RGBA": "RGBA"}
    for bits, signed in ((8, "BYTE"), (16, "SHORT"), (32, "INT")):
        for name, client in clients.items():
            found.append(Layout(f"{name}{bits}I", f"{client}_INTEGER", signed, "int"))
            found.append(Layout(f"{name}{bits}UI", f"{client}_INTEGER", f"UNSIGNED_{signed}", "uint"))
    return tuple(found)


LAYOUTS = _layouts()
"""Combinations that OpenGL ES 3.0 and the extensions of Mesa allow for glTexImage2D."""

RENDERABLE = (
    "R8", "RG8", "RGB8", "RGBA8", "RGB565", "RGBA4", "RGB5_A1", "RGB10_A2", "SRGB8_ALPHA8", "R16F", "RG16F", "RGBA16F",
    "R32F", "RG32F", "RGBA32F", "R11F_G11F_B10F", "RGB10_A2UI",
    *(f"{c}{bits}{sign}" for c in ("R", "RG", "RGBA") for bits in (8, 16, 32) for sign in ("I", "UI")),
)  # fmt: skip
"""Colour-renderable internal formats, with GL_EXT_color_buffer_float."""
DEPTHS = ("DEPTH_COMPONENT16", "DEPTH_COMPONENT24", "DEPTH_COMPONENT32F", "DEPTH24_STENCIL8", "DEPTH32F_STENCIL8")
_TYPES = {
    "UNSIGNED_BYTE": "u1", "BYTE": "i1", "UNSIGNED_SHORT": "u2", "SHORT": "i2", "UNSIGNED_INT": "u4", "INT": "i4",
    "HALF_FLOAT": "f2", "HALF_FLOAT_OES": "f2", "FLOAT": "f4", "UNSIGNED_SHORT_4_4_4_4": "u2",
    "UNSIGNED_SHORT_5_5_5_1": "u2", "UNSIGNED_SHORT_5_6_5": "u2", "UNSIGNED_INT_2_10_10_10_REV": "u4",
    "UNSIGNED_INT_24_8": "u4",
}  # fmt: skip


def of_kinds(*kinds: Class) -> tuple[Layout, ...]:
    """Layouts of some kinds."""
    return tuple(layout for layout in LAYOUTS if layout.kind in kinds)


def layout_of(internal: str) -> Layout:
    """The first layout of an internal format."""
    return next(layout for layout in LAYOUTS if layout.internal == internal)


def pixels(layout: Layout, shape: tuple[int, ...], number: int) -> np.ndarray:
    """Random pixels of a client's type; finite, and from -2 to 3 if they are floats.

    Parameters
    ----------
    layout
        Format and type.
    shape
        Pixels: (height, width) or (depth, height, width).
    number
        Where they come from.
    """
    generator = texels(number)
    if layout.type == "UNSIGNED_INT_10F_11F_11F_REV":
        parts = [
            (generator.integers(0, 17, shape), generator.integers(0, 1 << bits, shape), bits) for bits in (6, 6, 5)
        ]
        red, green, blue = ((exponent << bits | fraction) for exponent, fraction, bits in parts)
        return (red | green << 11 | blue << 22).astype(np.uint32)
    if layout.type == "UNSIGNED_INT_5_9_9_9_REV":
        words: Any = generator.integers(0, 1 << 27, shape) | generator.integers(8, 17, shape) << 27
        return np.asarray(words, np.uint32)
    if layout.type == "FLOAT_32_UNSIGNED_INT_24_8_REV":
        pairs = np.zeros((*shape, 2), np.uint32)
        pairs[..., 0] = generator.random(shape, np.float32).view(np.uint32)
        pairs[..., 1] = generator.integers(0, 256, shape)
        return pairs
    dtype = np.dtype(_TYPES[layout.type])
    packed = layout.type.count("_") >= 3
    full = shape if packed else (*shape, layout.channels)
    if dtype.kind == "f":
        low, high = (0, 1) if layout.kind == "depth" else (-2, 3)
        return generator.uniform(low, high, full).astype(dtype)
    limits = np.iinfo(dtype)
    return generator.integers(limits.min, limits.max, full, dtype, endpoint=True)
