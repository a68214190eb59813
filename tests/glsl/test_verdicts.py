"""Verdicts on fragment shaders at the edge of the language: ours are Mesa's."""

from __future__ import annotations

import pytest

from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program

from .mesa import Mesa

HEAD_100 = "#version 100\nprecision highp float;\n"
HEAD_300 = "#version 300 es\nprecision highp float;\nout vec4 o;\n"
OK, COMPILE, LINK, LENIENT = "ok", "compile", "link", "lenient"
"""Fine; a compile error; a link error; an error of the specification's that drivers do not make."""
CASES = [
    (
        "a sequence of constants in 1.00",
        HEAD_100,
        "const int a=(1,2); float x[(1,3)]; void main(){gl_FragColor=vec4(a);}",
        OK,
    ),
    ("a sequence of constants in 3.00", HEAD_300, "const int a=(1,2); void main(){o=vec4(a);}", COMPILE),
    (
        "#elif without expression, not looked at",
        HEAD_100,
        "#if 1\n#elif\n#endif\nvoid main(){gl_FragColor=vec4(1);}",
        OK,
    ),
    ("#elif without expression", HEAD_100, "#if 0\n#elif\n#endif\nvoid main(){gl_FragColor=vec4(1);}", COMPILE),
    ("no main", HEAD_100, "float f(){return 1.;}", LINK),
    ("unsized array without name", HEAD_300, "int[]; void main(){o=vec4(1);}", COMPILE),
    ("sized array without name", HEAD_300, "int[2]; void main(){o=vec4(1);}", OK),
    ("mat2x3 in 1.00", HEAD_100, "void main(){mat2x3 m; gl_FragColor=vec4(1);}", COMPILE),
    ("uvec2 in 1.00", HEAD_100, "void main(){uvec2 m; gl_FragColor=vec4(1);}", COMPILE),
    ("constructor of uvec2 in 1.00", HEAD_100, "void main(){gl_FragColor=vec4(uvec2(1),1,1);}", COMPILE),
    (
        "types of 3.00 as names in 1.00",
        HEAD_100,
        "void main(){float uvec2=1.; float mat2x3=2.; gl_FragColor=vec4(uvec2);}",
        OK,
    ),
    (
        "return precision in 1.00",
        HEAD_100,
        "mediump float f(); highp float f(){return 1.;} void main(){gl_FragColor=vec4(f());}",
        COMPILE,
    ),
    (
        "return precision in 3.00",
        HEAD_300,
        "mediump float f(); float f(){return 1.;} void main(){o=vec4(f());}",
        COMPILE,
    ),
    ("return precision by default", HEAD_300, "highp float f(); float f(){return 1.;} void main(){o=vec4(f());}", OK),
    (
        "parameter precision",
        HEAD_300,
        "float f(mediump float x); float f(highp float x){return x;} void main(){o=vec4(f(1.));}",
        OK,
    ),
    ("invariant(all) in 3.00", HEAD_300, "#pragma STDGL invariant(all)\nvoid main(){o=vec4(1);}", COMPILE),
    ("invariant(all) in 1.00", HEAD_100, "#pragma STDGL invariant(all)\nvoid main(){gl_FragColor=vec4(1);}", OK),
    ("float suffix in 1.00", HEAD_100, "void main(){gl_FragColor=vec4(1.0f);}", LENIENT),
    ("suffix of an integer", HEAD_100, "void main(){gl_FragColor=vec4(1f);}", COMPILE),
    (
        "array size behind the type in 1.00",
        HEAD_100,
        "void main(){float[2] x; x[0]=1.;gl_FragColor=vec4(x[0]);}",
        LENIENT,
    ),
]


def _ours(vertex: str, fragment: str, lenient: bool) -> str:
    try:
        compiled = compile_shader(fragment, "fragment", dialect="lenient" if lenient else "strict")
    except ShaderError:
        return COMPILE
    try:
        link_program(compile_shader(vertex, "vertex"), compiled, {})
    except LinkError:
        return LINK
    return OK


def _mesas(mesa: Mesa, vertex: str, fragment: str) -> str:
    try:
        mesa.context.program(vertex_shader=vertex, fragment_shader=fragment).release()
    except Exception as error:
        return LINK if "Linker" in str(error) else COMPILE
    return OK


@pytest.mark.parametrize(("head", "source", "verdict"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_verdict(head: str, source: str, verdict: str, mesa: Mesa) -> None:
    vertex = head.splitlines()[0] + "\nvoid main() { gl_Position = vec4(0.0); }"
    accepted = OK if verdict == LENIENT else verdict
    assert _mesas(mesa, vertex, head + source) == accepted
    assert _ours(vertex, head + source, lenient=True) == accepted
    assert _ours(vertex, head + source, lenient=False) == (COMPILE if verdict == LENIENT else verdict)


EXTENSION = "GL_NV_shader_noperspective_interpolation"
STRAIGHT = f"#version 300 es\n#extension {EXTENSION} : require\nprecision highp float;\nout vec4 o;\n"


@pytest.mark.parametrize(
    ("source", "fine"),
    [
        (f"{STRAIGHT}noperspective in vec4 v; void main(){{o=v;}}", True),
        (f"{STRAIGHT}noperspective centroid in vec4 v; void main(){{o=v;}}", True),
        (f"{HEAD_300}noperspective in vec4 v; void main(){{o=v;}}", False),
        (f"{STRAIGHT}noperspective smooth in vec4 v; void main(){{o=v;}}", False),
        (f"{STRAIGHT}noperspective in ivec4 v; void main(){{o=vec4(v);}}", False),
        (f"{STRAIGHT}noperspective uniform vec4 v; void main(){{o=v;}}", False),
        (f"{HEAD_100}varying vec4 noperspective; void main(){{gl_FragColor=noperspective;}}", True),
    ],
)
def test_noperspective(source: str, fine: bool) -> None:
    """By the extension's text: the compiler that the others are compared with has none."""
    if fine:
        assert compile_shader(source, "fragment").stage == "fragment"
        return
    with pytest.raises(ShaderError):
        compile_shader(source, "fragment")
