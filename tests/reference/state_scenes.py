"""Small scenes of states that few programs combine; random states found faults in most of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import TEXTURE, filters, quad, random, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
HEAD = "#version 300 es\nprecision highp float; precision highp int; in vec4 v; out vec4 color;"
SHADOW = f"{HEAD} uniform highp sampler2DShadow image; void main() {{ color = vec4(texture(image, vec3(v.xy, 0.5)), 0, 0, 1); }}"


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


@scene
def swizzled_comparison(r: Recorder) -> None:
    """The outcome of a depth comparison is a red channel: green is 0, alpha is 1."""
    use(r, SHADOW)
    depths = np.random.default_rng(7).integers(0, 1 << 32, (8, 8), np.uint32)
    for i, channel in enumerate((0x1903, 0x1904, 0x1906)):
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, 0x81A6, 8, 8, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, depths)
        filters(r, gl.TEXTURE_2D)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_SWIZZLE_R, channel)
        quad(r, -0.93 + 0.64 * i, -0.83, -0.39 + 0.64 * i, 0.93)


@scene
def levels_of_immutable_storage(r: Recorder) -> None:
    """Levels are limited to those that exist, so a texture of one level of many is complete."""
    use(r, TEXTURE)
    for i, (levels, base, top) in enumerate(((1, 0, 1000), (2, 1, 5), (2, 7, 9))):
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexStorage2D(gl.TEXTURE_2D, levels, gl.RGBA8, 16, 16)
        for level in range(levels):
            texels = random(40 + level, 16 >> level, 16 >> level, 4)
            r.glTexSubImage2D(gl.TEXTURE_2D, level, 0, 0, *texels.shape[:2], gl.RGBA, gl.UNSIGNED_BYTE, texels)
        filters(r, gl.TEXTURE_2D, gl.NEAREST_MIPMAP_NEAREST)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, base)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, top)
        quad(r, -0.93 + 0.64 * i, -0.83, -0.39 + 0.64 * i, 0.93)


@scene
def floats_of_few_bits(r: Recorder) -> None:
    """Negative and exact values do not survive in R11F_G11F_B10F, RGB9_E5 and halves: uploaded, cleared, drawn."""
    values = np.random.default_rng(3).uniform(-1, 2, (16, 16, 3)).astype(np.float32)
    use(
        r, f"{HEAD} uniform sampler2D image; void main() {{ color = fract(texture(image, v.xy) * 13.0) * 0.5 + 0.25; }}"
    )
    for i, internal in enumerate((gl.R11F_G11F_B10F, gl.RGB9_E5)):
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, internal, 16, 16, 0, gl.RGB, gl.FLOAT, values)
        filters(r, gl.TEXTURE_2D)
        quad(r, -0.93 + 0.64 * i, -0.83, -0.39 + 0.64 * i, 0.93)
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.R11F_G11F_B10F, 16, 16)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glClearBufferfv(gl.COLOR, 0, [-0.5, 0.7, 0.3, 1.0])
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    quad(r, 0.35, -0.83, 0.89, 0.93)


@scene
def halves(r: Recorder) -> None:
    """Colours cleared and drawn to halves, which Mesa cuts off towards zero; the last bit is made visible."""
    texture = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, texture)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA16F, 16, 16)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    r.glViewport(0, 0, 16, 16)
    r.glClearBufferfv(gl.COLOR, 0, [1 + 1.9 / 1024, 1 + 2.1 / 1024, 1 + 3.5 / 1024, 1.0])
    use(r, f"{HEAD} void main() {{ color = vec4(1.0 + floor(v.xyx * 16.0) / 4096.0, 1.0); }}")
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    use(r, f"{HEAD} uniform sampler2D image; void main() {{ color = (texture(image, v.xy) - 1.0) * 192.0; }}")
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def integers_out_of_range(r: Recorder) -> None:
    """Clears and draws of integers that a narrow format cannot hold give its limits."""
    texture = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, texture)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, 0x8D8E, 16, 16)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    r.glViewport(0, 0, 16, 16)
    r.glClearBufferiv(gl.COLOR, 0, [-1000, 100, 300, 1])
    use(r, HEAD.replace("vec4 color", "highp ivec4 color") + " void main() { color = ivec4(v * 1000.0) - 500; }")
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    use(
        r, f"{HEAD} uniform highp isampler2D image; void main() {{ color = vec4(texture(image, v.xy)) / 300.0 + 0.5; }}"
    )
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def copies_to_red(r: Recorder) -> None:
    """glCopyTexImage2D to the unsized formats of EXT_texture_rg."""
    use(r)
    quad(r, -0.97, -0.93, -0.03, 0.93)
    use(r, TEXTURE)
    for i, internal in enumerate((gl.RED, gl.RG)):
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glCopyTexImage2D(gl.TEXTURE_2D, 0, internal, 4, 4, 24, 24, 0)
        filters(r, gl.TEXTURE_2D)
        quad(r, 0.03, -0.93 + 0.9 * i, 0.93, -0.1 + 0.9 * i)


@scene
def blending_of_ten_bits(r: Recorder) -> None:
    """Colours are limited to 0…1 before they are blended with a normalized target, whatever its bits."""
    use(r)
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGB10_A2, 32, 32)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glViewport(0, 0, 32, 32)
    r.glClearBufferfv(gl.COLOR, 0, [0.5, 0.5, 0.5, 1.0])
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.CONSTANT_COLOR, gl.ONE)
    r.glBlendColor(0.2, 0.3, 0.4, 0.5)
    quad(r, -0.81, -0.73, 0.69, 0.83, corners=[(-2, 0, 2, 1), (2, 0, 0, 1), (0, 2, -1, 1), (1, 2, 2, 1)])
    r.glDisable(gl.BLEND)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    use(r, TEXTURE)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def ten_bits_to_five(r: Recorder) -> None:
    """Pixels of ten bits become RGB5_A1 by way of eight bits."""
    use(r, TEXTURE)
    levels = np.arange(1024, dtype=np.uint32).reshape(32, 32)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    words = levels | levels << 10 | levels << 20 | np.uint32(3 << 30)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGB5_A1, 32, 32, 0, gl.RGBA, gl.UNSIGNED_INT_2_10_10_10_REV, words)
    filters(r, gl.TEXTURE_2D)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def mipmaps_of_odd_volumes(r: Recorder) -> None:
    """Seven slices become three by filtering, and texels of few bits are rounded once."""
    lookup = "textureLod(image, vec3(v.xy, v.x * 0.7 + 0.1), 1.0)"
    use(r, f"{HEAD} uniform highp sampler3D image; void main() {{ color = {lookup}; }}")
    for i, (internal, depth) in enumerate(((gl.RGBA8, 7), (gl.RGBA4, 4))):
        r.glBindTexture(gl.TEXTURE_3D, r.glGenTextures(1)[0])
        r.glTexStorage3D(gl.TEXTURE_3D, 2, internal, 8, 8, depth)
        texels = random(9, depth, 8, 8, 4)
        r.glTexSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, 8, 8, depth, gl.RGBA, gl.UNSIGNED_BYTE, texels)
        r.glGenerateMipmap(gl.TEXTURE_3D)
        filters(r, gl.TEXTURE_3D, gl.NEAREST_MIPMAP_NEAREST)
        quad(r, -0.91 + i, -0.83, -0.11 + i, 0.93)


@scene
def border_of_float_alpha(r: Recorder) -> None:
    """The border colour of an alpha texture of floats is black, too."""
    lookup = "texture(image, v.xy * 2.0 - 0.5)"
    use(
        r, f"{HEAD} uniform sampler2D image; void main() {{ vec4 t = {lookup}; color = vec4(t.rgb + t.a * 0.5, 1.0); }}"
    )
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    alphas = np.random.default_rng(5).random((8, 8), np.float32)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.ALPHA, 8, 8, 0, gl.ALPHA, gl.FLOAT, alphas)
    filters(r, gl.TEXTURE_2D)
    for wrap in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T):
        r.glTexParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_BORDER)
    r.glTexParameterfv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, [0.9, 0.2, 0.4, 0.6])
    quad(r, -0.91, -0.83, 0.79, 0.93)
