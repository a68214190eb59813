"""Lines that instructions come from, counted by hand."""

from collections import Counter

import pytest

from tilegpu.functional.glsl import ShaderError, compile_shader, link_program
from tilegpu.functional.glsl.ir.program import Shader

VERTEX = """attribute vec4 place;
varying vec2 at;
void main() {
  at = place.xy;
  gl_Position = place;
}
"""


def fragment(body: str) -> Shader:
    vertex, compiled = compile_shader(VERTEX, "vertex"), compile_shader(body, "fragment")
    return link_program(vertex, compiled, {}).fragment


def operations(shader: Shader) -> list[tuple[str, tuple[int, ...]]]:
    return [(i.opcode, line) for i, line in zip(shader.instructions, shader.lines, strict=True)]


def test_copies_to_outputs_are_of_the_assignments() -> None:
    body = "precision mediump float;\nvoid main() {\n  gl_FragColor = vec4(1.0);\n}\n"
    program = link_program(compile_shader(VERTEX, "vertex"), compile_shader(body, "fragment"), {})
    assert operations(program.vertex) == [("MOV", (5,)), ("END", ())]
    assert operations(program.fragment) == [("MOV", (3,)), ("END", ())]


def test_an_instruction_of_several_operations_is_of_the_first() -> None:
    shader = fragment(
        "precision mediump float;\nvarying vec2 at;\nuniform vec4 c;\nvoid main() {\n"
        "  vec4 a = at.xyxy * c;\n  gl_FragColor = a\n  + c.yxwz;\n}\n"
    )
    assert operations(shader) == [("MAD", (5,)), ("END", ())]


def test_statements_over_lines_and_macros() -> None:
    shader = fragment(
        "precision mediump float;\nvarying vec2 at;\nuniform vec4 c;\n#define TWICE(x) ((x) + (x))\nvoid main() {\n"
        "  gl_FragColor = max(\n    TWICE(c),\n    at.xyyx);\n}\n"
    )
    assert operations(shader) == [("ADD", (7,)), ("MAX", (6,)), ("END", ())]


def test_branches_discards_and_texture_reads() -> None:
    shader = fragment(
        "precision mediump float;\nvarying vec2 at;\nuniform sampler2D s;\nvoid main() {\n"
        "  vec4 a = texture2D(s, at);\n  if (a.x > at.x) {\n    a = texture2D(s, a.yz * at);\n  }\n"
        "  if (a.y < 0.25)\n    discard;\n  gl_FragColor = a;\n}\n"
    )
    counted = Counter((opcode, line[0] if line else 0) for opcode, line in operations(shader))
    assert counted["TEX", 5] == counted["TEX", 7] == 1
    assert counted["MUL", 7] == 1
    assert counted["UIF", 6] == counted["ENDIF", 6] == 1
    assert counted["FSLT", 6] == counted["FSLT", 9] == 1
    assert sum(count for (opcode, _), count in counted.items() if opcode == "KILL_IF") == 1
    assert counted["KILL_IF", 9] == 1


def test_a_loop_and_its_end() -> None:
    shader = fragment(
        "precision highp float;\nprecision highp int;\nvarying vec2 at;\nuniform int n;\nvoid main() {\n"
        "  vec4 a = at.xyxy;\n  for (int i = 0; i < 300; i++) {\n    if (i > n)\n      break;\n"
        "    a = a * at.x + a;\n  }\n  gl_FragColor = a;\n}\n"
    )
    lines = dict.fromkeys(("BGNLOOP", "ENDLOOP", "UADD", "ISGE"), {(7,)}) | {"MAD": {(10,)}, "ISLT": {(8,)}}
    for opcode, expected in lines.items():
        assert {line for name, line in operations(shader) if name == opcode} == expected, opcode
    assert [line for name, line in operations(shader) if name == "BRK"] == [(7,), (9,)]


def test_inlined_functions_count_at_their_lines_with_those_of_the_calls() -> None:
    shader = fragment(
        "precision mediump float;\nvarying vec2 at;\nfloat inner(float x) {\n  return sin(x);\n}\n"
        "float outer(float x) {\n  return inner(x);\n}\nvoid main() {\n"
        "  float a = outer(at.x);\n  float b = inner(at.y);\n  gl_FragColor = vec4(a, b, a, b);\n}\n"
    )
    assert [line for opcode, line in operations(shader) if opcode == "SIN"] == [(4, 7, 10), (4, 11)]


def test_lines_are_those_of_the_text_whatever_its_directives_say() -> None:
    text = (
        "precision mediump float;\nvarying vec2 at;\n#line 500\nuniform vec4 c;\nvoid main() {\n"
        "  gl_FragColor = c * at.xyxy;\n}\n"
    )
    assert operations(fragment(text)) == [("MUL", (6,)), ("END", ())]
    with pytest.raises(ShaderError, match="shader:502: "):
        compile_shader(text.replace("at.xyxy", "at"), "fragment")
    again = text.replace("void main", "#line 7\nvoid main").replace("at.xyxy", "at")
    with pytest.raises(ShaderError, match="shader:8: "):
        compile_shader(again, "fragment")


def test_desktop_text_counts_as_it_is_written() -> None:
    body = "#version 120\nuniform vec4 c;\nvarying vec2 at;\nvoid main() {\n  gl_FragColor = c * at.xyxy;\n}\n"
    place = "#version 120\nvarying vec2 at;\nvoid main() {\n  at = gl_Vertex.xy;\n  gl_Position = ftransform();\n}\n"
    program = link_program(
        compile_shader(place, "vertex", "shader", "desktop"), compile_shader(body, "fragment", "shader", "desktop"), {}
    )
    assert ("MUL", (5,)) in operations(program.fragment)
    assert {line for opcode, line in operations(program.vertex) if opcode in ("MUL", "MAD", "DP4")} == {(5,)}


def test_lines_make_no_difference_between_shaders() -> None:
    body = "precision mediump float;\nvoid main() {\n  gl_FragColor = vec4(1.0);\n}\n"
    shader, lower = fragment(body), fragment("\n" + body)
    assert shader == lower and shader.lines != lower.lines
