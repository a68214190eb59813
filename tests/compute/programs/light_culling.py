"""Lights by tile: a group per tile of 16x16 pixels lists the lights that reach it, and the fragment shader adds up
those of its tile. Lists are in any order; places, radii and sums are whole numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

TILE = 16
FRAMES = 2
_CULL = """#version 310 es
precision highp int;
layout(local_size_x = 16, local_size_y = 16) in;
struct Light { ivec2 place; int radius; uint color; };
layout(std430, binding = 0) readonly buffer Lights { Light light[]; };
layout(std430, binding = 1) writeonly buffer Counts { uint count[]; };
layout(std430, binding = 2) writeonly buffer Lists { uint list[]; };
shared uint reached;

void main() {
    if (gl_LocalInvocationIndex == 0u) reached = 0u;
    barrier();
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, lights = uint(light.length());
    ivec2 low = ivec2(gl_WorkGroupID.xy) * 16, high = low + 15;
    for (uint i = gl_LocalInvocationIndex; i < lights; i += 256u) {
        ivec2 apart = light[i].place - clamp(light[i].place, low, high);
        if (apart.x * apart.x + apart.y * apart.y < light[i].radius * light[i].radius)
            list[tile * lights + atomicAdd(reached, 1u)] = i;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) count[tile] = reached;
}
"""
_SHADE = """
struct Light { ivec2 place; int radius; uint color; };
layout(std430, binding = 0) readonly buffer Lights { Light light[]; };
layout(std430, binding = 1) readonly buffer Counts { uint count[]; };
layout(std430, binding = 2) readonly buffer Lists { uint list[]; };
uniform int tiles;
uvec3 shade(ivec2 at) {
    int tile = at.y / 16 * tiles + at.x / 16;
    uvec3 sum = uvec3(0);
    for (uint i = 0u; i < count[tile]; i++) {
        Light lit = light[list[uint(tile * light.length()) + i]];
        ivec2 apart = at - lit.place;
        int left = lit.radius * lit.radius - apart.x * apart.x - apart.y * apart.y;
        uvec3 color = uvec3(lit.color, lit.color >> 8, lit.color >> 16) & 255u;
        sum += color * uint(max(left, 0)) / uint(lit.radius * lit.radius);
    }
    return min(sum, uvec3(255));
}
"""


def inputs(width: int, height: int, lights: int, frame: int) -> NDArray[np.int32]:
    """Lights of a frame: place, radius and color (red in the lowest byte); (lights, 4)."""
    random = np.random.default_rng(3)
    place = random.integers(0, (width, height), (lights, 2)) + frame * random.integers(-8, 9, (lights, 2))
    color = random.integers(0, 1 << 24, lights)
    return np.column_stack([place, random.integers(4, 24, lights), color]).astype(np.int32)


def record(path: Path, width: int = 80, height: int = 64, lights: int = 40) -> None:
    """Write the program's trace, for a window whose sides are multiples of 16."""
    columns, rows = width // TILE, height // TILE
    with recording(path, width, height) as session:
        gl = session.gl
        cull, shown = gl.compute_program(_CULL), session.window_program(_SHADE)
        gl.glUseProgram(shown)
        gl.glUniform1i(gl.glGetUniformLocation(shown, "tiles"), columns)
        sizes = (4 * lights, columns * rows, columns * rows * lights)
        given, counts, lists = (session.empty(words) for words in sizes)
        session.bind(given, counts, lists)
        for frame in range(FRAMES):
            session.update(given, inputs(width, height, lights, frame))
            session.run(cull, (columns, rows, 1), names.SHADER_STORAGE_BARRIER_BIT)
            session.read(counts, 4 * columns * rows)
            session.show(shown)


def expected(width: int = 80, height: int = 64, lights: int = 40) -> list[Answer]:
    """Per frame the number of lights by tile, and the picture."""
    answers = []
    y, x = np.mgrid[:height, :width]
    low_y, low_x = np.mgrid[:height:TILE, :width:TILE]
    for frame in range(FRAMES):
        counts, total = np.zeros(low_x.shape, np.uint32), np.zeros((height, width, 3), np.int64)
        for at_x, at_y, radius, color in inputs(width, height, lights, frame).tolist():
            apart_x, apart_y = (at - np.clip(at, low, low + TILE - 1) for at, low in ((at_x, low_x), (at_y, low_y)))
            counts += apart_x**2 + apart_y**2 < radius**2
            left = (radius**2 - (x - at_x) ** 2 - (y - at_y) ** 2).clip(0)
            total += left[..., None] * np.array([color >> shift & 255 for shift in (0, 8, 16)]) // radius**2
        answers += [values(counts), picture(total.clip(0, 255))]
    return answers
