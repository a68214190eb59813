"""Small scenes of states that few programs combine; random states found faults in most of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.gles import enums as gl

from .es3_scenes import filters, quad, use

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
