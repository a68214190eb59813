"""Small scenes of textures beyond the basic ones: compressed, across cube edges, odd sizes, uploads in every manner."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import TEXTURE, buffer, filters, quad, random, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
CUBE = "#version 300 es\nprecision highp float; in vec4 v; uniform samplerCube image; out vec4 color; void main() { color = texture(image, v.xyz); }"
CUBE_SHADOW = "#version 300 es\nprecision highp float; precision highp samplerCubeShadow; in vec4 v; uniform samplerCubeShadow image; out vec4 color; void main() { color = vec4(texture(image, vec4(v.xyz, 0.5))); }"


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def _compressed(internal: int, block_bytes: int) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        data = np.random.default_rng(internal).integers(0, 256, 16 * block_bytes, np.uint8)
        r.glCompressedTexImage2D(gl.TEXTURE_2D, 0, internal, 16, 16, 0, data.size, data.tobytes())
        filters(r, gl.TEXTURE_2D)
        quad(r, -0.91, -0.83, 0.79, 0.93)

    return function


for _name, _internal, _size in (
    ("etc2_rgb8", 0x9274, 8), ("etc2_srgb8", 0x9275, 8), ("etc2_rgb8_a1", 0x9276, 8), ("etc2_rgba8", 0x9278, 16),
    ("eac_r11", 0x9270, 8), ("eac_signed_r11", 0x9271, 8), ("eac_rg11", 0x9272, 16), ("eac_signed_rg11", 0x9273, 16),
    ("dxt1", 0x83F0, 8), ("dxt1_alpha", 0x83F1, 8), ("dxt3", 0x83F2, 16), ("dxt5", 0x83F3, 16)):  # fmt: skip
    SCENES[f"compressed_{_name}"] = _compressed(_internal, _size)


def _astc(number: int, columns: int, rows: int, srgb: bool) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        size = -(-17 // columns) * -(-15 // rows) * 16
        data = np.random.default_rng(number).integers(0, 256, size, np.uint8)
        r.glCompressedTexImage2D(
            gl.TEXTURE_2D, 0, (0x93D0 if srgb else 0x93B0) + number, 17, 15, 0, size, data.tobytes()
        )
        filters(r, gl.TEXTURE_2D)
        quad(r, -0.91, -0.83, 0.79, 0.93)

    return function


for _number, (_columns, _rows) in enumerate(((4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8))):
    SCENES[f"compressed_astc_{_columns}x{_rows}"] = _astc(_number, _columns, _rows, bool(_number & 1))


@scene
def compressed_part(r: Recorder) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexStorage2D(gl.TEXTURE_2D, 1, 0x9274, 16, 16)
    for x, y, width, height in ((0, 0, 16, 16), (4, 8, 8, 4)):
        data = np.random.default_rng(x).integers(0, 256, width * height // 2, np.uint8)
        r.glCompressedTexSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, 0x9274, data.size, data.tobytes())
    filters(r, gl.TEXTURE_2D)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def compressed_array(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp sampler2DArray; in vec4 v; uniform sampler2DArray image; out vec4 color; void main() { color = texture(image, vec3(v.xy, floor(v.x * 1.99))); }",
    )
    r.glBindTexture(gl.TEXTURE_2D_ARRAY, r.glGenTextures(1)[0])
    data = np.random.default_rng(9).integers(0, 256, 2 * 4 * 8, np.uint8)
    r.glCompressedTexImage3D(gl.TEXTURE_2D_ARRAY, 0, 0x9274, 8, 8, 2, 0, data.size, data.tobytes())
    filters(r, gl.TEXTURE_2D_ARRAY)
    quad(r, -0.91, -0.83, 0.79, 0.93)


def _cube(minify: int, side: int) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        use(r, CUBE)
        r.glBindTexture(gl.TEXTURE_CUBE_MAP, r.glGenTextures(1)[0])
        for face in range(6):
            r.glTexImage2D(
                gl.TEXTURE_CUBE_MAP_POSITIVE_X + face,
                0,
                gl.RGBA,
                side,
                side,
                0,
                gl.RGBA,
                gl.UNSIGNED_BYTE,
                random(20 + face, side, side, 4),
            )
        filters(r, gl.TEXTURE_CUBE_MAP, minify, gl.LINEAR)
        if minify & 0x100:
            r.glGenerateMipmap(gl.TEXTURE_CUBE_MAP)
        for i, sign in enumerate((1.0, -1.0)):
            x = -0.97 + i
            corners = [(-1.6, -1.6, sign, 1), (1.6, -1.6, sign, 1), (-1.6, 1.6, sign, 1), (1.6, 1.6, sign, 1)]
            quad(r, x, -0.93, x + 0.9, -0.07, corners=corners)
            quad(r, x, 0.03, x + 0.9, 0.89, corners=[(c[1], sign * 1.1, c[0], 1) for c in corners])

    return function


SCENES["cube_across_edges"] = _cube(gl.LINEAR, 16)
SCENES["cube_mipmaps_across_edges"] = _cube(gl.LINEAR_MIPMAP_NEAREST, 32)


@scene
def odd_sizes(r: Recorder) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 13, 7, 0, gl.RGB, gl.UNSIGNED_BYTE, random(1, 7, 13, 3))
    r.glGenerateMipmap(gl.TEXTURE_2D)
    filters(r, gl.TEXTURE_2D, gl.NEAREST_MIPMAP_NEAREST)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT)
    quad(r, -0.91, -0.83, 0.79, 0.07, corners=[(-1, 0, 0, 1), (2, 0, 0, 1), (-1, 1, 0, 1), (2, 1, 0, 1)])
    quad(r, -0.91, 0.13, -0.37, 0.53)
    quad(r, 0.01, 0.13, 0.23, 0.43)


@scene
def level_limits(r: Recorder) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    for level in range(5):
        side = 16 >> level
        r.glTexImage2D(
            gl.TEXTURE_2D, level, gl.RGBA, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(30 + level, side, side, 4)
        )
    filters(r, gl.TEXTURE_2D, gl.NEAREST_MIPMAP_NEAREST)
    for i, (low, high) in enumerate(((2.0, 1000.0), (-1000.0, 0.0), (1.0, 1.0))):
        r.glTexParameterf(gl.TEXTURE_2D, 0x813A, low)
        r.glTexParameterf(gl.TEXTURE_2D, 0x813B, high)
        quad(
            r,
            -0.95 + 0.64 * i,
            -0.83,
            -0.37 + 0.64 * i,
            0.93,
            corners=[(0, 0, 0, 1), (3, 0, 0, 1), (0, 3, 0, 1), (3, 3, 0, 1)],
        )


@scene
def upload_from_a_buffer(r: Recorder) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    buffer(r, gl.PIXEL_UNPACK_BUFFER, random(3, 12, 16, 4))
    r.glPixelStorei(gl.UNPACK_ROW_LENGTH, 16)
    r.glPixelStorei(gl.UNPACK_SKIP_ROWS, 2)
    r.glPixelStorei(gl.UNPACK_SKIP_PIXELS, 5)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 2, 3, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, 64)
    for name in (gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_ROWS, gl.UNPACK_SKIP_PIXELS):
        r.glPixelStorei(name, 0)
    r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    filters(r, gl.TEXTURE_2D)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def read_into_a_buffer(r: Recorder) -> None:
    use(r)
    quad(r, -0.91, -0.83, 0.79, 0.93)
    name = buffer(r, gl.PIXEL_PACK_BUFFER, np.zeros(32 * 32 * 4, np.uint8))
    r.glReadPixels(8, 8, 32, 32, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    r.glBindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, name)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 32, 32, 0, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    filters(r, gl.TEXTURE_2D)
    use(r, TEXTURE)
    quad(r, -0.21, -0.23, 0.93, 0.89, corners=[(1, 0, 0, 1), (0, 0, 0, 1), (1, 1, 0, 1), (0, 1, 0, 1)])


@scene
def volume_mipmaps(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp sampler3D; in vec4 v; uniform sampler3D image; out vec4 color; void main() { color = textureLod(image, vec3(v.xy, v.x * 0.7 + 0.1), floor(v.y * 3.99)); }",
    )
    r.glBindTexture(gl.TEXTURE_3D, r.glGenTextures(1)[0])
    r.glTexStorage3D(gl.TEXTURE_3D, 4, gl.RGBA8, 8, 8, 8)
    r.glTexSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, 8, 8, 8, gl.RGBA, gl.UNSIGNED_BYTE, random(2, 8, 8, 8, 4))
    r.glTexSubImage3D(gl.TEXTURE_3D, 0, 2, 1, 3, 4, 5, 2, gl.RGBA, gl.UNSIGNED_BYTE, random(3, 2, 5, 4, 4))
    r.glGenerateMipmap(gl.TEXTURE_3D)
    filters(r, gl.TEXTURE_3D, gl.NEAREST_MIPMAP_NEAREST)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def copies_to_formats(r: Recorder) -> None:
    use(r)
    quad(r, -0.97, -0.93, -0.03, 0.93)
    names = r.glGenTextures(3)
    use(r, TEXTURE)
    for i, (name, internal) in enumerate(zip(names, (gl.RGB, gl.RGBA8, gl.LUMINANCE), strict=True)):
        r.glBindTexture(gl.TEXTURE_2D, name)
        r.glCopyTexImage2D(gl.TEXTURE_2D, 0, internal, 4, 4, 24, 24, 0)
        filters(r, gl.TEXTURE_2D)
        quad(r, 0.03, -0.93 + 0.62 * i, 0.93, -0.37 + 0.62 * i)


@scene
def srgb_target(r: Recorder) -> None:
    use(r)
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, 0x8C43, 32, 32)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glViewport(0, 0, 32, 32)
    r.glClear(gl.COLOR_BUFFER_BIT)
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    quad(r, -0.41, -0.33, 0.89, 0.93, corners=[(0.2, 0.9, 0.4, 0.5)] * 4)
    r.glDisable(gl.BLEND)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    use(r, TEXTURE)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def integer_target(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp int; in vec4 v; out ivec4 color; void main() { color = ivec4(v * 1000.0) - 500; }",
    )
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, 0x8D88, 32, 32)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glViewport(0, 0, 32, 32)
    r.glClearBufferiv(gl.COLOR, 0, [-7, 100, 300, 1])
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, 64, 64)
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp isampler2D; in vec4 v; uniform isampler2D image; out vec4 color; void main() { color = vec4(texture(image, v.xy)) / 1000.0 + 0.5; }",
    )
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def depth_of_a_cube(r: Recorder) -> None:
    use(r, CUBE_SHADOW)
    r.glBindTexture(gl.TEXTURE_CUBE_MAP, r.glGenTextures(1)[0])
    for face in range(6):
        r.glTexImage2D(
            gl.TEXTURE_CUBE_MAP_POSITIVE_X + face,
            0,
            0x81A6,
            8,
            8,
            0,
            gl.DEPTH_COMPONENT,
            gl.UNSIGNED_INT,
            np.random.default_rng(face).integers(0, 1 << 32, (8, 8), np.uint32),
        )
    filters(r, gl.TEXTURE_CUBE_MAP)
    r.glTexParameteri(gl.TEXTURE_CUBE_MAP, 0x884C, 0x884E)
    r.glTexParameteri(gl.TEXTURE_CUBE_MAP, 0x884D, gl.LEQUAL)
    quad(
        r,
        -0.91,
        -0.83,
        0.79,
        0.93,
        corners=[(-1.6, -1.6, 1, 1), (1.6, -1.6, 1, 1), (-1.6, 1.6, 1, 1), (1.6, 1.6, 1, 1)],
    )


@scene
def depths_swizzled(r: Recorder) -> None:
    """An unsized format reads as luminance, a sized one as red, and swizzles choose from that."""
    use(r, TEXTURE)
    depths = np.random.default_rng(7).integers(0, 1 << 32, (8, 8), np.uint32)
    for x, internal in ((-0.91, gl.DEPTH_COMPONENT), (0.03, gl.DEPTH_COMPONENT24)):
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, internal, 8, 8, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, depths)
        for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
            r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
        quad(r, x, -0.83, x + 0.8, 0.0)
        # Alpha, green, red.
        for component, channel in enumerate((0x1906, 0x1904, 0x1903)):
            r.glTexParameteri(gl.TEXTURE_2D, 0x8E42 + component, channel)
        quad(r, x, 0.1, x + 0.8, 0.93)
