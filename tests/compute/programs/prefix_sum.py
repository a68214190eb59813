"""Exclusive prefix sums: groups scan blocks in shared memory (up and down a tree), one group scans the blocks' sums,
and a third pass adds these."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture_of_words, values
from .session import recording

WIDTH = HEIGHT = 32
BLOCK = 256
FRAMES = 2
_SCAN = """#version 310 es
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Values { uint value[]; };
layout(std430, binding = 1) buffer Sums { uint sum[]; };
shared uint tree[256];

void main() {
    uint me = gl_LocalInvocationID.x;
    uint from = gl_WorkGroupID.x * 256u, length = uint(value.length());
    tree[2u * me] = from + 2u * me < length ? value[from + 2u * me] : 0u;
    tree[2u * me + 1u] = from + 2u * me + 1u < length ? value[from + 2u * me + 1u] : 0u;
    uint apart = 1u;
    for (uint working = 128u; working > 0u; working >>= 1) {
        barrier();
        if (me < working) tree[apart * (2u * me + 2u) - 1u] += tree[apart * (2u * me + 1u) - 1u];
        apart *= 2u;
    }
    barrier();
    if (me == 0u) {
        sum[gl_WorkGroupID.x] = tree[255];
        tree[255] = 0u;
    }
    for (uint working = 1u; working < 256u; working *= 2u) {
        apart >>= 1;
        barrier();
        if (me < working) {
            uint low = apart * (2u * me + 1u) - 1u, high = apart * (2u * me + 2u) - 1u;
            uint left = tree[low];
            tree[low] = tree[high];
            tree[high] += left;
        }
    }
    barrier();
    if (from + 2u * me < length) value[from + 2u * me] = tree[2u * me];
    if (from + 2u * me + 1u < length) value[from + 2u * me + 1u] = tree[2u * me + 1u];
}
"""
_ADD = """#version 310 es
layout(local_size_x = 256) in;
layout(std430, binding = 0) buffer Values { uint value[]; };
layout(std430, binding = 1) readonly buffer Sums { uint before[]; };
void main() {
    if (gl_GlobalInvocationID.x < uint(value.length())) value[gl_GlobalInvocationID.x] += before[gl_WorkGroupID.x];
}
"""


def inputs(size: int, frame: int) -> NDArray[np.uint32]:
    """Numbers of a frame; (size,)."""
    return np.random.default_rng(frame).integers(0, 1 << 12, size, np.uint32)


def record(path: Path, size: int = 2000) -> None:
    """Write the program's trace, for any number of values up to 65536."""
    blocks = -(-size // BLOCK)
    with recording(path, WIDTH, HEIGHT) as session:
        scan, add = session.gl.compute_program(_SCAN), session.gl.compute_program(_ADD)
        scanned, sums, total = session.empty(size), session.empty(blocks), session.empty(1)
        for frame in range(FRAMES):
            session.update(scanned, inputs(size, frame))
            session.bind(scanned, sums)
            session.run(scan, blocks, names.SHADER_STORAGE_BARRIER_BIT)
            session.bind(sums, total)
            session.run(scan, 1, names.SHADER_STORAGE_BARRIER_BIT)
            session.bind(scanned, sums)
            session.run(add, blocks, names.SHADER_STORAGE_BARRIER_BIT)
            session.read(scanned, 4 * size)
            session.read(total, 4)
            session.show_words(scanned)


def expected(size: int = 2000) -> list[Answer]:
    """Per frame the sums before each value, that of all, and the picture of the former."""
    answers = []
    for frame in range(FRAMES):
        sums = np.cumsum(inputs(size, frame), dtype=np.uint32)
        before = np.concatenate([[0], sums[:-1]]).astype(np.uint32)
        answers += [values(before), values(sums[-1:]), picture_of_words(before, WIDTH, HEIGHT)]
    return answers
