"""Small scenes of texture levels: integers, texelFetch, generated levels of every precision, levels that do not match.

The levels of a texture are random and differ from each other, so that a wrong level, offset, slice or wrap shows in
most pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import TEXTURE, filters, quad, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
HEAD = "#version 300 es\nprecision highp float; precision highp int; in vec4 v; out vec4 color;"
SHOWN = "void main() {{ uvec4 t = uvec4({}); color = vec4(t & 255u) / 255.0; }}"
"""The low bytes of integer texels as a colour."""


def _sides(target: int, level: int) -> tuple[int, ...]:
    """Slices or layers, height and width of a level; 2D images have none of the former."""
    size = max(1, 8 >> level)
    return {gl.TEXTURE_3D: (size, size, size), gl.TEXTURE_2D_ARRAY: (4, size, size)}.get(target, (size, size))


def _levels(r: Recorder, target: int, internal: int, client: int, kind: int, dtype: str, channels: int) -> None:
    """A texture of four levels of random texels."""
    r.glBindTexture(target, r.glGenTextures(1)[0])
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
    random = np.random.default_rng(internal)
    for level in range(4):
        sides = _sides(target, level)
        faces = range(0x8515, 0x851B) if target == gl.TEXTURE_CUBE_MAP else (target,)
        for face in faces:
            texels = random.integers(0, np.iinfo(dtype).max, (*sides, channels), dtype, endpoint=True)
            upload = r.glTexImage3D if len(sides) == 3 else r.glTexImage2D
            upload(face, level, internal, *sides[::-1], 0, client, kind, texels)


def _integers(sampler: str, target: int, read: str, wrap: int = gl.REPEAT) -> Callable[[Recorder], None]:
    signed = sampler.startswith("i")
    internal, client, kind, dtype = (
        (0x8D82, gl.RGBA_INTEGER, gl.INT, "i4") if signed else (0x8D7C, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, "u1")
    )

    def function(r: Recorder) -> None:
        use(r, f"{HEAD} uniform highp {sampler} image; {SHOWN.format(read)}")
        _levels(r, target, internal, client, kind, dtype, 4)
        filters(r, target, gl.NEAREST_MIPMAP_NEAREST, gl.NEAREST)
        for axis in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R):
            r.glTexParameteri(target, axis, wrap)
        quad(r, -0.91, -0.83, 0.79, 0.93, corners=_around(3.1))

    return function


def _around(extent: float) -> list[tuple[float, float, float, float]]:
    low, high = -0.53, extent - 0.53
    return [(low, low, low, 1), (high, low, low, 1), (low, high, high, 1), (high, high, high, 1)]


_FLAT, _CUBE, _VOLUME, _ARRAY = gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP, gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY
for _name, _arguments in {
    "integer_minified": ("usampler2D", _FLAT, "texture(image, v.xy * 5.0)"),
    "integer_level": ("isampler2D", _FLAT, "textureLod(image, v.xy, v.x + 0.7)"),
    "integer_bias": ("usampler2D", _FLAT, "texture(image, v.xy, 2.1)"),
    "integer_gradients": ("isampler2D", _FLAT, "textureGrad(image, v.xy, vec2(0.3, 0), vec2(0, 0.4) * v.y)"),
    "integer_projected": ("usampler2D", _FLAT, "textureProjLod(image, vec3(v.xy, 1.5), 1.0)"),
    "integer_mirrored": ("usampler2D", _FLAT, "textureLod(image, v.xy, 1.0)", gl.MIRRORED_REPEAT),
    "integer_clamped": ("isampler2D", _FLAT, "textureLod(image, v.xy, 1.0)", gl.CLAMP_TO_EDGE),
    "integer_offset": ("usampler2D", _FLAT, "textureLodOffset(image, v.xy, 1.0, ivec2(3, -2))"),
    "integer_offset_clamped": ("usampler2D", _FLAT, "textureOffset(image, v.xy, ivec2(-3, 2))", gl.CLAMP_TO_EDGE),
    "integer_cube": ("usamplerCube", _CUBE, "textureLod(image, v.xyz - 0.6, 1.0)"),
    "integer_volume": ("usampler3D", _VOLUME, "textureLod(image, v.xyz, 1.0)"),
    "integer_volume_offset": ("isampler3D", _VOLUME, "textureLodOffset(image, v.xyz, 0.0, ivec3(1, 2, -3))"),
    "integer_volume_mirrored": ("usampler3D", _VOLUME, "texture(image, v.xyz)", gl.MIRRORED_REPEAT),
    "integer_array": ("usampler2DArray", _ARRAY, "textureLod(image, vec3(v.xy, v.z + 1.0), 1.0)"),
    "integer_fetch": ("isampler2D", _FLAT, "texelFetch(image, ivec2(v.xy + 0.6), 1)"),
}.items():
    SCENES[_name] = _integers(*_arguments)


def _fetched(sampler: str, target: int, read: str) -> Callable[[Recorder], None]:
    """Levels that are named, under a filter without mipmaps."""

    def function(r: Recorder) -> None:
        use(r, f"{HEAD} uniform highp {sampler} image; void main() {{ color = {read}; }}")
        _levels(r, target, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, "u1", 4)
        filters(r, target, gl.NEAREST, gl.NEAREST)
        quad(r, -0.91, -0.83, 0.79, 0.93)

    return function


for _name, _arguments in {
    "fetch_of_a_level": ("sampler2D", _FLAT, "texelFetch(image, ivec2(v.xy * 3.99), 1)"),
    "fetch_of_a_slice": ("sampler3D", _VOLUME, "texelFetchOffset(image, ivec3(v.xy * 3.99, 1), 1, ivec3(0, 0, 2))"),
    "fetch_of_a_layer": ("sampler2DArray", _ARRAY, "texelFetch(image, ivec3(v.xy * 3.99, v.y * 3.99), 1)"),
    "size_of_a_level": ("sampler3D", _VOLUME, "vec4(textureSize(image, 1), textureSize(image, 2).x) / 8.0"),
}.items():
    SCENES[_name] = _fetched(*_arguments)


def _generated(internal: int, client: int, kind: int, texels: np.ndarray) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        use(r, f"{HEAD} uniform highp sampler2D image; void main() {{ color = textureLod(image, v.xy, v.x * 2.99); }}")
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        r.glTexImage2D(gl.TEXTURE_2D, 0, internal, 8, 8, 0, client, kind, texels)
        r.glGenerateMipmap(gl.TEXTURE_2D)
        filters(r, gl.TEXTURE_2D, gl.NEAREST_MIPMAP_NEAREST, gl.NEAREST)
        quad(r, -0.91, -0.83, 0.79, 0.93)

    return function


_RANDOM = np.random.default_rng(4)
_UNIT = _RANDOM.random((8, 8, 4)).astype(np.float32)
for _name, _format in {
    "4444": (gl.RGBA, gl.RGBA, gl.UNSIGNED_SHORT_4_4_4_4, _RANDOM.integers(0, 1 << 16, (8, 8), "u2")),
    "5551": (gl.RGBA, gl.RGBA, gl.UNSIGNED_SHORT_5_5_5_1, _RANDOM.integers(0, 1 << 16, (8, 8), "u2")),
    "565": (gl.RGB, gl.RGB, gl.UNSIGNED_SHORT_5_6_5, _RANDOM.integers(0, 1 << 16, (8, 8), "u2")),
    "1010102": (gl.RGB10_A2, gl.RGBA, 0x8368, _RANDOM.integers(0, 1 << 32, (8, 8), "u4")),
    "srgb": (0x8C43, gl.RGBA, gl.UNSIGNED_BYTE, _RANDOM.integers(0, 256, (8, 8, 4), "u1")),
    "half_float": (0x881A, gl.RGBA, gl.HALF_FLOAT, _UNIT.astype(np.float16)),
    "luminance_alpha": (gl.LUMINANCE_ALPHA, gl.LUMINANCE_ALPHA, gl.UNSIGNED_BYTE, _RANDOM.integers(0, 256, 128, "u1")),
}.items():
    SCENES[f"generated_{_name}"] = _generated(*_format)


def _mixed(formats: Sequence[tuple[int, int, int]], minify: int) -> Callable[[Recorder], None]:
    """Levels of different formats: incomplete where mipmaps are used."""

    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        for level, (internal, client, channels) in enumerate(formats):
            size = 4 >> level
            texels = np.random.default_rng(level).integers(0, 256, (size, size, channels), "u1")
            r.glTexImage2D(gl.TEXTURE_2D, level, internal, size, size, 0, client, gl.UNSIGNED_BYTE, texels)
        filters(r, gl.TEXTURE_2D, minify, gl.NEAREST)
        quad(r, -0.91, -0.83, 0.79, 0.93, corners=_around(60.0))

    return function


_PAIR, _SINGLE = (gl.LUMINANCE_ALPHA, gl.LUMINANCE_ALPHA, 2), (gl.LUMINANCE, gl.LUMINANCE, 1)
SCENES["levels_of_two_formats"] = _mixed([_PAIR, _SINGLE, _PAIR], gl.NEAREST_MIPMAP_NEAREST)
SCENES["levels_of_two_formats_unused"] = _mixed([_PAIR, _SINGLE, _PAIR], gl.NEAREST)
SCENES["levels_of_one_format"] = _mixed([_PAIR, _PAIR, _PAIR], gl.NEAREST_MIPMAP_NEAREST)
