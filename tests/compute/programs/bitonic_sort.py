"""A bitonic sort: blocks are sorted in shared memory; longer distances go through memory, a dispatch each, and the rest
of every merge through shared memory again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture_of_words, values
from .session import Session, recording

WIDTH = HEIGHT = 32
BLOCK = 256
FRAMES = 2
_HEAD = """#version 310 es
precision highp int;
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Keys { uint key[]; };
uniform uvec2 range;
"""
_SHARED = """
shared uint block[256];

void order(uint run, uint apart) {
    uint me = gl_LocalInvocationID.x;
    uint low = 2u * me - (me & (apart - 1u)), high = low + apart;
    uint one = block[low], other = block[high];
    bool rises = ((gl_WorkGroupID.x * 256u + low) & run) == 0u;
    if ((one > other) == rises) {
        block[low] = other;
        block[high] = one;
    }
    barrier();
}

void main() {
    uint me = gl_LocalInvocationID.x, from = gl_WorkGroupID.x * 256u;
    block[me] = key[from + me];
    block[me + 128u] = key[from + me + 128u];
    barrier();
    for (uint run = range.x; run <= range.y; run *= 2u)
        for (uint apart = min(run / 2u, 128u); apart > 0u; apart /= 2u)
            order(run, apart);
    key[from + me] = block[me];
    key[from + me + 128u] = block[me + 128u];
}
"""
_APART = """
void main() {
    uint me = gl_GlobalInvocationID.x, run = range.x, apart = range.y;
    uint low = 2u * me - (me & (apart - 1u)), high = low + apart;
    uint one = key[low], other = key[high];
    if ((one > other) == ((low & run) == 0u)) {
        key[low] = other;
        key[high] = one;
    }
}
"""


def inputs(size: int, frame: int) -> NDArray[np.uint32]:
    """Keys of a frame, some of them equal; (size,)."""
    random = np.random.default_rng(frame)
    return np.where(random.random(size) < 0.2, 7, random.integers(0, 1 << 32, size)).astype(np.uint32)


class _Sorter:
    """Both programs, and where they take their range."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.programs = [session.gl.compute_program(_HEAD + body) for body in (_SHARED, _APART)]
        self.places = [session.gl.glGetUniformLocation(program, "range") for program in self.programs]

    def step(self, which: int, groups: int, first: int, last: int) -> None:
        """Dispatch one of them."""
        self.session.gl.glProgramUniform2ui(self.programs[which], self.places[which], first, last)
        self.session.run(self.programs[which], groups, names.SHADER_STORAGE_BARRIER_BIT)

    def sort(self, size: int) -> None:
        """Sort the keys of the buffer that is bound."""
        groups = size // BLOCK
        self.step(0, groups, 2, BLOCK)
        run = 2 * BLOCK
        while run <= size:
            apart = run // 2
            while apart >= BLOCK:
                self.step(1, groups, run, apart)
                apart //= 2
            self.step(0, groups, run, run)
            run *= 2


def record(path: Path, size: int = 1024) -> None:
    """Write the program's trace, for a number of keys that is a power of two, at least 256."""
    with recording(path, WIDTH, HEIGHT) as session:
        sorter = _Sorter(session)
        keys = session.empty(size)
        for frame in range(FRAMES):
            session.update(keys, inputs(size, frame))
            session.bind(keys)
            sorter.sort(size)
            session.read(keys, 4 * size)
            session.show_words(keys)


def expected(size: int = 1024) -> list[Answer]:
    """Per frame the sorted keys and the picture of them."""
    answers = []
    for frame in range(FRAMES):
        keys = np.sort(inputs(size, frame))
        answers += [values(keys), picture_of_words(keys, WIDTH, HEIGHT)]
    return answers
