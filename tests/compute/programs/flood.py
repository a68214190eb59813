"""Distances from a corner through a maze, wave by wave: a wave's cells are a queue in memory, and how many groups the
next one takes is what glDispatchComputeIndirect reads from a buffer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

FRAMES = 2
WALL, UNREACHED = 0xFFFFFFFF, 0xFFFFFFFE
_HEAD = """#version 310 es
precision highp int;
layout(std430, binding = 0) buffer Distances { uint distance[]; };
layout(std430, binding = 1) buffer Wave { uint wave[]; };
layout(std430, binding = 2) buffer Next { uint next[]; };
layout(std430, binding = 3) buffer Control { uvec3 groups; uint cells; uint found; };
"""
_SPREAD = """
layout(local_size_x = 64) in;
uniform int size;

void reach(ivec2 at, uint far) {
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(size)))) return;
    uint cell = uint(at.y * size + at.x);
    if (atomicCompSwap(distance[cell], 0xfffffffeu, far) == 0xfffffffeu) next[atomicAdd(found, 1u)] = cell;
}

void main() {
    if (gl_GlobalInvocationID.x >= cells) return;
    int cell = int(wave[gl_GlobalInvocationID.x]);
    ivec2 at = ivec2(cell % size, cell / size);
    uint far = distance[cell] + 1u;
    reach(at + ivec2(1, 0), far);
    reach(at - ivec2(1, 0), far);
    reach(at + ivec2(0, 1), far);
    reach(at - ivec2(0, 1), far);
}
"""
_TURN = """
layout(local_size_x = 1) in;
void main() {
    cells = found;
    found = 0u;
    groups = uvec3((cells + 63u) / 64u, 1u, 1u);
}
"""
_SHADE = """
layout(std430, binding = 0) readonly buffer Distances { uint distance[]; };
uniform int size;
uvec3 shade(ivec2 at) {
    uint far = distance[at.y * size + at.x];
    return far >= 0xfffffffeu ? uvec3(0, 0, far & 1u) * 200u : uvec3(far, 255u - far, 40u) & 255u;
}
"""


def inputs(size: int, frame: int) -> NDArray[np.uint32]:
    """Cells of a frame at the beginning; (size, size)."""
    cells = np.where(np.random.default_rng(20 + frame).random((size, size)) < 0.3, WALL, UNREACHED)
    cells[0, 0] = 0
    cells[:3, 1], cells[2, :3] = UNREACHED, UNREACHED
    return cells.astype(np.uint32)


def record(path: Path, size: int = 40, waves: int = 60) -> None:
    """Write the program's trace, for a square maze and that many waves."""
    with recording(path, size, size) as session:
        gl = session.gl
        spread, turn = gl.compute_program(_HEAD + _SPREAD), gl.compute_program(_HEAD + _TURN)
        shown = session.window_program(_SHADE)
        for program in (spread, shown):
            gl.glUseProgram(program)
            gl.glUniform1i(gl.glGetUniformLocation(program, "size"), size)
        distances, wave, after = (session.empty(size * size) for _ in range(3))
        control = session.empty(8)
        gl.glBindBuffer(names.DISPATCH_INDIRECT_BUFFER, control)
        for frame in range(FRAMES):
            session.update(distances, inputs(size, frame))
            session.update(wave, np.zeros(1, np.uint32))
            session.update(control, np.array([1, 1, 1, 1, 0], np.uint32))
            for _ in range(waves):
                session.bind(distances, wave, after, control)
                gl.glUseProgram(spread)
                gl.glDispatchComputeIndirect(0)
                gl.glMemoryBarrier(names.SHADER_STORAGE_BARRIER_BIT)
                session.run(turn, 1, names.SHADER_STORAGE_BARRIER_BIT | names.COMMAND_BARRIER_BIT)
                wave, after = after, wave
            session.read(distances, 4 * size * size)
            session.read(control, 20)
            session.show(shown)


def _flooded(cells: NDArray[np.uint32], waves: int) -> int:
    """Set the distances in place; how many cells the wave after the last has."""
    for far in range(1, waves + 1):
        padded = np.pad(cells == far - 1, 1)
        beside = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
        cells[beside & (cells == UNREACHED)] = far
    return int((cells == waves).sum())


def expected(size: int = 40, waves: int = 60) -> list[Answer]:
    """Per frame the distances, the arguments and numbers of the wave to come, and the picture."""
    answers = []
    for frame in range(FRAMES):
        cells = inputs(size, frame)
        found = _flooded(cells, waves)
        far = cells.astype(np.int64)
        colors = np.stack([far, 255 - far, np.full_like(far, 40)], -1) & 255
        blocked = np.stack([0 * far, 0 * far, (far & 1) * 200], -1)
        control = np.array([-(-found // 64), 1, 1, found, 0], np.uint32)
        shown = np.where((far >= UNREACHED)[..., None], blocked, colors)
        answers += [values(cells), values(control), picture(shown)]
    return answers
