"""Entry points that set uniforms: one for each size and type of values (OpenGL ES 3.0, 2.12.6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...capture import ArgumentError, Call
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..arguments import integers, numbers, whole
from ..assumed_numbers import assumed_locations
from ..checks import check_value
from ..context import Context
from ..effects import UNIFORMS
from ..programs import Program
from ..uniforms import prepare_uniform, set_uniform
from .programs import linked_program
from .table import EntryPoints

entry = EntryPoints()
MAX_PLACES = 4096
_SHAPE = re.compile(r"glUniform(Matrix)?(\d)(?:x(\d))?(u?[fi])v?$")


@dataclass(frozen=True)
class _Form:
    """Shape of the values that a glUniform function takes."""

    name: str
    kind: str
    vector: bool
    matrix: bool
    columns: int
    rows: int

    @property
    def arguments(self) -> int:
        """Number of elements from the location on."""
        return (4 if self.matrix else 3) if self.vector else 1 + self.rows

    @classmethod
    def of(cls, name: str) -> _Form:
        shape = _SHAPE.match(name)
        assert shape is not None
        matrix, size = shape[1] is not None, int(shape[2])
        return cls(
            name,
            "f" if matrix else shape[4],
            name.endswith("v"),
            matrix,
            size if matrix else 1,
            int(shape[3] or size) if matrix else size,
        )


def _uniform(form: _Form) -> Callable[[Context, Call], None]:
    """Make the function that sets a uniform of the current program."""

    def function(context: Context, call: Call) -> None:
        program = context.state.program or context.program_of("uniforms")
        if program is None or program.linked is None:
            raise GLError(gl.INVALID_OPERATION, "no linked program is in use")
        if not program.locations:
            _assume_locations(context, call, program)
        set_values(program, call.arguments)

    set_values = _values(form)
    return function


def _assume_locations(context: Context, call: Call, program: Program) -> None:
    """Number uniforms that nothing in the capture asks for as Mesa does, and say so."""
    if program.assumed:
        return
    program.assumed = True
    program.locations = assumed_locations(program)
    if program.locations:
        message = f"the capture asks for no location of program {program.name}; uniforms are numbered as Mesa does it"
        context.report.note(context.report.tolerated, "assumed uniform locations", call, message)


def _uniform_of_program(form: _Form) -> Callable[[Context, Call], None]:
    """Make the function that sets a uniform of a given program (EXT_separate_shader_objects)."""

    def function(context: Context, call: Call) -> None:
        program = linked_program(context, whole(call.at(0)))
        if not program.locations:
            _assume_locations(context, call, program)
        set_values(program, call.arguments[1:])

    set_values = _values(form)
    return function


def _values(form: _Form) -> Callable[[Program, list[Any]], None]:
    """Make the function that sets a uniform of a program from the arguments of glUniform. A uniform that was set in the
    same way before is written directly."""

    name, vector, matrix, belonging = form.name, form.vector, form.matrix, form.arguments

    def function(program: Program, arguments: list[Any]) -> None:
        if len(arguments) != belonging:
            raise ArgumentError(f"{len(arguments)} arguments where {belonging} are expected")
        location = arguments[0] if type(arguments[0]) is int else whole(arguments[0])
        if vector:
            values, count = arguments[-1], arguments[1]
            count = count if type(count) is int else whole(count)
        else:
            values, count = arguments[1:], 1
        transposed = matrix and bool(arguments[2])
        plain = isinstance(values, list) and not transposed
        key = name, location, count
        place = program.places.get(key) if plain else None
        if place is not None and len(values) == place.size and place.write(program, values):
            return
        count = whole(count)
        _set_uniform(program, form, location, count, transposed, values)
        if plain and key not in program.places and len(program.places) < MAX_PLACES:
            program.places[key] = prepare_uniform(program, key[1], form.kind, count, form.columns, form.rows)

    return function


def _set_uniform(program: Program, form: _Form, location: int, count: int, transpose: bool, data: Any) -> None:
    dtype = np.float32 if form.kind == "f" else np.int64
    shape = (form.columns, form.rows) if form.matrix else (form.rows,)
    values: Any = np.array(numbers(data) if form.kind == "f" else integers(data), dtype)
    check_value(values.size % (form.columns * form.rows) == 0, f"{values.size} numbers")
    if transpose:
        values = values.reshape(-1, form.rows, form.columns)[: max(count, 0)].transpose(0, 2, 1)
    else:
        values = values.reshape(-1 if form.vector else 1, *shape)[: max(count, 0)]
    check_value(count >= 0, f"count {count}")
    set_uniform(program, location, values.astype(np.uint32).view(np.int32) if dtype is np.int64 else values, form.kind)


_VECTORS = [f"{size}{kind}{suffix}" for size in "1234" for kind in ("f", "i", "ui") for suffix in ("", "v")]
_MATRICES = [f"Matrix{size}fv" for size in ("2", "3", "4", "2x3", "3x2", "2x4", "4x2", "3x4", "4x3")]
for _name in (*_VECTORS, *_MATRICES):
    _form = _Form.of(f"glUniform{_name}")
    entry.with_call(f"glUniform{_name}", effect=UNIFORMS)(_uniform(_form))
    _names = f"glProgramUniform{_name}", f"glProgramUniform{_name}EXT"
    entry.with_call(*_names, effect=UNIFORMS)(_uniform_of_program(_form))
