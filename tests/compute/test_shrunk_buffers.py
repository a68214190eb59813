"""Ranges of buffers that were right when they were bound, of buffers that have become smaller since: what lies beyond
the end reads as 0 and is not written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.opengl import enums as gl

from .own import play

OFFSET, WORDS, LARGE = 256, 8, 1024
SIZES = (0, 16, OFFSET, OFFSET + 4, OFFSET + 20, OFFSET + 4 * WORDS, LARGE)
HEAD = """#version 310 es
precision highp int;
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Answer { uint answer[20]; };
"""
BODIES = {
    gl.UNIFORM_BUFFER: """layout(std140, binding = 1) uniform U { uvec4 a, b; };
        void main() { for (int i = 0; i < 4; i++) { answer[i] = a[i]; answer[4 + i] = b[i]; } }""",
    gl.SHADER_STORAGE_BUFFER: """layout(std430, binding = 1) buffer S { uint s[8]; };
        void main() { for (int i = 0; i < 8; i++) { answer[i] = s[i]; s[i] = 7u; atomicAdd(s[i], 1u); } }""",
    gl.ATOMIC_COUNTER_BUFFER: """layout(binding = 1) uniform atomic_uint c[8];
        void main() { for (int i = 0; i < 8; i++) answer[i] = atomicCounterIncrement(c[i]); }""",
}
WRITTEN = {gl.UNIFORM_BUFFER: None, gl.SHADER_STORAGE_BUFFER: 8, gl.ATOMIC_COUNTER_BUFFER: 1}
"""What the shader adds to the content: None for nothing; storage is overwritten."""


def _program(r: Recorder, source: str) -> None:
    shader, program = r.glCreateShader(gl.COMPUTE_SHADER), r.glCreateProgram()
    r.glShaderSource(shader, 1, [source], None)
    r.glCompileShader(shader)
    r.glAttachShader(program, shader)
    r.glLinkProgram(program)
    r.glUseProgram(program)


def _record(path: Path, target: int, sizes: tuple[int, ...]) -> None:
    """A range is bound and used, then once more after each change of its buffer's size; all is read back."""
    with Recorder(path, 8, 8, (3, 1)) as r:
        _program(r, HEAD + BODIES[target])
        shrinking, answer = r.glGenBuffers(2)
        r.glBindBuffer(target, shrinking)
        r.glBufferData(target, LARGE, np.full(LARGE // 4, 5, np.uint32), gl.DYNAMIC_DRAW)
        r.glBindBufferRange(target, 1, shrinking, OFFSET, 4 * WORDS)
        r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, answer)
        for size in sizes:
            r.glBindBuffer(target, shrinking)
            r.glBufferData(target, size, np.full(size // 4, 5, np.uint32), gl.DYNAMIC_DRAW)
            r.glBindBuffer(gl.COPY_WRITE_BUFFER, answer)
            r.glBufferData(gl.COPY_WRITE_BUFFER, 80, bytes([255]) * 80, gl.DYNAMIC_DRAW)
            r.glDispatchCompute(1, 1, 1)
            r.glMemoryBarrier(0xFFFFFFFF)
            r.glMapBufferRange(gl.COPY_WRITE_BUFFER, 0, 80, gl.MAP_READ_BIT)
            r.glUnmapBuffer(gl.COPY_WRITE_BUFFER)
            if size:
                r.glMapBufferRange(target, 0, size, gl.MAP_READ_BIT)
                r.glUnmapBuffer(target)
        r.swap()


@pytest.mark.parametrize("target", BODIES)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_lies_beyond_reads_as_zero(target: int, compiled: bool, tmp_path: Path) -> None:
    _record(tmp_path / "shrunk.trace", target, SIZES)
    answers = iter(play(tmp_path / "shrunk.trace", choose_backend()[0] if compiled else NumpyBackend()))
    for size in SIZES:
        left = max(0, min(WORDS, (size - OFFSET) // 4))
        read = np.frombuffer(next(answers), np.uint32)[:WORDS]
        np.testing.assert_array_equal(read, [5] * left + [0] * (WORDS - left))
        if not size:
            continue
        content = np.frombuffer(next(answers), np.uint32)
        first, added = OFFSET // 4, WRITTEN[target]
        inside = np.zeros(len(content), bool)
        inside[first : first + left] = added is not None
        np.testing.assert_array_equal(content, np.where(inside, 8 if added == 8 else 6, 5))
