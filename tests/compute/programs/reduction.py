"""Sum, minimum and maximum of an array in two levels: groups reduce parts in shared memory, one group their results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture_of_words, values
from .session import recording

WIDTH = HEIGHT = 32
GROUP = 128
FRAMES = 2
_SOURCE = """#version 310 es
layout(local_size_x = 128) in;
struct Summary { uint sum; uint least; uint most; };
%s
shared Summary parts[128];

void include(uint to, uint from) {
    parts[to].sum += parts[from].sum;
    parts[to].least = min(parts[to].least, parts[from].least);
    parts[to].most = max(parts[to].most, parts[from].most);
}

void main() {
    uint me = gl_LocalInvocationIndex;
    parts[me] = loaded();
    barrier();
    for (uint reach = 64u; reach > 0u; reach >>= 1) {
        if (me < reach) include(me, me + reach);
        memoryBarrierShared();
        barrier();
    }
    if (me == 0u) summary[gl_WorkGroupID.x] = parts[0];
}
"""
_OF_VALUES = """
layout(std430, binding = 0) readonly buffer Input { uint value[]; };
layout(std430, binding = 1) writeonly buffer Output { Summary summary[]; };
Summary loaded() {
    uint at = gl_WorkGroupID.x * 256u + gl_LocalInvocationIndex;
    uint one = value[at], other = value[at + 128u];
    return Summary(one + other, min(one, other), max(one, other));
}
"""
_OF_PARTS = """
layout(std430, binding = 0) readonly buffer Input { Summary partial[]; };
layout(std430, binding = 1) writeonly buffer Output { Summary summary[]; };
Summary loaded() {
    Summary all = Summary(0u, 0xffffffffu, 0u);
    for (uint i = gl_LocalInvocationIndex; i < uint(partial.length()); i += 128u) {
        all.sum += partial[i].sum;
        all.least = min(all.least, partial[i].least);
        all.most = max(all.most, partial[i].most);
    }
    return all;
}
"""


def inputs(size: int, frame: int) -> NDArray[np.uint32]:
    """Numbers of a frame; (size,)."""
    return np.random.default_rng(frame).integers(1, 1 << 24, size, np.uint32)


def record(path: Path, size: int = 4096) -> None:
    """Write the program's trace, for a multiple of 256 numbers."""
    groups = size // (2 * GROUP)
    with recording(path, WIDTH, HEIGHT) as session:
        first, second = (session.gl.compute_program(_SOURCE % part) for part in (_OF_VALUES, _OF_PARTS))
        given, partial, total = session.empty(size), session.empty(3 * groups), session.empty(3)
        for frame in range(FRAMES):
            session.update(given, inputs(size, frame))
            session.bind(given, partial)
            session.run(first, groups, names.SHADER_STORAGE_BARRIER_BIT)
            session.bind(partial, total)
            session.run(second, 1, names.SHADER_STORAGE_BARRIER_BIT)
            session.read(total, 12)
            session.show_words(partial)


def expected(size: int = 4096) -> list[Answer]:
    """Per frame the summary of all numbers, and the picture of those of the groups."""
    answers = []
    for frame in range(FRAMES):
        parts = inputs(size, frame).reshape(-1, 2 * GROUP)
        partial = np.stack([parts.sum(1, dtype=np.uint32), parts.min(1), parts.max(1)], 1)
        total = np.array([partial[:, 0].sum(dtype=np.uint32), parts.min(), parts.max()], np.uint32)
        answers += [values(total), picture_of_words(partial, WIDTH, HEIGHT)]
    return answers
