"""Wrong calls, and right ones between them: the error after each is the one that Mesa sets for the same call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session

VERTEX = """#version 300 es
layout(location = 0) in vec4 position;
out vec4 v;
void main() { v = position * 0.5; gl_Position = position; }
"""
FRAGMENT = """#version 300 es
precision highp float;
in vec4 v;
uniform vec4 color;
uniform ivec2 whole;
uniform mat3 matrix;
uniform float list[3];
uniform sampler2D image;
out vec4 result;
void main() { result = v + color + vec4(whole, matrix[1].xy) + list[1] + list[2] + texture(image, v.xy); }
"""
TEXELS = np.zeros((64, 64, 4), np.uint8)
CASES: dict[str, Callable[[Session], None]] = {}


def case(function: Callable[[Session], None]) -> Callable[[Session], None]:
    """Register a sequence of calls."""
    CASES[function.__name__] = function
    return function


@case
def capabilities_and_values(s: Session) -> None:
    for capability in (gl.BLEND, 0x1234, 0x0B50, gl.RASTERIZER_DISCARD, 0x0DE1):
        s.glEnable(capability)
        s.glDisable(capability)
    for mode in (gl.LESS, 0x1FF, gl.ALWAYS):
        s.glDepthFunc(mode)
        s.glStencilFunc(mode, 0, 1)
        s.glStencilFuncSeparate(gl.FRONT, mode, 0, 1)
    s.glStencilFuncSeparate(0x123, gl.LESS, 0, 1)
    s.glStencilOp(gl.KEEP, 0x123, gl.KEEP)
    s.glStencilMaskSeparate(0x123, 1)
    for face in (gl.FRONT, gl.FRONT_AND_BACK, gl.NONE, 5):
        s.glCullFace(face)
    s.glFrontFace(gl.FRONT)
    s.glLineWidth(0.0)
    s.glLineWidth(-1.0)
    s.glLineWidth(2.0)
    s.glViewport(0, 0, -1, 1)
    s.glScissor(0, 0, 1, -1)
    for factor in (gl.ONE, gl.SRC_ALPHA_SATURATE, 0x123):
        s.glBlendFunc(factor, gl.ONE)
        s.glBlendFunc(gl.ONE, factor)
        s.glBlendFuncSeparate(gl.ONE, gl.ONE, factor, gl.ZERO)
    for equation in (gl.FUNC_ADD, gl.MIN, 0x123):
        s.glBlendEquation(equation)
        s.glBlendEquationSeparate(gl.FUNC_ADD, equation)
    s.glHint(0x8192, 0x1100)
    s.glHint(0x8192, 0x1)
    s.glHint(0x0C50, 0x1100)
    for name, value in ((gl.UNPACK_ALIGNMENT, 3), (gl.UNPACK_ALIGNMENT, 8), (0x0D05, 0), (gl.UNPACK_SKIP_ROWS, -1)):
        s.glPixelStorei(name, value)
    s.glPixelStorei(0x1234, 1)
    s.glPixelStorei(0x806E, 2)
    s.glClear(0x80000000 - 1)
    s.glClear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)


@case
def buffers(s: Session) -> None:
    one, two = s.glGenBuffers(2)
    s.glBindBuffer(0x1234, one)
    s.glBufferData(gl.ARRAY_BUFFER, 16, None, 0x88E4)
    s.glBindBuffer(gl.ARRAY_BUFFER, one)
    s.glBufferData(gl.ARRAY_BUFFER, -1, None, 0x88E4)
    s.glBufferData(gl.ARRAY_BUFFER, 16, None, 0x1234)
    s.glBufferData(0x1234, 16, None, 0x88E4)
    s.glBufferData(gl.ARRAY_BUFFER, 16, None, 0x88E4)
    s.glBufferSubData(gl.ARRAY_BUFFER, -1, 4, b"abcd")
    s.glBufferSubData(gl.ARRAY_BUFFER, 0, -4, b"abcd")
    s.glBufferSubData(gl.ARRAY_BUFFER, 14, 4, b"abcd")
    s.glBufferSubData(gl.COPY_READ_BUFFER, 0, 4, b"abcd")
    s.glBindBuffer(gl.COPY_WRITE_BUFFER, two)
    s.glBufferData(gl.COPY_WRITE_BUFFER, 8, None, 0x88E4)
    s.glCopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, 9)
    s.glCopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, -1, 0, 1)
    s.glCopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 8, 0, 8)
    s.glCopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_READ_BUFFER, 0, 0, 1)
    s.glCopyBufferSubData(gl.ARRAY_BUFFER, gl.ARRAY_BUFFER, 0, 4, 8)
    s.glCopyBufferSubData(gl.ARRAY_BUFFER, gl.ARRAY_BUFFER, 0, 8, 8)
    s.glBindBufferBase(gl.ARRAY_BUFFER, 0, one)
    s.glBindBufferBase(gl.UNIFORM_BUFFER, 10000, one)
    s.glBindBufferBase(gl.UNIFORM_BUFFER, 0, one)
    s.glBindBufferRange(gl.UNIFORM_BUFFER, 0, one, 0, 0)
    s.glBindBufferRange(gl.UNIFORM_BUFFER, 0, one, -16, 16)
    s.glBindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, one, 2, 4)
    s.glBindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, one, 4, 4)
    s.glBindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 4, one, 4, 4)
    s.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
    s.glDeleteBuffers(-1, [one])
    s.glGenBuffers(-1)


@case
def mapping(s: Session) -> None:
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.ARRAY_BUFFER, 16, None, 0x88E4)
    s.glUnmapBuffer(gl.ARRAY_BUFFER)
    for offset, size, access in (
        (0, 17, 2), (-1, 4, 2), (0, -4, 2), (0, 0, 2), (0, 4, 0), (0, 4, 0x1000), (0, 4, 1 | 4), (0, 4, 1 | 0x20),
        (0, 4, 1 | 0x10), (4, 8, 2 | 0x10)):  # fmt: skip
        s.glMapBufferRange(gl.ARRAY_BUFFER, offset, size, access)
    s.glMapBufferRange(gl.ARRAY_BUFFER, 0, 4, 2)
    s.glFlushMappedBufferRange(gl.ARRAY_BUFFER, 0, 9)
    s.glFlushMappedBufferRange(gl.ARRAY_BUFFER, -1, 4)
    s.glFlushMappedBufferRange(gl.ARRAY_BUFFER, 4, 4)
    s.glBufferSubData(gl.ARRAY_BUFFER, 0, 4, b"abcd")
    s.glUnmapBuffer(gl.ARRAY_BUFFER)
    s.glFlushMappedBufferRange(gl.ARRAY_BUFFER, 0, 4)
    s.glMapBufferRange(gl.ARRAY_BUFFER, 0, 4, 2)
    s.glFlushMappedBufferRange(gl.ARRAY_BUFFER, 0, 4)
    s.glUnmapBuffer(gl.ARRAY_BUFFER)
    s.glUnmapBuffer(0x1234)
    s.glUnmapBuffer(gl.COPY_READ_BUFFER)


@case
def buffer_storage(s: Session) -> None:
    for flags in (0x42, 0x40, 0x82, 0xC2, 0x400, 0x100, 0x200, 0x1C3, 0):
        s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
        s.glBufferStorageEXT(gl.ARRAY_BUFFER, 0, None, flags)
        s.glBufferStorageEXT(gl.ARRAY_BUFFER, 16, None, flags)
        s.glBufferStorageEXT(gl.ARRAY_BUFFER, 16, None, flags)
        s.glBufferData(gl.ARRAY_BUFFER, 16, None, 0x88E4)
        s.glBufferSubData(gl.ARRAY_BUFFER, 4, 4, b"wxyz")
        for access in (0x42, 0x41, 0xC2, 0x82, 2, 1, 0x102):
            s.glMapBufferRange(gl.ARRAY_BUFFER, 0, 8, access)
            s.glUnmapBuffer(gl.ARRAY_BUFFER)
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.ARRAY_BUFFER, 16, None, 0x88E4)
    s.glMapBufferRange(gl.ARRAY_BUFFER, 0, 8, 0x42)
    s.glUnmapBuffer(gl.ARRAY_BUFFER)


@case
def vertex_arrays(s: Session) -> None:
    s.glEnableVertexAttribArray(16)
    s.glDisableVertexAttribArray(99)
    s.glVertexAttribPointer(16, 4, gl.FLOAT, 0, 0, None)
    s.glVertexAttribPointer(0, 5, gl.FLOAT, 0, 0, None)
    s.glVertexAttribPointer(0, 4, 0x1234, 0, 0, None)
    s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, -1, None)
    s.glVertexAttribPointer(0, 3, 0x8368, 0, 0, None)
    s.glVertexAttribPointer(0, 4, 0x8368, 0, 0, None)
    s.glVertexAttribIPointer(0, 4, gl.FLOAT, 0, None)
    s.glVertexAttribIPointer(0, 4, gl.INT, 0, None)
    s.glVertexAttribDivisor(16, 1)
    s.glVertexAttribDivisor(0, 1)
    s.glVertexAttrib4f(16, 0.0, 0.0, 0.0, 1.0)
    s.glBindVertexArray(1234)
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, b"0123456789abcdef")
    s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    s.glBindVertexArray(0)
    s.glGenVertexArrays(-1)


@case
def shaders_and_programs(s: Session) -> None:
    s.glCompileShader(999)
    s.glLinkProgram(999)
    s.glUseProgram(999)
    program = s.glCreateProgram()
    shader = s.glCreateShader(gl.VERTEX_SHADER)
    s.glCompileShader(program)
    s.glLinkProgram(shader)
    s.glUseProgram(shader)
    s.glUseProgram(program)
    s.glAttachShader(program, shader)
    s.glAttachShader(program, shader)
    s.glAttachShader(program, s.glCreateShader(gl.VERTEX_SHADER))
    s.glAttachShader(shader, program)
    s.glAttachShader(program, 999)
    s.glDetachShader(program, 999)
    s.glDetachShader(program, shader)
    s.glDetachShader(program, shader)
    s.glBindAttribLocation(program, 99, "position")
    s.glBindAttribLocation(program, 0, "gl_Position")
    s.glBindAttribLocation(program, 0, "position")
    s.glGetUniformLocation(program, "color")
    s.glGetUniformLocation(shader, "color")
    s.glDeleteShader(0)
    s.glDeleteShader(999)
    s.glDeleteShader(program)
    s.glDeleteShader(shader)
    s.glDeleteProgram(program)
    s.glDeleteProgram(0)
    s.glDeleteProgram(999)
    s.glTransformFeedbackVaryings(999, 1, ["v"], 0x8C8C)
    s.glValidateProgram(999)
    s.glUniform1f(-1, 1.0)
    s.glUniform1f(0, 1.0)


@case
def uniforms(s: Session) -> None:
    program = s.program(VERTEX, FRAGMENT)
    s.glUseProgram(program)
    at = {name: s.glGetUniformLocation(program, name) for name in ("color", "whole", "matrix", "list", "image")}
    s.glUniform4f(at["color"], 1.0, 0.0, 0.0, 1.0)
    s.glUniform3f(at["color"], 1.0, 0.0, 0.0)
    s.glUniform4i(at["color"], 1, 0, 0, 1)
    s.glUniform2i(at["whole"], 1, 2)
    s.glUniform2f(at["whole"], 1.0, 2.0)
    s.glUniform2ui(at["whole"], 1, 2)
    s.glUniformMatrix3fv(at["matrix"], 1, 0, [0.0] * 9)
    s.glUniformMatrix2fv(at["matrix"], 1, 0, [0.0] * 4)
    s.glUniformMatrix3fv(at["matrix"], 2, 0, [0.0] * 18)
    s.glUniformMatrix3fv(at["color"], 1, 0, [0.0] * 9)
    s.glUniform1fv(at["list"], 3, [1.0, 2.0, 3.0])
    s.glUniform1fv(at["list"], 5, [1.0, 2.0, 3.0, 4.0, 5.0])
    s.glUniform1fv(at["list"], -1, [1.0])
    s.glUniform4fv(at["color"], 2, [1.0] * 8)
    s.glUniform1i(at["image"], 3)
    s.glUniform1f(at["image"], 3.0)
    s.glUniform1i(at["image"], 100000)
    s.glUniform1i(at["image"], -1)
    s.glUniform1f(-1, 1.0)
    s.glUniform1f(4321, 1.0)
    s.glUniformBlockBinding(program, 0, 0)
    s.glUseProgram(0)
    s.glUniform4f(at["color"], 1.0, 0.0, 0.0, 1.0)


@case
def texture_parameters(s: Session) -> None:
    s.glActiveTexture(0x84C0 + 4000)
    s.glActiveTexture(0x84C0)
    s.glBindTexture(0x1234, 0)
    name = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, name)
    s.glBindTexture(gl.TEXTURE_3D, name)
    s.glTexParameteri(0x1234, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
    for parameter, value in (
        (gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR), (gl.TEXTURE_MIN_FILTER, gl.REPEAT),
        (gl.TEXTURE_MAG_FILTER, gl.LINEAR_MIPMAP_LINEAR), (gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT),
        (gl.TEXTURE_WRAP_T, gl.LINEAR), (gl.TEXTURE_WRAP_R, gl.CLAMP_TO_EDGE), (0x813C, -1), (0x813D, -1), (0x813C, 2),
        (0x884C, 0x884E), (0x884C, 1), (0x884D, gl.LEQUAL), (0x884D, 1), (0x8E42, gl.RED), (0x8E42, gl.RGBA),
        (0x1234, 0), (0x8B9D, 0)):  # fmt: skip
        s.glTexParameteri(gl.TEXTURE_2D, parameter, value)
    s.glTexParameterf(gl.TEXTURE_2D, gl.TEXTURE_MAX_ANISOTROPY, 0.5)
    s.glTexParameterf(gl.TEXTURE_2D, gl.TEXTURE_MAX_ANISOTROPY, 2.0)
    s.glBindSampler(0, 1234)
    s.glBindSampler(4000, 0)
    sampler = s.glGenSamplers(1)[0]
    s.glBindSampler(0, sampler)
    s.glSamplerParameteri(sampler, gl.TEXTURE_WRAP_S, gl.REPEAT)
    s.glSamplerParameteri(sampler, gl.TEXTURE_WRAP_S, 1)
    s.glSamplerParameteri(sampler, 0x8E42, gl.RED)
    s.glSamplerParameteri(1234, gl.TEXTURE_WRAP_S, gl.REPEAT)
    s.glGenTextures(-1)
    s.glDeleteTextures(-1, [1])


@case
def texture_images(s: Session) -> None:
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    good = (gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE)
    for place, value in (
        (0, 0x1234), (0, gl.TEXTURE_CUBE_MAP), (1, -1), (1, 100), (2, 0x1234), (2, gl.RGB), (3, -1), (3, 1 << 20),
        (5, 1), (6, 0x1234), (6, gl.RGB), (7, 0x1234), (7, gl.FLOAT), (7, gl.UNSIGNED_SHORT_5_6_5),
        (7, gl.UNSIGNED_SHORT_4_4_4_4), (2, gl.RGBA8), (2, 0x881A), (2, 0x8D7C)):  # fmt: skip
        arguments = list(good)
        arguments[place] = value
        s.glTexImage2D(*arguments, TEXELS)
    for internal, client, kind in (
        (0x8229, gl.RED, gl.UNSIGNED_BYTE), (0x8229, gl.RED, gl.BYTE), (0x8D7C, 0x8D99, gl.UNSIGNED_BYTE),
        (0x8D7C, 0x8D99, gl.BYTE), (0x906F, 0x8D99, 0x8368), (0x8C3A, gl.RGB, gl.FLOAT), (gl.RGB565, gl.RGB, 0x8363),
        (gl.RGB565, gl.RGBA, 0x8363), (0x81A6, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT),
        (0x81A6, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT), (0x88F0, gl.DEPTH_STENCIL, 0x84FA)):  # fmt: skip
        s.glTexImage2D(gl.TEXTURE_2D, 0, internal, 4, 4, 0, client, kind, TEXELS)
    s.glTexImage2D(*good, TEXELS)
    good = (gl.TEXTURE_2D, 0, 0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE)
    for place, value in ((0, 0x1234), (1, -1), (1, 3), (2, -1), (2, 1), (4, -1), (6, 0x1234), (6, gl.RGB), (7, 1)):
        arguments = list(good)
        arguments[place] = value
        s.glTexSubImage2D(*arguments, TEXELS)
    s.glTexSubImage2D(*good, TEXELS)
    s.glGenerateMipmap(0x1234)
    s.glGenerateMipmap(gl.TEXTURE_2D)
    s.glTexImage2D(gl.TEXTURE_2D, 0, 0x8D7C, 4, 4, 0, 0x8D99, gl.UNSIGNED_BYTE, TEXELS)
    s.glGenerateMipmap(gl.TEXTURE_2D)
    s.glBindTexture(gl.TEXTURE_CUBE_MAP, s.glGenTextures(1)[0])
    s.glTexImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X, 0, gl.RGBA, 4, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)
    s.glTexImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)
    s.glGenerateMipmap(gl.TEXTURE_CUBE_MAP)


@case
def texture_storage(s: Session) -> None:
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 4, 4)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA, 4, 4)
    s.glTexStorage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4)
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 0, 4)
    s.glTexStorage2D(gl.TEXTURE_2D, 4, gl.RGBA8, 4, 4)
    s.glTexStorage2D(gl.TEXTURE_3D, 1, gl.RGBA8, 4, 4)
    s.glTexStorage2D(gl.TEXTURE_2D, 3, gl.RGBA8, 4, 4)
    s.glTexStorage2D(gl.TEXTURE_2D, 3, gl.RGBA8, 4, 4)
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)
    s.glTexSubImage2D(gl.TEXTURE_2D, 1, 0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)
    s.glBindTexture(gl.TEXTURE_3D, s.glGenTextures(1)[0])
    s.glTexStorage3D(gl.TEXTURE_3D, 1, 0x81A6, 4, 4, 4)
    s.glTexStorage3D(gl.TEXTURE_3D, 1, 0x9274, 4, 4, 4)
    s.glTexStorage3D(gl.TEXTURE_3D, 3, gl.RGBA8, 4, 4, 4)
    s.glTexImage3D(0x1234, 0, gl.RGBA8, 4, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)


@case
def compressed_images(s: Session) -> None:
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    good = (gl.TEXTURE_2D, 0, 0x9274, 8, 8, 0, 32)
    for place, value in ((0, 0x1234), (1, -1), (2, 0x1234), (2, gl.RGBA8), (3, -1), (5, 1), (6, 31), (6, 33), (6, -1)):
        arguments = list(good)
        arguments[place] = value
        s.glCompressedTexImage2D(*arguments, bytes(64))
    s.glCompressedTexImage2D(*good, bytes(64))
    good = (gl.TEXTURE_2D, 0, 0, 0, 4, 4, 0x9274, 8)
    for place, value in ((1, 3), (2, 1), (2, 8), (4, 3), (6, 0x9278), (7, 7)):
        arguments = list(good)
        arguments[place] = value
        s.glCompressedTexSubImage2D(*arguments, bytes(64))
    s.glCompressedTexSubImage2D(*good, bytes(64))
    s.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, gl.RGB, gl.UNSIGNED_BYTE, TEXELS)
    s.glGenerateMipmap(gl.TEXTURE_2D)
    s.glBindTexture(gl.TEXTURE_2D_ARRAY, s.glGenTextures(1)[0])
    s.glCompressedTexImage3D(gl.TEXTURE_2D_ARRAY, 0, 0x9274, 4, 4, 2, 0, 15, bytes(64))
    s.glCompressedTexImage3D(gl.TEXTURE_2D_ARRAY, 0, 0x9274, 4, 4, 2, 0, 16, bytes(64))


@case
def framebuffers(s: Session) -> None:
    s.glBindFramebuffer(0x1234, 0)
    s.glBindRenderbuffer(0x1234, 0)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 0, 0)
    s.glRenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 4, 4)
    renderbuffer, framebuffer, texture = s.glGenRenderbuffers(1)[0], s.glGenFramebuffers(1)[0], s.glGenTextures(1)[0]
    s.glBindRenderbuffer(gl.RENDERBUFFER, renderbuffer)
    s.glRenderbufferStorage(gl.RENDERBUFFER, 0x1234, 4, 4)
    s.glRenderbufferStorage(gl.RENDERBUFFER, 0x8F97, 4, 4)
    s.glRenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, -1, 4)
    s.glRenderbufferStorageMultisample(gl.RENDERBUFFER, -1, gl.RGBA8, 4, 4)
    s.glRenderbufferStorageMultisample(gl.RENDERBUFFER, 1000, gl.RGBA8, 4, 4)
    s.glRenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 4, 4)
    s.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, 0x1234, gl.RENDERBUFFER, renderbuffer)
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, renderbuffer)
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, 999)
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + 1, gl.TEXTURE_2D, 999, 0)
    s.glBindTexture(gl.TEXTURE_2D, texture)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + 1, 0x8515, texture, 0)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + 1, gl.TEXTURE_2D, texture, -1)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + 1, gl.TEXTURE_2D, texture, 0)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glFramebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + 1, texture, 0, 0)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + 1, gl.TEXTURE_2D, 0, 0)
    s.glDrawBuffers(1, [gl.COLOR_ATTACHMENT0 + 1])
    s.glDrawBuffers(1, [gl.BACK])
    s.glDrawBuffers(1, [0x1234])
    s.glDrawBuffers(-1, [gl.NONE])
    s.glDrawBuffers(2, [gl.NONE, gl.COLOR_ATTACHMENT0 + 1])
    s.glReadBuffer(gl.BACK)
    s.glReadBuffer(0x1234)
    s.glReadBuffer(gl.COLOR_ATTACHMENT0)
    s.glInvalidateFramebuffer(gl.FRAMEBUFFER, 1, [0x1234])
    s.glInvalidateFramebuffer(0x1234, 1, [gl.COLOR_ATTACHMENT0])
    s.glInvalidateFramebuffer(gl.FRAMEBUFFER, 1, [gl.COLOR_ATTACHMENT0])
    s.glInvalidateFramebuffer(gl.FRAMEBUFFER, -1, [gl.COLOR_ATTACHMENT0])
    s.glDeleteRenderbuffers(1, [renderbuffer])
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    s.glDrawBuffers(1, [gl.COLOR_ATTACHMENT0])
    s.glDrawBuffers(2, [gl.BACK, gl.NONE])
    s.glDrawBuffers(1, [gl.BACK])
    s.glReadBuffer(gl.COLOR_ATTACHMENT0)
    s.glDeleteFramebuffers(-1, [1])


@case
def clears_and_copies(s: Session) -> None:
    s.glClearBufferfv(gl.STENCIL, 0, [0.0])
    s.glClearBufferfv(gl.DEPTH, 1, [0.0])
    s.glClearBufferfv(gl.COLOR, 99, [0.0] * 4)
    s.glClearBufferfv(gl.COLOR, 0, [0.0] * 4)
    s.glClearBufferiv(gl.DEPTH, 0, [0])
    s.glClearBufferiv(gl.STENCIL, 0, [0])
    s.glClearBufferuiv(gl.STENCIL, 0, [0])
    s.glClearBufferfi(gl.COLOR, 0, 0.0, 0)
    s.glClearBufferfi(gl.DEPTH_STENCIL, 0, 0.0, 0)
    s.glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, 1, gl.NEAREST)
    s.glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.REPEAT)
    s.glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.DEPTH_BUFFER_BIT, gl.LINEAR)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4)
    s.glCopyTexImage2D(gl.TEXTURE_2D, 0, 0x1234, 0, 0, 4, 4, 0)
    s.glCopyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, -1, 4, 0)
    s.glCopyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 4, 4, 1)
    s.glCopyTexImage2D(0x1234, 0, gl.RGBA, 0, 0, 4, 4, 0)
    s.glCopyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 4, 4, 0)
    s.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, 1, 0, 0, 0, 4, 4)
    s.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4)
    s.glReadPixels(0, 0, -1, 4, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)
    s.glReadPixels(0, 0, 4, 4, 0x1234, gl.UNSIGNED_BYTE, TEXELS)
    s.glReadPixels(0, 0, 4, 4, gl.RGBA, 0x1234, TEXELS)
    s.glReadPixels(0, 0, 4, 4, 0x8D99, gl.INT, TEXELS)
    s.glReadPixels(0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)


@case
def draws(s: Session) -> None:
    s.glDrawArrays(99, 0, 3)
    s.glDrawArrays(gl.TRIANGLES, -1, 3)
    s.glDrawArrays(gl.TRIANGLES, 0, -3)
    program = s.program(VERTEX, FRAGMENT)
    s.glUseProgram(program)
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.ARRAY_BUFFER, 48, np.zeros(12, np.float32), 0x88E4)
    s.glEnableVertexAttribArray(0)
    s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    s.glDrawArrays(gl.TRIANGLES, 0, 0)
    s.glDrawArraysInstanced(gl.TRIANGLES, 0, 3, -1)
    s.glDrawElements(gl.TRIANGLES, 3, gl.FLOAT, b"\0\1\2")
    s.glDrawElements(99, 3, gl.UNSIGNED_BYTE, b"\0\1\2")
    s.glDrawElements(gl.TRIANGLES, -3, gl.UNSIGNED_BYTE, b"\0\1\2")
    s.glDrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_BYTE, b"\0\1\2")
    s.glDrawRangeElements(gl.TRIANGLES, 2, 1, 3, gl.UNSIGNED_BYTE, b"\0\1\2")
    s.glMapBufferRange(gl.ARRAY_BUFFER, 0, 4, 2)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    s.glUnmapBuffer(gl.ARRAY_BUFFER)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glDrawArrays(gl.TRIANGLES, 0, 3)


@case
def queries_and_fences(s: Session) -> None:
    one, two = s.glGenQueries(2)
    s.glBeginQuery(0x1234, one)
    s.glBeginQuery(0x8C2F, 999)
    s.glBeginQuery(0x8C2F, 0)
    s.glEndQuery(0x8C2F)
    s.glBeginQuery(0x8C2F, one)
    s.glBeginQuery(0x8C2F, two)
    s.glBeginQuery(0x8D6A, two)
    s.glBeginQuery(0x8C88, one)
    s.glBeginQuery(0x8C88, two)
    s.glEndQuery(0x8D6A)
    s.glEndQuery(0x8C2F)
    s.glBeginQuery(0x8C88, one)
    s.glEndQuery(0x8C88)
    s.glDeleteQueries(-1, [one])
    s.glFenceSync(0x1234, 0)
    s.glFenceSync(0x9117, 1)


CAPTURING = VERTEX.replace("out vec4 v;", "out vec4 v; out vec2 extra;").replace("v = ", "extra = position.yx; v = ")


@case
def transform_feedback(s: Session) -> None:
    s.glBeginTransformFeedback(gl.POINTS)
    plain, program = s.program(VERTEX, FRAGMENT), s.program(CAPTURING, FRAGMENT, names=["extra", "v"])
    s.glUseProgram(plain)
    s.glBeginTransformFeedback(gl.POINTS)
    s.glUseProgram(program)
    s.glBeginTransformFeedback(gl.POINTS)
    buffer = s.glGenBuffers(1)[0]
    s.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer)
    s.glBufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 80, None, 0x88E4)
    s.glEndTransformFeedback()
    s.glPauseTransformFeedback()
    s.glResumeTransformFeedback()
    s.glBeginTransformFeedback(gl.TRIANGLE_STRIP)
    s.glBeginTransformFeedback(gl.TRIANGLES)
    s.glBeginTransformFeedback(gl.TRIANGLES)
    s.glUseProgram(plain)
    s.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
    s.glLinkProgram(program)
    s.glDrawArrays(gl.POINTS, 0, 3)
    s.glDrawArrays(gl.TRIANGLE_STRIP, 0, 3)
    s.glDrawArrays(gl.TRIANGLES, 0, 6)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    s.glPauseTransformFeedback()
    s.glPauseTransformFeedback()
    s.glDrawArrays(gl.POINTS, 0, 3)
    s.glUseProgram(plain)
    s.glResumeTransformFeedback()
    s.glUseProgram(program)
    s.glResumeTransformFeedback()
    s.glEndTransformFeedback()
    s.glEndTransformFeedback()
    s.glBindTransformFeedback(0x8E22, 999)
    s.glBindTransformFeedback(0x1234, 0)
    s.glBindTransformFeedback(0x8E22, s.glGenTransformFeedbacks(1)[0])
    s.glBeginTransformFeedback(gl.TRIANGLES)


BEYOND_MESA = (
    "glBindBufferRange(35345, 0, ",
    "glBufferSubData(34962, 0, 4, b'abcd')",
    "glTexSubImage2D(3553, 0, 0, 0, 4, 4, 6407, 5121",
    "glRenderbufferStorage(36161, 36759",
    "glRenderbufferStorageMultisample(36161, 1000",
    "glReadPixels(0, 0, 4, 4, 4660",
    "glReadPixels(0, 0, 4, 4, 6408, 4660",
    "glDrawArrays(4, -1, 3)",
)
"""Calls that Mesa judges otherwise than OpenGL ES 3.0 has it: it takes negative offsets of uniform buffers and first
vertices, lets mapped buffers be written, has signed normalized renderbuffers (EXT_render_snorm), clamps samples,
and has errors of its own for enums that are none."""
LATER_RULES = {
    "draws": ("glDrawArrays(4, 0, 3)",),
    "transform_feedback": ("glDrawArrays(4, 0, 3)", "glDrawArrays(4, 0, 6)", "glDrawArrays(5, 0, 3)"),
}
"""Mesa follows OpenGL ES 3.2 there: transform feedback takes strips and stops where its buffers are full, and draws may
read mapped buffers."""


@pytest.fixture
def session() -> Iterator[Session]:
    """A context here and one on Mesa."""
    both = Session(3, mesa=True)
    yield both
    assert both.mesa is not None
    both.mesa.close()


@pytest.mark.parametrize("name", CASES)
def test_errors_are_mesas(name: str, session: Session) -> None:
    compared: list[tuple[str, str, str]] = []
    plain = session.call

    def call(function: str, *arguments: object) -> object:
        result = plain(function, *arguments)
        assert session.mesa is not None
        shown = f"{function}({', '.join(str(a)[:20] for a in arguments)})"
        compared.append((shown, _name(session.error()), _name(session.mesa.error())))
        return result

    session.call = call  # type: ignore[method-assign]
    CASES[name](session)
    assert compared
    told_apart = (*BEYOND_MESA, *LATER_RULES.get(name, ()))
    different = [
        f"{shown}: here {ours}, Mesa {theirs}"
        for shown, ours, theirs in compared
        if ours != theirs and not (ours != "0" and shown.startswith(told_apart))
    ]
    assert not different, "\n".join(different)


def _name(error: int) -> str:
    return gl.ERRORS.get(error, str(error))
