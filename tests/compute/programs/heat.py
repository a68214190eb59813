"""Heat that spreads over a plate: each cell becomes the average of its neighbours, from one r32f image to the other.

Every step adds two bits after the point to whole numbers of 8 bits, so few steps are exact in any order.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

FRAMES = 2
STEPS = 3
"""Per frame."""
_STEP = """#version 310 es
precision highp float;
precision highp image2D;
layout(local_size_x = 16, local_size_y = 8) in;
layout(r32f, binding = 0) uniform readonly image2D before;
layout(r32f, binding = 1) uniform writeonly image2D after;

float heat(ivec2 at) {
    return imageLoad(before, clamp(at, ivec2(0), imageSize(before) - 1)).r;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(after)))) return;
    float sum = heat(at - ivec2(1, 0)) + heat(at + ivec2(1, 0)) + heat(at - ivec2(0, 1)) + heat(at + ivec2(0, 1));
    imageStore(after, at, vec4(sum * 0.25));
}
"""
_COPY = """#version 310 es
precision highp float;
precision highp image2D;
layout(local_size_x = 16, local_size_y = 8) in;
layout(r32f, binding = 0) uniform readonly image2D from;
layout(std430, binding = 0) writeonly buffer Heats { float heat[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(from);
    if (all(lessThan(at, size))) heat[at.y * size.x + at.x] = imageLoad(from, at).r;
}
"""
_SHADE = """
uniform highp sampler2D heats;
uvec3 shade(ivec2 at) {
    uint heat = uint(texelFetch(heats, at, 0).r);
    return uvec3(heat, heat / 2u, 255u - heat);
}
"""


def inputs(width: int, height: int) -> NDArray[np.float32]:
    """Heat at the beginning; (height, width)."""
    return np.random.default_rng(12).integers(0, 256, (height, width)).astype(np.float32)


def record(path: Path, width: int = 40, height: int = 36) -> None:
    """Write the program's trace."""
    groups = (-(-width // 16), -(-height // 8), 1)
    with recording(path, width, height) as session:
        gl = session.gl
        step, copy, shown = gl.compute_program(_STEP), gl.compute_program(_COPY), session.window_program(_SHADE)
        after, before = (session.image(width, height, names.R32F) for _ in range(2))
        heats = inputs(width, height)
        gl.glTexSubImage2D(names.TEXTURE_2D, 0, 0, 0, width, height, names.RED, names.FLOAT, heats)
        read = session.empty(width * height)
        session.bind(read)
        done = names.SHADER_IMAGE_ACCESS_BARRIER_BIT | names.TEXTURE_FETCH_BARRIER_BIT
        for _ in range(FRAMES):
            for _ in range(STEPS):
                gl.glBindImageTexture(0, before, 0, False, 0, names.READ_ONLY, names.R32F)
                gl.glBindImageTexture(1, after, 0, False, 0, names.WRITE_ONLY, names.R32F)
                session.run(step, groups, done)
                before, after = after, before
            gl.glBindImageTexture(0, before, 0, False, 0, names.READ_ONLY, names.R32F)
            session.run(copy, groups, names.SHADER_STORAGE_BARRIER_BIT)
            session.read(read, 4 * width * height)
            gl.glBindTexture(names.TEXTURE_2D, before)
            session.show(shown)


def expected(width: int = 40, height: int = 36) -> list[Answer]:
    """Per frame the heat, and the picture of it."""
    answers = []
    heats = inputs(width, height)
    for _ in range(FRAMES):
        for _ in range(STEPS):
            around = np.pad(heats, 1, mode="edge")
            total = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
            heats = total * np.float32(0.25)
        whole = heats.astype(np.int64)
        answers += [values(heats), picture(np.stack([whole, whole // 2, 255 - whole], -1))]
    return answers
