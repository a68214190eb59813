"""Kernels sample with texel offsets, borders and gradients as the reference does, from all kinds of textures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

from ...reference.es3_scenes import VERTEX, random
from .test_plan import ways_of
from .test_texel_reads import HEAD, SHADER, Upload, _bytes, _deep, _floats, _integers, _same_picture, _trace

ANISOTROPY, BORDER_COLOR, COMPARED = 0x84FE, 0x1004, 0x884E


def _filtered(upload: Upload, target: int = gl.TEXTURE_2D, wrap: int = gl.REPEAT) -> Upload:
    def set_up(r: Recorder) -> None:
        upload(r)
        r.glTexParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
        r.glTexParameteri(target, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
        for name in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R):
            r.glTexParameteri(target, name, wrap)

    return set_up


def _bordered(upload: Upload, target: int = gl.TEXTURE_2D) -> Upload:
    def set_up(r: Recorder) -> None:
        _filtered(upload, target, gl.CLAMP_TO_BORDER)(r)
        r.glTexParameterfv(target, BORDER_COLOR, [0.3, 0.9, 0.6, 0.8])

    return set_up


def _integers_on_border(r: Recorder) -> None:
    _integers(r)
    for name in (gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T):
        r.glTexParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_BORDER)
    r.glTexParameterIivEXT(gl.TEXTURE_2D, BORDER_COLOR, [-70, 90, 1, 100])


def _anisotropic(r: Recorder) -> None:
    LINEAR(r)
    r.glTexParameterf(gl.TEXTURE_2D, ANISOTROPY, 4.0)


def _depths(r: Recorder) -> None:
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    for level, size in enumerate((16, 8, 4, 2, 1)):
        texels = random(level, size, size).astype(np.uint16) * 257
        r.glTexImage2D(
            gl.TEXTURE_2D, level, gl.DEPTH_COMPONENT16, size, size, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, texels
        )
    r.glTexParameteri(gl.TEXTURE_2D, 0x884C, COMPARED)


def _cube(r: Recorder) -> None:
    r.glBindTexture(gl.TEXTURE_CUBE_MAP, r.glGenTextures(1)[0])
    for face in range(6):
        for level, size in enumerate((8, 4, 2, 1)):
            place = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, level, gl.RGBA8, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE
            r.glTexImage2D(*place, random(face + level, size, size, 4))


LINEAR = _filtered(_bytes)
ARRAY, VOLUME = (_filtered(_deep(target), target) for target in (gl.TEXTURE_2D_ARRAY, gl.TEXTURE_3D))
SHADOW, CUBE = _filtered(_depths), _filtered(_cube, gl.TEXTURE_CUBE_MAP)
AT = "vec2 at = v.xy * 3.0 - 1.0; vec2 dx = v.xz * 0.4, dy = v.zx * vec2(0.1, -0.7);"
IN_SPACE = "textureGrad(s, vec3(at, v.z), vec3(dx, v.x), vec3(dy, 0.2))"
OPERATIONS: dict[str, tuple[Upload, str, str]] = {
    "offset": (LINEAR, "sampler2D", "textureOffset(s, at, ivec2(-3, 5))"),
    "clamped": (_filtered(_bytes, wrap=gl.CLAMP_TO_EDGE), "sampler2D", "textureOffset(s, at, ivec2(7, -8))"),
    "mirrored": (_filtered(_bytes, wrap=0x8370), "sampler2D", "textureOffset(s, at, ivec2(7, -8))"),
    "one channel": (LINEAR, "sampler2D", "vec4(textureOffset(s, at, ivec2(1, 2)).g)"),
    "bias": (LINEAR, "sampler2D", "textureOffset(s, at, ivec2(1, 2), 1.5)"),
    "level": (LINEAR, "sampler2D", "textureLodOffset(s, at, v.z * 4.0, ivec2(1, 2))"),
    "projective": (LINEAR, "sampler2D", "textureProjOffset(s, vec3(at, 0.7), ivec2(1, 2))"),
    "with and without": (LINEAR, "sampler2D", "texture(s, at) * 0.5 + textureOffset(s, at, ivec2(1, 0)) * 0.5"),
    "probes": (_anisotropic, "sampler2D", "textureOffset(s, at * vec2(9.0, 1.0), ivec2(1, 2))"),
    "floats": (_filtered(_floats), "sampler2D", "textureOffset(s, at, ivec2(1, 2)) / 300.0"),
    "integers": (_integers, "isampler2D", "vec4(textureOffset(s, at, ivec2(1, 2))) / 128.0"),
    "array": (ARRAY, "sampler2DArray", "textureOffset(s, vec3(at, v.z * 6.0), ivec2(1, 2))"),
    "volume": (VOLUME, "sampler3D", "textureOffset(s, vec3(at, v.z), ivec3(1, 2, -3))"),
    "shadow": (SHADOW, "sampler2DShadow", "vec4(textureOffset(s, vec3(at, v.z), ivec2(1, 2)))"),
    "border": (_bordered(_bytes), "sampler2D", "texture(s, at)"),
    "border, one channel": (_bordered(_bytes), "sampler2D", "vec4(texture(s, at).g)"),
    "border and offset": (_bordered(_bytes), "sampler2D", "textureOffset(s, at, ivec2(-3, 5))"),
    "border of floats": (_bordered(_floats), "sampler2D", "texture(s, at) / 300.0"),
    "border of integers": (_integers_on_border, "isampler2D", "vec4(texture(s, at)) / 128.0"),
    "border of a shadow": (_bordered(_depths), "sampler2DShadow", "vec4(texture(s, vec3(at, v.z)))"),
    "border of an array": (
        _bordered(_deep(gl.TEXTURE_2D_ARRAY), gl.TEXTURE_2D_ARRAY),
        "sampler2DArray",
        "texture(s, vec3(at, v.z * 6.0))",
    ),
    "border of a volume": (
        _bordered(_deep(gl.TEXTURE_3D), gl.TEXTURE_3D),
        "sampler3D",
        "texture(s, vec3(at, at.x * 2.0 + v.z))",
    ),
    "border of a cube": (_bordered(_cube, gl.TEXTURE_CUBE_MAP), "samplerCube", "texture(s, vec3(at, v.z))"),
    "gradients": (LINEAR, "sampler2D", "textureGrad(s, at, dx, dy)"),
    "no gradients": (LINEAR, "sampler2D", "textureGrad(s, at, vec2(0.0), vec2(0.0))"),
    "no numbers": (LINEAR, "sampler2D", "textureGrad(s, at, dx / (v.z - v.z), dy)"),
    "gradients of an array": (ARRAY, "sampler2DArray", "textureGrad(s, vec3(at, v.z * 6.0), dx, dy)"),
    "gradients of a volume": (VOLUME, "sampler3D", IN_SPACE),
    "gradients of a cube": (CUBE, "samplerCube", IN_SPACE),
    "gradients of a shadow": (SHADOW, "sampler2DShadow", "vec4(textureGrad(s, vec3(at, v.z), dx, dy))"),
    "gradients, projective": (LINEAR, "sampler2D", "textureProjGrad(s, vec3(at, 0.7), dx, dy)"),
    "gradients and offset": (LINEAR, "sampler2D", "textureGradOffset(s, at, dx, dy, ivec2(1, 2))"),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_fragments_read_the_same_texels(tmp_path: Path, name: str) -> None:
    upload, kind, value = OPERATIONS[name]
    head = HEAD.replace("in vec4 v", "precision highp sampler2DShadow; in vec4 v")
    shader = SHADER.replace(HEAD, head).format(kind=kind, at=AT, value=value)
    trace = _trace(tmp_path / "scene.trace", upload, shader)
    _same_picture(trace)
    for backend in ("llvm", "numpy"):
        record(trace, tmp_path / backend, backend=choose_backend(backend)[0])
    for table in ("texture_reads", "quads"):
        one, other = (pq.read_table(tmp_path / backend / f"{table}.parquet") for backend in ("llvm", "numpy"))
        assert one.num_rows and one.equals(other)


@pytest.mark.parametrize(
    "value", ["textureGrad(s, value.xy, value.zx, value.yz)", "textureOffset(s, value.xy, ivec2(3, 1))"]
)
def test_vertices_read_the_same_texels(tmp_path: Path, value: str) -> None:
    vertex = VERTEX.replace("void main() {", "uniform sampler2D s; void main() {").replace("v = value", f"v = {value}")
    _same_picture(_trace(tmp_path / "scene.trace", LINEAR, HEAD + "void main() { o = v; }", vertex))


def test_probes_along_gradients_are_left_to_the_reference(tmp_path: Path) -> None:
    shader = SHADER.format(kind="sampler2D", at=AT, value="textureGrad(s, at, dx, dy)")
    ways = ways_of(_trace(tmp_path / "scene.trace", _anisotropic, shader))
    assert {fragments for _, fragments in ways} == {
        "stage by stage: a texture that is filtered anisotropically is sampled with gradients"
    }
