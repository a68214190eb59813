"""Costs of fixed functions of OpenGL ES 1.1 as programs, and those that stand for a size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tilegpu.functional.gles.fixed.fragment import (
    RGB,
    FragmentKey,
    Unit,
    fragment_source,
)
from tilegpu.functional.gles.fixed.vertex import Key, vertex_source
from tilegpu.functional.glsl import compile_shader, link_program
from tilegpu.functional.opengl import enums as gl

from .solved import Program

NO_FOG = 0


@dataclass(frozen=True)
class Functions:
    """State that decides a program.

    Attributes
    ----------
    units
        Texture units, 0 to 2.
    matrix
        The first unit's coordinates have a matrix.
    fog
        0, or a fog mode.
    lit
        One light shines.
    """

    units: int
    matrix: bool
    fog: int
    lit: bool


@lru_cache(maxsize=1)
def costs() -> dict[Functions, Program]:
    """Size of the program of each combination, `filter` aside."""
    programs = {}
    for units in range(3):
        for matrix in (False, True)[: 1 + (units > 0)]:
            for fog in (NO_FOG, gl.LINEAR, gl.EXP2):
                for lit in (False, True):
                    functions = Functions(units, matrix, fog, lit)
                    programs[functions] = _cost(functions)
    return programs


@lru_cache(maxsize=1024)
def nearest(program: Program) -> Functions:
    """The combination whose size is nearest to a program's."""

    def distance(functions: Functions) -> tuple[int, int]:
        size = costs()[functions]
        near = (
            abs(size.vertex - program.vertex) + 3 * abs(size.varyings - program.varyings) + abs(size.alu - program.alu)
        )
        return abs(size.textures - program.textures), near

    return min(costs(), key=distance)


def _cost(functions: Functions) -> Program:
    units = tuple(
        Unit(i, gl.MODULATE, RGB, (0, 0), ((), ()), ((), ()), (1.0, 1.0), False) for i in range(functions.units)
    )
    fragment = FragmentKey(units, functions.units, functions.fog, gl.ALWAYS, 0, False)
    lights, moved = (0,) * functions.lit, (0,) * functions.matrix
    key = Key(functions.lit, lights, ("ambient", "diffuse"), False, True, False, (), False, False, moved, fragment)
    program = link_program(
        compile_shader(vertex_source(key), "vertex", "vertex"),
        compile_shader(fragment_source(fragment), "fragment", "fragment"),
        {},
    )
    classes = [i.info.operation_class for i in program.fragment.instructions]
    return Program(
        len(program.vertex.instructions),
        len(program.varyings),
        functions.units,
        classes.count("alu") + classes.count("sfu"),
    )
