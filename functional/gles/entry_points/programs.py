"""Entry points of shaders, programs and uniforms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...capture import Call
from .. import enums as gl
from ..context import Context
from ..errors import GLError, Unsupported
from ..programs import Program, Shader
from ..uniforms import set_uniform
from .table import EntryPoints

entry = EntryPoints()
_STAGES = {gl.VERTEX_SHADER: "vertex", gl.FRAGMENT_SHADER: "fragment"}
_SHAPE = re.compile(r"glUniform(Matrix)?(\d)(?:x(\d))?u?[fi]v?$")


@entry.with_call("glCreateShader")
def glCreateShader(context: Context, call: Call) -> None:
    kind: Any = call.arguments[0]
    if kind not in _STAGES:
        raise Unsupported(f"shader type {kind:#06x}")
    name: Any = call.result
    context.group.shaders[name] = Shader(name, _STAGES[kind])


@entry()
def glShaderSource(context: Context, shader: int, count: int, strings: Sequence[str], lengths: Any) -> None:
    context.group.shaders[shader].source = "".join(strings)


@entry()
def glCompileShader(context: Context, shader: int) -> None:
    target = context.group.shaders[shader]
    if not target.compile():
        raise GLError(gl.NO_ERROR, target.log.splitlines()[0])


@entry()
def glDeleteShader(context: Context, shader: int) -> None:
    context.group.shaders.pop(shader, None)


@entry.with_call("glCreateProgram")
def glCreateProgram(context: Context, call: Call) -> None:
    name: Any = call.result
    context.group.programs[name] = Program(name)


@entry()
def glAttachShader(context: Context, program: int, shader: int) -> None:
    attached = context.group.shaders[shader]
    context.group.programs[program].shaders[attached.stage] = attached


@entry()
def glDetachShader(context: Context, program: int, shader: int) -> None:
    shaders = context.group.programs[program].shaders
    for stage, attached in list(shaders.items()):
        if attached.name == shader:
            del shaders[stage]


@entry()
def glBindAttribLocation(context: Context, program: int, index: int, name: str) -> None:
    context.group.programs[program].attribute_locations[name] = index


@entry()
def glLinkProgram(context: Context, program: int) -> None:
    target = context.group.programs[program]
    if not target.link():
        raise GLError(gl.NO_ERROR, target.log.splitlines()[0])
    target.identity = context.identities.take("program")
    context.journal.program_linked(target, context.call)


@entry()
def glUseProgram(context: Context, program: int) -> None:
    if program and program not in context.group.programs:
        raise GLError(gl.INVALID_VALUE, f"no program {program}")
    context.state.program = program


@entry()
def glDeleteProgram(context: Context, program: int) -> None:
    if program and program != context.state.program:
        context.group.programs.pop(program, None)


@entry.with_call("glGetUniformLocation")
def glGetUniformLocation(context: Context, call: Call) -> None:
    program, name = call.arguments
    if isinstance(call.result, int) and isinstance(name, str):
        context.group.programs[program].place(name, call.result)  # type: ignore[index]


def _uniform(context: Context, call: Call) -> None:
    shape = _SHAPE.match(call.name)
    if shape is None:
        raise Unsupported("this kind of uniform")
    size = int(shape[2])
    arguments: list[Any] = call.arguments
    kind = np.int64 if "i" in call.name[len("glUniform") :] and not shape[1] else np.float32
    values: Any
    if shape[1]:
        location, count, transpose, data = arguments
        rows = int(shape[3] or size)
        values = np.array(data, kind)
        if transpose:
            values = values.reshape(-1, rows, size)[:count].transpose(0, 2, 1)
        else:
            values = values.reshape(-1, size, rows)[:count]
    elif call.name.endswith("v"):
        location, count, data = arguments
        values = np.array(data, kind).reshape(-1, size)[:count]
    else:
        location = arguments[0]
        values = np.array(arguments[1:], kind).reshape(1, size)
    program = context.group.programs.get(context.state.program)
    if program is None or program.linked is None:
        raise GLError(gl.INVALID_OPERATION, "no program is in use")
    set_uniform(program, location, values.astype(np.uint32).view(np.int32) if kind is np.int64 else values)


for _size in "1234":
    for _kind in ("f", "i", "ui"):
        for _suffix in ("", "v"):
            entry.with_call(f"glUniform{_size}{_kind}{_suffix}")(_uniform)
for _size in ("2", "3", "4", "2x3", "3x2", "2x4", "4x2", "3x4", "4x3"):
    entry.with_call(f"glUniformMatrix{_size}fv")(_uniform)


@entry.with_call("glGetUniformBlockIndex")
def glGetUniformBlockIndex(context: Context, call: Call) -> None:
    program, name = call.arguments
    if isinstance(call.result, int) and isinstance(name, str):
        context.group.programs[program].block_names[call.result] = name  # type: ignore[index]


@entry()
def glUniformBlockBinding(context: Context, program: int, index: int, binding: int) -> None:
    context.group.programs[program].block_bindings[index] = binding
