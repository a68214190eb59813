"""Recorded draws whose programs access buffers and images."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

_BUFFERS = """#version 310 es
precision highp float;
precision highp int;
layout(std430, binding = 0) buffer A {{ uint a[]; }};
layout(std430, binding = 1) buffer B {{ uint b[]; }};
{more}
"""
_VERTEX = """void main() {{
    uint me = uint(gl_VertexID);
    {body}
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0);
}}
"""
_FRAGMENT = """layout(location = 0) out vec4 color;
void main() {{
    uvec2 at = uvec2(gl_FragCoord.xy);
    uint me = at.x + {width}u * at.y;
    {body}
    color = vec4(1.0);
}}
"""
BUFFER_BYTES = 1 << 17


@cache
def memory_draws(
    body: str,
    size: tuple[int, int] = (8, 2),
    vertex: str = "",
    more: str = "",
    cleared: float = 1.0,
    blend: bool = False,
    passes: int = 1,
) -> Path:
    """Activity whose second frame draws a triangle that covers a window.

    Parameters
    ----------
    body, vertex
        Statements of the fragment and vertex programs, on buffers `a` and `b`; `me` is the number of the pixel, row by
        row, or of the vertex.
    size
        Of the window.
    more
        Declarations of the fragment program.
    cleared
        Depth that is there before; that of the triangle is 0.5.
    blend
        Whether it is blended.
    passes
        In how many passes, which take turns between two targets.
    """
    folder = Path(mkdtemp())
    width, height = size
    with Recorder(folder / "a.trace", width, height, version=(3, 1)) as recorder:
        program = recorder.program(
            _BUFFERS.format(more="") + _VERTEX.format(body=vertex),
            _BUFFERS.format(more=more) + _FRAGMENT.format(body=body, width=width),
        )
        recorder.glUseProgram(program)
        for binding in range(2):
            (buffer,) = recorder.glGenBuffers(1)
            recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
            recorder.glBufferData(
                gl.SHADER_STORAGE_BUFFER, BUFFER_BYTES, np.zeros(BUFFER_BYTES // 4, np.uint32), gl.STATIC_DRAW
            )
            recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, binding, buffer)
        (texture,) = recorder.glGenTextures(1)
        recorder.glBindTexture(gl.TEXTURE_2D, texture)
        recorder.glTexStorage2D(gl.TEXTURE_2D, 1, gl.R32UI, 64, 64)
        recorder.glBindImageTexture(0, texture, 0, 0, 0, gl.READ_WRITE, gl.R32UI)
        targets = [_target(recorder, width, height) for _ in range(2)]
        recorder.swap()
        recorder.glEnable(gl.DEPTH_TEST)
        recorder.glClearDepthf(cleared)
        if blend:
            recorder.glEnable(gl.BLEND)
        # Half a square: no edge within the window, nothing to clip.
        recorder.glViewport(0, 0, 2 * width, 2 * height)
        for number in range(passes):
            recorder.glBindFramebuffer(gl.FRAMEBUFFER, targets[number % 2])
            recorder.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
            recorder.glDrawArrays(gl.TRIANGLES, 0, 3)
            recorder.glMemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT)
        recorder.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


def _target(recorder: Recorder, width: int, height: int) -> int:
    """A framebuffer with colour and depth."""
    (target, frame), (depth,) = (
        recorder.glGenTextures(1) + recorder.glGenFramebuffers(1),
        recorder.glGenRenderbuffers(1),
    )
    recorder.glBindTexture(gl.TEXTURE_2D, target)
    recorder.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height)
    recorder.glBindRenderbuffer(gl.RENDERBUFFER, depth)
    recorder.glRenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height)
    recorder.glBindFramebuffer(gl.FRAMEBUFFER, frame)
    recorder.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0)
    recorder.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth)
    return int(frame)
