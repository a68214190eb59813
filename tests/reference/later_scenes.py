"""Small scenes of what OpenGL ES 3.1, 3.2 and extensions add for programs that need no more than shaders of 3.0: Mesa
gives contexts of later versions to programs that ask for 3.0."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import COLOR, TEXTURE, buffer, filters, quad, random, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
GREEN, RED = [(0.1, 0.9, 0.2, 0.6)] * 4, [(0.9, 0.2, 0.1, 0.3)] * 4
TWO = """#version 300 es
precision highp float; in vec4 v;
layout(location = 0) out vec4 first; layout(location = 1) out vec4 second;
void main() { first = v; second = v.bgra; }"""
VERTEX_310 = """#version 310 es
layout(std140, binding = 2) uniform Shift { vec4 shift; };
layout(location = 0) in vec4 position; layout(location = 1) in vec4 value;
layout(location = 3) smooth out vec4 shade; layout(location = 1) out vec2 place;
void main() { shade = value; place = value.yx; gl_Position = position + shift; }"""
FRAGMENT_310 = """#version 310 es
precision highp float;
layout(binding = 3) uniform sampler2D image;
layout(location = 7) uniform vec4 tint;
layout(location = 1) in vec2 at; layout(location = 3) in vec4 shade;
layout(location = 0) out vec4 color;
void main() { color = texture(image, at) * shade + tint + float(__VERSION__ == 310) * 0.1; }"""
INTEGERS = """#version 300 es
layout(location = 0) in vec4 position; layout(location = 1) in ivec4 value;
out vec4 v;
void main() { v = vec4(value & 255) / 255.0; gl_Position = position; }"""


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def _arrays(r: Recorder) -> None:
    """Nine by nine vertices of position and colour, in an object of their own."""
    r.glBindVertexArray(r.glGenVertexArrays(1)[0])
    x, y = np.meshgrid(np.linspace(-0.93, 0.89, 9), np.linspace(-0.87, 0.91, 9))
    places = np.stack([x, y, 0 * x, 0 * x + 1], -1).reshape(-1, 4)
    colors = np.random.default_rng(5).random((81, 4))
    buffer(r, gl.ARRAY_BUFFER, np.concatenate([places, colors], 1).astype(np.float32))
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)


@scene
def base_vertex(r: Recorder) -> None:
    use(r)
    _arrays(r)
    buffer(r, gl.ELEMENT_ARRAY_BUFFER, np.array([0, 1, 9, 10, 0xFFFF, 2, 3, 11, 12], np.uint16))
    r.glEnable(gl.PRIMITIVE_RESTART_FIXED_INDEX)
    for base in (0, 23, 47):
        r.glDrawElementsBaseVertex(gl.TRIANGLE_STRIP, 9, gl.UNSIGNED_SHORT, 0, base)
    r.glDisable(gl.PRIMITIVE_RESTART_FIXED_INDEX)
    r.glDrawElementsInstancedBaseVertex(gl.TRIANGLE_STRIP, 4, gl.UNSIGNED_SHORT, 0, 2, 60)
    r.glBindVertexArray(0)


@scene
def base_instance(r: Recorder) -> None:
    use(r)
    _arrays(r)
    colors = np.random.default_rng(6).random((9, 4)).astype(np.float32)
    buffer(r, gl.ARRAY_BUFFER, colors)
    r.glVertexAttribPointer(1, 4, gl.FLOAT, False, 0, 0)
    r.glVertexAttribDivisor(1, 2)
    buffer(r, gl.ELEMENT_ARRAY_BUFFER, np.array([0, 3, 27, 30], np.uint16))
    arguments = (gl.TRIANGLE_STRIP, 4, gl.UNSIGNED_SHORT, 0, 1)
    for base, instance in ((0, 1), (5, 3), (40, 8)):
        r.glDrawElementsInstancedBaseVertexBaseInstanceEXT(*arguments, base, instance)
    r.glDrawArraysInstancedBaseInstanceEXT(gl.TRIANGLES, 70, 9, 1, 5)
    r.glBindVertexArray(0)


@scene
def vertex_bindings(r: Recorder) -> None:
    use(r)
    r.glBindVertexArray(r.glGenVertexArrays(1)[0])
    places = [(-0.9, -0.8, 0, 1), (0.1, -0.8, 0, 1), (-0.9, 0.3, 0, 1), (0.1, 0.3, 0, 1)]
    both = np.concatenate([np.array(places), np.random.default_rng(3).random((4, 4))], 1).astype(np.float32)
    first = buffer(r, gl.ARRAY_BUFFER, both)
    second = buffer(r, gl.ARRAY_BUFFER, random(4, 8, 4))
    r.glBindBuffer(gl.ARRAY_BUFFER, 0)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribFormat(location, 4, gl.FLOAT, False, 16 * location)
        r.glVertexAttribBinding(location, 5)
    r.glBindVertexBuffer(5, first, 0, 32)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    # Another binding and format for the colours, then a pointer, which sets both again.
    r.glVertexAttribFormat(1, 4, gl.UNSIGNED_BYTE, True, 4)
    r.glVertexAttribBinding(1, 2)
    r.glBindVertexBuffer(2, second, 8, 4)
    r.glVertexBindingDivisor(2, 0)
    r.glViewport(20, 20, 64, 64)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glVertexBindingDivisor(2, 1)
    r.glViewport(26, 0, 64, 64)
    r.glDrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 1)
    r.glBindBuffer(gl.ARRAY_BUFFER, second)
    r.glVertexAttribPointer(1, 3, gl.UNSIGNED_BYTE, True, 4, 4)
    r.glVertexAttribDivisor(1, 0)
    r.glViewport(0, 26, 64, 64)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glViewport(0, 0, 64, 64)
    r.glBindVertexArray(0)


def _two_targets(r: Recorder) -> list[int]:
    """Two textures in a framebuffer object that is bound."""
    names: list[int] = r.glGenTextures(2)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    for i, name in enumerate(names):
        r.glBindTexture(gl.TEXTURE_2D, name)
        r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 32, 32)
        filters(r, gl.TEXTURE_2D)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, name, 0)
    r.glDrawBuffers(2, [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 1])
    r.glViewport(0, 0, 32, 32)
    return names


def _indexed(change: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        names = _two_targets(r)
        use(r, TWO)
        r.glClear(gl.COLOR_BUFFER_BIT)
        quad(r, -0.83, -0.71, 0.69, 0.73, corners=GREEN)
        change(r)
        quad(r, -0.41, -0.93, 0.91, 0.33, corners=RED)
        if change is masks_of_buffers:
            r.glScissor(0, 0, 9, 32)
            r.glEnable(gl.SCISSOR_TEST)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glDisable(gl.SCISSOR_TEST)
        for number in (0, 1):
            r.glDisableiEXT(gl.BLEND, number)
        r.glColorMask(1, 1, 1, 1)
        r.glBlendEquation(gl.FUNC_ADD)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        r.glViewport(0, 0, 64, 64)
        use(r, TEXTURE)
        for i, name in enumerate(names):
            r.glBindTexture(gl.TEXTURE_2D, name)
            quad(r, -0.97 + i, -0.93, -0.03 + i, 0.91)

    return function


def blending_of_buffers(r: Recorder) -> None:
    """Functions and equations per buffer."""
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    r.glBlendFunciEXT(1, gl.ONE, gl.ONE)
    r.glBlendEquationiEXT(1, gl.FUNC_REVERSE_SUBTRACT)


def blending_of_one_buffer(r: Recorder) -> None:
    """Off for all but the second."""
    r.glDisable(gl.BLEND)
    r.glBlendFuncSeparate(gl.ONE, gl.ONE, gl.ONE, gl.ZERO)
    r.glEnableiEXT(gl.BLEND, 1)
    r.glBlendFuncSeparateiEXT(0, gl.ZERO, gl.ONE, gl.ONE, gl.ONE)
    r.glBlendEquationSeparateiEXT(1, gl.MAX, gl.MIN)


def blending_set_for_all(r: Recorder) -> None:
    """What is set for all buffers ends what was set for one."""
    r.glBlendFunciEXT(1, gl.ZERO, gl.ZERO)
    r.glDisableiEXT(gl.BLEND, 0)
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.ONE, gl.ONE)


def masks_of_buffers(r: Recorder) -> None:
    """Channels written per buffer."""
    r.glColorMask(1, 0, 1, 1)
    r.glColorMaskiEXT(1, 0, 1, 1, 0)


for _change in (blending_of_buffers, blending_of_one_buffer, blending_set_for_all, masks_of_buffers):
    SCENES[_change.__name__] = _indexed(_change)


@scene
def shaders_of_310(r: Recorder) -> None:
    program = r.program(VERTEX_310, FRAGMENT_310)
    r.glUseProgram(program)
    r.glUniform4f(7, 0.1, 0.0, 0.05, 0.0)
    r.glBindBufferBase(gl.UNIFORM_BUFFER, 2, buffer(r, gl.UNIFORM_BUFFER, np.array([0.05, -0.04, 0, 0], np.float32)))
    r.glActiveTexture(gl.TEXTURE0 + 3)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(8, 8, 8, 4))
    filters(r, gl.TEXTURE_2D)
    quad(r, -0.91, -0.83, 0.79, 0.93)
    r.glActiveTexture(gl.TEXTURE0)


@scene
def samplers_of_an_array(r: Recorder) -> None:
    """Of three elements only the first and the last are read, in another order."""
    program = use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; uniform sampler2D images[3]; out vec4 color;"
        "void main() { color = v.x < 0.5 ? texture(images[2], v.xy) : texture(images[0], v.yx); }",
    )
    for unit in (0, 1, 2):
        r.glActiveTexture(gl.TEXTURE0 + unit)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(20 + unit, 4, 4, 4))
        filters(r, gl.TEXTURE_2D)
        r.glUniform1i(r.glGetUniformLocation(program, f"images[{unit}]"), unit)
    r.glActiveTexture(gl.TEXTURE0)
    quad(r, -0.91, -0.83, 0.79, 0.93)


@scene
def persistent_buffer(r: Recorder) -> None:
    """Vertices and texels written to buffers that stay mapped."""
    use(r)
    r.glBindVertexArray(r.glGenVertexArrays(1)[0])
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferStorageEXT(gl.ARRAY_BUFFER, 128, None, 0xC2)
    address = r.glMapBufferRange(gl.ARRAY_BUFFER, 0, 128, 0xC2)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    for i in (0, 1):
        places = np.array(
            [(-0.9 + i, -0.8, 0, 1), (-0.1 + i, -0.8, 0, 1), (-0.9 + i, 0.7, 0, 1), (-0.1 + i, 0.7, 0, 1)]
        )
        colors = np.random.default_rng(i).random((4, 4))
        r.write_mapped(address, np.concatenate([places, colors], 1).astype(np.float32))
        r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
        r.glFinish()
    r.glBindVertexArray(0)
    r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferStorageEXT(gl.PIXEL_UNPACK_BUFFER, 256, None, 0x42)
    address = r.glMapBufferRange(gl.PIXEL_UNPACK_BUFFER, 0, 256, 0x52)
    r.write_mapped(address, random(9, 256))
    r.glFlushMappedBufferRange(gl.PIXEL_UNPACK_BUFFER, 0, 256)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 8, 8)
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 8, 8, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    filters(r, gl.TEXTURE_2D)
    use(r, TEXTURE)
    quad(r, -0.31, -0.43, 0.49, 0.53)


@scene
def integer_arrays(r: Recorder) -> None:
    """Integers for an integer attribute."""
    r.glUseProgram(r.program(INTEGERS, COLOR))
    r.glBindVertexArray(r.glGenVertexArrays(1)[0])
    places = [(-0.9, -0.8, 0, 1), (0.8, -0.8, 0, 1), (-0.9, 0.9, 0, 1), (0.8, 0.9, 0, 1)]
    buffer(r, gl.ARRAY_BUFFER, np.array(places, np.float32))
    r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
    buffer(r, gl.ARRAY_BUFFER, random(2, 4, 4))
    r.glVertexAttribIPointer(1, 4, gl.UNSIGNED_BYTE, 0, 0)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glBindVertexArray(0)


BORDER = [0.9, 0.3, 0.6, 0.5]
HEAD = "#version 300 es\nprecision highp float; precision highp int; in vec4 v; out vec4 color;"
PLACE = "(v.xyz * 2.2 - 0.6)"


def _bordered(
    read: str, sampler: str, target: int, form: tuple[int, int, int, str, int], filtering: int = gl.NEAREST
) -> Callable[[Recorder], None]:
    """A texture with borders around it; `form`: internal and client format, type of texels and their channels."""
    internal, client, kind, dtype, channels = form

    def function(r: Recorder) -> None:
        use(r, f"{HEAD} uniform highp {sampler} image; void main() {{ color = {read}; }}")
        r.glBindTexture(target, r.glGenTextures(1)[0])
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        volume = target == gl.TEXTURE_3D
        sides = (4, 4, 4) if volume else (8, 8)
        high = 1 if dtype == "f4" else np.iinfo(dtype).max
        texels = (np.random.default_rng(internal).random((*sides, channels)) * high).astype(dtype)
        (r.glTexImage3D if volume else r.glTexImage2D)(target, 0, internal, *sides, 0, client, kind, texels)
        filters(r, target, filtering, filtering)
        for axis in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R):
            r.glTexParameteri(target, axis, gl.CLAMP_TO_BORDER)
        if sampler.startswith("i"):
            r.glTexParameterIivEXT(target, gl.TEXTURE_BORDER_COLOR, [70, -30, 110, 90])
        else:
            r.glTexParameterfv(target, gl.TEXTURE_BORDER_COLOR, BORDER)
        if "Shadow" in sampler:
            r.glTexParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
        quad(r, -0.91, -0.83, 0.79, 0.93, corners=[(0, 0, 0.1, 1), (1, 0, 0.9, 1), (0, 1, 0.2, 1), (1, 1, 0.8, 1)])

    return function


_BYTES, _FLAT = (gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, "u1", 4), gl.TEXTURE_2D
_LUMINANCE = (gl.LUMINANCE, gl.LUMINANCE, gl.UNSIGNED_BYTE, "u1", 1)
for _name, _arguments in {
    "border": (f"texture(image, {PLACE}.xy)", "sampler2D", _FLAT, _BYTES),
    "border_filtered": (f"texture(image, {PLACE}.xy)", "sampler2D", _FLAT, _BYTES, gl.LINEAR),
    "border_offset": (f"textureOffset(image, {PLACE}.xy, ivec2(-3, 4))", "sampler2D", _FLAT, _BYTES, gl.LINEAR),
    "border_of_luminance": (f"texture(image, {PLACE}.xy)", "sampler2D", _FLAT, _LUMINANCE, gl.LINEAR),
    "border_of_srgb": (
        f"texture(image, {PLACE}.xy)", "sampler2D", _FLAT, (0x8C43, gl.RGBA, gl.UNSIGNED_BYTE, "u1", 4), gl.LINEAR),
    "border_of_floats": (f"texture(image, {PLACE}.xy)", "sampler2D", _FLAT, (0x881A, gl.RGBA, gl.FLOAT, "f4", 4)),
    "border_of_a_volume": (f"texture(image, {PLACE})", "sampler3D", gl.TEXTURE_3D, _BYTES),
    "border_of_a_filtered_volume": (f"texture(image, {PLACE})", "sampler3D", gl.TEXTURE_3D, _BYTES, gl.LINEAR),
    "border_of_integers": (
        f"vec4(texture(image, {PLACE}.xy)) / 127.0 + 0.3", "isampler2D", _FLAT,
        (0x8D8E, gl.RGBA_INTEGER, gl.BYTE, "i1", 4)),
    "border_of_depths": (
        f"vec4(texture(image, vec3({PLACE}.xy, v.x)))", "sampler2DShadow", _FLAT,
        (gl.DEPTH_COMPONENT16, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, "u2", 1)),
}.items():  # fmt: skip
    SCENES[_name] = _bordered(*_arguments)

EXTENSIONS = {
    "GL_EXT_base_instance": "base_instance",
    "GL_EXT_buffer_storage": "persistent_buffer",
    "GL_EXT_draw_buffers_indexed": "blending_of_buffers",
    "GL_EXT_draw_elements_base_vertex": "base_vertex",
    "GL_EXT_texture_border_clamp": "border",
}
"""Scene of each extension among them."""
