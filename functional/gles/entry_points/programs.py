"""Entry points of shaders, programs and uniforms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...capture import ArgumentError, Call
from .. import enums as gl
from ..arguments import integers, made, numbers, whole
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import HARMLESS, SAMPLING, UNIFORMS
from ..errors import GLError, Unsupported
from ..limits import MAX_UNIFORM_BUFFER_BINDINGS, MAX_VERTEX_ATTRIBS
from ..programs import Program, Shader
from ..uniforms import prepare_uniform, set_uniform
from .table import EntryPoints

entry = EntryPoints()
_STAGES = {gl.VERTEX_SHADER: "vertex", gl.FRAGMENT_SHADER: "fragment"}
MAX_PLACES = 4096
INVALID_INDEX = 0xFFFFFFFF
_SHAPE = re.compile(r"glUniform(Matrix)?(\d)(?:x(\d))?(u?[fi])v?$")


def shader_object(context: Context, name: int) -> Shader:
    """Shader of a name; GLError where it is none (OpenGL ES 3.0, 2.12.1)."""
    if name not in context.group.shaders:
        code = gl.INVALID_OPERATION if name in context.group.programs else gl.INVALID_VALUE
        raise GLError(code, f"{name} is no shader")
    return context.group.shaders[name]


def program_object(context: Context, name: int) -> Program:
    """Program of a name; GLError where it is none."""
    if name not in context.group.programs:
        code = gl.INVALID_OPERATION if name in context.group.shaders else gl.INVALID_VALUE
        raise GLError(code, f"{name} is no program")
    return context.group.programs[name]


@entry.with_call("glCreateShader")
def glCreateShader(context: Context, call: Call) -> None:
    kind, name = whole(call.at(0)), made(call)
    check_enum(kind, _STAGES, "shader type")
    if name:
        context.group.shaders[name] = Shader(name, _STAGES[kind])


@entry()
def glShaderSource(context: Context, shader: int, count: int, strings: Sequence[str], lengths: Any) -> None:
    target = shader_object(context, shader)
    check_value(count >= 0, f"{count} strings")
    target.source = "".join(strings)


@entry.with_call("glCompileShader")
def glCompileShader(context: Context, call: Call) -> None:
    target = shader_object(context, whole(call.at(0)))
    if not target.compile():
        raise GLError(gl.NO_ERROR, target.log.splitlines()[0])
    if target.log:
        message = f"{target.log.splitlines()[0]}; compiled all the same, as drivers do"
        context.report.note(context.report.tolerated, "GLSL beyond the specification", call, message)


@entry()
def glDeleteShader(context: Context, shader: int) -> None:
    if shader:
        target = shader_object(context, shader)
        target.deleted = True
        _forget_shader(context, target)


def _forget_shader(context: Context, shader: Shader) -> None:
    """Drop a shader that is marked for deletion and attached nowhere."""
    if shader.deleted and not shader.attached and context.group.shaders.get(shader.name) is shader:
        del context.group.shaders[shader.name]


@entry.with_call("glCreateProgram")
def glCreateProgram(context: Context, call: Call) -> None:
    name = made(call)
    if name:
        context.group.programs[name] = Program(name)


@entry()
def glAttachShader(context: Context, program: int, shader: int) -> None:
    target, attached = program_object(context, program), shader_object(context, shader)
    check_operation(attached.stage not in target.shaders, f"the program has a {attached.stage} shader already")
    target.shaders[attached.stage] = attached
    attached.attached += 1


@entry()
def glDetachShader(context: Context, program: int, shader: int) -> None:
    target, detached = program_object(context, program), shader_object(context, shader)
    check_operation(target.shaders.get(detached.stage) is detached, f"shader {shader} is not attached")
    _detach(context, target, detached)


def _detach(context: Context, program: Program, shader: Shader) -> None:
    del program.shaders[shader.stage]
    shader.attached -= 1
    _forget_shader(context, shader)


@entry()
def glBindAttribLocation(context: Context, program: int, index: int, name: str) -> None:
    target = program_object(context, program)
    check_value(0 <= index < MAX_VERTEX_ATTRIBS, f"attribute {index}")
    check_operation(not name.startswith("gl_"), f"{name} is reserved")
    target.attribute_locations[name] = index


@entry()
def glLinkProgram(context: Context, program: int) -> None:
    target = program_object(context, program)
    capturing = any(f.active and f.program is target for f in context.feedbacks.values())
    check_operation(not capturing, "transform feedback of this program is active")
    if not target.link():
        raise GLError(gl.NO_ERROR, target.log.splitlines()[0])
    target.identity = context.identities.take("program")
    context.listener.program_linked(target, context.call)


@entry(effect=SAMPLING)
def glUseProgram(context: Context, program: int) -> None:
    chosen = program_object(context, program) if program else None
    check_operation(chosen is None or chosen.linked is not None, f"program {program} is not linked")
    check_operation(not context.feedback.capturing, "transform feedback is active")
    use_program(context, chosen)


def use_program(context: Context, chosen: Program | None) -> None:
    """Make a program the context's current one, and let go of the one before."""
    before = context.state.program
    if chosen is before:
        return
    if chosen is not None:
        chosen.users += 1
    context.state.program = chosen
    if before is not None:
        before.users -= 1
        _forget_program(context, before)


