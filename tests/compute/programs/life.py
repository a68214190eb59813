"""Conway's Game of Life in two images of whole numbers that change places, on a torus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

FRAMES = 2
GENERATIONS = 3
"""Per frame."""
_STEP = """#version 310 es
precision highp int;
precision highp uimage2D;
layout(local_size_x = 8, local_size_y = 8) in;
layout(r32ui, binding = 0) uniform readonly uimage2D before;
layout(r32ui, binding = 1) uniform writeonly uimage2D after;
layout(std430, binding = 0) buffer Births { uint births; };

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(before);
    uint around = 0u;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (x != 0 || y != 0) around += min(imageLoad(before, (at + ivec2(x, y) + size) % size).r, 1u);
    uint age = imageLoad(before, at).r;
    if (age == 0u && around == 3u) atomicAdd(births, 1u);
    imageStore(after, at, uvec4(around == 3u || age > 0u && around == 2u ? age + 1u : 0u));
}
"""
_SHADE = """
uniform highp usampler2D cells;
uvec3 shade(ivec2 at) {
    uint age = min(texelFetch(cells, at, 0).r, 6u);
    return age == 0u ? uvec3(0) : uvec3(255u - 20u * age, 180u, 40u * age);
}
"""


def inputs(size: int) -> NDArray[np.uint32]:
    """Ages at the beginning, 0 for dead cells; (size, size)."""
    return (np.random.default_rng(4).random((size, size)) < 0.35).astype(np.uint32)


def record(path: Path, size: int = 48) -> None:
    """Write the program's trace, for a square whose side is a multiple of 8."""
    with recording(path, size, size) as session:
        gl = session.gl
        step, shown = gl.compute_program(_STEP), session.window_program(_SHADE)
        after, before = (session.image(size, size, names.R32UI) for _ in range(2))
        cells = inputs(size)
        gl.glTexSubImage2D(names.TEXTURE_2D, 0, 0, 0, size, size, names.RED_INTEGER, names.UNSIGNED_INT, cells)
        births = session.empty(1)
        session.bind(births)
        done = names.SHADER_IMAGE_ACCESS_BARRIER_BIT | names.TEXTURE_FETCH_BARRIER_BIT
        for _ in range(FRAMES):
            for _ in range(GENERATIONS):
                gl.glBindImageTexture(0, before, 0, False, 0, names.READ_ONLY, names.R32UI)
                gl.glBindImageTexture(1, after, 0, False, 0, names.WRITE_ONLY, names.R32UI)
                session.run(step, (size // 8, size // 8, 1), done)
                before, after = after, before
            session.read(births, 4)
            gl.glBindTexture(names.TEXTURE_2D, before)
            session.show(shown)


def expected(size: int = 48) -> list[Answer]:
    """Per frame the births so far, and the picture of the ages."""
    answers = []
    ages, births = inputs(size).astype(np.int64), 0
    for _ in range(FRAMES):
        for _ in range(GENERATIONS):
            alive = (ages > 0).astype(np.int64)
            shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
            around = sum(np.roll(alive, shift, (0, 1)) for shift in shifts)
            births += int(((ages == 0) & (around == 3)).sum())
            ages = np.where((around == 3) | (alive > 0) & (around == 2), ages + 1, 0)
        shown = ages.clip(0, 6)
        colors = np.stack([255 - 20 * shown, np.full_like(shown, 180), 40 * shown], -1)
        answers += [values(np.array([births], np.uint32)), picture(np.where((ages > 0)[..., None], colors, 0))]
    return answers
