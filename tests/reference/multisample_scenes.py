"""Small scenes with several samples per pixel, drawn with the recorder."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import TEXTURE, VERTEX, buffer, filters, quad, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
DRAWS: dict[str, Callable[[Recorder], None]] = {}
"""The same, drawn straight into what is bound."""
SIZE = 64
SHADOW = """#version 300 es
precision highp float; precision highp sampler2DShadow;
in vec4 v; uniform sampler2DShadow image; out vec4 color;
void main() { color = vec4(textureLod(image, vec3(v.xy, 0.5), v.x * 2.0), v.xy, 1.0); }"""


def in_framebuffer(
    draw: Callable[[Recorder], None], color: int = gl.RGBA8, depth: int = gl.DEPTH24_STENCIL8, samples: int = 4
) -> Callable[[Recorder], None]:
    """Draw into a framebuffer of some formats and samples, and blit it into the window."""

    def function(r: Recorder) -> None:
        use(r)
        framebuffer = r.glGenFramebuffers(1)[0]
        r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        planes = gl.DEPTH_STENCIL_ATTACHMENT if depth == gl.DEPTH24_STENCIL8 else gl.DEPTH_ATTACHMENT
        for point, kind in ((gl.COLOR_ATTACHMENT0, color), (planes, depth)):
            name = r.glGenRenderbuffers(1)[0]
            r.glBindRenderbuffer(gl.RENDERBUFFER, name)
            r.glRenderbufferStorageMultisample(gl.RENDERBUFFER, samples, kind, SIZE, SIZE)
            r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, name)
        r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
        r.glClearBufferfi(0x84F9, 0, 1.0, 0)
        draw(r)
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer)
        r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
        r.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)

    return function


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    DRAWS[function.__name__] = function
    SCENES[function.__name__] = in_framebuffer(function)
    return function


@scene
def edges(r: Recorder) -> None:
    quad(r, -0.91, -0.53, 0.79, 0.93, corners=[(1, 0, 0, 1)] * 4)
    quad(r, -0.31, -0.83, 0.33, 0.21, corners=[(0, 1, 0.5, 1)] * 4)


@scene
def intersections(r: Recorder) -> None:
    r.glEnable(gl.DEPTH_TEST)
    for i, corners in enumerate(((-0.9, -0.8, 0.7, 0.9), (-0.6, -0.95, 0.95, 0.6))):
        quad(r, *corners, 0.3 * i, [(1 - i, i, 0.2, 1)] * 4)
    r.glDisable(gl.DEPTH_TEST)


@scene
def blended_edges(r: Recorder) -> None:
    quad(r, -0.9, -0.8, 0.7, 0.9, corners=[(0.2, 0.3, 0.9, 1)] * 4)
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    quad(r, -0.47, -0.93, 0.53, 0.41, corners=[(1, 0.8, 0.1, 0.4)] * 4)
    r.glDisable(gl.BLEND)


@scene
def alpha_to_coverage(r: Recorder) -> None:
    r.glEnable(gl.SAMPLE_ALPHA_TO_COVERAGE)
    for i, alpha in enumerate((0.05, 0.3, 0.55, 0.8, 1.0)):
        x = -0.95 + 0.38 * i
        quad(r, x, -0.83, x + 0.33, 0.93, corners=[(1, 0.2, 0.1, alpha)] * 4)
    r.glDisable(gl.SAMPLE_ALPHA_TO_COVERAGE)


@scene
def sample_coverage(r: Recorder) -> None:
    r.glEnable(gl.SAMPLE_COVERAGE)
    for i, (value, invert) in enumerate(((0.0, False), (0.25, False), (0.5, False), (0.75, True), (1.0, False))):
        r.glSampleCoverage(value, invert)
        x = -0.95 + 0.38 * i
        quad(r, x, -0.83, x + 0.33, 0.93, corners=[(0.1, 1, 0.3, 1)] * 4)
    r.glSampleCoverage(1.0, False)
    r.glDisable(gl.SAMPLE_COVERAGE)


@scene
def sample_coverage_rounded_down(r: Recorder) -> None:
    r.glEnable(gl.SAMPLE_COVERAGE)
    for i, (value, invert) in enumerate(((0.2, False), (0.4, False), (0.7, True), (0.9, False), (0.99, True))):
        r.glSampleCoverage(value, invert)
        x = -0.95 + 0.38 * i
        quad(r, x, -0.83, x + 0.33, 0.93, corners=[(0.1, 1, 0.3, 1)] * 4)
    r.glSampleCoverage(1.0, False)
    r.glDisable(gl.SAMPLE_COVERAGE)


@scene
def shadow_between_levels(r: Recorder) -> None:
    """Comparison in two levels; softpipe reads one only."""
    program = r.program(VERTEX, SHADOW)
    r.glUseProgram(program)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
    for level, size in enumerate((4, 2, 1)):
        depths = np.random.default_rng(level).integers(0, 1 << 16, (size, size), "u2")
        r.glTexImage2D(
            gl.TEXTURE_2D, level, gl.DEPTH_COMPONENT16, size, size, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, depths
        )
    for name, value in ((gl.TEXTURE_MIN_FILTER, 0x2703), (gl.TEXTURE_MAG_FILTER, gl.LINEAR), (0x884C, 0x884E)):
        r.glTexParameteri(gl.TEXTURE_2D, name, value)
    quad(r, -0.91, -0.83, 0.79, 0.93)
    use(r)


@scene
def stencil_of_samples(r: Recorder) -> None:
    r.glEnable(gl.STENCIL_TEST)
    r.glStencilFunc(gl.ALWAYS, 1, 0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
    quad(r, -0.47, -0.83, 0.61, 0.37, corners=[(0.2, 0.2, 0.9, 1)] * 4)
    r.glStencilFunc(gl.NOTEQUAL, 1, 0xFF)
    quad(r, -0.91, -0.53, 0.33, 0.93, corners=[(1, 0.9, 0.1, 1)] * 4)
    r.glDisable(gl.STENCIL_TEST)


def close_planes(r: Recorder) -> None:
    """Planes that cross at so small an angle that the depth format shows."""
    r.glEnable(gl.DEPTH_TEST)
    for i, (left, right) in enumerate(((0.5, 0.5004), (0.5003, 0.5001))):
        corners = [(0.2 + 0.7 * i, 0.9 - 0.6 * i, 0.3, 1)] * 4
        places = np.array(
            [(-0.9, -0.83, left, 1), (0.87, -0.83, right, 1), (-0.9, 0.9, left, 1), (0.87, 0.9, right, 1)]
        )
        buffer(r, gl.ARRAY_BUFFER, np.concatenate([places, np.array(corners)], 1).astype(np.float32))
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
        r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glDisable(gl.DEPTH_TEST)


def srgb_edges(r: Recorder) -> None:
    """Samples of sRGB colours are averaged in linear light."""
    use(r)
    framebuffers = r.glGenFramebuffers(2)
    r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffers[0])
    samples = r.glGenRenderbuffers(1)[0]
    r.glBindRenderbuffer(gl.RENDERBUFFER, samples)
    r.glRenderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.SRGB8_ALPHA8, SIZE, SIZE)
    r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, samples)
    r.glClearBufferfv(gl.COLOR, 0, [0.02, 0.05, 0.1, 1.0])
    edges(r)
    r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffers[1])
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.SRGB8_ALPHA8, SIZE, SIZE)
    filters(r, gl.TEXTURE_2D)
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glBindFramebuffer(gl.READ_FRAMEBUFFER, framebuffers[0])
    r.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    use(r, TEXTURE)
    quad(r, -1, -1, 1, 1)


SCENES["srgb_edges"] = srgb_edges
