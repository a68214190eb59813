"""Programs that break a rule are rejected where they break it."""

import time

import pytest

from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program

REJECTED = [
    # (what is wrong, source, line)
    ("undeclared", "void main() {\n gl_FragColor = vec4(y);\n}", 2),
    ("implicit conversion", "void main() {\n\n float a = 1;\n}", 3),
    ("mixed arithmetic", "void main() {\n float a = 1.0 + 2;\n}", 2),
    ("no precision", "float f;\nvoid main() {}", 1),
    ("missing semicolon", "precision highp float;\nvoid main() {\n float a = 1.0\n}", 4),
    ("condition is not bool", "void main() {\n if (1) ;\n}", 2),
    ("const written", "void main() {\n const int a = 1;\n a = 2;\n}", 3),
    ("uniform written", "uniform int u;\nvoid main() {\n u = 2;\n}", 3),
    ("const without value", "void main() {\n const int a;\n}", 2),
    ("not constant", "uniform int u;\nvoid main() {\n const int a = u;\n}", 3),
    ("redeclared", "void main() {\n int a;\n int a;\n}", 3),
    ("index outside", "precision highp float;\nvoid main() {\n vec3 v;\n v[3] = 1.0;\n}", 4),
    ("swizzle outside", "precision highp float;\nvoid main() {\n vec2 v;\n v.z = 1.0;\n}", 4),
    ("component written twice", "precision highp float;\nvoid main() {\n vec2 v;\n v.xx = vec2(1.0);\n}", 4),
    ("unknown member", "struct S { int a; };\nvoid main() {\n S s;\n s.b = 1;\n}", 4),
    ("no such overload", "int f(int a) { return a; }\nvoid main() {\n f(true);\n}", 3),
    ("missing return value", "int f() {\n return;\n}\nvoid main() {}", 2),
    ("void value", "void f() {}\nvoid main() {\n int a = f();\n}", 3),
    ("void compared", "#version 300 es\nvoid f() {}\nvoid main() {\n bool b = f() == f();\n}", 4),
    ("break outside", "void main() {\n break;\n}", 2),
    ("reserved word", "void main() {\n int goto;\n}", 2),
    ("reserved operator", "void main() {\n int a = 5 % 2;\n}", 2),
    ("gl_ name", "void main() {\n int gl_a;\n}", 2),
    ("array assigned", "void main() {\n int a[2]; int b[2];\n a = b;\n}", 3),
    ("array size", "void main() {\n int a[0];\n}", 2),
    ("sampler local", "void main() {\n sampler2D s;\n}", 2),
    ("attribute in fragment shader", "attribute highp vec4 a;\nvoid main() {}", 1),
    ("both outputs", "void main() {\n gl_FragColor = vec4(1.0);\n gl_FragData[0] = vec4(1.0);\n}", 3),
    ("too few components", "precision highp float;\nvoid main() {\n vec3 v = vec3(1.0, 2.0);\n}", 3),
    ("builtin redefined", "precision highp float;\nfloat sin(float a) { return a; }\nvoid main() {}", 2),
    ("dFdx without extension", "precision highp float;\nvoid main() {\n float a = dFdx(1.0);\n}", 3),
    (
        "lod in fragment shader",
        "uniform sampler2D s;\nvoid main() {\n gl_FragColor = texture2DLod(s, vec2(0.0), 0.0);\n}",
        3,
    ),
    ("#error", "\n#error stop\nvoid main() {}", 2),
    ("unknown macro", "#if FOO\n#endif\nvoid main() {}", 1),
    ("unfinished #if", "#ifdef GL_ES\nvoid main() {}", 2),
    ("line directive", "#line 40\nvoid main() { x; }", 40),
    ("huge integer", "void main() {\n int a = 99999999999;\n}", 2),
    ("strange character", "void main() {\n int a = 1 @ 2;\n}", 2),
]


@pytest.mark.parametrize(("source", "line"), [c[1:] for c in REJECTED], ids=[c[0] for c in REJECTED])
def test_rejected_with_line(source: str, line: int) -> None:
    with pytest.raises(ShaderError) as caught:
        compile_shader(source, "fragment", "test.frag")
    assert str(caught.value).startswith(f"test.frag:{line}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "source",
    ["void f();\nvoid main() { f(); }", "int f(int a) { return f(a); }\nvoid main() { f(1); }"],
    ids=["undefined function", "recursion"],
)
def test_rejected_as_a_whole(source: str) -> None:
    with pytest.raises(ShaderError):
        compile_shader(source, "fragment")


HOSTILE = {
    "deep parentheses": "void main() { int a = " + "(" * 5000 + "1" + ")" * 5000 + "; }",
    "deep blocks": "void main() { " + "{" * 5000 + "}" * 5000 + " }",
    "deep unary": "void main() { int a = " + "-" * 20001 + "1; }",
    "macro bomb": "#define A0 1,1\n"
    + "".join(f"#define A{i} A{i - 1} A{i - 1} A{i - 1}\n" for i in range(1, 40))
    + "void main() { A39; }",
    "call bomb": "int f0(int a) { return a + 1; }\n"
    + "".join(f"int f{i}(int a) {{ return f{i - 1}(a) * f{i - 1}(a + 1); }}\n" for i in range(1, 40))
    + "uniform int u; void main() { gl_FragColor = vec4(f39(u)); }",
    "huge array": "void main() { int a[2000000000]; a[0] = 1; }",
    "huge structure": "struct A { highp mat4 a[1000]; };\n struct B { A a[1000]; };\n uniform B b[1000];"
    " void main() {}",
    "ten megabytes": "void main() { " + "gl_FragColor += vec4(1.0); " * 400_000 + "}",
    "unfinished comment": "/*" * 10000,
    "long condition": "#if " + "(" * 5000 + "1" + ")" * 5000 + "\n#endif\nvoid main() {}",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_source_fails_soon(source: str) -> None:
    """What grows with the square of its length, or exponentially, would take many minutes."""
    begin = time.process_time()
    with pytest.raises(ShaderError):
        compile_shader(source, "fragment")
    assert time.process_time() - begin < 90


def test_long_sums_compile() -> None:
    total = " + ".join(["x"] * 1500)
    source = f"precision highp float; varying highp float x; void main() {{ gl_FragColor = vec4({total}); }}"
    compile_shader(source, "fragment")


VERTEX = "varying highp vec2 v; uniform highp vec4 u; void main() { gl_Position = u; v = u.xy; }"
UNLINKABLE = {
    "varying type": "varying highp vec3 v; void main() { gl_FragColor = v.xyzz; }",
    "varying missing": "varying highp vec3 w; void main() { gl_FragColor = w.xyzz; }",
    "uniform type": "uniform highp vec3 u; void main() { gl_FragColor = u.xyzz; }",
    "uniform precision": "uniform mediump vec4 u; void main() { gl_FragColor = u; }",
    "too many uniforms": "uniform highp mat4 w[1100]; uniform int i; void main() { gl_FragColor = w[i][0]; }",
}


@pytest.mark.parametrize("fragment", UNLINKABLE.values(), ids=UNLINKABLE.keys())
def test_stages_that_do_not_fit(fragment: str) -> None:
    with pytest.raises(LinkError):
        link_program(compile_shader(VERTEX, "vertex"), compile_shader(fragment, "fragment"), {})
