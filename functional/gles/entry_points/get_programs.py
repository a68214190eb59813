"""Queries of shaders, programs and uniforms (OpenGL ES 3.0, 2.12 and 6.1.12).

A list of short functions, in the order of the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...capture import Call, Value
from ...glsl import CounterBuffer, StorageBlock, Uniform, UniformBlock
from ...glsl.gl_types import gl_type
from ...glsl.types import ArrayType
from ...opengl import enums as gl
from ...text import octets
from ..arguments import text, whole
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import HARMLESS
from ..programs import Program
from ..uniforms import uniform_values
from .programs import INVALID_INDEX, STAGES, linked_program, program_object, shader_object
from .recorded_numbers import asked_program
from .table import EntryPoints

entry = EntryPoints()
BUILT_IN = {"vertex_id": "gl_VertexID", "instance_id": "gl_InstanceID"}


@entry.answers()
def glIsShader(context: Context, name: int) -> bool:
    return name in context.group.shaders


@entry.answers()
def glIsProgram(context: Context, name: int) -> bool:
    return name in context.group.programs


def _length(text: str) -> int:
    """Length with the terminator; 0 for an empty text."""
    return len(octets(text)) + 1 if text else 0


@entry.answers()
def glGetShaderiv(context: Context, shader: int, name: int, recorded: Any = None, *_: Any) -> int:
    target = shader_object(context, shader)
    if name == gl.COMPILE_STATUS and target.log and recorded in (0, [0]):
        # The captured driver rejected this shader, although others accept it.
        target.compiled = None
    values = {
        gl.SHADER_TYPE: next(kind for kind, stage in STAGES.items() if stage == target.stage),
        gl.DELETE_STATUS: int(target.deleted),
        gl.COMPILE_STATUS: int(target.compiled is not None),
        gl.INFO_LOG_LENGTH: _length(target.log),
        gl.SHADER_SOURCE_LENGTH: _length(target.source),
    }
    check_enum(name, values, "shader parameter")
    return values[name]


def _longest(names: list[str]) -> int:
    return max((_length(name) for name in names), default=0)


def active_attributes(program: Program) -> list[tuple[str, int, int]]:
    """Name, type and size of the active attributes; built-in inputs are among them (OpenGL ES 3.0, 2.12.3)."""
    if program.linked is None:
        return []
    attributes = [(a.name, a.gl_type, max(1, a.size)) for a in program.linked.attributes]
    inputs = program.linked.shaders["vertex"].inputs if "vertex" in program.linked.shaders else ()
    return attributes + [(BUILT_IN[d.semantic], gl.INT, 1) for d in inputs if d.semantic in BUILT_IN]


@entry.answers()
def glGetProgramiv(context: Context, program: int, name: int, *_: Any) -> Value:
    target = program_object(context, program)
    linked = target.linked
    uniforms = active_uniforms(target)
    blocks = linked.blocks if linked is not None else ()
    attributes = active_attributes(target)
    captured = linked.captured if linked is not None else ()
    values = {
        gl.DELETE_STATUS: int(target.deleted),
        gl.LINK_STATUS: int(linked is not None),
        gl.VALIDATE_STATUS: int(target.validated),
        gl.INFO_LOG_LENGTH: _length(target.log),
        gl.ATTACHED_SHADERS: len(target.shaders),
        gl.ACTIVE_ATTRIBUTES: len(attributes),
        gl.ACTIVE_ATTRIBUTE_MAX_LENGTH: _longest([name for name, _, _ in attributes]),
        gl.ACTIVE_UNIFORMS: len(uniforms),
        gl.ACTIVE_UNIFORM_MAX_LENGTH: _longest([name for name, _, _, _ in uniforms]),
        gl.ACTIVE_UNIFORM_BLOCKS: len(blocks),
        gl.ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH: _longest([b.name for b in blocks]),
        gl.TRANSFORM_FEEDBACK_BUFFER_MODE: target.feedback_mode,
        gl.TRANSFORM_FEEDBACK_VARYINGS: len(captured),
        gl.TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH: _longest([c.name for c in captured]),
        gl.PROGRAM_BINARY_RETRIEVABLE_HINT: 0,
        gl.PROGRAM_BINARY_LENGTH: 0,
        gl.PROGRAM_SEPARABLE: int(target.separable),
        gl.ACTIVE_ATOMIC_COUNTER_BUFFERS: len(linked.counter_buffers) if linked is not None else 0,
    }
    if name == gl.COMPUTE_WORK_GROUP_SIZE:
        check_operation(linked is not None and "compute" in linked.shaders, "no linked compute shader")
        assert linked is not None
        return list(linked.compute.local_size)
    check_enum(name, values, "program parameter")
    return values[name]


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


@entry.with_call("glGetAttribLocation", "glGetFragDataLocation", effect=HARMLESS)
def glGetAttribLocation(context: Context, call: Call) -> None:
    target = linked_program(context, whole(call.at(0)))
    assert target.linked is not None
    locations = {a.name: a.location for a in target.linked.attributes}
    if call.name == "glGetFragDataLocation":
        shown = target.linked.outputs if "fragment" in target.linked.shaders else ()
        locations = {f"{v.name}[{i}]": v.location + i for v in shown for i in range(v.array_size)}
        locations |= {v.name: v.location for v in shown}
    context.answer(call, locations.get(text(call.at(1)), -1))


@entry.answers()
def glGetActiveAttrib(context: Context, program: int, index: int, *_: Any) -> Value:
    target = program_object(context, program)
    attributes = active_attributes(target)
    check_value(0 <= index < len(attributes), f"attribute {index} of {len(attributes)}")
    return list(attributes[index])


Active = tuple[str, int, int, dict[int, int]]
"""Name, type and size of an active uniform, and its parameters of glGetActiveUniformsiv."""


def _loose(uniform: Uniform, buffers: Sequence[CounterBuffer]) -> Active:
    name = uniform.name if not uniform.array_size else f"{uniform.name}[0]"
    none = {
        gl.UNIFORM_BLOCK_INDEX: -1,
        gl.UNIFORM_OFFSET: -1,
        gl.UNIFORM_ARRAY_STRIDE: -1,
        gl.UNIFORM_MATRIX_STRIDE: -1,
        gl.UNIFORM_IS_ROW_MAJOR: 0,
        gl.UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX: -1,
    }
    if uniform.counter_offset is not None:
        stride = 4 if uniform.array_size else 0
        buffer = [b.binding for b in buffers].index(uniform.binding)
        none |= {gl.UNIFORM_OFFSET: uniform.counter_offset, gl.UNIFORM_ARRAY_STRIDE: stride}
        none |= {gl.UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX: buffer, gl.UNIFORM_MATRIX_STRIDE: 0}
    return name, uniform.gl_type, max(1, uniform.array_size), none


def _member(number: int, block: UniformBlock) -> list[Active]:
    return [
        (
            member.name + ("[0]" if isinstance(member.type, ArrayType) else ""),
            gl_type(member.type),
            member.type.size if isinstance(member.type, ArrayType) else 1,
            {
                gl.UNIFORM_BLOCK_INDEX: number,
                gl.UNIFORM_OFFSET: member.offset_bytes,
                gl.UNIFORM_ARRAY_STRIDE: member.array_stride_bytes,
                gl.UNIFORM_MATRIX_STRIDE: member.matrix_stride_bytes,
                gl.UNIFORM_IS_ROW_MAJOR: int(member.row_major),
                gl.UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX: -1,
            },
        )
        for member in block.members
    ]


def first_instance(blocks: Sequence[UniformBlock | StorageBlock], number: int) -> int:
    """Number of the first instance of the array of blocks that a block belongs to; its own, if to none."""
    name, bracket, _ = blocks[number].name.partition("[")
    return next(i for i, block in enumerate(blocks) if block.name.partition("[")[0] == name) if bracket else number


def active_uniforms(program: Program) -> list[Active]:
    """Active uniforms in the order of their indices: those of the default block, then those of other blocks.

    The instances of an array of blocks have the same members, which count once (OpenGL ES 3.0, 2.12.6).
    """
    if program.linked is None:
        return []
    members = [
        m
        for number, block in enumerate(program.linked.blocks)
        if first_instance(program.linked.blocks, number) == number
        for m in _member(number, block)
    ]
    return [_loose(u, program.linked.counter_buffers) for u in program.linked.uniforms] + members


@entry.answers()
def glGetActiveUniform(context: Context, program: int, index: int, *_: Any) -> Value:
    uniforms = active_uniforms(asked_program(context, program))
    check_value(0 <= index < len(uniforms), f"uniform {index} of {len(uniforms)}")
    return list(uniforms[index][:3])


@entry.answers()
def glGetUniformIndices(context: Context, program: int, count: int, names: Sequence[str], *_: Any) -> Value:
    check_value(count >= 0, f"count {count}")
    asked_program(context, program)
    numbers = {u[0]: i for i, u in enumerate(active_uniforms(linked_program(context, program)))}
    return [numbers.get(name, numbers.get(f"{name}[0]", INVALID_INDEX)) for name in list(names)[:count]]


@entry.answers()
def glGetActiveUniformsiv(
    context: Context, program: int, count: int, indices: Sequence[int], name: int, *_: Any
) -> Value:
    uniforms = active_uniforms(asked_program(context, program))
    check_value(count >= 0 and all(0 <= i < len(uniforms) for i in indices), f"uniforms {indices}")
    check_enum(
        name,
        {
            gl.UNIFORM_TYPE,
            gl.UNIFORM_SIZE,
            gl.UNIFORM_NAME_LENGTH,
            *range(gl.UNIFORM_BLOCK_INDEX, gl.UNIFORM_IS_ROW_MAJOR + 1),
            gl.UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX,
        },
        "uniform parameter",
    )
    asked = [uniforms[i] for i in indices]
    if name == gl.UNIFORM_NAME_LENGTH:
        return [_length(uniform[0]) for uniform in asked]
    if name == gl.UNIFORM_TYPE:
        return [uniform[1] for uniform in asked]
    return [uniform[2] if name == gl.UNIFORM_SIZE else uniform[3][name] for uniform in asked]


@entry.with_call("glGetUniformBlockIndex", effect=HARMLESS)
def glGetUniformBlockIndex(context: Context, call: Call) -> None:
    asked_program(context, whole(call.at(0)))
    target, name = linked_program(context, whole(call.at(0))), call.at(1)
    assert target.linked is not None
    if isinstance(call.result, int) and isinstance(name, str):
        exists = name in {block.name for block in target.linked.blocks}
        context.answer(call, call.result if exists else INVALID_INDEX)


def _block(context: Context, program: int, index: int) -> tuple[Program, UniformBlock]:
    target = asked_program(context, program)
    blocks = target.linked.blocks if target.linked is not None else ()
    number = target.block_number(index)
    check_value(0 <= number < len(blocks), f"block {index} of {len(blocks)}")
    return target, blocks[number]


@entry.answers()
def glGetActiveUniformBlockName(context: Context, program: int, index: int, *_: Any) -> str:
    return _block(context, program, index)[1].name


@entry.answers()
def glGetActiveUniformBlockiv(context: Context, program: int, index: int, name: int, *_: Any) -> Value:
    target, block = _block(context, program, index)
    assert target.linked is not None
    instance = first_instance(target.linked.blocks, target.linked.blocks.index(block))
    first = (
        next(i for i, u in enumerate(active_uniforms(target)) if u[3][gl.UNIFORM_BLOCK_INDEX] == instance)
        if block.members
        else 0
    )
    values: dict[int, Value] = {
        gl.UNIFORM_BLOCK_BINDING: target.block_bindings.get(index, block.binding),
        gl.UNIFORM_BLOCK_DATA_SIZE: block.size_bytes,
        gl.UNIFORM_BLOCK_NAME_LENGTH: _length(block.name),
        gl.UNIFORM_BLOCK_ACTIVE_UNIFORMS: len(block.members),
        gl.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES: list(range(first, first + len(block.members))),
        gl.UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER: int("vertex" in block.slots),
        gl.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER: int("fragment" in block.slots),
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
    check_enum(precision, range(gl.LOW_FLOAT, gl.HIGH_INT + 1), "precision")
    # Floats are float32 and integers int32 in every precision.
    return [127, 127, 23] if precision < gl.LOW_INT else [31, 30, 0]


@entry.answers("glGetProgramBinary", "glGetProgramBinaryOES")
def glGetProgramBinary(context: Context, program: int, *_: Any) -> Value:
    linked_program(context, program)
    check_operation(False, "there are no program binaries")
    return None
