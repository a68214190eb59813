"""Numbers of the captured driver are learned from every recorded answer that tells them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session

PROGRAM = 1
UNIFORM, BLOCK = gl.UNIFORM, gl.UNIFORM_BLOCK
TYPE, BLOCK_INDEX, ACTIVE_VARIABLES, LOCATION = 0x92FA, 0x92FD, 0x9305, 0x930E
VERTEX = "#version 310 es\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }"
FRAGMENT = """#version 310 es
precision highp float;
uniform First { vec4 x; }; uniform Second { vec4 y[2]; };
uniform vec4 a; uniform vec4 b[2];
out vec4 o; void main() { o = a + 0.5 * b[1] + x + y[1]; }"""
# This driver counts backwards: b, a; Second, First. Members come first.
INDICES = {"y[0]": 0, "x": 1, "b[0]": 2, "a": 3}
BLOCKS = {"Second": 0, "First": 1}
LOCATIONS = {"a": 41, "b[0]": 17}


def _resource(index: int, asked: list[int], values: list[int], interface: int = UNIFORM) -> tuple[str, list[Any]]:
    return "glGetProgramResourceiv", [PROGRAM, interface, index, len(asked), asked, 8, [len(values)], [*values, 0, 0]]


def _named_resources() -> list[tuple[str, list[Any]]]:
    return [("glGetProgramResourceName", [PROGRAM, UNIFORM, i, 99, [1], name]) for name, i in INDICES.items()]


def _active_uniforms() -> list[tuple[str, list[Any]]]:
    return [("glGetActiveUniform", [PROGRAM, i, 99, [1], [1], [gl.FLOAT], name]) for name, i in INDICES.items()]


def _uniform_indices() -> list[tuple[str, list[Any]]]:
    return [("glGetUniformIndices", [PROGRAM, len(INDICES), [*INDICES], [*INDICES.values()]])]


def _locations() -> list[tuple[str, list[Any]]]:
    return [_resource(INDICES[name], [TYPE, LOCATION], [7, at]) for name, at in LOCATIONS.items()]


def _by_members() -> list[tuple[str, list[Any]]]:
    return [_resource(INDICES["x"], [BLOCK_INDEX], [1]), _resource(INDICES["y[0]"], [BLOCK_INDEX], [0])]


def _by_members_in_one_call() -> list[tuple[str, list[Any]]]:
    return [("glGetActiveUniformsiv", [PROGRAM, 4, [0, 1, 2, 3], gl.UNIFORM_BLOCK_INDEX, [0, 1, -1, -1]])]


def _by_lists() -> list[tuple[str, list[Any]]]:
    asked = gl.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES
    return [("glGetActiveUniformBlockiv", [PROGRAM, block, asked, [member]]) for block, member in ((0, 0), (1, 1))]


def _by_active_variables() -> list[tuple[str, list[Any]]]:
    return [_resource(block, [ACTIVE_VARIABLES], [member], BLOCK) for block, member in ((0, 0), (1, 1))]


def _by_names() -> list[tuple[str, list[Any]]]:
    return [("glGetActiveUniformBlockName", [PROGRAM, i, 99, [1], name]) for name, i in BLOCKS.items()]


def _by_names_of_resources() -> list[tuple[str, list[Any]]]:
    return [("glGetProgramResourceName", [PROGRAM, BLOCK, i, 99, [1], name]) for name, i in BLOCKS.items()]


Queries = Callable[[], list[tuple[str, list[Any]]]]


def _drawn(calls: list[tuple[str, list[Any]]], locations: dict[str, int]) -> np.ndarray:
    """The colour that a program draws whose uniforms and blocks have numbers of the captured driver."""
    s = Session()
    assert s.program(VERTEX, FRAGMENT) == PROGRAM
    for name, arguments in calls:
        s.execute(name, arguments)
    s.glUseProgram(PROGRAM)
    for name in locations:
        if not any(call.startswith("glGetProgramResourceiv") for call, _ in calls):
            s.execute("glGetUniformLocation", [PROGRAM, name], locations[name])
    s.glUniform4f(locations["a"], 0.125, 0.0, 0.0, 0.0)
    s.glUniform4fv(locations["b[0]"], 2, [9.0] * 4 + [0.0, 0.5, 0.0, 0.0])
    for block, value in ((1, [0.0, 0.0, 0.5, 0.0]), (0, [7.0] * 4 + [0.0, 0.0, 0.0, 1.0])):
        s.glUniformBlockBinding(PROGRAM, block, 3 + block)
        (buffer,) = s.glGenBuffers(1)
        s.glBindBuffer(gl.UNIFORM_BUFFER, buffer)
        s.glBufferData(gl.UNIFORM_BUFFER, 4 * len(value), np.array(value, np.float32), gl.STATIC_DRAW)
        s.glBindBufferBase(gl.UNIFORM_BUFFER, 3 + block, buffer)
    s.glVertexAttribPointer(0, 2, gl.FLOAT, 0, 0, np.array([-1, -1, 3, -1, -1, 3], np.float32))
    s.glEnableVertexAttribArray(0)
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    pixels = s.answer("glReadPixels", 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, None)
    return np.frombuffer(pixels, np.uint8)


EXPECTED = np.array([32, 64, 128, 255])


@pytest.mark.parametrize("names", [_named_resources, _active_uniforms, _uniform_indices])
@pytest.mark.parametrize("names_first", [True, False])
def test_locations_of_resources(names: Queries, names_first: bool) -> None:
    known = [*names(), *_locations()] if names_first else [*_locations(), *names()]
    assert (_drawn([*known, *_by_names()], LOCATIONS) == EXPECTED).all()


@pytest.mark.parametrize("blocks", [_by_members, _by_members_in_one_call, _by_lists, _by_active_variables])
@pytest.mark.parametrize("names_first", [True, False])
def test_blocks_by_their_members(blocks: Queries, names_first: bool) -> None:
    known = [*_uniform_indices(), *blocks()] if names_first else [*blocks(), *_uniform_indices()]
    assert (_drawn([*known, *_locations()], LOCATIONS) == EXPECTED).all()


@pytest.mark.parametrize("blocks", [_by_names, _by_names_of_resources])
def test_blocks_by_their_names(blocks: Queries) -> None:
    assert (_drawn(blocks(), LOCATIONS) == EXPECTED).all()


def test_damaged_answers_tell_nothing() -> None:
    """Whatever stands in the place of an answer, nothing fails."""
    s = Session()
    s.program(VERTEX, FRAGMENT)
    for place in ([], None, "text", [None], [2**70], [-1], 2**70, [[1]]):
        for name, arguments in [*_named_resources(), *_locations(), *_by_lists(), *_by_members_in_one_call()]:
            s.execute(name, [*arguments[:-1], place])
            s.execute(name, arguments[:-1])
        s.execute("glGetUniformIndices", [PROGRAM, 1, ["a"], place])
        s.execute("glGetActiveUniform", [PROGRAM, 0, 99, place, place, place, place])
