"""Small scenes of what OpenGL ES 3.0 adds, drawn with the recorder."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

SCENES: dict[str, Callable[[Recorder], None]] = {}
SIZE = 64
VERTEX = """#version 300 es
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
out vec4 v;
void main() { v = value; gl_Position = position; }
"""
COLOR = "#version 300 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v; }"
TEXTURE = "#version 300 es\nprecision highp float; in vec4 v; uniform sampler2D image; out vec4 color; void main() { color = texture(image, v.xy); }"
CORNERS = [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 0, 1)]


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def use(r: Recorder, fragment: str = COLOR, vertex: str = VERTEX) -> int:
    """Build and use a program."""
    program = r.program(vertex, fragment)
    r.glUseProgram(program)
    return program


def buffer(r: Recorder, target: int, data: np.ndarray) -> int:
    """Make, bind and fill a buffer."""
    name: int = r.glGenBuffers(1)[0]
    r.glBindBuffer(target, name)
    r.glBufferData(target, data.nbytes, data, 0x88E4)
    return name


def quad(r: Recorder, x0: float, y0: float, x1: float, y1: float, z: float = 0.0, corners: list = CORNERS) -> None:
    """A rectangle from a vertex array object of its own."""
    places = [(x0, y0, z, 1), (x1, y0, z, 1), (x0, y1, z, 1), (x1, y1, z, 1)]
    arrays = r.glGenVertexArrays(1)[0]
    r.glBindVertexArray(arrays)
    buffer(r, gl.ARRAY_BUFFER, np.concatenate([np.array(places, np.float32), np.array(corners, np.float32)], 1))
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glBindVertexArray(0)


def random(seed: int, *shape: int) -> np.ndarray:
    """Random texels, uint8."""
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


def filters(r: Recorder, target: int, minify: int = gl.NEAREST, magnify: int = gl.NEAREST) -> None:
    """Set the filters of the bound texture."""
    r.glTexParameteri(target, gl.TEXTURE_MIN_FILTER, minify)
    r.glTexParameteri(target, gl.TEXTURE_MAG_FILTER, magnify)


@scene
def instances(r: Recorder) -> None:
    use(
        r,
        COLOR,
        """#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 place;
out vec4 v;
void main() { v = vec4(fract(float(gl_InstanceID) * 0.3), corner * 0.5 + 0.5, 1.0); gl_Position = vec4(corner * place.z + place.xy, 0.0, 1.0); }
""",
    )
    buffer(r, gl.ARRAY_BUFFER, np.array([-1, -1, 1, -1, -1, 1, 1, 1], np.float32))
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, 0)
    buffer(
        r,
        gl.ARRAY_BUFFER,
        np.array([[-0.6 + 0.4 * i, -0.5 + 0.31 * i, 0.1 + 0.05 * i, 0] for i in range(4)], np.float32),
    )
    r.glEnableVertexAttribArray(1)
    r.glVertexAttribPointer(1, 4, gl.FLOAT, False, 16, 0)
    r.glVertexAttribDivisor(1, 1)
    r.glDrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 4)
    r.glVertexAttribDivisor(1, 0)


@scene
def uniform_blocks(r: Recorder) -> None:
    program = use(
        r,
        """#version 300 es
precision highp float;
in vec4 v;
layout(std140) uniform Colors { vec3 base; float scale; vec4 list[3]; mat2 turn; } colors;
out vec4 color;
void main() { vec2 p = colors.turn * v.xy; color = vec4(colors.base * colors.scale, 1.0) * 0.5 + colors.list[int(v.x * 2.99)] * p.y; }
""",
    )
    content = np.zeros(24, np.float32)
    content[:4] = 0.9, 0.5, 0.1, 0.8
    content[4:16] = np.linspace(0, 1, 12)
    content[16:18], content[20:22] = (0.9, 0.2), (-0.1, 0.8)
    name = buffer(r, gl.UNIFORM_BUFFER, content)
    r.glUniformBlockBinding(program, r.glGetUniformBlockIndex(program, "Colors"), 3)
    r.glBindBufferBase(gl.UNIFORM_BUFFER, 3, name)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def uniform_blocks_that_change(r: Recorder) -> None:
    program = use(
        r,
        """#version 300 es
