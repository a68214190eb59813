"""Kernels fetch the texels and sizes that the reference does, in both stages, and vertex shaders sample and loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fused.plan import FUSED
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from ...reference.es3_scenes import VERTEX, quad, random, use
from .test_plan import ways_of

SIZE = 64
HEAD = (
    "#version 300 es\nprecision highp float; precision highp int; precision highp sampler3D;\n"
    "precision highp isampler2D; precision highp usampler2D; precision highp sampler2DArray;\n"
    "in vec4 v; out vec4 o;\n"
)
# Positions and levels lie outside of the image as well as inside.
AT = "ivec2 at = ivec2(v.xy * 24.0) - 4; int level = int(v.x * 6.0) - 1;"
SHADER = HEAD + "uniform {kind} s; void main() {{ {at} o = {value}; }}"
Upload = Callable[[Recorder], None]


def _levels(r: Recorder, internal: int, format_: int, type_: int, dtype: type) -> None:
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    channels = 1 if format_ in (gl.RED, 0x8D94) else 4
    for level, size in enumerate((16, 8, 4, 2, 1)):
        texels = random(level, size, size, channels).astype(dtype)
        r.glTexImage2D(gl.TEXTURE_2D, level, internal, size, size, 0, format_, type_, texels)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)


def _bytes(r: Recorder) -> None:
    _levels(r, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, np.uint8)


def _swizzled(r: Recorder) -> None:
    _bytes(r)
    for name, value in ((0x8E42, gl.ALPHA), (0x8E43, 1), (0x8E45, gl.RED)):
        r.glTexParameteri(gl.TEXTURE_2D, name, value)


def _base_level(r: Recorder) -> None:
    _bytes(r)
    r.glTexParameteri(gl.TEXTURE_2D, 0x813C, 1)


def _floats(r: Recorder) -> None:
    _levels(r, 0x8814, gl.RGBA, gl.FLOAT, np.float32)


def _integers(r: Recorder) -> None:
    _levels(r, 0x8D8E, 0x8D99, gl.BYTE, np.int8)


def _deep(target: int) -> Upload:
    def upload(r: Recorder) -> None:
        r.glBindTexture(target, r.glGenTextures(1)[0])
        for level, (size, depth) in enumerate(((8, 6), (4, 3), (2, 1), (1, 1))):
            depth = 6 if target == gl.TEXTURE_2D_ARRAY else depth
            texels = random(level, depth, size, size, 4)
            r.glTexImage3D(target, level, gl.RGBA8, size, size, depth, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
        r.glTexParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
        r.glTexParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST)

    return upload


def _incomplete(r: Recorder) -> None:
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])


FLAT = "texelFetch(s, at, level)"
SIZED = "vec4(vec2(textureSize(s, level)), 0.0, 32.0) / 32.0"
DEEP = "texelFetch(s, ivec3(at, int(v.y * 9.0) - 2), level)"
SCENES: dict[str, tuple[Upload, str, str]] = {
    "bytes": (_bytes, "sampler2D", FLAT),
    "swizzled": (_swizzled, "sampler2D", FLAT),
    "base level": (_base_level, "sampler2D", FLAT),
    "floats": (_floats, "sampler2D", FLAT + " / 300.0"),
    "integers": (_integers, "isampler2D", "vec4(" + FLAT + ") / 128.0"),
    "offset": (_bytes, "sampler2D", "texelFetchOffset(s, at, level, ivec2(-3, 5))"),
    "far": (_bytes, "sampler2D", "texelFetchOffset(s, at * 200000000, 0, ivec2(7, -8))"),
    "array": (_deep(gl.TEXTURE_2D_ARRAY), "sampler2DArray", DEEP),
    "volume": (_deep(gl.TEXTURE_3D), "sampler3D", DEEP),
    "incomplete": (_incomplete, "sampler2D", FLAT + ".wxyz"),
    "size": (_bytes, "sampler2D", SIZED),
    "size of a base level": (_base_level, "sampler2D", SIZED),
    "size of an incomplete texture": (_incomplete, "sampler2D", "vec4(vec2(textureSize(s, 0)), 1.0, 1.0)"),
    "size of an array": (_deep(gl.TEXTURE_2D_ARRAY), "sampler2DArray", "vec4(textureSize(s, level), 8.0) / 8.0"),
    "size of a volume": (_deep(gl.TEXTURE_3D), "sampler3D", "vec4(textureSize(s, level), 8.0) / 8.0"),
    "branches": (_bytes, "sampler2D", "v.x > 0.3 ? texelFetch(s, at, 0) : texelFetch(s, at.yx, level)"),
}
SAMPLED = {
    "given level": "textureLod(s, value.xy, value.z * 5.0)",
    "implied level": "texture(s, value.xy * 3.0)",
    "loop": "texelFetch(s, ivec2(0), 0); for (int i = 0; i < int(value.x * 9.0); i++) v += texelFetch(s, ivec2(i), 1)",
}


def _trace(path: Path, upload: Upload, fragment: str, vertex: str = VERTEX) -> Path:
    with Recorder(path, SIZE, SIZE, 3) as r:
        r.glViewport(0, 0, SIZE, SIZE)
        upload(r)
        use(r, fragment, vertex)
        for edge in (-0.9, -0.2):
            quad(r, edge, -0.83, edge + 0.9, 0.93, corners=[(0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 0.5, 1), (1, 1, 0, 1)])
        r.swap()
    return path


def _same_picture(trace: Path) -> None:
    assert ways_of(trace) == [(FUSED, FUSED)] * 2
    pictures = [next(Player(trace, backend=choose_backend(name)[0]).run()).pixels for name in ("llvm", "numpy")]
    assert len(np.unique(pictures[0].reshape(-1, 3), axis=0)) > 1
    np.testing.assert_array_equal(*pictures)


@pytest.mark.parametrize("name", SCENES)
def test_fragments_fetch_the_same_texels(tmp_path: Path, name: str) -> None:
    upload, kind, value = SCENES[name]
    trace = _trace(tmp_path / "scene.trace", upload, SHADER.format(kind=kind, at=AT, value=value))
    _same_picture(trace)
    for backend in ("llvm", "numpy"):
        record(trace, tmp_path / backend, backend=choose_backend(backend)[0])
    tables = sorted(path.relative_to(tmp_path / "numpy") for path in (tmp_path / "numpy").rglob("*.parquet"))
    assert len(tables) > 10
    for table in tables:
        assert pq.read_table(tmp_path / "llvm" / table).equals(pq.read_table(tmp_path / "numpy" / table)), table


@pytest.mark.parametrize("name", SCENES)
def test_vertices_fetch_the_same_texels(tmp_path: Path, name: str) -> None:
    upload, kind, value = SCENES[name]
    at = AT.replace("v.", "value.")
    vertex = HEAD.replace("in vec4 v; out vec4 o;", "layout(location = 0) in vec4 position;") + (
        f"layout(location = 1) in vec4 value; out vec4 v; uniform {kind} s;"
        f"void main() {{ {at} v = {value.replace('v.', 'value.')}; gl_Position = position; }}"
    )
    _same_picture(_trace(tmp_path / "scene.trace", upload, HEAD + "void main() { o = v + 0.1; }", vertex))


@pytest.mark.parametrize("name", SAMPLED)
def test_vertices_sample_and_loop(tmp_path: Path, name: str) -> None:
    vertex = VERTEX.replace("void main() {", "uniform sampler2D s; void main() {")
    vertex = vertex.replace("v = value", f"v = {SAMPLED[name]}")
    _same_picture(_trace(tmp_path / "scene.trace", _bytes, HEAD + "void main() { o = v; }", vertex))


def test_a_vertex_shader_that_never_ends_is_an_error(tmp_path: Path) -> None:
    vertex = VERTEX.replace("v = value;", "v = value; while (v.x < 2.0) v.y += 1.0;")
    trace = _trace(tmp_path / "scene.trace", _bytes, HEAD + "void main() { o = v; }", vertex)
    for backend in ("llvm", "numpy"):
        player = Player(trace, backend=choose_backend(backend)[0])
        (frame,) = player.run()
        assert not frame.pixels.any()
        assert "(2 calls)" in player.warnings[0]
        assert "does a loop never end" in player.warnings[0]
