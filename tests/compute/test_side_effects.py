"""Vertex and fragment shaders that write memory leave what llvmpipe leaves; softpipe tests depth early whatever they
write."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from . import mesa, own

WORDS = 64
_VERTEX = """#version 310 es
precision highp float;
uniform float depth;
{declarations}
void main() {{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 4.0 - 1.0, depth, 1.0);
    {effect}
}}
"""
_FRAGMENT = """#version 310 es
precision highp float;
precision highp int;
precision highp uimage2D;
{layout}
layout(std430, binding = 0) buffer A {{ uint word[{words}]; }};
layout(binding = 1, offset = 0) uniform atomic_uint counter;
layout(r32ui, binding = 0) uniform highp uimage2D image;
layout(location = 0) out vec4 color;
void main() {{
    uvec2 at = uvec2(gl_FragCoord.xy);
    {effect}
    color = vec4(1.0, 0.5, 0.0, 1.0);
}}
"""
_EARLY = "layout(early_fragment_tests) in;"


def _buffer(recorder: Recorder, target: int, binding: int, words: int) -> int:
    (buffer,) = recorder.glGenBuffers(1)
    recorder.glBindBuffer(target, buffer)
    recorder.glBufferData(target, 4 * words, np.zeros(words, np.uint32), gl.DYNAMIC_COPY)
    recorder.glBindBufferBase(target, binding, buffer)
    return int(buffer)


def record(path: Path, effect: str, layout: str = "", vertex: tuple[str, str] = ("", "")) -> None:
    """Two triangles over each other, the nearer one first and half as large as the window, the other one behind it."""
    with Recorder(path, 24, 24, version=(3, 1)) as recorder:
        fragment = _FRAGMENT.format(effect=effect, layout=layout, words=WORDS)
        declarations, in_vertex = vertex
        program = recorder.program(_VERTEX.format(declarations=declarations, effect=in_vertex), fragment)
        recorder.glUseProgram(program)
        words = _buffer(recorder, gl.SHADER_STORAGE_BUFFER, 0, WORDS)
        counter = _buffer(recorder, gl.ATOMIC_COUNTER_BUFFER, 1, 4)
        (texture,) = recorder.glGenTextures(1)
        recorder.glBindTexture(gl.TEXTURE_2D, texture)
        recorder.glTexStorage2D(gl.TEXTURE_2D, 1, gl.R32UI, 24, 24)
        texels = np.zeros((24, 24), np.uint32)
        recorder.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 24, 24, gl.RED_INTEGER, gl.UNSIGNED_INT, texels)
        recorder.glBindImageTexture(0, texture, 0, False, 0, gl.READ_WRITE, gl.R32UI)
        recorder.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
        recorder.glEnable(gl.DEPTH_TEST)
        place = recorder.glGetUniformLocation(program, "depth")
        for depth, width in ((0.2, 13), (0.7, 24)):
            recorder.glViewport(0, 0, width, 24)
            recorder.glUniform1f(place, depth)
            recorder.glDrawArrays(gl.TRIANGLES, 0, 3)
        recorder.glMemoryBarrier(0xFFFFFFFF)
        for buffer, size in ((words, WORDS), (counter, 1)):
            recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
            recorder.glMapBufferRange(gl.SHADER_STORAGE_BUFFER, 0, 4 * size, gl.MAP_READ_BIT)
            recorder.glUnmapBuffer(gl.SHADER_STORAGE_BUFFER)
        recorder.glReadPixels(0, 0, 24, 24, gl.RGBA, gl.UNSIGNED_BYTE, None)
        (framebuffer,) = recorder.glGenFramebuffers(1)
        recorder.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        recorder.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        recorder.glReadPixels(0, 0, 24, 24, gl.RGBA_INTEGER, gl.UNSIGNED_INT, None)
        recorder.swap()


FRAGMENTS = {
    "counts fragments": ("atomicAdd(word[0], 1u); atomicCounterIncrement(counter);", ""),
    "counts by row": ("atomicAdd(word[at.y], at.x);", ""),
    "stores a place": ("word[at.y] = at.y * 7u;", ""),
    "stores texels": ("imageStore(image, ivec2(at), uvec4(at.x + 100u * at.y));", ""),
    "reads what it stored": ("word[at.y] = 5u; if (word[at.y] == 5u) atomicAdd(word[40], 1u);", ""),
    "stops at a discard": ("if (at.x % 3u == 0u) discard; atomicAdd(word[0], 1u);", ""),
    "acts before a discard": ("atomicAdd(word[0], 1u); if (at.x % 3u == 0u) discard;", ""),
    "is tested early": ("atomicAdd(word[0], 1u); imageStore(image, ivec2(at), uvec4(9u));", _EARLY),
    "discards after early tests": ("atomicAdd(word[0], 1u); if (at.x % 2u == 0u) discard;", _EARLY),
    "takes derivatives": (
        "atomicMax(word[1], uint(abs(dFdx(gl_FragCoord.x * 3.0)) * 10.0)); atomicAdd(word[0], 1u);",
        "",
    ),
    "branches": ("if (at.y > 9u) { atomicAdd(word[2], 1u); } else { atomicMin(word[3], at.y); }", ""),
    "loops": ("for (uint i = 0u; i < at.x % 5u; i++) atomicAdd(word[4u + i], 1u);", ""),
}


@pytest.mark.parametrize("name", FRAGMENTS)
def test_fragments_leave_what_mesa_leaves(name: str, tmp_path: Path) -> None:
    record(tmp_path / "a.trace", *FRAGMENTS[name])
    wanted = mesa.play(tmp_path / "a.trace", "llvmpipe")
    given = own.play(tmp_path / "a.trace")
    assert any(any(answer) for answer in (*wanted[:2], wanted[3]))
    assert given == wanted


def test_vertices_leave_what_mesa_leaves(tmp_path: Path) -> None:
    declarations = f"layout(std430, binding = 0) buffer A {{ uint word[{WORDS}]; }};"
    effect = "word[gl_VertexID] = uint(depth * 10.0) + 1u; atomicOr(word[30], 1u << gl_VertexID);"
    record(tmp_path / "a.trace", "color = vec4(0.0);", vertex=(declarations, effect))
    wanted = mesa.play(tmp_path / "a.trace", "llvmpipe")
    assert np.frombuffer(wanted[0], np.uint32)[[0, 1, 2, 30]].tolist() == [8, 8, 8, 7]
    assert own.play(tmp_path / "a.trace") == wanted
