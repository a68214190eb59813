"""Runs programs on Mesa: `python -m tests.compute.mesa_runner NUMBER` reads pickled programs from its standard input
and writes all buffers of each as they are in the end."""

from __future__ import annotations

import ctypes
import pickle
import sys
from collections.abc import Iterator

import numpy as np

from tests.gles.mesa import Mesa

from .mesa_checks import check
from .mesa_module import write
from .program import FORMATS, Program

COMPUTE_SHADER, STORAGE_BUFFER, UNIFORM_BUFFER, TEXTURE_2D = 0x91B9, 0x90D2, 0x8A11, 0x0DE1
READ_WRITE, ALL_BARRIERS, DYNAMIC_COPY, MAP_READ_BIT, UNPACK_ALIGNMENT = 0x88BA, 0xFFFFFFFF, 0x88EA, 0x1, 0x0CF5


def linked(mesa: Mesa, source: str) -> int:
    """A program that is one compute shader."""
    program, shader = mesa.call("glCreateProgram"), mesa.call("glCreateShader", COMPUTE_SHADER)
    mesa.call("glShaderSource", shader, 1, [source], None)
    for name, made in (("glCompileShader", shader), ("glLinkProgram", program)):
        if name == "glLinkProgram":
            mesa.call("glAttachShader", program, shader)
        mesa.call(name, made)
        try:
            check(mesa, name, made)
        except AssertionError as error:
            raise AssertionError(f"{source}\n{error}") from None
    mesa.call("glDeleteShader", shader)
    return int(program)


def _buffer(mesa: Mesa, target: int, data: bytes) -> int:
    (buffer,) = mesa.call("glGenBuffers", 1)
    mesa.call("glBindBuffer", target, buffer)
    mesa.call("glBufferData", target, len(data), np.frombuffer(data, np.uint8), DYNAMIC_COPY)
    return int(buffer)


def _images(mesa: Mesa, program: Program) -> list[int]:
    textures: list[int] = mesa.call("glGenTextures", len(program.images)) if program.images else []
    mesa.call("glPixelStorei", UNPACK_ALIGNMENT, 1)
    for unit, (texture, image) in enumerate(zip(textures, program.images, strict=True)):
        layout = FORMATS[image.format]
        mesa.call("glBindTexture", TEXTURE_2D, texture)
        mesa.call("glTexStorage2D", TEXTURE_2D, 1, layout.internal, image.width, image.height)
        size = (0, 0, image.width, image.height)
        texels = np.frombuffer(image.texels, np.uint8)
        mesa.call("glTexSubImage2D", TEXTURE_2D, 0, *size, layout.layout, layout.kind, texels)
        mesa.call("glBindImageTexture", unit, texture, 0, False, 0, READ_WRITE, layout.internal)
    return textures


def run(mesa: Mesa, program: Program) -> list[bytes]:
    """All buffers after a program's dispatches."""
    buffers = [_buffer(mesa, STORAGE_BUFFER, data) for data in program.buffers]
    uniforms = _buffer(mesa, UNIFORM_BUFFER, program.uniforms) if program.uniforms else 0
    mesa.call("glBindBufferBase", UNIFORM_BUFFER, 0, uniforms)
    textures, programs = _images(mesa, program), []
    for one in program.passes:
        for binding, buffer in enumerate(one.buffers):
            mesa.call("glBindBufferBase", STORAGE_BUFFER, binding, buffers[buffer])
        programs.append(linked(mesa, one.source))
        mesa.call("glUseProgram", programs[-1])
        mesa.call("glDispatchCompute", *one.groups)
        mesa.call("glMemoryBarrier", ALL_BARRIERS)
    out = []
    for buffer, data in zip(buffers, program.buffers, strict=True):
        mesa.call("glBindBuffer", STORAGE_BUFFER, buffer)
        address = mesa.call("glMapBufferRange", STORAGE_BUFFER, 0, len(data), MAP_READ_BIT)
        out.append(ctypes.string_at(address, len(data)))
        mesa.call("glUnmapBuffer", STORAGE_BUFFER)
    assert mesa.error() == 0, program.passes[0].source
    for made in programs:
        mesa.call("glDeleteProgram", made)
    mesa.call("glDeleteBuffers", len(buffers), buffers)
    if textures:
        mesa.call("glDeleteTextures", len(textures), textures)
    return out


def _all() -> Iterator[bytes]:
    mesa = Mesa(3, 1)
    for program in pickle.load(sys.stdin.buffer):
        yield from run(mesa, program)


def main() -> None:
    """Run the programs of the input."""
    write(_all)


if __name__ == "__main__":
    main()