precision highp float;
in vec4 v;
layout(std140) uniform Colors { vec4 base; } colors;
out vec4 color;
void main() { color = colors.base + 0.1 * v; }
""",
    )
    block = r.glGetUniformBlockIndex(program, "Colors")
    name = buffer(r, gl.UNIFORM_BUFFER, np.array([0.8, 0.1, 0.1, 1.0], np.float32))
    other = buffer(r, gl.UNIFORM_BUFFER, np.array([0.1, 0.1, 0.8, 1.0], np.float32))
    r.glBindBufferBase(gl.UNIFORM_BUFFER, 1, other)
    r.glBindBufferBase(gl.UNIFORM_BUFFER, 0, name)
    quad(r, -0.9, -0.9, -0.1, -0.1)
    # The buffer is written, another binding is chosen, and the first one gets the other buffer.
    r.glBufferSubData(gl.UNIFORM_BUFFER, 0, 16, np.array([0.1, 0.8, 0.1, 1.0], np.float32))
    quad(r, 0.1, -0.9, 0.9, -0.1)
    r.glUniformBlockBinding(program, block, 1)
    quad(r, -0.9, 0.1, -0.1, 0.9)
    r.glUniformBlockBinding(program, block, 0)
    quad(r, -0.1, -0.1, 0.1, 0.1)
    r.glBindBufferBase(gl.UNIFORM_BUFFER, 0, other)
    r.glBufferSubData(gl.UNIFORM_BUFFER, 0, 16, np.array([0.8, 0.8, 0.1, 1.0], np.float32))
    quad(r, 0.1, 0.1, 0.9, 0.9)


@scene
def integers(r: Recorder) -> None:
    use(
        r,
        """#version 300 es
