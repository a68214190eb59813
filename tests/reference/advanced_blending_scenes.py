"""Small scenes of advanced blend equations (KHR_blend_equation_advanced)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.opengl.enums import ADVANCED_EQUATIONS

from .es3_scenes import VERTEX, filters, quad, random, use

VERTEX_310 = VERTEX.replace("300 es", "310 es")
FRAGMENT = """#version 310 es
#extension GL_KHR_blend_equation_advanced : require
precision highp float;
in vec4 v; uniform sampler2D image; layout({0}) out; layout(location = 0) out vec4 color;
void main() {{ color = texture(image, v.xy); }}"""
TEXELS = 16


def _texture(r: Recorder, seed: int) -> int:
    """Colours multiplied by their alpha, with many that are 0 or 1."""
    name: int = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    filters(r, gl.TEXTURE_2D)
    generator = np.random.default_rng(seed)
    extremes = generator.choice([0, 255], (TEXELS, TEXELS, 4))
    texels = np.where(generator.random((TEXELS, TEXELS, 4)) < 0.3, extremes, random(seed, TEXELS, TEXELS, 4))
    texels[..., :3] = np.rint(texels[..., :3] * (texels[..., 3:] / 255))
    data = np.ascontiguousarray(texels.astype(np.uint8))
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, TEXELS, TEXELS, 0, gl.RGBA, gl.UNSIGNED_BYTE, data)
    return name


def _blend(r: Recorder, equation: int, declared: str, kind: int = gl.RGBA8) -> None:
    """Draw one texture over another one, into a texture of a format that is drawn at last."""
    first, second = _texture(r, 1), _texture(r, 2)
    target, framebuffer = r.glGenTextures(1)[0], r.glGenFramebuffers(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, target)
    filters(r, gl.TEXTURE_2D)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, kind, TEXELS, TEXELS)
    r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0)
    r.glViewport(0, 0, TEXELS, TEXELS)
    use(r, FRAGMENT.format(declared), VERTEX_310)
    r.glBindTexture(gl.TEXTURE_2D, first)
    quad(r, -1, -1, 1, 1)
    r.glBlendBarrierKHR()
    r.glEnable(gl.BLEND)
    r.glBlendEquation(equation)
    r.glBindTexture(gl.TEXTURE_2D, second)
    quad(r, -1, -1, 0.8, 0.9)
    r.glDisable(gl.BLEND)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    r.glBindTexture(gl.TEXTURE_2D, target)
    quad(r, -1, -1, 1, 1)
    r.glDeleteFramebuffers(1, [framebuffer])


def _of(name: str, kind: int) -> Callable[[Recorder], None]:
    return partial(_blend, equation=ADVANCED_EQUATIONS[name], declared=f"blend_support_{name.lower()}", kind=kind)


SCENES: dict[str, Callable[[Recorder], None]] = {
    **{f"blend_{name.lower()}": _of(name, gl.RGBA8) for name in ADVANCED_EQUATIONS},
    "blend_advanced_without_alpha": _of("SOFTLIGHT", gl.RGB8),
    "blend_advanced_10_bits": _of("HSL_COLOR", gl.RGB10_A2),
    "blend_advanced_float": _of("COLORDODGE", gl.RGBA16F),
    "blend_advanced_all": partial(
        _blend, equation=ADVANCED_EQUATIONS["OVERLAY"], declared="blend_support_all_equations"
    ),
}
EXTENSIONS = {
    "GL_KHR_blend_equation_advanced": "blend_multiply",
    "GL_KHR_blend_equation_advanced_coherent": "blend_advanced_all",
}
"""Scene of each extension among them."""
