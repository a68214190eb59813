"""Programs from disk are those that were linked, and a disk that fails only costs time."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tests.glsl.test_link import FRAGMENT, VERTEX
from tilegpu.functional.capture import Trace
from tilegpu.functional.glsl import LinkedProgram, LinkError, ShaderError, link, stored
from tilegpu.functional.glsl.stored import ValidShader, link_stored, validate_shader
from tilegpu.tools.demo import scene_folder

TWO_MEMBERS = """#version 300 es
layout(std140) uniform Both { mat3 turn; vec4 tint[2]; };
flat out int side; out vec3 way;
void main() { side = gl_VertexID; way = turn[1]; gl_Position = tint[gl_InstanceID]; }"""
FLAT = """#version 300 es
precision mediump float; precision mediump isampler2D;
uniform isampler2D table; flat in int side; in vec3 way; out vec4 color;
void main() {
    int sum = 0;
    for (int i = 0; i < side; ++i) sum += texelFetchOffset(table, ivec2(i, 0), 0, ivec2(-1, 2)).x;
    if (sum == 7) discard;
    color = vec4(way, float(sum));
}"""


def _forget(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From now on, count what is compiled or linked."""
    work: list[str] = []
    monkeypatch.setattr(stored, "compile_shader", lambda *a: work.append("compile") or link.compile_shader(*a))
    monkeypatch.setattr(stored, "link_program", lambda *a: work.append("link") or link.link_program(*a))
    return work


def _linked(vertex: str, fragment: str, captured: tuple[str, ...] = (), **locations: int) -> LinkedProgram:
    return link_stored(
        validate_shader(vertex, "vertex", "v"), validate_shader(fragment, "fragment", "f"), locations, captured
    )


def _assert_equal(a: LinkedProgram, b: LinkedProgram) -> None:
    for field in fields(LinkedProgram):
        assert getattr(a, field.name) == getattr(b, field.name), field.name
    # Which are no part of a shader's equality.
    assert {stage: s.lines for stage, s in a.shaders.items()} == {stage: s.lines for stage, s in b.shaders.items()}


@pytest.mark.parametrize(
    ("vertex", "fragment", "captured"), [(VERTEX, FRAGMENT, ()), (TWO_MEMBERS, FLAT, ("way", "gl_Position"))]
)
def test_a_second_start_neither_compiles_nor_links(
    program_cache: Path, monkeypatch: pytest.MonkeyPatch, vertex: str, fragment: str, captured: tuple[str, ...]
) -> None:
    first = _linked(vertex, fragment, captured)
    work = _forget(monkeypatch)
    again = _linked(vertex, fragment, captured)
    assert not work
    _assert_equal(first, again)


def test_programs_of_the_scenes_survive(program_cache: Path) -> None:
    seen = 0
    for path in sorted(scene_folder().glob("*.trace")):
        sources = [call.arguments[2] for call in Trace(path) if call.name == "glShaderSource"]
        texts = ["".join(source) if isinstance(source, list) else str(source) for source in sources]
        for vertex, fragment in zip(texts[::2], texts[1::2], strict=True):
            _assert_equal(_linked(vertex, fragment), _linked(vertex, fragment))
            seen += 1
    assert seen == 6


def test_locations_and_captured_outputs_are_part_of_the_key(program_cache: Path) -> None:
    places = [_linked(VERTEX, FRAGMENT, position=number).attributes for number in (1, 5)]
    assert [{a.name: a.location for a in attributes}["position"] for attributes in places] == [1, 5]
    assert [len(_linked(TWO_MEMBERS, FLAT, names).captured) for names in ((), ("way",))] == [0, 1]


def test_errors_are_not_stored(program_cache: Path) -> None:
    for _ in range(2):
        with pytest.raises(ShaderError, match="v:1"):
            validate_shader("void main() { wrong; }", "vertex", "v")
        with pytest.raises(LinkError, match="coordinate"):
            _linked("void main() { gl_Position = vec4(1.0); }", FRAGMENT)


def test_damaged_and_unwritable_files_only_cost_time(program_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _linked(VERTEX, FRAGMENT)
    stored_files = list(program_cache.rglob("*.json"))
    assert len(stored_files) == 3
    for content in (b"", b"nonsense" * 100):
        for path in stored_files:
            path.write_bytes(content)
        work = _forget(monkeypatch)
        _assert_equal(first, _linked(VERTEX, FRAGMENT))
        assert "link" in work
    # As if a file of another kind were there: the content is sound, but it is no program.
    shader = ValidShader(VERTEX, "vertex", "v"), ValidShader(FRAGMENT, "fragment", "f")
    stored._files().write((*shader[0].key, *shader[1].key, "([], (), False)"), b'{"vertex": 1}')
    _assert_equal(first, _linked(VERTEX, FRAGMENT))