precision highp float; precision highp int;
in vec4 v;
out vec4 color;
void main() {
    uvec2 p = uvec2(v.xy * 37.0);
    uint h = (p.x * 2654435761u) ^ (p.y << 13u);
    int d = int(p.x) / 5 - int(p.y) % 7;
    color = vec4(float(h & 255u) / 255.0, float(abs(d) & 7) / 7.0, float((p.x | p.y) >> 2u) / 8.0, 1.0);
}
""",
    )
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def texture_array(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp sampler2DArray; in vec4 v; uniform sampler2DArray image; out vec4 color; void main() { color = texture(image, vec3(v.xy, floor(v.x * 3.99))); }",
    )
    r.glBindTexture(gl.TEXTURE_2D_ARRAY, r.glGenTextures(1)[0])
    r.glTexImage3D(gl.TEXTURE_2D_ARRAY, 0, gl.RGBA8, 8, 8, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(1, 4, 8, 8, 4))
    filters(r, gl.TEXTURE_2D_ARRAY)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def texture_3d(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp sampler3D; in vec4 v; uniform sampler3D image; out vec4 color; void main() { color = texture(image, vec3(v.xy, v.x * 0.7 + 0.1)); }",
    )
    r.glBindTexture(gl.TEXTURE_3D, r.glGenTextures(1)[0])
    r.glTexImage3D(gl.TEXTURE_3D, 0, gl.RGBA8, 4, 8, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(2, 4, 8, 4, 4))
    filters(r, gl.TEXTURE_3D, gl.LINEAR, gl.LINEAR)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def texel_fetch_and_size(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; uniform sampler2D image; out vec4 color; void main() { ivec2 s = textureSize(image, 0); color = texelFetch(image, ivec2(v.xy * vec2(s)) , 0) * 0.8 + vec4(vec2(s) / 80.0, 0.0, 0.0); }",
    )
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 16, 8)
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 16, 8, gl.RGBA, gl.UNSIGNED_BYTE, random(3, 8, 16, 4))
    filters(r, gl.TEXTURE_2D)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def integer_texture(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp usampler2D; in vec4 v; uniform usampler2D image; out vec4 color; void main() { uvec4 t = texture(image, v.xy); color = vec4(t & 15u) / 15.0; }",
    )
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, 0x8D7C, 8, 8, 0, 0x8D99, gl.UNSIGNED_BYTE, random(4, 8, 8, 4))
    filters(r, gl.TEXTURE_2D)
    quad(r, -0.91, -0.83, 0.79, 0.93)


def _format(internal: int, client: int, kind: int, texels: np.ndarray) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, internal, 8, 8, 0, client, kind, texels)
        filters(r, gl.TEXTURE_2D)
        quad(r, -0.91, -0.83, 0.79, 0.93)

    return function


_unit = np.random.default_rng(9).random((8, 8, 4)).astype(np.float32)
for _name, _arguments in {
    "r8": (0x8229, gl.RED, gl.UNSIGNED_BYTE, random(5, 8, 8, 1)),
    "rg8": (0x822B, gl.RG, gl.UNSIGNED_BYTE, random(5, 8, 8, 2)),
    "srgb8_alpha8": (0x8C43, gl.RGBA, gl.UNSIGNED_BYTE, random(6, 8, 8, 4)),
    "rgb10_a2": (0x8059, gl.RGBA, 0x8368, np.random.default_rng(7).integers(0, 1 << 32, (8, 8), np.uint32)),
    "rgba16f": (0x881A, gl.RGBA, gl.HALF_FLOAT, _unit.astype(np.float16)),
    "rgba32f": (0x8814, gl.RGBA, gl.FLOAT, _unit),
    "r11f_g11f_b10f": (
        0x8C3A,
        gl.RGB,
        0x8C3B,
        np.random.default_rng(8).integers(0, 1 << 32, (8, 8), np.uint32) & 0x07C1F83F | 0x701C0380,
    ),
    "rgb9_e5": (0x8C3D, gl.RGB, 0x8C3E, np.random.default_rng(8).integers(0, 1 << 27, (8, 8), np.uint32) | (15 << 27)),
    "rgba8_snorm": (0x8F97, gl.RGBA, gl.BYTE, random(10, 8, 8, 4)),
    "rgb_from_rgba8": (gl.RGB565, gl.RGB, gl.UNSIGNED_BYTE, random(11, 8, 8, 3)),
}.items():
    SCENES[f"texture_{_name}"] = _format(*_arguments)


@scene
def swizzle_and_levels(r: Recorder) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    for level, seed in enumerate((12, 13, 14)):
        side = 16 >> level
        r.glTexImage2D(
            gl.TEXTURE_2D, level, gl.RGBA8, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(seed, side, side, 4)
        )
    r.glTexParameteri(gl.TEXTURE_2D, 0x813C, 1)
    r.glTexParameteri(gl.TEXTURE_2D, 0x813D, 2)
    for i, channel in enumerate((0x1905, gl.RED, gl.ONE, gl.ZERO)):
        r.glTexParameteri(gl.TEXTURE_2D, 0x8E42 + i, channel)
    filters(r, gl.TEXTURE_2D, gl.NEAREST_MIPMAP_NEAREST)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def sampler_objects(r: Recorder) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(15, 8, 8, 4))
    sampler = r.glGenSamplers(1)[0]
    r.glSamplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
    r.glSamplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
    r.glSamplerParameteri(sampler, gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT)
    r.glBindSampler(0, sampler)
    quad(r, -0.91, -0.83, 0.79, 0.93, corners=[(-0.6, 0, 0, 1), (1.7, 0, 0, 1), (-0.6, 1, 0, 1), (1.7, 1, 0, 1)])
    r.glBindSampler(0, 0)


@scene
def several_targets(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = v; b = vec4(1.0 - v.yx, 0.5, 1.0); }",
    )
    names = r.glGenTextures(2)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    for i, name in enumerate(names):
        r.glBindTexture(gl.TEXTURE_2D, name)
        r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 32, 32)
        filters(r, gl.TEXTURE_2D)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, name, 0)
    r.glDrawBuffers(2, [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 1])
    r.glClearBufferfv(gl.COLOR, 0, [0.2, 0.1, 0.3, 1.0])
    r.glClearBufferfv(gl.COLOR, 1, [0.9, 0.8, 0.1, 1.0])
    r.glViewport(0, 0, 32, 32)
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, SIZE, SIZE)
    use(r, TEXTURE)
    for i, name in enumerate(names):
        r.glBindTexture(gl.TEXTURE_2D, name)
        quad(r, -0.97 + i, -0.53, -0.03 + i, 0.47)


@scene
def shadow_map(r: Recorder) -> None:
    use(r)
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, 32, 32)
    # Nearest: how four comparisons are weighed is the implementation's choice.
    filters(r, gl.TEXTURE_2D)
    r.glTexParameteri(gl.TEXTURE_2D, 0x884C, 0x884E)
    r.glTexParameteri(gl.TEXTURE_2D, 0x884D, gl.LEQUAL)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, name, 0)
    r.glDrawBuffers(1, [gl.NONE])
    r.glReadBuffer(gl.NONE)
    r.glEnable(gl.DEPTH_TEST)
    r.glViewport(0, 0, 32, 32)
    r.glClear(gl.DEPTH_BUFFER_BIT)
    quad(r, -0.6, -0.5, 0.4, 0.7, -0.3)
    quad(r, -0.2, -0.8, 0.8, 0.1, 0.2)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glDisable(gl.DEPTH_TEST)
    r.glViewport(0, 0, SIZE, SIZE)
    use(
        r,
        "#version 300 es\nprecision highp float; precision highp sampler2DShadow; in vec4 v; uniform sampler2DShadow image; out vec4 color; void main() { color = vec4(vec3(texture(image, vec3(v.xy, v.x * 0.6 + 0.2))), 1.0); }",
    )
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def float_target(r: Recorder) -> None:
    use(r, "#version 300 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v * 3.0 - 1.0; }")
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexStorage2D(gl.TEXTURE_2D, 1, 0x8814, 32, 32)
    filters(r, gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glViewport(0, 0, 32, 32)
    r.glClearBufferfv(gl.COLOR, 0, [-2.0, 0.5, 4.0, 1.0])
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, SIZE, SIZE)
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; uniform sampler2D image; out vec4 color; void main() { color = texture(image, v.xy) * 0.25 + 0.4; }",
    )
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def blits(r: Recorder) -> None:
    use(r)
    r.glBindRenderbuffer(gl.RENDERBUFFER, r.glGenRenderbuffers(1)[0])
    r.glRenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 32, 32)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, 1)
    r.glViewport(0, 0, 32, 32)
    r.glClearBufferfv(gl.COLOR, 0, [0.3, 0.1, 0.1, 1.0])
    quad(r, -0.81, -0.73, 0.69, 0.83)
    r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
    r.glBlitFramebuffer(0, 0, 32, 32, 2, 3, 34, 35, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    r.glBlitFramebuffer(4, 4, 28, 28, 60, 60, 36, 36, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glViewport(0, 0, SIZE, SIZE)


@scene
def primitive_restart(r: Recorder) -> None:
    use(r)
    places = [(-0.9 + 0.3 * i, -0.7 + 0.5 * (i % 2), 0, 1) for i in range(7)]
    data = np.concatenate([np.array(places), np.array([(i / 7, 1 - i / 7, 0.3, 1) for i in range(7)])], 1).astype(
        np.float32
    )
    buffer(r, gl.ARRAY_BUFFER, data)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    indices = np.array([0, 1, 2, 0xFFFF, 3, 4, 5, 6], np.uint16)
    buffer(r, gl.ELEMENT_ARRAY_BUFFER, indices)
    r.glEnable(gl.PRIMITIVE_RESTART_FIXED_INDEX)
    r.glDrawElements(gl.TRIANGLE_STRIP, len(indices), gl.UNSIGNED_SHORT, 0)
    r.glDisable(gl.PRIMITIVE_RESTART_FIXED_INDEX)


@scene
def flat_arrays(r: Recorder) -> None:
    """Every vector of an array or structure is as flat as the whole."""
    use(
        r,
        """#version 300 es
