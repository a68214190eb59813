"""Textures in image units of another format: loads and stores see the texels' bytes as Mesa does."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from . import mesa, own

WIDTH, HEIGHT = 4, 3
_LOAD = """#version 310 es
layout(local_size_x = 4, local_size_y = 3) in;
layout({form}, binding = 0) readonly uniform highp {image} texels;
layout(std430, binding = 0) buffer A {{ {vector} found[]; }};
void main() {{
    ivec3 at = ivec3(gl_GlobalInvocationID);
    found[at.x + 4 * (at.y + 3 * at.z)] = imageLoad(texels, at{place});
}}"""
_STORE = """#version 310 es
layout(local_size_x = 4, local_size_y = 3) in;
layout({form}, binding = 0) writeonly uniform highp {image} texels;
void main() {{
    ivec3 at = ivec3(gl_GlobalInvocationID);
    imageStore(texels, at{place}, {vector}({value}));
}}"""
_ADD = """#version 310 es
#extension GL_OES_shader_image_atomic : require
layout(local_size_x = 4, local_size_y = 3) in;
layout(r32ui, binding = 0) uniform highp uimage2D texels;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID);
    imageAtomicAdd(texels, at, uint(at.x + 4 * at.y) * 0x010203u);
}"""
_VALUES = {
    "u": "at.x * 3 + at.y, 40 * at.y, at.x * at.y, 7",
    "i": "at.x - 2, -at.y, at.z, 100",
    "": "at.x, at.y, 1, -0.5",
}
# Held by the texture: internal format, layout and type of the client's pixels, their bytes.
HELD = {
    "rgba8": (gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 4),
    "rgba8ui": (gl.RGBA8UI, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, 4),
    "rg16f": (gl.RG16F, gl.RG, gl.HALF_FLOAT, 4),
    "r32f": (gl.R32F, gl.RED, gl.FLOAT, 4),
    "rgba16f": (gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT, 8),
    "rgba32f": (gl.RGBA32F, gl.RGBA, gl.FLOAT, 16),
}
SEEN = {
    "r32ui": (gl.R32UI, "u"),
    "r32i": (gl.R32I, "i"),
    "rgba8ui": (gl.RGBA8UI, "u"),
    "rgba8i": (gl.RGBA8I, "i"),
    "rgba8_snorm": (gl.RGBA8_SNORM, ""),
    "rgba16ui": (gl.RGBA16UI, "u"),
    "rgba32i": (gl.RGBA32I, "i"),
}
PAIRS = (
    ("rgba8", "r32ui"), ("rgba8", "rgba8ui"), ("rgba8ui", "rgba8_snorm"), ("rg16f", "r32ui"), ("r32f", "r32i"),
    ("r32f", "rgba8i"), ("rgba16f", "rgba16ui"), ("rgba32f", "rgba32i"), ("rgba16f", "r32ui"),
)  # fmt: skip


def _texture(recorder: Recorder, held: str, layers: int) -> int:
    """A texture of numbers that no format has as NaN."""
    internal, layout, kind, size = HELD[held]
    (texture,) = recorder.glGenTextures(1)
    data = np.random.default_rng(3).integers(1, 60, WIDTH * HEIGHT * layers * size).astype(np.uint8)
    target = gl.TEXTURE_2D if layers == 1 else gl.TEXTURE_2D_ARRAY
    recorder.glBindTexture(target, texture)
    if layers == 1:
        recorder.glTexStorage2D(target, 1, internal, WIDTH, HEIGHT)
        recorder.glTexSubImage2D(target, 0, 0, 0, WIDTH, HEIGHT, layout, kind, data)
    else:
        recorder.glTexStorage3D(target, 1, internal, WIDTH, HEIGHT, layers)
        recorder.glTexSubImage3D(target, 0, 0, 0, 0, WIDTH, HEIGHT, layers, layout, kind, data)
    return int(texture)


def _dispatch(recorder: Recorder, source: str, layers: int) -> None:
    recorder.glUseProgram(recorder.compute_program(source))
    recorder.glDispatchCompute(1, 1, layers)
    recorder.glMemoryBarrier(0xFFFFFFFF)


def _see(recorder: Recorder, held: str, seen: str, layers: int) -> None:
    """Load all texels as the other format has them, store and load again."""
    (form, letter), texture, size = SEEN[seen], _texture(recorder, held, layers), 16 * WIDTH * HEIGHT * layers
    words = {"form": seen, "image": f"{letter}image2D{'Array' if layers > 1 else ''}", "vector": f"{letter}vec4"}
    words |= {"place": "" if layers > 1 else ".xy", "value": _VALUES[letter]}
    recorder.glBindImageTexture(0, texture, 0, layers > 1, 0, gl.READ_WRITE, form)
    for source in (None, _STORE.format(**words), _ADD if layers == 1 and seen == "r32ui" else None):
        if source is not None:
            _dispatch(recorder, source, layers)
        (buffer,) = recorder.glGenBuffers(1)
        recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
        recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, size, np.full(size, 77, np.uint8), gl.DYNAMIC_COPY)
        recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffer)
        _dispatch(recorder, _LOAD.format(**words), layers)
        recorder.glMapBufferRange(gl.SHADER_STORAGE_BUFFER, 0, size, gl.MAP_READ_BIT)
        recorder.glUnmapBuffer(gl.SHADER_STORAGE_BUFFER)


@pytest.mark.parametrize("driver", mesa.DRIVERS)
def test_texels_are_seen_as_on_mesa(driver: str, tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 8, 8, version=(3, 1)) as recorder:
        recorder.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        for held, seen in PAIRS:
            _see(recorder, held, seen, 1)
        _see(recorder, "rgba8", "rgba8ui", 3)
        recorder.swap()
    theirs, ours = mesa.play(tmp_path / "a.trace", driver), own.play(tmp_path / "a.trace")
    assert len(theirs) == len(ours) == 3 * (len(PAIRS) + 1)
    for number, (wanted, given) in enumerate(zip(theirs, ours, strict=True)):
        _, seen = (*PAIRS, ("", ""))[number // 3]
        if seen == "rgba8_snorm":
            # Mesa multiplies by 1/127.
            np.testing.assert_array_max_ulp(np.frombuffer(given, np.float32), np.frombuffer(wanted, np.float32), 1)
        else:
            assert np.frombuffer(given, np.uint32).tolist() == np.frombuffer(wanted, np.uint32).tolist(), number
