"""A blur of an RGBA8 image by rows and then by columns, whose texels a group shares.

The weights are ninths of whole numbers, so no sum is half-way between two of 255 levels and rounding is the same
however sums are computed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

FRAMES = 2
_WEIGHTS = np.array([1, 2, 3, 2, 1])
_SOURCE = """#version 310 es
precision highp float;
precision highp image2D;
layout(local_size_x = %d, local_size_y = %d) in;
layout(rgba8, binding = 0) uniform readonly image2D from;
layout(rgba8, binding = 1) uniform writeonly image2D to;
shared vec4 line[68];

void load(int slot, int at, int across) {
    ivec2 last = imageSize(from) - 1;
    line[slot] = imageLoad(from, clamp(%s, ivec2(0), last));
}

void main() {
    int me = int(gl_LocalInvocationIndex), begin = int(gl_WorkGroupID.%s) * 64, across = int(gl_WorkGroupID.%s);
    load(me, begin + me - 2, across);
    if (me < 4) load(64 + me, begin + 62 + me, across);
    barrier();
    vec4 sum = line[me] + line[me + 4] + 2.0 * (line[me + 1] + line[me + 3]) + 3.0 * line[me + 2];
    int at = begin + me;
    if (all(lessThan(%s, imageSize(to)))) imageStore(to, %s, sum / 9.0);
}
"""
_ROWS, _COLUMNS = "ivec2(at, across)", "ivec2(across, at)"
_SHADE = """
uniform highp sampler2D blurred;
uvec3 shade(ivec2 at) {
    return uvec3(texelFetch(blurred, at, 0).rgb * 255.0 + 0.5);
}
"""


def inputs(width: int, height: int, frame: int) -> NDArray[np.uint8]:
    """Texels of a frame; (height, width, 4)."""
    return np.random.default_rng(frame).integers(0, 256, (height, width, 4), np.uint8)


def record(path: Path, width: int = 80, height: int = 48) -> None:
    """Write the program's trace."""
    with recording(path, width, height) as session:
        gl = session.gl
        rows = gl.compute_program(_SOURCE % (64, 1, _ROWS, "x", "y", _ROWS, _ROWS))
        columns = gl.compute_program(_SOURCE % (1, 64, _COLUMNS, "y", "x", _COLUMNS, _COLUMNS))
        shown = session.window_program(_SHADE)
        given, halfway, blurred = (session.image(width, height) for _ in range(3))
        (framebuffer,) = gl.glGenFramebuffers(1)
        for frame in range(FRAMES):
            gl.glBindTexture(names.TEXTURE_2D, given)
            texels = inputs(width, height, frame)
            gl.glTexSubImage2D(names.TEXTURE_2D, 0, 0, 0, width, height, names.RGBA, names.UNSIGNED_BYTE, texels)
            gl.glBindImageTexture(0, given, 0, False, 0, names.READ_ONLY, names.RGBA8)
            gl.glBindImageTexture(1, halfway, 0, False, 0, names.WRITE_ONLY, names.RGBA8)
            session.run(rows, (-(-width // 64), height, 1), names.SHADER_IMAGE_ACCESS_BARRIER_BIT)
            gl.glBindImageTexture(0, halfway, 0, False, 0, names.READ_ONLY, names.RGBA8)
            gl.glBindImageTexture(1, blurred, 0, False, 0, names.WRITE_ONLY, names.RGBA8)
            done = names.TEXTURE_FETCH_BARRIER_BIT | names.FRAMEBUFFER_BARRIER_BIT
            session.run(columns, (width, -(-height // 64), 1), done)
            gl.glBindFramebuffer(names.FRAMEBUFFER, framebuffer)
            gl.glFramebufferTexture2D(names.FRAMEBUFFER, names.COLOR_ATTACHMENT0, names.TEXTURE_2D, blurred, 0)
            gl.glReadPixels(0, 0, width, height, names.RGBA, names.UNSIGNED_BYTE, None)
            gl.glBindFramebuffer(names.FRAMEBUFFER, 0)
            gl.glBindTexture(names.TEXTURE_2D, blurred)
            session.show(shown)


def _blurred(texels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of texels after one pass, rounded as they are stored."""
    padded = np.pad(texels, ((0, 0), (2, 2), (0, 0)), mode="edge")
    total = sum(weight * padded[:, i : i + texels.shape[1]] for i, weight in enumerate(_WEIGHTS))
    return np.asarray((2 * total + 9) // 18)


def expected(width: int = 80, height: int = 48) -> list[Answer]:
    """Per frame the blurred image and the picture of it."""
    answers = []
    for frame in range(FRAMES):
        rows = _blurred(inputs(width, height, frame).astype(np.int64))
        both = _blurred(rows.swapaxes(0, 1)).swapaxes(0, 1).astype(np.uint8)
        answers += [values(both), picture(both[..., :3])]
    return answers
