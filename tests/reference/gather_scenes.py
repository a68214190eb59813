"""Small scenes of textureGather in fragment and vertex shaders."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import VERTEX, filters, quad, random, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
VERTEX_310 = VERTEX.replace("300 es", "310 es")
FRAGMENT = """#version 310 es
precision highp float; precision highp int; precision highp {0};
in vec4 v; uniform {0} image; out vec4 color;
void main() {{ color = {1}; }}"""


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def _draw(r: Recorder, sampler: str, result: str) -> None:
    use(r, FRAGMENT.format(sampler, result), VERTEX_310)
    corners = [(-0.4, -0.7, -1, 1), (1.7, -0.2, -0.8, 1), (-0.3, 1.6, 0.9, 1), (1.4, 1.3, 1.2, 1)]
    quad(r, -0.91, -0.83, 0.79, 0.93, corners=corners)


def _bound(r: Recorder, target: int, wrap: int = gl.REPEAT) -> None:
    r.glBindTexture(target, r.glGenTextures(1)[0])
    filters(r, target)
    for name in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T):
        r.glTexParameteri(target, name, wrap)


def _flat(r: Recorder, wrap: int = gl.REPEAT) -> None:
    _bound(r, gl.TEXTURE_2D, wrap)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 7, 5, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(1, 5, 7, 4))


@scene
def gather_red(r: Recorder) -> None:
    _flat(r)
    _draw(r, "sampler2D", "textureGather(image, v.xy)")


@scene
def gather_alpha_clamped(r: Recorder) -> None:
    _flat(r, gl.CLAMP_TO_EDGE)
    _draw(r, "sampler2D", "textureGather(image, v.xy, 3)")


@scene
def gather_with_offset(r: Recorder) -> None:
    _flat(r, gl.MIRRORED_REPEAT)
    _draw(r, "sampler2D", "textureGatherOffset(image, v.xy, ivec2(-3, 2)) * 0.5"
                          " + textureGatherOffset(image, v.xy, ivec2(7, -8), 2) * 0.5")  # fmt: skip


@scene
def gather_border(r: Recorder) -> None:
    _flat(r, gl.CLAMP_TO_BORDER)
    r.glTexParameterfv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, [0.2, 0.4, 0.6, 0.8])
    _draw(r, "sampler2D", "textureGather(image, v.xy, 1)")


@scene
def gather_swizzled(r: Recorder) -> None:
    _flat(r)
    for name, channel in zip(
        range(gl.TEXTURE_SWIZZLE_R, gl.TEXTURE_SWIZZLE_R + 4), (0x1905, 1, 0x1904, 0), strict=True
    ):
        r.glTexParameteri(gl.TEXTURE_2D, name, channel)
    _draw(r, "sampler2D", "textureGather(image, v.xy, 0) * 0.5 + textureGather(image, v.yx, 1) * 0.1"
                          " + textureGather(image, v.yx, 2) * 0.3 + textureGather(image, v.yx, 3)")  # fmt: skip


@scene
def gather_base_level(r: Recorder) -> None:
    """Whatever the filters, texels come from the base level."""
    _flat(r)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, 1)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
    for level, size in ((1, 16), (2, 8), (3, 4), (4, 2), (5, 1)):
        r.glTexImage2D(
            gl.TEXTURE_2D, level, gl.RGBA8, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(level, size, size, 4)
        )
    _draw(r, "sampler2D", "textureGather(image, v.xy * 20.0, 1)")


@scene
def gather_array(r: Recorder) -> None:
    _bound(r, gl.TEXTURE_2D_ARRAY)
    r.glTexImage3D(gl.TEXTURE_2D_ARRAY, 0, gl.RGBA8, 5, 6, 3, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(2, 3, 6, 5, 4))
    _draw(r, "sampler2DArray", "textureGather(image, vec3(v.xy, v.y * 2.4), 2) * 0.5"
                               " + textureGatherOffset(image, vec3(v.xy, 1.0), ivec2(1, 2)) * 0.5")  # fmt: skip


@scene
def gather_cube(r: Recorder) -> None:
    """Across edges, but no corner: drivers may make up the fourth texel as they like."""
    _bound(r, gl.TEXTURE_CUBE_MAP, gl.CLAMP_TO_EDGE)
    for face in range(6):
        r.glTexImage2D(
            gl.TEXTURE_CUBE_MAP_POSITIVE_X + face,
            0,
            gl.RGBA8,
            4,
            4,
            0,
            gl.RGBA,
            gl.UNSIGNED_BYTE,
            random(face, 4, 4, 4),
        )
    result = "textureGather(image, v.xyz, 1) * 0.5 + textureGather(image, v.zxy, 2) * 0.5"
    use(r, FRAGMENT.format("samplerCube", result), VERTEX_310)
    corners = [(1, -0.5, -1.6, 1), (1, -0.5, 1.6, 1), (1, 0.5, -1.6, 1), (1, 0.5, 1.6, 1)]
    quad(r, -0.91, -0.83, 0.79, 0.93, corners=corners)


def _integers(internal: int, kind: int, sampler: str) -> Callable[[Recorder], None]:
    def draw(r: Recorder) -> None:
        _bound(r, gl.TEXTURE_2D)
        texels = np.random.default_rng(7).integers(0, 100, (6, 6, 4)).astype(np.int32)
        r.glTexImage2D(gl.TEXTURE_2D, 0, internal, 6, 6, 0, 0x8D99, kind, texels)
        _draw(
            r, sampler, "vec4(textureGather(image, v.xy, 2) + textureGatherOffset(image, v.yx, ivec2(2, 1), 1)) / 200.0"
        )

    return draw


SCENES["gather_signed_integers"] = _integers(gl.RGBA32I, gl.INT, "isampler2D")
SCENES["gather_unsigned_integers"] = _integers(gl.RGBA32UI, gl.UNSIGNED_INT, "usampler2D")


def _depths(r: Recorder, target: int) -> None:
    _bound(r, target, gl.CLAMP_TO_EDGE)
    r.glTexParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
    r.glTexParameteri(target, gl.TEXTURE_COMPARE_FUNC, gl.LESS)
    depths = np.random.default_rng(9).integers(0, 2**16, (6, 6, 6)).astype(np.uint16)
    depth = (0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT)
    if target == gl.TEXTURE_CUBE_MAP:
        for face in range(6):
            r.glTexImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, gl.DEPTH_COMPONENT16, 6, 6, *depth, depths[face])
    elif target == gl.TEXTURE_2D_ARRAY:
        r.glTexImage3D(target, 0, gl.DEPTH_COMPONENT16, 6, 6, 6, *depth, depths)
    else:
        r.glTexImage2D(target, 0, gl.DEPTH_COMPONENT16, 6, 6, *depth, depths[0])


@scene
def gather_compared(r: Recorder) -> None:
    _depths(r, gl.TEXTURE_2D)
    _draw(r, "sampler2DShadow", "textureGather(image, v.xy, 0.5) * 0.5"
                                " + textureGatherOffset(image, v.xy, v.y, ivec2(-1, 3)) * 0.5")  # fmt: skip


@scene
def gather_compared_array(r: Recorder) -> None:
    _depths(r, gl.TEXTURE_2D_ARRAY)
    _draw(r, "sampler2DArrayShadow", "textureGather(image, vec3(v.xy, 3.0 * v.x), 0.5) * 0.5"
                                     " + textureGatherOffset(image, v.xyy, v.x, ivec2(-1, 3)) * 0.5")  # fmt: skip


@scene
def gather_compared_cube(r: Recorder) -> None:
    _depths(r, gl.TEXTURE_CUBE_MAP)
    _draw(r, "samplerCubeShadow", "textureGather(image, v.xyz, v.y * 0.5)")


@scene
def gather_depths(r: Recorder) -> None:
    """Without comparison, a depth is a red channel."""
    _depths(r, gl.TEXTURE_2D)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.NONE)
    _draw(r, "sampler2D", "textureGather(image, v.xy)")


@scene
def gather_incomplete(r: Recorder) -> None:
    _bound(r, gl.TEXTURE_2D)
    _draw(r, "sampler2D", "textureGather(image, v.xy, 0) + textureGather(image, v.xy, 3) * 0.5")


@scene
def gather_in_vertices(r: Recorder) -> None:
    _flat(r)
    vertex = VERTEX_310.replace("out vec4 v;", "out vec4 v; uniform sampler2D image;").replace(
        "v = value", "v = textureGather(image, value.xy, 1)"
    )
    use(r, "#version 310 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v; }", vertex)
    quad(r, -0.91, -0.83, 0.79, 0.93)
