"""A scene per extension that is advertised: it draws with what the extension adds to ES 2.0."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .scenes import COLOR, SIZE, TEXTURE, VERTEX, draw, quad, texture, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
CORNERS = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)]
COLORS = [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 0, 1)]
PLACES = [(-0.81, -0.73, 0, 1), (0.87, -0.53, 0, 1), (-0.63, 0.81, 0, 1), (0.71, 0.93, 0, 1)]


def scene(name: str) -> Callable[[Callable[[Recorder], None]], Callable[[Recorder], None]]:
    """Register a scene under an extension's name."""

    def register(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
        SCENES[name] = function
        return function

    return register


def picture(r: Recorder) -> None:
    """The texture that is bound, over most of the window."""
    for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
        r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    for name in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T):
        r.glTexParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE)
    use(r, TEXTURE)
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, CORNERS)


def bound(r: Recorder) -> int:
    """A new texture."""
    name: int = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    return name


def bytes_of(seed: int, count: int) -> np.ndarray:
    """Random bytes."""
    return np.random.default_rng(seed).integers(0, 256, count, np.uint8)


@scene("GL_EXT_color_buffer_float")
def color_buffer_float(r: Recorder) -> None:
    """Half floats keep what is beyond 0 to 1."""
    name = bound(r)
    r.glTexImage2D(gl.TEXTURE_2D, 0, 0x881A, 32, 32, 0, gl.RGBA, gl.HALF_FLOAT, None)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glViewport(0, 0, 32, 32)
    use(r)
    quad(r, -1, -1, 1, 1, 0.0, [(-2, 0, 4, 1), (3, 0, 0, 1), (0, 2, -1, 1), (2, 2, 2, 1)])
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, SIZE, SIZE)
    for parameter in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
        r.glTexParameteri(gl.TEXTURE_2D, parameter, gl.NEAREST)
    use(r, TEXTURE.replace("texture2D(image, v.xy)", "texture2D(image, v.xy) * 0.25 + 0.3"))
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, CORNERS)


@scene("GL_EXT_debug_label")
def debug_label(r: Recorder) -> None:
    """A label changes nothing."""
    program = use(r)
    r.glLabelObjectEXT(0x8B40, program, 0, "colours")
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, COLORS)


@scene("GL_EXT_debug_marker")
def debug_marker(r: Recorder) -> None:
    """Groups and markers change nothing."""
    use(r)
    r.glPushGroupMarkerEXT(0, "all")
    r.glInsertEventMarkerEXT(0, "now")
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, COLORS)
    r.glPopGroupMarkerEXT()


@scene("GL_KHR_debug")
def debug_groups(r: Recorder) -> None:
    """Nor do these."""
    program = use(r)
    r.glPushDebugGroup(0x824A, 1, -1, "all")
    r.glObjectLabel(0x82E2, program, -1, "colours")
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, COLORS)
    r.glPopDebugGroup()


@scene("GL_EXT_discard_framebuffer")
def discard_framebuffer(r: Recorder) -> None:
    """What is discarded is not looked at again, and the colours stay."""
    use(r)
    r.glEnable(gl.DEPTH_TEST)
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, COLORS)
    r.glDiscardFramebufferEXT(gl.FRAMEBUFFER, 2, [0x1801, 0x1802])
    r.glDisable(gl.DEPTH_TEST)
    quad(r, -0.3, -0.2, 0.4, 0.1, 0.5, (1, 1, 1, 1))


@scene("GL_EXT_occlusion_query_boolean")
def occlusion_query(r: Recorder) -> None:
    """Draws inside a query are draws."""
    use(r)
    r.glBeginQueryEXT(0x8C2F, r.glGenQueriesEXT(1)[0])
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, COLORS)
    r.glEndQueryEXT(0x8C2F)


def compressed(internal: int, side: int, size: int) -> Callable[[Recorder], None]:
    """A scene of one compressed format."""

    def function(r: Recorder) -> None:
        bound(r)
        r.glCompressedTexImage2D(gl.TEXTURE_2D, 0, internal, side, side, 0, size, bytes_of(internal, size).tobytes())
        picture(r)

    return function


