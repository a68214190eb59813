"""Queries of shaders, programs and uniforms (OpenGL ES 3.0, 2.12 and 6.1.12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...capture import Call, Value
from ...glsl import Uniform, UniformBlock
from ...glsl.gl_types import gl_type
from ...glsl.types import ArrayType
from .. import enums as gl
from ..arguments import text, whole
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..programs import Program
from ..uniforms import uniform_values
from .programs import INVALID_INDEX, linked_program, program_object, shader_object
from .table import EntryPoints

entry = EntryPoints()
BUILT_IN = {"vertex_id": "gl_VertexID", "instance_id": "gl_InstanceID"}
DELETE_STATUS, VALIDATE_STATUS, INFO_LOG_LENGTH, SOURCE_LENGTH = 0x8B80, 0x8B83, 0x8B84, 0x8B88
UNIFORM, UNIFORM_BLOCK, PROGRAM_INPUT, PROGRAM_OUTPUT, TRANSFORM_FEEDBACK_VARYING = *range(0x92E1, 0x92E5), 0x92F4
ATOMIC_COUNTER_BUFFER, BUFFER_VARIABLE, SHADER_STORAGE_BLOCK, ACTIVE_RESOURCES = 0x92C0, 0x92E5, 0x92E6, 0x92F5


@entry.answers()
def glIsShader(context: Context, name: int) -> bool:
    return name in context.group.shaders


@entry.answers()
def glIsProgram(context: Context, name: int) -> bool:
    return name in context.group.programs


def _length(text: str) -> int:
    """Characters with the terminator; 0 for no text."""
    return len(text.encode("utf-8", "surrogateescape")) + 1 if text else 0


@entry.answers()
def glGetShaderiv(context: Context, shader: int, name: int, recorded: Any = None, *_: Any) -> int:
    target = shader_object(context, shader)
    if name == gl.COMPILE_STATUS and target.log and recorded in (0, [0]):
        # The driver of this stream did not take what others take.
        target.compiled = None
    values = {
        0x8B4F: gl.VERTEX_SHADER if target.stage == "vertex" else gl.FRAGMENT_SHADER,
        DELETE_STATUS: int(target.deleted),
        gl.COMPILE_STATUS: int(target.compiled is not None),
        INFO_LOG_LENGTH: _length(target.log),
        SOURCE_LENGTH: _length(target.source),
    }
    check_enum(name, values, "shader parameter")
    return values[name]


def _longest(names: list[str]) -> int:
    return max((_length(name) for name in names), default=0)


def active_attributes(program: Program) -> list[tuple[str, int, int]]:
    """Name, type and size of the active attributes; built-in inputs are among them (OpenGL ES 3.0, 2.12.3)."""
    if program.linked is None:
        return []
    found = [(a.name, a.gl_type, max(1, a.size)) for a in program.linked.attributes]
    return found + [(BUILT_IN[d.semantic], 0x1404, 1) for d in program.linked.vertex.inputs if d.semantic in BUILT_IN]


@entry.answers()
def glGetProgramiv(context: Context, program: int, name: int, *_: Any) -> int:
    target = program_object(context, program)
    linked = target.linked
    uniforms = active_uniforms(target)
    blocks = linked.blocks if linked is not None else ()
    attributes = active_attributes(target)
    captured = linked.captured if linked is not None else ()
    values = {
        DELETE_STATUS: int(target.deleted),
        gl.LINK_STATUS: int(linked is not None),
        VALIDATE_STATUS: int(target.validated),
        INFO_LOG_LENGTH: _length(target.log),
        0x8B85: len(target.shaders),
        0x8B89: len(attributes),
        0x8B8A: _longest([name for name, _, _ in attributes]),
        0x8B86: len(uniforms),
        0x8B87: _longest([name for name, _, _, _ in uniforms]),
        0x8A36: len(blocks),
        0x8A35: _longest([b.name for b in blocks]),
        0x8C7F: target.feedback_mode,
        0x8C83: len(captured),
        0x8C76: _longest([c.name for c in captured]),
        0x8257: 0,
        0x8741: 0,
        0x8258: 0,
    }
    check_enum(name, values, "program parameter")
    return values[name]


@entry.answers()
def glGetProgramInterfaceiv(context: Context, program: int, interface: int, name: int, *_: Any) -> int:
    """How many resources of a kind a program has (OpenGL ES 3.1, 7.3.1); drivers above 3.0 are asked for that."""
    target = program_object(context, program)
    linked = target.linked
    outputs = () if linked is None else [d for d in linked.fragment.outputs if d.semantic == "color"]
    counts = {
        UNIFORM: len(active_uniforms(target)),
        UNIFORM_BLOCK: 0 if linked is None else len(linked.blocks),
        PROGRAM_INPUT: len(active_attributes(target)),
        PROGRAM_OUTPUT: len(outputs),
        TRANSFORM_FEEDBACK_VARYING: 0 if linked is None else len(linked.captured),
        **dict.fromkeys((ATOMIC_COUNTER_BUFFER, BUFFER_VARIABLE, SHADER_STORAGE_BLOCK), 0),
    }
    check_enum(interface, counts, "program interface")
    check_enum(name, (ACTIVE_RESOURCES,), "parameter of a program interface")
    return counts[interface]


@entry.answers()
def glGetShaderInfoLog(context: Context, shader: int, size: int, *_: Any) -> str:
    check_value(size >= 0, f"{size} bytes")
    return shader_object(context, shader).log[: max(0, size - 1)]


@entry.answers()
def glGetProgramInfoLog(context: Context, program: int, size: int, *_: Any) -> str:
    check_value(size >= 0, f"{size} bytes")
    return program_object(context, program).log[: max(0, size - 1)]


@entry.answers()
def glGetShaderSource(context: Context, shader: int, size: int, *_: Any) -> str:
    check_value(size >= 0, f"{size} bytes")
    return shader_object(context, shader).source[: max(0, size - 1)]


@entry.answers()
def glGetAttachedShaders(context: Context, program: int, size: int, *_: Any) -> Value:
    check_value(size >= 0, f"{size} shaders")
    names: list[Value] = [shader.name for shader in program_object(context, program).shaders.values()]
    return names[:size]


@entry.with_call("glGetAttribLocation", "glGetFragDataLocation")
def glGetAttribLocation(context: Context, call: Call) -> None:
    target = linked_program(context, whole(call.at(0)))
    assert target.linked is not None
    found = {a.name: a.location for a in target.linked.attributes}
    if call.name == "glGetFragDataLocation":
        found = {d.name: d.slot for d in target.linked.fragment.outputs if d.semantic == "color"}
    context.answer(call, found.get(text(call.at(1)), -1))


@entry.answers()
def glGetActiveAttrib(context: Context, program: int, index: int, *_: Any) -> Value:
    target = program_object(context, program)
    attributes = active_attributes(target)
    check_value(0 <= index < len(attributes), f"attribute {index} of {len(attributes)}")
    return list(attributes[index])


Active = tuple[str, int, int, dict[int, int]]
"""Name, type and size of an active uniform, and its parameters of glGetActiveUniformsiv."""


def _loose(uniform: Uniform) -> Active:
    name = uniform.name if not uniform.array_size or uniform.name.endswith("]") else f"{uniform.name}[0]"
    none = {0x8A3A: -1, 0x8A3B: -1, 0x8A3C: -1, 0x8A3D: -1, 0x8A3E: 0}
    return name, uniform.gl_type, max(1, uniform.array_size), none


def _member(number: int, block: UniformBlock) -> list[Active]:
    return [
        (
            member.name + ("[0]" if isinstance(member.type, ArrayType) else ""),
            gl_type(member.type),
            member.type.size if isinstance(member.type, ArrayType) else 1,
            {0x8A3A: number, 0x8A3B: member.offset_bytes, 0x8A3C: member.array_stride_bytes,
             0x8A3D: member.matrix_stride_bytes, 0x8A3E: int(member.row_major)},
        )
        for member in block.members
    ]  # fmt: skip


def active_uniforms(program: Program) -> list[Active]:
    """Active uniforms in the order of their indices: loose ones, then those of blocks."""
    if program.linked is None:
        return []
    members = [m for number, block in enumerate(program.linked.blocks) for m in _member(number, block)]
    return [_loose(u) for u in program.linked.uniforms] + members


@entry.answers()
def glGetActiveUniform(context: Context, program: int, index: int, *_: Any) -> Value:
    uniforms = active_uniforms(program_object(context, program))
    check_value(0 <= index < len(uniforms), f"uniform {index} of {len(uniforms)}")
    return list(uniforms[index][:3])


@entry.answers()
def glGetUniformIndices(context: Context, program: int, count: int, names: Sequence[str], *_: Any) -> Value:
    check_value(count >= 0, f"count {count}")
    known = {u[0]: i for i, u in enumerate(active_uniforms(linked_program(context, program)))}
    return [known.get(name, known.get(f"{name}[0]", INVALID_INDEX)) for name in list(names)[:count]]


@entry.answers()
def glGetActiveUniformsiv(
    context: Context, program: int, count: int, indices: Sequence[int], name: int, *_: Any
) -> Value:
    uniforms = active_uniforms(program_object(context, program))
    check_value(count >= 0 and all(0 <= i < len(uniforms) for i in indices), f"uniforms {indices}")
    check_enum(name, {0x8A37, 0x8A38, 0x8A39, *range(0x8A3A, 0x8A3F)}, "uniform parameter")
    asked = [uniforms[i] for i in indices]
    if name == 0x8A39:
        return [_length(uniform[0]) for uniform in asked]
    if name == 0x8A37:
        return [uniform[1] for uniform in asked]
    return [uniform[2] if name == 0x8A38 else uniform[3][name] for uniform in asked]


def _block(context: Context, program: int, index: int) -> tuple[Program, UniformBlock]:
    target = program_object(context, program)
    blocks = target.linked.blocks if target.linked is not None else ()
    check_value(0 <= index < len(blocks), f"block {index} of {len(blocks)}")
    return target, blocks[index]


@entry.answers()
def glGetActiveUniformBlockName(context: Context, program: int, index: int, *_: Any) -> str:
    return _block(context, program, index)[1].name


@entry.answers()
def glGetActiveUniformBlockiv(context: Context, program: int, index: int, name: int, *_: Any) -> Value:
    target, block = _block(context, program, index)
    first = next(i for i, u in enumerate(active_uniforms(target)) if u[3][0x8A3A] == index) if block.members else 0
    values: dict[int, Value] = {
        0x8A3F: target.block_bindings.get(index, 0),
        0x8A40: block.size_bytes,
        0x8A41: _length(block.name),
        0x8A42: len(block.members),
        0x8A43: list(range(first, first + len(block.members))),
        0x8A44: int(block.vertex_slot is not None),
        0x8A46: int(block.fragment_slot is not None),
    }
    check_enum(name, values, "block parameter")
    return values[name]


@entry.answers("glGetUniformfv", "glGetUniformiv", "glGetUniformuiv", "glGetnUniformfvEXT", "glGetnUniformivEXT")
def glGetUniform(context: Context, program: int, location: int, *_: Any) -> Value:
    target = linked_program(context, program)
    values = uniform_values(target, location)
    check_operation(values is not None, f"no uniform at location {location}")
    assert values is not None
    plain: list[Value] = list(np.asarray(values).reshape(-1).tolist())
    return plain[0] if len(plain) == 1 else plain


@entry.answers()
def glGetTransformFeedbackVarying(context: Context, program: int, index: int, *_: Any) -> Value:
    target = program_object(context, program)
    captured = target.linked.captured if target.linked is not None else ()
    check_value(0 <= index < len(captured), f"output {index} of {len(captured)}")
    return [captured[index].name, captured[index].gl_type, captured[index].size]


@entry.answers()
def glGetShaderPrecisionFormat(context: Context, stage: int, precision: int, *_: Any) -> Value:
    check_enum(stage, (gl.VERTEX_SHADER, gl.FRAGMENT_SHADER), "shader type")
    check_enum(precision, range(0x8DF0, 0x8DF6), "precision")
    # Floats are float32 and integers int32 in every precision.
    return [127, 127, 23] if precision < 0x8DF3 else [31, 30, 0]


@entry.answers("glGetProgramBinary", "glGetProgramBinaryOES")
def glGetProgramBinary(context: Context, program: int, *_: Any) -> Value:
    linked_program(context, program)
    check_operation(False, "there are no program binaries")
    return None