@entry()
def glDeleteProgram(context: Context, program: int) -> None:
    if program:
        target = program_object(context, program)
        target.deleted = True
        _forget_program(context, target)


def _forget_program(context: Context, program: Program) -> None:
    """Drop a program that is marked for deletion and used by no context."""
    if program.deleted and not program.users and context.group.programs.get(program.name) is program:
        del context.group.programs[program.name]
        context.forget()
        for shader in list(program.shaders.values()):
            _detach(context, program, shader)


@entry.with_call("glGetUniformLocation", effect=HARMLESS)
def glGetUniformLocation(context: Context, call: Call) -> None:
    program, name = call.at(0), call.at(1)
    target = linked_program(context, whole(program))
    if isinstance(call.result, int) and isinstance(name, str):
        target.place(name, call.result)
    if context.on_answer is not None:
        context.answer(call, target.location_of(name) if isinstance(name, str) else -1)


def linked_program(context: Context, name: int) -> Program:
    """Program of a name; GLError where it is none, or was never linked."""
    program = program_object(context, name)
    check_operation(program.linked is not None, f"program {name} is not linked")
    return program


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
        """How many there are, from the location on."""
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
    """The function that sets a uniform of the current program."""

    def function(context: Context, call: Call) -> None:
        program = context.state.program
        if program is None or program.linked is None:
            raise GLError(gl.INVALID_OPERATION, "no linked program is in use")
        set_values(program, call.arguments)

    set_values = _values(form)
    return function


def _uniform_of_program(form: _Form) -> Callable[[Context, Call], None]:
    """The function that sets a uniform of a program that it names (EXT_separate_shader_objects)."""

    def function(context: Context, call: Call) -> None:
        set_values(linked_program(context, whole(call.at(0))), call.arguments[1:])

    set_values = _values(form)
    return function


def _values(form: _Form) -> Callable[[Program, list[Any]], None]:
    """The function that sets a uniform of a program, given the arguments of glUniform; what was set before in the same
    way goes straight to its place."""

    name, vector, matrix, belonging = form.name, form.vector, form.matrix, form.arguments

    def function(program: Program, arguments: list[Any]) -> None:
        if len(arguments) != belonging:
            raise ArgumentError(f"{len(arguments)} arguments where {belonging} belong")
        location = arguments[0] if type(arguments[0]) is int else whole(arguments[0])
        values, count = arguments[1:], 1
        if vector:
            values, count = arguments[-1], whole(arguments[1])
        transposed = matrix and bool(arguments[2])
        plain = isinstance(values, list) and not transposed
        key = name, location, count
        place = program.places.get(key) if plain else None
        if place is not None and len(values) == place.size and place.write(program, values):
            return
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


@entry.with_call("glGetUniformBlockIndex", effect=HARMLESS)
def glGetUniformBlockIndex(context: Context, call: Call) -> None:
    program, name = call.at(0), call.at(1)
    target = linked_program(context, whole(program))
    assert target.linked is not None
    if isinstance(call.result, int) and isinstance(name, str):
        target.block_names[call.result] = name
        known = name in {block.name for block in target.linked.blocks}
        context.answer(call, call.result if known else INVALID_INDEX)


@entry(effect=SAMPLING)
def glUniformBlockBinding(context: Context, program: int, index: int, binding: int) -> None:
    target = linked_program(context, program)
    assert target.linked is not None
    known = 0 <= index < len(target.linked.blocks) or index in target.block_names
    check_value(known and 0 <= binding < MAX_UNIFORM_BUFFER_BINDINGS, f"block {index}, binding {binding}")
    target.block_bindings[index] = binding


@entry()
def glValidateProgram(context: Context, program: int) -> None:
    target = program_object(context, program)
    target.validated = target.linked is not None


@entry("glProgramParameteri", "glProgramParameteriEXT")
def glProgramParameteri(context: Context, program: int, name: int, value: int) -> None:
    program_object(context, program)
    check_enum(name, (gl.PROGRAM_BINARY_RETRIEVABLE_HINT, gl.PROGRAM_SEPARABLE), "program parameter")
    check_value(value in (0, 1), f"{value}")


@entry("glProgramBinary", "glProgramBinaryOES")
def glProgramBinary(context: Context, program: int, form: int, binary: Any, *_: Any) -> None:
    program_object(context, program)
    raise Unsupported("a program binary of the captured driver; its source is not in the stream")


@entry("glShaderBinary")
def glShaderBinary(context: Context, count: int, shaders: Any, form: int, *_: Any) -> None:
    raise GLError(gl.INVALID_ENUM, f"shader binary format {form:#06x}; there is none")
