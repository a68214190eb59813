"""Programs as traces, so that whatever plays traces runs programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as names

from .program import FORMATS, Program

UNPACK_ALIGNMENT, ALL_BARRIERS = 0x0CF5, 0xFFFFFFFF


def record(program: Program, path: Path) -> None:
    """Write a trace of a program that maps every buffer for reading at the end, in their order."""
    with Recorder(path, 32, 32, version=(3, 1)) as gl:
        buffers = [_buffer(gl, names.SHADER_STORAGE_BUFFER, data) for data in program.buffers]
        if program.uniforms:
            gl.glBindBufferBase(names.UNIFORM_BUFFER, 0, _buffer(gl, names.UNIFORM_BUFFER, program.uniforms))
        _images(gl, program)
        for one in program.passes:
            for binding, buffer in enumerate(one.buffers):
                gl.glBindBufferBase(names.SHADER_STORAGE_BUFFER, binding, buffers[buffer])
            gl.glUseProgram(gl.compute_program(one.source))
            gl.glDispatchCompute(*one.groups)
            gl.glMemoryBarrier(ALL_BARRIERS)
        for buffer, data in zip(buffers, program.buffers, strict=True):
            gl.glBindBuffer(names.SHADER_STORAGE_BUFFER, buffer)
            gl.glMapBufferRange(names.SHADER_STORAGE_BUFFER, 0, len(data), names.MAP_READ_BIT)
            gl.glUnmapBuffer(names.SHADER_STORAGE_BUFFER)
        gl.swap()


def _buffer(gl: Recorder, target: int, data: bytes) -> int:
    (buffer,) = gl.glGenBuffers(1)
    gl.glBindBuffer(target, buffer)
    gl.glBufferData(target, len(data), data, names.DYNAMIC_COPY)
    return int(buffer)


def _images(gl: Recorder, program: Program) -> None:
    gl.glPixelStorei(UNPACK_ALIGNMENT, 1)
    for unit, image in enumerate(program.images):
        form = FORMATS[image.format]
        (texture,) = gl.glGenTextures(1)
        gl.glBindTexture(names.TEXTURE_2D, texture)
        gl.glTexStorage2D(names.TEXTURE_2D, 1, form.internal, image.width, image.height)
        texels = np.frombuffer(image.texels, np.uint8)
        size = (0, 0, image.width, image.height)
        gl.glTexSubImage2D(names.TEXTURE_2D, 0, *size, form.layout, form.kind, texels)
        gl.glBindImageTexture(unit, texture, 0, False, 0, names.READ_WRITE, form.internal)
