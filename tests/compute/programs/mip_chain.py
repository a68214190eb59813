"""The levels of a texture, each made from the one before by imageStore: averages of 2x2 texels in whole numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

FRAMES = 2
_REDUCE = """#version 310 es
precision highp float;
precision highp image2D;
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) uniform readonly image2D finer;
layout(rgba8, binding = 1) uniform writeonly image2D coarser;

uvec4 texel(ivec2 at) {
    return uvec4(imageLoad(finer, at) * 255.0 + 0.5);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(coarser)))) return;
    uvec4 sum = texel(2 * at) + texel(2 * at + ivec2(1, 0)) + texel(2 * at + ivec2(0, 1)) + texel(2 * at + 1);
    imageStore(coarser, at, vec4((sum + 2u) / 4u) / 255.0);
}
"""
_SHADE = """
uniform highp sampler2D chain;
uvec3 shade(ivec2 at) {
    int level = min(at.x / 8, textureSize(chain, 0).x < 2 ? 0 : findMSB(textureSize(chain, 0).x));
    return uvec3(texelFetch(chain, at >> level, level).rgb * 255.0 + 0.5);
}
"""


def inputs(size: int, frame: int) -> NDArray[np.uint8]:
    """Texels of a frame's finest level; (size, size, 4)."""
    y, x = np.mgrid[:size, :size]
    return np.stack([x * 4, y * 4, x * y + 50 * frame, x ^ y], -1).astype(np.uint8)


def record(path: Path, size: int = 64) -> None:
    """Write the program's trace, for a texture whose side is a power of two, at least 32."""
    levels = size.bit_length()
    with recording(path, size, size) as session:
        gl = session.gl
        reduce, shown = gl.compute_program(_REDUCE), session.window_program(_SHADE)
        chain = session.image(size, size, levels=levels)
        (framebuffer,) = gl.glGenFramebuffers(1)
        for frame in range(FRAMES):
            texels = inputs(size, frame)
            gl.glTexSubImage2D(names.TEXTURE_2D, 0, 0, 0, size, size, names.RGBA, names.UNSIGNED_BYTE, texels)
            for level in range(1, levels):
                gl.glBindImageTexture(0, chain, level - 1, False, 0, names.READ_ONLY, names.RGBA8)
                gl.glBindImageTexture(1, chain, level, False, 0, names.WRITE_ONLY, names.RGBA8)
                groups = max(1, (size >> level) // 8)
                session.run(reduce, (groups, groups, 1), names.SHADER_IMAGE_ACCESS_BARRIER_BIT)
            gl.glMemoryBarrier(names.TEXTURE_FETCH_BARRIER_BIT | names.FRAMEBUFFER_BARRIER_BIT)
            gl.glBindFramebuffer(names.FRAMEBUFFER, framebuffer)
            for level in range(1, levels):
                gl.glFramebufferTexture2D(names.FRAMEBUFFER, names.COLOR_ATTACHMENT0, names.TEXTURE_2D, chain, level)
                side = size >> level
                gl.glReadPixels(0, 0, side, side, names.RGBA, names.UNSIGNED_BYTE, None)
            gl.glBindFramebuffer(names.FRAMEBUFFER, 0)
            session.show(shown)


def expected(size: int = 64) -> list[Answer]:
    """Per frame the levels, and the picture: stripes of 8 pixels show levels 0, 1 …"""
    answers = []
    y, x = np.mgrid[:size, :size]
    for frame in range(FRAMES):
        levels = [inputs(size, frame)]
        while len(levels[-1]) > 1:
            quads = levels[-1].astype(np.int64).reshape(len(levels[-1]) // 2, 2, -1, 2, 4)
            levels.append(((quads.sum((1, 3)) + 2) // 4).astype(np.uint8))
        shown = np.zeros((size, size, 3), np.uint8)
        for number, level in enumerate(levels):
            here = np.minimum(x // 8, len(levels) - 1) == number
            shown[here] = level[y >> number, x >> number, :3][here]
        answers += [values(level) for level in levels[1:]] + [picture(shown)]
    return answers
