"""Small scenes of sRGB framebuffers: conversions on and off (EXT_sRGB_write_control), and blits to and from them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import COLOR, TEXTURE, filters, quad, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
SIDE = 32


def _target(r: Recorder, internal: int) -> tuple[int, int]:
    """A texture of a format, in a framebuffer object that is bound."""
    texture, framebuffer = r.glGenTextures(1)[0], r.glGenFramebuffers(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, texture)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, internal, SIDE, SIDE)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    return texture, framebuffer


def _draw(r: Recorder) -> None:
    """A clear, opaque and blended colours."""
    r.glViewport(0, 0, SIDE, SIDE)
    r.glClear(gl.COLOR_BUFFER_BIT)
    use(r, COLOR)
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    quad(r, -0.41, -0.33, 0.89, 0.93, corners=[(0.2, 0.9, 0.4, 0.5)] * 4)
    r.glDisable(gl.BLEND)


def _show(r: Recorder, texture: int) -> None:
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    r.glBindTexture(gl.TEXTURE_2D, texture)
    use(r, TEXTURE)
    quad(r, -0.91, -0.83, 0.79, 0.93)


def srgb_writes_off(r: Recorder) -> None:
    texture, _ = _target(r, 0x8C43)
    r.glDisable(gl.FRAMEBUFFER_SRGB)
    _draw(r)
    r.glEnable(gl.FRAMEBUFFER_SRGB)
    _show(r, texture)


def srgb_writes_change(r: Recorder) -> None:
    """Off, and on again between two draws of the same state."""
    texture, _ = _target(r, 0x8C43)
    r.glViewport(0, 0, SIDE, SIDE)
    r.glClear(gl.COLOR_BUFFER_BIT)
    use(r, COLOR)
    for i, switch in enumerate((r.glDisable, r.glEnable, r.glDisable, r.glEnable)):
        switch(gl.FRAMEBUFFER_SRGB)
        quad(r, -0.93, 0.47 * i - 0.91, 0.91, 0.47 * i - 0.51)
    _show(r, texture)


SCENES |= {f.__name__: f for f in (srgb_writes_off, srgb_writes_change)}


def _blit(source: int, goal: int, filtering: int, encodes: bool) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        _, first = _target(r, source)
        _draw(r)
        texture, second = _target(r, goal)
        r.glClear(gl.COLOR_BUFFER_BIT)
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, first)
        r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, second)
        (r.glEnable if encodes else r.glDisable)(gl.FRAMEBUFFER_SRGB)
        r.glBlitFramebuffer(0, 0, SIDE, SIDE, 2, 3, SIDE - 1, SIDE - 2, gl.COLOR_BUFFER_BIT, filtering)
        r.glEnable(gl.FRAMEBUFFER_SRGB)
        _show(r, texture)

    return function


for _name, (_source, _goal) in {
    "srgb_to_linear": (0x8C43, gl.RGBA8),
    "linear_to_srgb": (gl.RGBA8, 0x8C43),
    "srgb_to_srgb": (0x8C43, 0x8C43),
}.items():
    for _encodes in (True, False):
        for _filter, _word in ((gl.NEAREST, "nearest"), (gl.LINEAR, "filtered")):
            SCENES[f"blit_{_name}_{_word}{'' if _encodes else '_raw'}"] = _blit(_source, _goal, _filter, _encodes)


def srgb_mipmaps(r: Recorder) -> None:
    """Levels of a cube map in sRGB, whose means are taken in linear light."""
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; uniform samplerCube image; out vec4 color;"
        "void main() { color = textureLod(image, vec3(v.xy * 2.0 - 1.0, 1.0), v.y * 2.9); }",
    )
    r.glBindTexture(gl.TEXTURE_CUBE_MAP, r.glGenTextures(1)[0])
    for face in range(6):
        texels = np.random.default_rng(face).integers(0, 256, (8, 8, 4), np.uint8)
        r.glTexImage2D(0x8515 + face, 0, 0x8C43, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    r.glGenerateMipmap(gl.TEXTURE_CUBE_MAP)
    filters(r, gl.TEXTURE_CUBE_MAP, gl.NEAREST_MIPMAP_NEAREST, gl.NEAREST)
    quad(r, -0.91, -0.83, 0.79, 0.93)


SCENES["srgb_mipmaps"] = srgb_mipmaps
EXTENSIONS = {"GL_EXT_sRGB_write_control": "srgb_writes_off"}
"""Scene of each extension among them."""
