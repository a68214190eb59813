"""A compute program with all that it reads and writes."""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """A format of images in GLSL's terms and in those of glTexSubImage2D.

    Attributes
    ----------
    internal, layout, kind
        Enums: sized format, format and type of the texels.
    dtype
        numpy's type of a component.
    components
        Number of components.
    prefix
        "", "i" or "u": of GLSL's types of images and vectors.
    """

    internal: int
    layout: int
    kind: int
    dtype: str
    components: int
    prefix: str


FORMATS = {
    "rgba32f": Format(0x8814, 0x1908, 0x1406, "<f4", 4, ""),
    "rgba16f": Format(0x881A, 0x1908, 0x1406, "<f4", 4, ""),
    "r32f": Format(0x822E, 0x1903, 0x1406, "<f4", 1, ""),
    "rgba8": Format(0x8058, 0x1908, 0x1401, "u1", 4, ""),
    "rgba8_snorm": Format(0x8F97, 0x1908, 0x1400, "i1", 4, ""),
    "rgba32i": Format(0x8D82, 0x8D99, 0x1404, "<i4", 4, "i"),
    "rgba16i": Format(0x8D88, 0x8D99, 0x1402, "<i2", 4, "i"),
    "rgba8i": Format(0x8D8E, 0x8D99, 0x1400, "i1", 4, "i"),
    "r32i": Format(0x8235, 0x8D94, 0x1404, "<i4", 1, "i"),
    "rgba32ui": Format(0x8D70, 0x8D99, 0x1405, "<u4", 4, "u"),
    "rgba16ui": Format(0x8D76, 0x8D99, 0x1403, "<u2", 4, "u"),
    "rgba8ui": Format(0x8D7C, 0x8D99, 0x1401, "u1", 4, "u"),
    "r32ui": Format(0x8236, 0x8D94, 0x1405, "<u4", 1, "u"),
}
"""All formats that images of OpenGL ES 3.1 have, by layout qualifier."""


class Image(NamedTuple):
    """A 2D image: its format's name, its size in texels and its texels, row by row."""

    format: str
    width: int
    height: int
    texels: bytes


class Pass(NamedTuple):
    """A dispatch: the shader, the number of groups, and which buffers are at the bindings 0, 1 …"""

    source: str
    groups: tuple[int, int, int]
    buffers: tuple[int, ...]


class Program(NamedTuple):
    """Dispatches, one after the other, with memory barriers in between.

    Attributes
    ----------
    passes
        The dispatches.
    buffers
        What storage buffers hold at the beginning.
    uniforms
        What the uniform buffer at binding 0 holds.
    images
        Images at the units 0, 1 …
    """

    passes: tuple[Pass, ...]
    buffers: tuple[bytes, ...]
    uniforms: bytes = b""
    images: tuple[Image, ...] = ()