precision highp float; precision highp int;
struct S { ivec4 a; uint b; };
flat in ivec4 v[2]; flat in S s; flat in mat2 m; out vec4 color;
void main() { color = vec4(v[1]) / 255.0 + vec4(s.b, m[1], v[0].x - s.a.x) / 510.0; }
""",
        """#version 300 es
struct S { ivec4 a; uint b; };
layout(location = 0) in vec4 position; layout(location = 1) in vec4 value;
flat out ivec4 v[2]; flat out S s; flat out mat2 m;
void main() {
    v[0] = ivec4(value); v[1] = ivec4(100.0 * value); s = S(v[0] + 3, uint(200.0 * value.x)); m = mat2(80.0 * value);
    gl_Position = position;
}
""",
    )
    quad(r, -0.8, -0.9, 0.7, 0.6, 0.0, [(0.1, 0.9, 0.3, 1), (0.7, 0.2, 0.3, 1), (0.4, 0.5, 0.6, 1), (0.9, 0.1, 0.8, 1)])


@scene
def flat_where_clipped(r: Recorder) -> None:
    """Pieces of a triangle are as flat as the whole, whichever corners are cut off."""
    flat = COLOR.replace("in vec4 v", "flat in vec4 v")
    use(r, flat, VERTEX.replace("out vec4 v", "flat out vec4 v"))
    colors = [(1, 0, 0.3, 1), (0, 1, 0.6, 1), (0.2, 0.4, 1, 1)]
    for turn in range(3):
        for x, corners in (
            (-1.0, [(0.2, -0.9, -0.2, 0.9), (0.9, -0.8, 0.1, 1.0), (0.4, 0.3, 2.4, 1.4)]),
            (0.0, [(0.1, -0.7, 0.0, 1.0), (0.9, -0.9, -1.9, 1.2), (0.3, 0.5, -1.6, 0.9)]),
        ):
            y = 0.7 * turn - 0.1
            places = [(px + x * pw, 0.4 * py + y * pw - 0.4, pz, pw) for px, py, pz, pw in corners]
            data = np.concatenate([np.roll(places, turn, 0), colors], 1).astype(np.float32)
            buffer(r, gl.ARRAY_BUFFER, data)
            for location in (0, 1):
                r.glEnableVertexAttribArray(location)
                r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
            r.glDrawArrays(gl.TRIANGLES, 0, 3)


@scene
def flat_varying(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; flat in vec4 v; out vec4 color; void main() { color = v; }",
        VERTEX.replace("out vec4 v", "flat out vec4 v"),
    )
    quad(r, -0.91, -0.83, 0.79, 0.93, corners=[(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 0, 1)])


@scene
def fragment_depth(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v; gl_FragDepth = fract(v.x * 3.0) * 0.5 + v.y * 0.4; }",
    )
    r.glEnable(gl.DEPTH_TEST)
    quad(r, -0.91, -0.83, 0.79, 0.93, corners=[(0, 0, 1, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1)])
    use(r)
    quad(r, -0.83, -0.91, 0.93, 0.79, 0.07, corners=[(1, 0.5, 0, 1)] * 4)


@scene
def derivatives(r: Recorder) -> None:
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; out vec4 color; void main() { float f = v.x * v.x * 4.0 + v.y; color = vec4(abs(dFdx(f)) * 8.0, abs(dFdy(f)) * 20.0, fwidth(v.x) * 20.0, 1.0); }",
    )
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def mapped_ranges(r: Recorder) -> None:
    use(r)
    r.glBindVertexArray(r.glGenVertexArrays(1)[0])
    buffer(r, gl.ARRAY_BUFFER, np.zeros(32, np.float32))
    places = np.array([(-0.81, -0.73, 0, 1), (0.87, -0.53, 0, 1), (-0.63, 0.81, 0, 1), (0.71, 0.93, 0, 1)], np.float32)
    address = r.glMapBufferRange(gl.ARRAY_BUFFER, 0, 64, 2 | 8)
    r.write_mapped(address, places)
    r.glUnmapBuffer(gl.ARRAY_BUFFER)
    colors = np.array([(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 0, 1)], np.float32)
    address = r.glMapBufferRange(gl.ARRAY_BUFFER, 64, 64, 2 | 4 | 0x10)
    for i in range(2):
        r.write_mapped(address + 32 * i, colors[2 * i : 2 * i + 2])
        r.glFlushMappedBufferRange(gl.ARRAY_BUFFER, 32 * i, 32)
    r.glUnmapBuffer(gl.ARRAY_BUFFER)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 16, 64 * location)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glBindVertexArray(0)


@scene
def packed_attributes(r: Recorder) -> None:
    use(r)
    r.glBindVertexArray(r.glGenVertexArrays(1)[0])
    corners = ((-400, -350), (450, -300), (-300, 470), (380, 410))
    places = [(x & 1023) | (y & 1023) << 10 | 1 << 30 for x, y in corners]
    colors = [1023 | 100 << 10 | 3 << 30, 1023 << 10 | 3 << 30, 1023 << 20 | 500 | 3 << 30, 700 | 700 << 10 | 3 << 30]
    buffer(r, gl.ARRAY_BUFFER, np.array(places + colors, np.uint32))
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 4, gl.INT_2_10_10_10_REV, True, 0, 0)
    r.glEnableVertexAttribArray(1)
    r.glVertexAttribPointer(1, 4, gl.UNSIGNED_INT_2_10_10_10_REV, True, 4, 16)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glBindVertexArray(0)


def _extreme(equation: int) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        use(r)
        quad(r, -0.9, -0.8, 0.5, 0.6)
        r.glEnable(gl.BLEND)
        r.glBlendEquation(equation)
        quad(r, -0.4, -0.6, 0.9, 0.9, corners=[(0.4, 0.6, 0.3, 1)] * 4)
        r.glBlendEquation(gl.FUNC_ADD)
        r.glDisable(gl.BLEND)

    return function


SCENES["blend_min"], SCENES["blend_max"] = _extreme(gl.MIN), _extreme(gl.MAX)


@scene
def part_of_the_stencil(r: Recorder) -> None:
    use(r)
    r.glClearBufferiv(gl.STENCIL, 0, [0x55])
    r.glStencilMask(0x0F)
    r.glClearBufferfi(gl.DEPTH_STENCIL, 0, 0.5, 0x33)
    r.glStencilMask(0xFF)
    r.glEnable(gl.STENCIL_TEST)
    for i, wanted in enumerate((0x53, 0x33, 0x55)):
        r.glStencilFunc(gl.EQUAL, wanted, 0xFF)
        quad(r, -0.9 + 0.6 * i, -0.8, -0.4 + 0.6 * i, 0.7)
    r.glDisable(gl.STENCIL_TEST)
