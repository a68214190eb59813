"""Qualifiers and layouts of GLSL ES 3.10: programs compile and link as in Mesa, or as the specification says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gles.mesa import Mesa
from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program
from tilegpu.functional.opengl import enums as gl

HEAD = "#version 310 es\nprecision highp float; precision highp int;\n"
HEAD_300 = "#version 300 es\nprecision highp float; precision highp int;\n"
VERTEX = "void main() { gl_Position = vec4(0.0); }"
FRAGMENT = "out vec4 o; void main() { o = vec4(1.0); }"
_READS = "out vec4 o; void main() { o = vec4(c); }"
FRAGMENTS = {
    "layout after uniform": f"uniform layout(location = 3) highp float c; {_READS}",
    "precision before uniform": f"highp uniform float c; {_READS}",
    "precision before layout": f"uniform highp layout(location = 1) float c; {_READS}",
    "binding after precision": "uniform highp layout(binding = 1) sampler2D s; out vec4 o; void main()"
    " { o = texture(s, vec2(0)); }",
    "layout after out": "out layout(location = 0) vec4 o; void main() { o = vec4(1.0); }",
    "precision before out": "highp layout(location = 0) out vec4 o; void main() { o = vec4(1.0); }",
    "two layouts": "layout(location = 3) layout(location = 1) out vec4 o; void main() { o = vec4(1.0); }",
    "parameters": "float f(highp in float a, mediump const in float b, inout highp float c) { return a + b + c; }"
    " out vec4 o; void main() { float c = 1.0; o = vec4(f(1.0, 2.0, c)); }",
    "in before const": "float f(in const float a) { return a; } out vec4 o; void main() { o = vec4(f(1.0)); }",
    "const before out": "void f(const out float a) { a = 1.0; } out vec4 o;"
    " void main() { float c; f(c); o = vec4(c); }",
    "const twice": "float f(const const float a) { return a; } out vec4 o; void main() { o = vec4(f(1.0)); }",
    "uniform twice": f"uniform uniform float c; {_READS}",
    "two precisions": f"uniform highp lowp float c; {_READS}",
    "block after layout": "uniform layout(std140) B { vec4 c; }; out vec4 o; void main() { o = c; }",
    "defaults of blocks": "uniform layout(std140, row_major); uniform B { mat4 c; };"
    " out vec4 o; void main() { o = c[0]; }",
    "members": "uniform B { highp layout(row_major) mat4 c; }; out vec4 o; void main() { o = c[0]; }",
    "two uniforms at a location": "layout(location = 1) uniform vec4 a; layout(location = 1) uniform vec4 b;"
    " out vec4 o; void main() { o = a + b; }",
    "arrays that overlap, unused": "layout(location = 1) uniform vec4 a[3]; layout(location = 3) uniform vec4 b;"
    " out vec4 o; void main() { o = vec4(1); }",
    "structures side by side": "struct S { vec4 x; mat4 m; float y[2]; }; layout(location = 1) uniform S a;"
    " layout(location = 5) uniform vec4 b; out vec4 o; void main() { o = a.x + b; }",
    "structures that overlap": "struct S { vec4 x; mat4 m; float y[2]; }; layout(location = 1) uniform S a;"
    " layout(location = 4) uniform vec4 b; out vec4 o; void main() { o = a.x + b; }",
    "counters at an offset": "layout(binding = 0, offset = 8) uniform atomic_uint; layout(binding = 0) uniform"
    " atomic_uint a; layout(binding = 0, offset = 8) uniform atomic_uint b; out vec4 o;"
    " void main() { o = vec4(atomicCounter(a) + atomicCounter(b)); }",
    "an array in a block": "buffer B { uint v[100000]; float w[128][256]; };"
    " out vec4 o; void main() { o = vec4(v[7]); }",
    "a long array of which the length is asked": "out vec4 o;"
    " void main() { float a[40][40][40]; o = vec4(a.length()); }",
    "blend support without the extension": "layout(blend_support_multiply) out; out vec4 o;"
    " void main() { o = vec4(1); }",
}
PAIRS = {
    "one location of two uniforms": ("layout(location = 1) uniform vec4 a;", "layout(location = 1) uniform vec4 b;"),
    "two locations of one uniform": ("layout(location = 1) uniform vec4 a;", "layout(location = 2) uniform vec4 a;"),
    "one location of one uniform": ("layout(location = 1) uniform vec4 a;", "layout(location = 1) uniform vec4 a;"),
    "a location in one stage": ("layout(location = 1) uniform vec4 a;", "uniform vec4 a;"),
    "two bindings of a sampler": (
        "layout(binding = 1) uniform sampler2D s;",
        "layout(binding = 2) uniform sampler2D s;",
    ),
    "a binding in one stage": ("uniform sampler2D s;", "layout(binding = 2) uniform sampler2D s;"),
    "two bindings of a block": (
        "layout(binding = 1) uniform B { vec4 x; };",
        "layout(binding = 2) uniform B { vec4 x; };",
    ),
    "one binding of two blocks": (
        "layout(binding = 1) uniform B { vec4 x; };",
        "layout(binding = 1) uniform C { vec4 y; };",
    ),
    "counters of two stages in one place": (
        "layout(binding = 0, offset = 4) uniform atomic_uint a;",
        "layout(binding = 0, offset = 4) uniform atomic_uint b;",
    ),
}
OTHERWISE = {
    "block after layout": "qualifiers of blocks are in any order, too (4.10)",
    "defaults of blocks": "and those of defaults",
    "counters of two stages in one place": "the places of counters that no stage reads are checked, too (4.4.6)",
}
"""Where Mesa's verdict is another, and why."""


