"""Counts of every brightness in an image: groups count in shared memory by atomic additions, and add their counts to
those of all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

WIDTH, HEIGHT = 64, 64
FRAMES = 2
_SOURCE = """#version 310 es
precision highp float;
layout(local_size_x = 16, local_size_y = 16) in;
uniform highp sampler2D image;
layout(std430, binding = 0) buffer Bins { uint bin[256]; };
shared uint counted[256];

void main() {
    uint me = gl_LocalInvocationIndex;
    counted[me] = 0u;
    barrier();
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(at, textureSize(image, 0)))) {
        uvec3 color = uvec3(texelFetch(image, at, 0).rgb * 255.0 + 0.5);
        atomicAdd(counted[(color.r * 77u + color.g * 150u + color.b * 29u) >> 8], 1u);
    }
    barrier();
    if (counted[me] > 0u) atomicAdd(bin[me], counted[me]);
}
"""
_SHADE = """
layout(std430, binding = 0) readonly buffer Bins { uint bin[256]; };
uvec3 shade(ivec2 at) {
    return uint(at.y) < bin[at.x * 4] ? uvec3(255, 200, at.x) : uvec3(0);
}
"""


def inputs(width: int, height: int, frame: int) -> NDArray[np.uint8]:
    """Texels of a frame, more dark than bright ones; (height, width, 4)."""
    even = np.random.default_rng(frame).random((height, width, 4))
    return (255 * even ** (1.5 + frame)).astype(np.uint8)


def record(path: Path, width: int = 100, height: int = 75) -> None:
    """Write the program's trace, for an image of that size."""
    with recording(path, WIDTH, HEIGHT) as session:
        gl = session.gl
        program, shown = gl.compute_program(_SOURCE), session.window_program(_SHADE)
        session.image(width, height)
        bins = session.empty(256)
        session.bind(bins)
        for frame in range(FRAMES):
            texels = inputs(width, height, frame)
            gl.glTexSubImage2D(names.TEXTURE_2D, 0, 0, 0, width, height, names.RGBA, names.UNSIGNED_BYTE, texels)
            session.update(bins, np.zeros(256, np.uint32))
            groups = (-(-width // 16), -(-height // 16), 1)
            session.run(program, groups, names.SHADER_STORAGE_BARRIER_BIT)
            session.read(bins, 1024)
            session.show(shown)


def expected(width: int = 100, height: int = 75) -> list[Answer]:
    """Per frame the counts, and the picture of every fourth as a bar."""
    answers = []
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    for frame in range(FRAMES):
        brightness = inputs(width, height, frame)[..., :3].astype(np.int64) @ (77, 150, 29) >> 8
        counts = np.bincount(brightness.ravel(), minlength=256).astype(np.uint32)
        bar = np.stack([np.full_like(x, 255), np.full_like(x, 200), x], -1)
        answers += [values(counts), picture(np.where((y < counts[4 * x])[..., None], bar, 0))]
    return answers