SCENES["GL_EXT_texture_compression_dxt1"] = compressed(0x83F0, 16, 128)
SCENES["GL_EXT_texture_compression_s3tc"] = compressed(0x83F3, 16, 256)
SCENES["GL_OES_compressed_ETC1_RGB8_texture"] = compressed(0x8D64, 16, 128)
SCENES["GL_KHR_texture_compression_astc_ldr"] = compressed(0x93B4, 18, 144)


@scene("GL_EXT_texture_filter_anisotropic")
def anisotropic(r: Recorder) -> None:
    """A floor seen at a low angle, with waves along the view: clear with anisotropy, however a driver probes."""
    waves = 128 + 60 * np.sin(2 * np.pi * (np.arange(64)[:, None] / 16 + np.arange(4) / 4))
    texture(r, np.tile(waves.astype(np.uint8), (64, 1, 1)), (gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR), mipmap=True)
    r.glTexParameterf(gl.TEXTURE_2D, gl.TEXTURE_MAX_ANISOTROPY, 8.0)
    use(r, TEXTURE)
    floor = [(-0.9, -0.9, 0, 1), (0.9, -0.9, 0, 1), (-1.8, 1.8, 0, 2), (1.8, 1.8, 0, 2)]
    draw(r, gl.TRIANGLE_STRIP, floor, [(0, 0, 0, 0), (0.5, 0, 0, 0), (0, 3, 0, 0), (0.5, 3, 0, 0)])


@scene("GL_OES_element_index_uint")
def wide_indices(r: Recorder) -> None:
    """Indices of 32 bits."""
    use(r)
    data = np.concatenate([np.array(PLACES, np.float32), np.array(COLORS, np.float32)], 1)
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, 0x88E4)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    indices = np.array([0, 1, 2, 2, 1, 3], np.uint32)
    r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, 0x88E4)
    r.glDrawElements(gl.TRIANGLES, 6, gl.UNSIGNED_INT, 0)


@scene("GL_OES_mapbuffer")
def mapped_buffer(r: Recorder) -> None:
    """Vertices written through a mapping."""
    use(r)
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, 128, None, 0x88E4)
    address = r.glMapBufferOES(gl.ARRAY_BUFFER, 0x88B9)
    r.write_mapped(address, np.concatenate([np.array(PLACES, np.float32), np.array(COLORS, np.float32)]))
    r.glUnmapBufferOES(gl.ARRAY_BUFFER)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 16, 64 * location)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)


@scene("GL_OES_standard_derivatives")
def derivatives(r: Recorder) -> None:
    """In GLSL ES 1.00."""
    extension = "#extension GL_OES_standard_derivatives : require\n"
    body = "gl_FragColor = vec4(abs(dFdx(v.xy)) * 20.0, fwidth(v.x * v.y) * 10.0, 1.0);"
    use(r, f"{extension}precision highp float; varying vec4 v; void main() {{ {body} }}")
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, CORNERS)


def volume(r: Recorder) -> None:
    """A volume of 4x4x4 texels, with mipmaps."""
    r.glBindTexture(gl.TEXTURE_3D, r.glGenTextures(1)[0])
    for level, side in enumerate((4, 2, 1)):
        texels = bytes_of(level, side**3 * 4)
        r.glTexImage3DOES(gl.TEXTURE_3D, level, gl.RGBA, side, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    r.glTexParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
    r.glTexParameteri(gl.TEXTURE_3D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    for name in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, 0x8072):
        r.glTexParameteri(gl.TEXTURE_3D, name, gl.CLAMP_TO_EDGE)


@scene("GL_OES_texture_3D")
def texture_3d(r: Recorder) -> None:
    """sampler3D in GLSL ES 1.00: plain, projected, with bias; with a level in the vertex shader."""
    extension = "#extension GL_OES_texture_3D : enable\n"
    head = f"{extension}precision highp float; precision lowp sampler3D; varying vec4 v; uniform sampler3D image;"
    volume(r)
    corners = [(0.01, 0.02, 0.1, 0), (0.99, 0.02, 0.3, 0), (0.01, 0.98, 0.6, 0), (0.99, 0.98, 0.9, 0)]
    for i, lookup in enumerate(
        (
            "texture3D(image, v.xyz)",
            "texture3DProj(image, vec4(v.xyz * 2.0, 2.0))",
            "texture3D(image, v.xyz, 1.0)",
            "texture3DProj(image, vec4(v.xyz * 0.5, 0.5), 2.0)",
        )
    ):
        use(r, f"{head} void main() {{ gl_FragColor = {lookup}; }}")
        x, y = -0.93 + i % 2 * 0.95, -0.93 + i // 2 * 0.65
        quad(r, x, y, x + 0.85, y + 0.55, 0.0, corners)
    lookup = "texture3DLod(image, value.xyz, 1.0) + texture3DProjLod(image, vec4(value.xyz, 1.0), 2.0) * 0.5"
    vertex = VERTEX.replace("v = value;", f"v = {lookup};").replace(
        "uniform", "uniform lowp sampler3D image; uniform", 1
    )
    use(r, COLOR, extension + vertex)
    quad(r, -0.93, 0.4, 0.9, 0.9, 0.0, corners)


def floats(kind: int, dtype: type) -> Callable[[Recorder], None]:
    """A scene of texels of this type."""

    def function(r: Recorder) -> None:
        bound(r)
        texels = np.random.default_rng(kind).uniform(-1, 2, (8, 8, 4)).astype(dtype)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, kind, texels)
        picture(r)

    return function


