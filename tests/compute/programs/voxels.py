"""A volume that groups of 4x4x4 invocations fill by imageStore to all slices of a 3D texture, and count; the window
shows slices side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

FRAMES = 2
_FILL = """#version 310 es
precision highp float;
precision highp image3D;
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(rgba8, binding = 0) uniform writeonly image3D volume;
layout(std430, binding = 0) buffer Filled { uint filled[]; };
uniform int radius;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(volume);
    ivec3 apart = 2 * at + 1 - size;
    bool inside = apart.x * apart.x + apart.y * apart.y + apart.z * apart.z < radius * radius;
    if (inside) atomicAdd(filled[at.z], 1u);
    imageStore(volume, at, inside ? vec4(at * 8, 255) / 255.0 : vec4(0.0, 0.0, 0.2, 1.0));
}
"""
_SHADE = """
uniform highp sampler3D volume;
uvec3 shade(ivec2 at) {
    ivec3 size = textureSize(volume, 0);
    return uvec3(texelFetch(volume, ivec3(at % size.xy, at.y / size.y * 2 + at.x / size.x), 0).rgb * 255.0 + 0.5);
}
"""


def radius(size: int, frame: int) -> int:
    """Radius of a frame's ball, in halves of voxels."""
    return size * (frame + 2) // 3


def record(path: Path, size: int = 16) -> None:
    """Write the program's trace, for a cube whose side is a multiple of 4, at least 16."""
    with recording(path, 2 * size, size // 2 * size) as session:
        gl = session.gl
        fill, shown = gl.compute_program(_FILL), session.window_program(_SHADE)
        place = gl.glGetUniformLocation(fill, "radius")
        (volume,) = gl.glGenTextures(1)
        gl.glBindTexture(names.TEXTURE_3D, volume)
        gl.glTexStorage3D(names.TEXTURE_3D, 1, names.RGBA8, size, size, size)
        gl.glTexParameteri(names.TEXTURE_3D, names.TEXTURE_MIN_FILTER, names.NEAREST)
        gl.glTexParameteri(names.TEXTURE_3D, names.TEXTURE_MAG_FILTER, names.NEAREST)
        gl.glBindImageTexture(0, volume, 0, True, 0, names.WRITE_ONLY, names.RGBA8)
        filled = session.empty(size)
        session.bind(filled)
        for frame in range(FRAMES):
            session.update(filled, np.zeros(size, np.uint32))
            gl.glUseProgram(fill)
            gl.glUniform1i(place, radius(size, frame))
            session.run(fill, (size // 4, size // 4, size // 4), names.TEXTURE_FETCH_BARRIER_BIT)
            session.read(filled, 4 * size)
            session.show(shown)


def expected(size: int = 16) -> list[Answer]:
    """Per frame the number of voxels in the ball by slice, and the picture."""
    answers = []
    z, y, x = np.mgrid[:size, :size, :size]
    for frame in range(FRAMES):
        inside = sum((2 * at + 1 - size) ** 2 for at in (x, y, z)) < radius(size, frame) ** 2
        colors = np.where(inside[..., None], np.stack([x, y, z], -1) * 8, (0, 0, 51))
        sheet = colors.reshape(size // 2, 2, size, size, 3).swapaxes(1, 2).reshape(size // 2 * size, 2 * size, 3)
        answers += [values(inside.sum((1, 2)).astype(np.uint32)), picture(sheet)]
    return answers