@pytest.fixture(scope="module")
def mesa() -> Iterator[Mesa]:
    """A context of OpenGL ES 3.1."""
    context = Mesa(3, 1)
    yield context
    context.close()


def theirs(mesa: Mesa, vertex: str, fragment: str) -> bool:
    """Whether Mesa compiles and links a program."""
    program = mesa.call("glCreateProgram")
    for kind, source in ((gl.VERTEX_SHADER, vertex), (gl.FRAGMENT_SHADER, fragment)):
        shader = mesa.call("glCreateShader", kind)
        mesa.call("glShaderSource", shader, 1, [source], None)
        mesa.call("glCompileShader", shader)
        mesa.call("glAttachShader", program, shader)
    mesa.call("glLinkProgram", program)
    return mesa.get("glGetProgramiv", program, gl.LINK_STATUS) == [1]


def ours(vertex: str, fragment: str) -> str:
    """Why this compiler refuses a program; "" if it does not."""
    try:
        link_program(compile_shader(vertex, "vertex"), compile_shader(fragment, "fragment"), {})
    except (ShaderError, LinkError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FRAGMENTS)
def test_fragment_shaders(name: str, mesa: Mesa) -> None:
    sources = HEAD + VERTEX, HEAD + FRAGMENTS[name]
    assert ((ours(*sources) == "") == theirs(mesa, *sources)) != (name in OTHERWISE), ours(*sources)


@pytest.mark.parametrize("name", PAIRS)
def test_stages(name: str, mesa: Mesa) -> None:
    sources = HEAD + PAIRS[name][0] + VERTEX, HEAD + PAIRS[name][1] + FRAGMENT
    assert ((ours(*sources) == "") == theirs(mesa, *sources)) != (name in OTHERWISE), ours(*sources)


@pytest.mark.parametrize("source", ["highp uniform float c;", "uniform highp float c; in highp flat int v;"])
def test_version_300_keeps_its_order(source: str, mesa: Mesa) -> None:
    sources = HEAD_300 + VERTEX, HEAD_300 + source + _READS
    assert "order" in ours(*sources) and not theirs(mesa, *sources)


def test_the_location_of_one_stage_counts_for_both() -> None:
    vertex = HEAD + "uniform vec4 a; void main() { gl_Position = a; }"
    fragment = HEAD + "layout(location = 7) uniform vec4 a; layout(binding = 3) uniform B { vec4 x; };"
    fragment += "out vec4 o; void main() { o = a + x; }"
    program = link_program(compile_shader(vertex, "vertex"), compile_shader(fragment, "fragment"), {})
    assert [(u.name, u.location) for u in program.uniforms] == [("a", 7)]
    assert [(b.name, b.binding) for b in program.blocks] == [("B", 3)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("buffer B { uint v[100000]; }; void main() { uint w[100000] = v; o = vec4(w[0]); }", "registers"),
        ("void main() { float a[40][40][40]; a[0][0][0] = 1.0; o = vec4(a[1][2][3]); }", "64000 registers of 16384"),
        ("buffer B { uint v[100000000]; }; void main() { o = vec4(v[0]); }", "more than 33554432 vectors"),
        ("buffer B { vec4 v[10000000]; }; void main() { o = v[0]; }", "160000000 bytes of 134217728"),
        ("struct S { int a, b; }; struct T { S s[100000]; }; buffer B { T t; }; void main() { o = vec4(t.s[1].a); }",
         "more than 65536 members"),
        ("uniform B { vec4 v[5000]; }; void main() { o = v[0]; }", "80000 bytes of 65536"),
        ("layout(binding = 0) uniform atomic_uint a[4000]; layout(binding = 1) uniform atomic_uint b[97];"
         " void main() { o = vec4(atomicCounter(a[0]) + atomicCounter(b[0])); }", "4097 atomic counters of 4096"),
        ("layout(binding = 0) uniform atomic_uint a[4097]; void main() { o = vec4(atomicCounter(a[0])); }",
         "16384 bytes"),
        ("layout(location = 60000) uniform vec4 c; void main() { o = c; }", "of 49152"),
    ],
)  # fmt: skip
def test_limits_hold_where_memory_is_used(body: str, message: str) -> None:
    assert message in ours(HEAD + VERTEX, HEAD + "out vec4 o; " + body)
