"""The product of two matrices, once with an invocation per element that reads rows and columns from memory, once with
tiles of 16x16 elements in shared memory. Elements are whole numbers, so products are exact in any order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

TILE = 16
FRAMES = 2
_HEAD = """#version 310 es
precision highp float;
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Left { float left[]; };
layout(std430, binding = 1) readonly buffer Right { float right[]; };
layout(std430, binding = 2) writeonly buffer Product { float product[]; };
uniform uint size;
"""
_NAIVE = """
void main() {
    uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
    float sum = 0.0;
    for (uint i = 0u; i < size; i++) sum += left[row * size + i] * right[i * size + column];
    product[row * size + column] = sum;
}
"""
_TILED = """
shared float leftTile[16][16];
shared float rightTile[16][16];
void main() {
    uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
    uvec2 me = gl_LocalInvocationID.xy;
    float sum = 0.0;
    for (uint tile = 0u; tile < size; tile += 16u) {
        leftTile[me.y][me.x] = left[row * size + tile + me.x];
        rightTile[me.y][me.x] = right[(tile + me.y) * size + column];
        barrier();
        for (uint i = 0u; i < 16u; i++) sum += leftTile[me.y][i] * rightTile[i][me.x];
        barrier();
    }
    product[row * size + column] = sum;
}
"""
_SHADE = """
layout(std430, binding = 2) readonly buffer Product { float product[]; };
uniform int size;
uvec3 shade(ivec2 at) {
    return uvec3(uint(product[at.y * size + at.x])) & 255u;
}
"""


def inputs(size: int, frame: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Both matrices of a frame; (size, size) each."""
    left, right = np.random.default_rng(frame).integers(0, 9, (2, size, size))
    return left.astype(np.float32), right.astype(np.float32)


def record(path: Path, size: int = 32) -> None:
    """Write the program's trace, for a number of rows and columns that is a multiple of 16."""
    with recording(path, size, size) as session:
        gl = session.gl
        programs = [gl.compute_program(_HEAD + body) for body in (_NAIVE, _TILED)]
        shown = session.window_program(_SHADE)
        for program in programs:
            gl.glUseProgram(program)
            gl.glUniform1ui(gl.glGetUniformLocation(program, "size"), size)
        gl.glUseProgram(shown)
        gl.glUniform1i(gl.glGetUniformLocation(shown, "size"), size)
        left, right, product = (session.empty(size * size) for _ in range(3))
        session.bind(left, right, product)
        for frame in range(FRAMES):
            for buffer, matrix in zip((left, right), inputs(size, frame), strict=True):
                session.update(buffer, matrix)
            for program in programs:
                session.update(product, np.zeros(size * size, np.float32))
                session.run(program, (size // TILE, size // TILE, 1), names.SHADER_STORAGE_BARRIER_BIT)
                session.read(product, 4 * size * size)
            session.show(shown)


def expected(size: int = 32) -> list[Answer]:
    """Per frame the product by either program, and its picture."""
    answers = []
    for frame in range(FRAMES):
        left, right = inputs(size, frame)
        product = left @ right
        grey = product.astype(np.uint32) & 255
        answers += [values(product), values(product), picture(np.repeat(grey[..., None], 3, -1))]
    return answers
