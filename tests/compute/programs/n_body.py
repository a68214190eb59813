"""Bodies that attract each other: a group loads tiles of 64 bodies into shared memory and adds up their pull.

The expected positions come from the same operations on float32 in the same order. OpenGL ES lets inversesqrt be wrong
by 2 units in the last place, and a driver may round a product and a sum once instead of twice. Over the steps here
either moves bodies by about a unit, so positions may differ by 8 of the largest (2^-20).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

WIDTH = HEIGHT = 32
FRAMES = 2
STEPS = 2
"""Per frame."""
_TOLERANCE = 2.0**-20
_ONE_LEVEL = 1 / 255
_STEP = """#version 310 es
precision highp float;
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Before { vec4 before[]; };
layout(std430, binding = 1) buffer Speeds { vec3 speed[]; };
layout(std430, binding = 2) writeonly buffer After { vec4 after[]; };
shared vec4 tile[64];

void main() {
    uint me = gl_GlobalInvocationID.x;
    vec4 body = before[me];
    vec3 pull = vec3(0.0);
    for (uint from = 0u; from < uint(before.length()); from += 64u) {
        tile[gl_LocalInvocationID.x] = before[from + gl_LocalInvocationID.x];
        barrier();
        for (uint i = 0u; i < 64u; i++) {
            vec3 apart = tile[i].xyz - body.xyz;
            float inverse = inversesqrt(dot(apart, apart) + 0.0625);
            pull += apart * (tile[i].w * inverse * inverse * inverse);
        }
        barrier();
    }
    speed[me] += pull * 0.015625;
    after[me] = vec4(body.xyz + speed[me] * 0.015625, body.w);
}
"""
_SHADE = """
layout(std430, binding = 2) readonly buffer After { vec4 after[]; };
uvec3 shade(ivec2 at) {
    vec3 place = after[(at.y * 32 + at.x) % after.length()].xyz;
    return uvec3(clamp(place * 64.0 + 128.0, 0.0, 255.0));
}
"""


def inputs(bodies: int) -> NDArray[np.float32]:
    """Positions and masses at the beginning; (bodies, 4)."""
    random = np.random.default_rng(9)
    return np.column_stack([random.uniform(-1, 1, (bodies, 3)), random.uniform(0.1, 1, bodies)]).astype(np.float32)


def record(path: Path, bodies: int = 128) -> None:
    """Write the program's trace, for a multiple of 64 bodies."""
    with recording(path, WIDTH, HEIGHT) as session:
        step, shown = session.gl.compute_program(_STEP), session.window_program(_SHADE)
        before, speeds, after = session.buffer(inputs(bodies)), session.empty(4 * bodies), session.empty(4 * bodies)
        for _ in range(FRAMES):
            for _ in range(STEPS):
                session.bind(before, speeds, after)
                session.run(step, bodies // 64, names.SHADER_STORAGE_BARRIER_BIT)
                before, after = after, before
            session.read(before, 16 * bodies)
            session.bind(after, speeds, before)
            session.show(shown)


def _stepped(
    bodies: NDArray[np.float32], speed: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Bodies and speeds after a step."""
    pull, place, scale = np.zeros_like(speed), bodies[:, :3], np.float32(0.015625)
    for other in bodies:
        apart = other[:3] - place
        square = apart[:, 0] * apart[:, 0] + apart[:, 1] * apart[:, 1] + apart[:, 2] * apart[:, 2]
        inverse = np.float32(1) / np.sqrt(square + np.float32(0.0625))
        pull += apart * (other[3] * inverse * inverse * inverse)[:, None]
    speed = speed + pull * scale
    return np.column_stack([place + speed * scale, bodies[:, 3]]), speed


def expected(bodies: int = 128) -> list[Answer]:
    """Per frame the positions, and the picture of them: coordinates as colors."""
    answers = []
    state, speed = inputs(bodies), np.zeros((bodies, 3), np.float32)
    for _ in range(FRAMES):
        for _ in range(STEPS):
            state, speed = _stepped(state, speed)
        levels = (state[:, :3] * 64 + 128).clip(0, 255).astype(np.uint8)
        colors = np.resize(levels, (HEIGHT, WIDTH, 3))
        answers += [values(state, _TOLERANCE), picture(colors, _ONE_LEVEL)]
    return answers
