"""Arrays of arrays (ESSL 3.10, section 4.1.9): verdicts and values are Mesa's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program

from . import mesa as reference
from .mesa import Mesa
from .test_essl_310 import HEAD, VERTEX, _inputs, _ours

OK, WRONG = True, False
VERDICTS = [
    ("uniform B { vec4 v; } b[2][2];", "o = b[1][1].v;", WRONG),
    ("uniform B { vec4 v[2][2]; } b;", "o = b.v[1][1];", OK),
    ("flat in vec4 z[2][2];", "o = z[0][0];", WRONG),
    ("layout(location = 1) out vec4 x[2][1];", "o = x[0][0] = vec4(1);", WRONG),
    ("uniform sampler2D s[2][2];", "o = texture(s[1][0], p.xy);", OK),
    ("uniform sampler2D s[2][2]; uniform int i;", "o = texture(s[1][i], p.xy);", WRONG),
    ("layout(location = 2) uniform vec4 x[2][3]; layout(location = 8) uniform float y;", "o = x[1][2] * y;", OK),
    ("", "float[3] a[2]; a[2][1] = 1.; o = vec4(a[1][2]);", WRONG),
    ("", "float a[2][3]; float b[3][2]; a = b; o = vec4(1);", WRONG),
    ("", "float a[][]; o = vec4(1);", WRONG),
    ("", "float a[2][] = float[2][](float[](1., 2.), float[](3., 4., 5.)); o = vec4(1);", WRONG),
    ("", "float a[2][2] = float[2][2](1., 2.); o = vec4(1);", WRONG),
    ("float f(float a[2][3]) { return a[0][0]; }", "float a[3][2]; o = vec4(f(a));", WRONG),
    ("", "const float a[2][2] = float[2][2](float[2](1., 2.), float[2](3., 4.)); float c[int(a[1][0])]; o = p;", OK),
]
NESTED = "float[][3](float[3](p.x, p.y, p.z), float[](q.x, q.y, q.z))"
VALUES = [
    ("", f"float a[][] = {NESTED}; o = vec4(a[1][0], a[0][2], a.length(), a[1].length());"),
    ("", f"float[][3] a = {NESTED}; a[1] = a[0]; a[0][1] = 7.0; o = vec4(a[1][1], a[0][1], a[1][2], a[0][0]);"),
    ("", f"float[3] a[2] = {NESTED}; o = vec4(a[k.x & 1][k.y & 1], a[1][k.z & 1], a[k.w & 1][2], 0.0);"),
    ("", f"float a[2][3] = {NESTED}; a[k.x & 1][1] = 9.0; a[1][k.y & 1] = 8.0;"
     "o = vec4(a[0][1], a[1][0], a[1][1], 0);"),
    ("", f"float a[2][3] = {NESTED}, b[2][3] = a; b[k.x & 1][k.y & 1] += 1.0;"
     "o = vec4(a == b, a[0] == b[0], a != b, 0);"),
    ("", f"o = vec4({NESTED}[1][k.x & 1], {NESTED}[k.y & 1][2], 0.0, 0.0);"),
    ("float[2][3] f(float[3] a[2]) { a[1][2] *= 2.0; return a; }",
     f"o = vec4(f({NESTED})[1][2], f({NESTED})[0][1], 0, 0);"),
    (
        "float f(float a[2][2], out float b[2], inout vec2[1][2] c) {"
        " b[0] = b[1] = a[1][0]; c[0][1] += 1.; return a[0][1]; }",
        "float a[2][2]; a[0][1] = p.x; a[1][0] = p.y; float b[2][2]; vec2 c[1][2]; c[0][1] = q.xy;"
        "o.x = f(a, b[k.x & 1], c); o.yzw = vec3(b[k.x & 1][1], c[0][1]);",
    ),
    (
        "struct S { mat2 m[2][2]; int i[1][3]; };",
        "S s[2]; s[1].m[k.x & 1][1] = mat2(p); s[1].m[1 - (k.x & 1)][1] = mat2(q); s[1].i[0][2] = 3;"
        "o = vec4(s[1].m[0][1][k.y & 1], s[1].m[1][1][0].y, s[1].i[0][2]);",
    ),
    ("const vec2 t[3][2] = vec2[3][2](vec2[2](vec2(0), vec2(1)), vec2[2](vec2(2), vec2(3)),"
     "vec2[2](vec2(4), vec2(5)));",
     "o = vec4(t[k.x & 1][k.y & 1], t[2][k.z & 1]);"),
]  # fmt: skip


def _fragment(declared: str, body: str) -> str:
    return f"{HEAD}layout(location = 0) out vec4 o; {declared} void main() {{ {body} }}"


@pytest.mark.parametrize(("declared", "body", "right"), VERDICTS)
def test_verdicts(mesa: Mesa, declared: str, body: str, right: bool) -> None:
    source = _fragment(declared, body)
    try:
        mesa.context.program(vertex_shader=VERTEX, fragment_shader=source).release()
        theirs = OK
    except mesa.moderngl.Error:
        theirs = WRONG
    try:
        link_program(compile_shader(VERTEX, "vertex"), compile_shader(source, "fragment"), {})
        ours = OK
    except (ShaderError, LinkError):
        ours = WRONG
    assert (ours, theirs) == (right, right)


@pytest.mark.parametrize(("declared", "body"), VALUES)
def test_values(mesa: Mesa, monkeypatch: pytest.MonkeyPatch, declared: str, body: str) -> None:
    monkeypatch.setattr(reference, "VERTEX", VERTEX)
    source = _fragment(declared, body)
    expected = mesa.run(source, _inputs(), "f4")
    for backend in (NumpyBackend(), LlvmBackend()):
        np.testing.assert_allclose(_ours(source, "f4", backend), expected, rtol=1e-6)


@pytest.mark.parametrize("version", ["300", "100"])
def test_earlier_versions_have_none(version: str) -> None:
    head = "#version 300 es\n" if version == "300" else ""
    message = re.escape("arrays of arrays are not part of this language version")
    with pytest.raises(ShaderError, match=message):
        compile_shader(f"{head}void main() {{ highp float a[2][3]; }}", "fragment")


def test_std140_offsets() -> None:
    """By the rules of the specification: an inner array is rounded up to multiples of 16 bytes."""
    source = _fragment("layout(std140) uniform B { float f; vec3 v[2][3]; mat3x2 m[2][1]; float last; };",
                       "o = vec4(v[1][2], last);")  # fmt: skip
    program = link_program(compile_shader(VERTEX, "vertex"), compile_shader(source, "fragment"), {})
    members: dict[str, Any] = {m.name: (m.offset_bytes, m.array_stride_bytes) for m in program.blocks[0].members}
    assert members == {
        "f": (0, 0),
        "v[0]": (16, 16),
        "v[1]": (64, 16),
        "m[0]": (112, 48),
        "m[1]": (160, 48),
        "last": (208, 0),
    }
