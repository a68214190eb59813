"""Small scenes of textures with several samples that shaders fetch from, and of the sample mask."""

from __future__ import annotations

from collections.abc import Callable

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import VERTEX, quad, use
from .multisample_scenes import DRAWS, SIZE

SCENES: dict[str, Callable[[Recorder], None]] = {}
VERTEX_310 = VERTEX.replace("300 es", "310 es")
FETCH = """#version 310 es
precision highp float; precision highp int;
in vec4 v; uniform highp {0}sampler2DMS image; out vec4 color;
void main() {{
    ivec2 size = textureSize(image), at = ivec2(v.xy * vec2(size));
    color = {1};
}}"""
INTEGERS = """#version 310 es
precision highp int; precision highp float; in vec4 v; layout(location = 0) out {0}vec4 color;
void main() {{ color = {0}vec4(v * 100.0); }}"""
EACH = " + ".join(f"vec4(texelFetch(image, at, {i})) * {scale}" for i, scale in enumerate((0.4, 0.3, 0.15, 0.1)))
"""Every sample, by a share of its own."""


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def _texture(r: Recorder, point: int, kind: int) -> int:
    """A texture, attached to the bound framebuffer."""
    name: int = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D_MULTISAMPLE, name)
    r.glTexStorage2DMultisample(gl.TEXTURE_2D_MULTISAMPLE, 4, kind, SIZE, SIZE, 1)
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D_MULTISAMPLE, name, 0)
    return name


def _drawn(r: Recorder, draw: Callable[[Recorder], None], kind: int = gl.RGBA8, prefix: str = "") -> tuple[int, int]:
    """Draw into a colour and a depth texture."""
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    textures = _texture(r, gl.COLOR_ATTACHMENT0, kind), _texture(r, gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24)
    if prefix == "i":
        r.glClearBufferiv(gl.COLOR, 0, [10, 20, 30, 100])
    elif prefix == "u":
        r.glClearBufferuiv(gl.COLOR, 0, [10, 20, 30, 100])
    else:
        r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
    r.glClearBufferfv(gl.DEPTH, 0, [1.0])
    if prefix:
        use(r, INTEGERS.format(prefix), VERTEX_310)
    else:
        use(r)
    draw(r)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    return textures


def _show(r: Recorder, texture: int, prefix: str = "", result: str = EACH) -> None:
    """Fill the window with what a shader fetches."""
    r.glBindTexture(gl.TEXTURE_2D_MULTISAMPLE, texture)
    use(r, FETCH.format(prefix, f"({result}) * {0.01 if prefix else 1.0}"), VERTEX_310)
    quad(r, -1, -1, 1, 1)
    r.glBindTexture(gl.TEXTURE_2D_MULTISAMPLE, 0)


def _fetched(name: str, kind: int = gl.RGBA8, prefix: str = "", depth: bool = False) -> Callable[[Recorder], None]:
    return lambda r: _show(r, _drawn(r, DRAWS[name], kind, prefix)[depth], prefix)


for _name in ("edges", "blended_edges", "alpha_to_coverage", "sample_coverage"):
    SCENES[f"fetched_{_name}"] = _fetched(_name)
SCENES["fetched_depths"] = _fetched("intersections", depth=True)
SCENES["fetched_floats"] = _fetched("edges", gl.RGBA16F)
SCENES["fetched_srgb"] = _fetched("edges", gl.SRGB8_ALPHA8)
SCENES["fetched_one_channel"] = _fetched("edges", gl.R8)
SCENES["fetched_integers"] = _fetched("edges", gl.RGBA8I, "i")
SCENES["fetched_unsigned_integers"] = _fetched("edges", gl.RGBA16UI, "u")


@scene
def fetched_swizzled(r: Recorder) -> None:
    color, _ = _drawn(r, DRAWS["edges"])
    r.glBindTexture(gl.TEXTURE_2D_MULTISAMPLE, color)
    for number, channel in enumerate((0x1905, 1, 0x1903, 0)):
        r.glTexParameteri(gl.TEXTURE_2D_MULTISAMPLE, gl.TEXTURE_SWIZZLE_R + number, channel)
    _show(r, color)


@scene
def sizes(r: Recorder) -> None:
    color, _ = _drawn(r, DRAWS["edges"])
    _show(r, color, result="vec4(vec2(size) / 100.0, 0.5, 1.0)")


@scene
def fetched_in_vertices(r: Recorder) -> None:
    """The colour of each corner is a sample's."""
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    _texture(r, gl.COLOR_ATTACHMENT0, gl.RGBA8)
    r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
    use(r)
    DRAWS["edges"](r)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    vertex = VERTEX_310.replace("out vec4 v;", "out vec4 v; uniform highp sampler2DMS image;").replace(
        "v = value", "v = texelFetch(image, ivec2(value.xy * 63.0) / 3, gl_VertexID)"
    )
    use(r, "#version 310 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v; }", vertex)
    quad(r, -1, -1, 1, 1)


def masked(r: Recorder) -> None:
    """Sample masks, alone and with coverage."""
    r.glEnable(gl.SAMPLE_MASK)
    r.glEnable(gl.SAMPLE_COVERAGE)
    for i, (mask, value) in enumerate(((0x0, 1.0), (0x1, 1.0), (0xFFFFFFF6, 1.0), (0xF, 0.5), (0xC, 0.75))):
        r.glSampleMaski(0, mask)
        r.glSampleCoverage(value, False)
        x = -0.95 + 0.38 * i
        quad(r, x, -0.83, x + 0.33, 0.93, corners=[(0.1, 1, 0.3, 1)] * 4)
    r.glSampleCoverage(1.0, False)
    r.glSampleMaski(0, 0xFFFFFFFF)
    r.glDisable(gl.SAMPLE_COVERAGE)
    r.glDisable(gl.SAMPLE_MASK)


@scene
def fetched_masked(r: Recorder) -> None:
    _show(r, _drawn(r, masked)[0])


@scene
def masked_without_samples(r: Recorder) -> None:
    """The mask counts for framebuffers of several samples only."""
    r.glEnable(gl.SAMPLE_MASK)
    r.glSampleMaski(0, 0)
    use(r)
    quad(r, -0.8, -0.7, 0.6, 0.9)
    r.glSampleMaski(0, 0xFFFFFFFF)
    r.glDisable(gl.SAMPLE_MASK)


@scene
def resolved_texture(r: Recorder) -> None:
    """A texture is blitted as a renderbuffer is."""
    framebuffer = r.glGenFramebuffers(1)[0]
    r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    _texture(r, gl.COLOR_ATTACHMENT0, gl.RGBA8)
    r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
    use(r)
    DRAWS["edges"](r)
    r.glBindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer)
    r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
    r.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
