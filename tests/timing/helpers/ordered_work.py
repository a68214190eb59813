"""Recorded frames of dispatches, draws and barriers in a given order."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

_COMPUTE = """#version 310 es
precision highp float;
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer A { uint a[]; };
uniform sampler2D near;
void main() {
    uint me = gl_GlobalInvocationID.x, x = me;
    for (int i = 0; i < 60; i++) x = x * 3u + a[x & 63u];
    a[me + 64u] = x + uint(SAMPLE);
}
"""
_VERTEX = """#version 310 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""
_FRAGMENT = """#version 310 es
precision highp float;
layout(location = 0) out vec4 color;
void main() {
    float x = gl_FragCoord.x;
    for (int i = 0; i < 60; i++) x = sin(x) + 1.0;
    color = vec4(x);
}
"""
SIDE_PIXELS = 32


@cache
def ordered_work(*steps: str) -> Path:
    """Activity whose second frame does work in order.

    Parameters
    ----------
    steps
        Of the frame: "dispatch" of two groups, which take a while; "sample", the same that samples the texture 0;
        "barrier"; "target 0" or "target 1", the texture that draws go to, or "window"; "draw" of a triangle that covers
        it; "upload" to a third texture.
    """
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", SIDE_PIXELS, SIDE_PIXELS, version=(3, 1)) as r:
        dispatches = [r.compute_program(_COMPUTE.replace("SAMPLE", s)) for s in ("0", "texture(near, vec2(0.5)).x")]
        draws = r.program(_VERTEX, _FRAGMENT)
        (buffer,) = r.glGenBuffers(1)
        r.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
        r.glBufferData(gl.SHADER_STORAGE_BUFFER, 1 << 12, np.zeros(1 << 10, np.uint32), gl.STATIC_DRAW)
        r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffer)
        textures = [int(r.glGenTextures(1)[0]) for _ in range(3)]
        framebuffers = [int(r.glGenFramebuffers(1)[0]) for _ in range(2)]
        for texture in textures:
            r.glBindTexture(gl.TEXTURE_2D, texture)
            r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, SIDE_PIXELS, SIDE_PIXELS)
        for framebuffer, texture in zip(framebuffers, textures, strict=False):
            r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
            r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        texels = np.zeros((SIDE_PIXELS, SIDE_PIXELS, 4), np.uint8)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        r.swap()
        for step in steps:
            if step in ("dispatch", "sample"):
                r.glBindTexture(gl.TEXTURE_2D, textures[0])
                r.glUseProgram(dispatches[step == "sample"])
                r.glDispatchCompute(2, 1, 1)
            elif step == "barrier":
                r.glMemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT)
            elif step == "draw":
                r.glUseProgram(draws)
                r.glDrawArrays(gl.TRIANGLES, 0, 3)
            elif step == "upload":
                r.glBindTexture(gl.TEXTURE_2D, textures[2])
                r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SIDE_PIXELS, SIDE_PIXELS, gl.RGBA, gl.UNSIGNED_BYTE, texels)
            else:
                name = 0 if step == "window" else framebuffers[int(step.removeprefix("target "))]
                r.glBindFramebuffer(gl.FRAMEBUFFER, name)
        r.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"
