"""Queries of the images of textures (OpenGL ES 3.1, 8.11.3) and of indexed state as booleans (2.2.2)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from ...opengl import enums as gl
from ...opengl.formats import SIZED, Format, depth_bits
from ..checks import check_enum, check_value
from ..compressed import COMPRESSED
from ..context import Context
from ..framebuffers import Surface
from ..textures import MAX_LEVELS, Texture
from .table import EntryPoints

entry = EntryPoints()
_FACES = range(gl.TEXTURE_CUBE_MAP_POSITIVE_X, gl.TEXTURE_CUBE_MAP_POSITIVE_X + 6)
_TARGETS = frozenset(
    {gl.TEXTURE_2D, gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY, gl.TEXTURE_2D_MULTISAMPLE, gl.TEXTURE_EXTERNAL_OES, *_FACES}
)
_INTERNAL = MappingProxyType(
    {sized.name: number for number, sized in SIZED.items()} | {c.format.name: n for n, c in COMPRESSED.items()}
)
_TYPES = MappingProxyType({"float": gl.FLOAT, "int": gl.INT, "uint": gl.UNSIGNED_INT, "snorm": gl.SIGNED_NORMALIZED})


@entry.answers()
def glGetTexLevelParameteriv(context: Context, target: int, level: int, name: int, *_: Any) -> int:
    return _parameter(context, target, level, name)


@entry.answers()
def glGetTexLevelParameterfv(context: Context, target: int, level: int, name: int, *_: Any) -> float:
    return float(_parameter(context, target, level, name))


def _parameter(context: Context, target: int, level: int, name: int) -> int:
    check_enum(target, _TARGETS, "texture target")
    check_value(0 <= level < (1 if target == gl.TEXTURE_2D_MULTISAMPLE else MAX_LEVELS), f"level {level}")
    texture = context.texture(gl.TEXTURE_CUBE_MAP if target in _FACES else target)
    if texture.multisample is not None:
        values = _of_samples(texture.multisample)
    else:
        values = _of_image(texture, level, target - _FACES[0] if target in _FACES else 0)
    check_enum(name, values, "parameter of an image")
    return values[name]


def _of_samples(surface: Surface) -> dict[int, int]:
    sizes = surface.width, surface.height, 1
    samples = surface.samples if surface.samples > 1 else 0
    sized = surface.color_format or SIZED.get(surface.internal)
    return _values(sizes, sized, surface.internal, samples, surface.fixed_samples)


def _of_image(texture: Texture, level: int, face: int) -> dict[int, int]:
    image, sized = texture.images.get((level, face)), texture.formats.get((level, face))
    if image is None or sized is None:
        return _values((0, 0, 0), None, gl.RGBA, 0, True)
    depth = texture.layers(level) if texture.target in (gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY) else 1
    internal = texture.unsized.get((level, face)) or _INTERNAL.get(sized.name, gl.RGBA)
    return _values((image.shape[1], image.shape[0], depth), sized, internal, 0, True)


def _values(
    sizes: tuple[int, int, int], sized: Format | None, internal: int, samples: int, fixed: bool
) -> dict[int, int]:
    """All parameters of an image, by their names; ``sized`` is None without one."""
    color = sized if sized is not None and sized.kind != "depth" else None
    depth = sized.name if sized is not None and sized.kind == "depth" else None
    bits = color.bits if color is not None else (0, 0, 0, 0)
    kind = _TYPES.get(color.kind, gl.UNSIGNED_NORMALIZED) if color is not None else gl.NONE
    floating = depth is not None and depth.startswith("DEPTH32F")
    return {
        gl.TEXTURE_WIDTH: sizes[0],
        gl.TEXTURE_HEIGHT: sizes[1],
        gl.TEXTURE_DEPTH: sizes[2],
        gl.TEXTURE_INTERNAL_FORMAT: internal,
        gl.TEXTURE_SAMPLES: samples,
        gl.TEXTURE_FIXED_SAMPLE_LOCATIONS: int(fixed),
        gl.TEXTURE_COMPRESSED: int(sized is not None and sized.block != (1, 1)),
        gl.TEXTURE_DEPTH_SIZE: depth_bits(depth),
        gl.TEXTURE_STENCIL_SIZE: 8 if depth is not None and depth.endswith("STENCIL8") else 0,
        gl.TEXTURE_SHARED_SIZE: color.exponent_bits if color is not None and color.name == "RGB9_E5" else 0,
        gl.TEXTURE_DEPTH_TYPE: gl.NONE if depth is None else gl.FLOAT if floating else gl.UNSIGNED_NORMALIZED,
        **{gl.TEXTURE_RED_SIZE + i: bits[i] for i in range(4)},
        **{gl.TEXTURE_RED_TYPE + i: kind if bits[i] else gl.NONE for i in range(4)},
    }
