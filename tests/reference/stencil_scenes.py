"""Small scenes of shaders that read stencil: uploaded, drawn, and of several samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import SIZE, VERTEX, filters, quad, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
SEVERAL: dict[str, Callable[[Recorder], None]] = {}
"""With several samples."""
VERTEX_310 = VERTEX.replace("300 es", "310 es")
FRAGMENT = """#version 310 es
precision highp float; precision highp int;
in vec4 v; uniform highp {0} image; out vec4 color;
void main() {{ color = vec4({1}) / 255.0; }}"""


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def _words(seed: int, *shape: int) -> np.ndarray:
    """Depth above stencil."""
    return np.random.default_rng(seed).integers(0, 2**32, shape, np.uint32)


def _bound(r: Recorder, target: int = gl.TEXTURE_2D, mode: int = gl.STENCIL_INDEX) -> int:
    name: int = r.glGenTextures(1)[0]
    r.glBindTexture(target, name)
    filters(r, target)
    r.glTexParameteri(target, gl.DEPTH_STENCIL_TEXTURE_MODE, mode)
    return name


@scene
def stencil_uploaded(r: Recorder) -> None:
    _bound(r)
    image = gl.TEXTURE_2D, 0, gl.DEPTH24_STENCIL8, 8, 5, 0, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8
    r.glTexImage2D(*image, _words(1, 5, 8))
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 2, 1, 3, 2, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8, _words(2, 2, 3))
    use(r, FRAGMENT.format("usampler2D", "texture(image, v.xy).xyz, 255.0"), VERTEX_310)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def stencil_beside_floats(r: Recorder) -> None:
    _bound(r)
    pixels = np.stack([np.zeros((5, 8), np.uint32), _words(3, 5, 8)], -1)
    image = gl.TEXTURE_2D, 0, gl.DEPTH32F_STENCIL8, 8, 5, 0, gl.DEPTH_STENCIL
    r.glTexImage2D(*image, gl.FLOAT_32_UNSIGNED_INT_24_8_REV, pixels)
    use(r, FRAGMENT.format("usampler2D", "texelFetch(image, ivec2(v.xy * vec2(8, 5)), 0)"), VERTEX_310)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def stencil_array(r: Recorder) -> None:
    _bound(r, gl.TEXTURE_2D_ARRAY)
    image = gl.TEXTURE_2D_ARRAY, 0, gl.DEPTH24_STENCIL8, 6, 5, 3, 0, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8
    r.glTexImage3D(*image, _words(4, 3, 5, 6))
    use(r, FRAGMENT.format("usampler2DArray", "texture(image, vec3(v.xy, v.x * 2.6))"), VERTEX_310)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def stencil_filtered_is_incomplete(r: Recorder) -> None:
    _bound(r)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
    image = gl.TEXTURE_2D, 0, gl.DEPTH24_STENCIL8, 8, 5, 0, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8
    r.glTexImage2D(*image, _words(1, 5, 8))
    use(r, FRAGMENT.format("usampler2D", "texture(image, v.xy).xyz, 255.0"), VERTEX_310)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def depth_of_depth_and_stencil(r: Recorder) -> None:
    _bound(r, mode=gl.DEPTH_COMPONENT)
    image = gl.TEXTURE_2D, 0, gl.DEPTH24_STENCIL8, 8, 5, 0, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8
    r.glTexImage2D(*image, _words(1, 5, 8))
    use(r, FRAGMENT.format("sampler2D", "texture(image, v.xy) * 255.0"), VERTEX_310)
    quad(r, -0.91, -0.83, 0.79, 0.93)


def _draw_stencil(r: Recorder) -> None:
    """Three rectangles that count up what lies under them."""
    use(r)
    r.glEnable(gl.STENCIL_TEST)
    r.glStencilFunc(gl.ALWAYS, 100, 0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
    quad(r, -0.91, -0.53, 0.79, 0.93)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.INCR)
    for step in (0.2, 0.31, 0.44):
        quad(r, -0.97 + step, -0.87, 0.93 - step, 0.91 - step)
    r.glDisable(gl.STENCIL_TEST)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)


@scene
def stencil_drawn(r: Recorder) -> None:
    name = _bound(r)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH24_STENCIL8, SIZE, SIZE)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.TEXTURE_2D, name, 0)
    r.glClear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
    _draw_stencil(r)
    use(r, FRAGMENT.format("usampler2D", "texture(image, v.xy).xxx * 2u, 255.0"), VERTEX_310)
    quad(r, -1, -1, 1, 1)
    # Drawn on top of what was uploaded.
    word = np.full((1, 1), 0x80000040, np.uint32)
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 30, 30, 1, 1, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8, word)
    quad(r, -0.3, -0.3, 0.4, 0.4)


def stencil_of_samples(r: Recorder) -> None:
    target, name = gl.TEXTURE_2D_MULTISAMPLE, r.glGenTextures(1)[0]
    r.glBindTexture(target, name)
    r.glTexParameteri(target, gl.DEPTH_STENCIL_TEXTURE_MODE, gl.STENCIL_INDEX)
    r.glTexStorage2DMultisample(target, 4, gl.DEPTH24_STENCIL8, SIZE, SIZE, 1)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, target, name, 0)
    r.glClear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
    _draw_stencil(r)
    place = "ivec2(v.xy * 64.0)"
    sums = " + ".join(f"texelFetch(image, {place}, {i}).xxx * {i + 1}u" for i in range(4))
    use(r, FRAGMENT.format("usampler2DMS", f"({sums}) / 5u, 255.0"), VERTEX_310)
    quad(r, -1, -1, 1, 1)
    r.glBindTexture(target, 0)


SEVERAL["stencil_of_samples"] = stencil_of_samples