SCENES["GL_OES_texture_float"] = floats(gl.FLOAT, np.float32)
SCENES["GL_OES_texture_half_float"] = floats(gl.HALF_FLOAT_OES, np.float16)


STRAIGHT_VERTEX = """#version 300 es
#extension GL_NV_shader_noperspective_interpolation : require
layout(location = 0) in vec4 position; layout(location = 1) in vec4 value;
noperspective out vec2 straight[2]; out vec2 correct; flat out vec2 last;
void main() {
    straight[0] = value.xy; straight[1] = value.yz; correct = value.xy; last = value.zw; gl_Position = position;
}
"""
STRAIGHT_FRAGMENT = """#version 300 es
#extension GL_NV_shader_noperspective_interpolation : require
precision highp float;
noperspective in vec2 straight[2]; in vec2 correct; flat in vec2 last; out vec4 color;
void main() { color = vec4(straight[0].x, 0.5 * correct.y + 0.5 * straight[1].y, straight[1].x * last.x, 1); }
"""


@scene("GL_NV_shader_noperspective_interpolation")
def without_perspective(r: Recorder) -> None:
    """Triangles in perspective; the near plane and sides cut some of them."""
    use(r, STRAIGHT_FRAGMENT, STRAIGHT_VERTEX)
    values = [(0, 0, 0.3, 1), (1, 0, 0.9, 1), (0, 1, 0.6, 1), (1, 1, 0.8, 1)]
    draw(r, gl.TRIANGLES, [(-0.9, -0.8, 0, 1), (3.2, -2.1, 0, 4), (-0.3, 0.4, 0, 0.5)], values[:3])
    draw(r, gl.TRIANGLES, [(0.4, 0.2, 0, 0.6), (4.9, 1.1, 1, 2), (-1.2, 2.4, 1.5, 3)], values[1:])
    draw(r, gl.TRIANGLES, [(-0.3, -0.9, 0.9, 1.0), (0.9, -0.9, -0.2, 1), (0.1, -0.2, -0.9, 0.3)], values[:3])


@scene("GL_OES_texture_npot")
def odd_sizes(r: Recorder) -> None:
    """Mipmaps and repetition of a texture of 5x7."""
    texture(r, bytes_of(3, 5 * 7 * 4).reshape(7, 5, 4), (gl.NEAREST_MIPMAP_NEAREST, gl.NEAREST), mipmap=True)
    use(r, TEXTURE)
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, [(4 * s - 1, 4 * t - 1, 0, 0) for s, t, _, _ in CORNERS])


@scene("GL_OES_vertex_array_object")
def vertex_arrays(r: Recorder) -> None:
    """Two arrays, drawn in the other order than they were made."""
    use(r)
    arrays = r.glGenVertexArraysOES(2)
    for i, array in enumerate(arrays):
        r.glBindVertexArrayOES(array)
        data = np.concatenate([np.array(PLACES) * (1, 1, 1, 1 + i), np.roll(COLORS, i, 0)], 1).astype(np.float32)
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, 0x88E4)
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    for array in arrays:
        r.glBindVertexArrayOES(array)
        r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glBindVertexArrayOES(0)
