"""How many instructions things take: the counts TGSI conventions give, worked out by hand, END included."""

import pytest

from tilegpu.functional.glsl import compile_shader, link_program
from tilegpu.functional.glsl.ir import count_by_class

VERTEX = "attribute vec4 p; attribute vec3 n; uniform mat4 m; uniform vec4 u; varying vec4 c; void main() {{ {} }}"
PASS = "precision highp float; varying vec4 c; void main() { gl_FragColor = c; }"


def _vertex_count(body: str) -> int:
    program = link_program(compile_shader(VERTEX.format(body), "vertex"), compile_shader(PASS, "fragment"), {})
    return len(program.vertex.instructions)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("gl_Position = p; c = u;", 3),
        ("gl_Position = m * p; c = u;", 6),
        ("gl_Position = m * vec4(n, 1.0); c = u;", 6),
        ("gl_Position = m * vec4(n, 0.0); c = u;", 5),
        ("gl_Position = m * m * p; c = u;", 10),
        ("gl_Position = p; c = vec4(normalize(n), 1.0);", 6),
        ("gl_Position = p; c = vec4(n, 1.0);", 4),
        ("gl_Position = p; c = clamp(p * u + u, 0.0, 1.0);", 4),
        ("gl_Position = p; c = -abs(p) * 2.0 + u;", 3),
        ("gl_Position = p; c = mix(p, u, u.x);", 3),
        ("gl_Position = p; vec4 t = p * u; c = t * 0.0 + u * 1.0;", 3),
        ("gl_Position = p; vec4 unused = sin(p); c = u;", 3),
        ("gl_Position = p; c = u; for (int i = 0; i < 4; i++) c += p;", 6),
        ("gl_Position = p; c = p.x > 0.0 ? u : p;", 4),
        ("gl_Position = p; c = vec4(dot(n, u.xyz));", 3),
        ("gl_Position = p; c = vec4(pow(2.0, 3.0), sin(0.0), 1.0 / 4.0, sqrt(9.0));", 3),
        ("gl_Position = p; c = vec4(p.xy * 2.0, p.zw * u.x);", 4),
        ("gl_Position = p; c = u; c = p; c.x = u.x;", 4),
    ],
)
def test_vertex_shader(body: str, count: int) -> None:
    assert _vertex_count(body) == count


def test_texture_counts() -> None:
    source = """precision highp float; varying vec4 c; uniform sampler2D s;
        void main() { gl_FragColor = texture2D(s, c.xy) * texture2D(s, c.zw) + texture2D(s, c.xy); }"""
    vertex = VERTEX.format("gl_Position = p; c = u;")
    program = link_program(compile_shader(vertex, "vertex"), compile_shader(source, "fragment"), {})
    assert count_by_class(program.fragment) == {"alu": 2, "sfu": 0, "tex": 2, "flow": 1}


def test_equal_sources_compile_once() -> None:
    assert compile_shader(PASS, "fragment") is compile_shader(PASS, "fragment")


def test_nested_long_loops_compile_to_loops() -> None:
    """Per loop: counter, BGNLOOP, ISGE, UIF, BRK, ENDIF, sum, increment, ENDLOOP; around them three MOV and END."""
    body = "gl_Position = p; c = u;"
    for name in "ijkl":
        body += f"for (int {name} = 0; {name} < 100; {name}++) {{ c += p;"
    assert _vertex_count(body + "}" * 4) == 4 * 9 + 4


def test_loops_unroll_by_the_constants_of_each_call() -> None:
    functions = "vec4 sum(vec4 v, int n) { vec4 s = v; for (int i = 1; i < n; i++) s += v * float(i); return s; }"
    body = "gl_Position = p; c = sum(p, 3) + sum(u, 2);"
    vertex = VERTEX.replace("void main", functions.replace("{", "{{").replace("}", "}}") + " void main").format(body)
    program = link_program(compile_shader(vertex, "vertex"), compile_shader(PASS, "fragment"), {})
    assert "BGNLOOP" not in {i.opcode for i in program.vertex.instructions}
