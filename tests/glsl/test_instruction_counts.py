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


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("float a = v.x + u.x, b = v.y + u.y, d = v.z + u.x; c = vec4(a * a, b * b, d * d, 1.0);", 4),
        ("float a = v.x + u.x, b = u.y + v.y; c = vec4(a, b, a, b);", 2),
        ("float a = v.x * 2.0, b = v.y * 3.0, d = v.z * 4.0, e = v.w * 5.0; c = vec4(a, b, d, e);", 2),
        ("float a = v.x - u.x, b = v.y + u.y; c = vec4(a, b, 0.0, 1.0);", 4),
        ("vec2 a = v.xy + u.xy; vec2 b = v.zw + u.zw; c = vec4(a * a, b * b);", 3),
        ("vec3 a = v.xyz + u.xyz; vec2 b = v.zw + u.zw; c = vec4(a * a, b.x * b.y);", 5),
        ("float a = v.x < u.x ? 1.0 : 0.0, b = v.y < u.y ? 1.0 : 0.0; c = vec4(a, b, a, b);", 3),
    ],
)
def test_operations_on_components_are_joined(body: str, count: int) -> None:
    """Worked out by hand: one instruction per vector of equal operations on the same registers."""
    fragment = "precision highp float; varying vec4 v; uniform vec4 u;"
    vertex = "attribute vec4 p; varying vec4 v; void main() { gl_Position = p; v = p; }"
    body = body.replace("c = ", "gl_FragColor = ")
    shader = compile_shader(f"{fragment} void main() {{ {body} }}", "fragment")
    program = link_program(compile_shader(vertex, "vertex"), shader, {})
    assert len(program.fragment.instructions) == count


def test_outputs_are_not_joined_to_be_moved_apart() -> None:
    """Two ADDs into two outputs, END: joined they would take two moves more."""
    source = """precision highp float; varying vec4 v; uniform vec4 u;
        void main() { vec2 a = v.xy + u.xy; vec2 b = v.zw + u.zw;
        gl_FragData[0] = vec4(a, 0.0, 1.0); gl_FragData[1] = vec4(b, 0.0, 1.0); }"""
    source = "#extension GL_EXT_draw_buffers : require\n" + source
    vertex = "attribute vec4 p; varying vec4 v; void main() { gl_Position = p; v = p; }"
    program = link_program(compile_shader(vertex, "vertex"), compile_shader(source, "fragment"), {})
    assert len(program.fragment.instructions) == 5


def test_texture_counts() -> None:
    source = """precision highp float; varying vec4 c; uniform sampler2D s;
        void main() { gl_FragColor = texture2D(s, c.xy) * texture2D(s, c.zw) + texture2D(s, c.xy); }"""
    vertex = VERTEX.format("gl_Position = p; c = u;")
    program = link_program(compile_shader(vertex, "vertex"), compile_shader(source, "fragment"), {})
    assert count_by_class(program.fragment) == {"alu": 2, "sfu": 0, "tex": 2, "mem": 0, "flow": 1}


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
