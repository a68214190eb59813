"""Queries of program resources by interface (OpenGL ES 3.1, 7.3.1), for programs that have only what ES 3.0 knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call, Value
from ...glsl import LinkedProgram
from .. import enums as gl
from ..arguments import text, whole
from ..checks import check_enum, check_value
from ..context import Context
from ..effects import HARMLESS
from ..programs import Program
from .get_programs import active_attributes, active_uniforms, first_instance
from .programs import INVALID_INDEX, linked_program, program_object
from .table import EntryPoints

entry = EntryPoints()
UNIFORM, UNIFORM_BLOCK, PROGRAM_INPUT, PROGRAM_OUTPUT, TRANSFORM_FEEDBACK_VARYING = (
    *range(gl.UNIFORM, gl.PROGRAM_OUTPUT + 1),
    gl.TRANSFORM_FEEDBACK_VARYING,
)
_ABSENT = (gl.ATOMIC_COUNTER_BUFFER, gl.BUFFER_VARIABLE, gl.SHADER_STORAGE_BLOCK)
NAME_LENGTH, TYPE, ARRAY_SIZE, OFFSET, BLOCK_INDEX, ARRAY_STRIDE, MATRIX_STRIDE, IS_ROW_MAJOR = range(0x92F9, 0x9301)
BUFFER_BINDING, BUFFER_DATA_SIZE, NUM_ACTIVE_VARIABLES, ACTIVE_VARIABLES = range(0x9302, 0x9306)
REFERENCED_BY_VERTEX_SHADER, REFERENCED_BY_FRAGMENT_SHADER, LOCATION = 0x9306, 0x930A, 0x930E
_OF_MEMBERS = {
    BLOCK_INDEX: gl.UNIFORM_BLOCK_INDEX,
    OFFSET: gl.UNIFORM_OFFSET,
    ARRAY_STRIDE: gl.UNIFORM_ARRAY_STRIDE,
    MATRIX_STRIDE: gl.UNIFORM_MATRIX_STRIDE,
    IS_ROW_MAJOR: gl.UNIFORM_IS_ROW_MAJOR,
}


def _outputs(linked: LinkedProgram) -> list[tuple[str, int]]:
    """Name and location of the fragment shader's outputs."""
    return [(d.name, d.slot) for d in linked.fragment.outputs if d.semantic == "color"]


def _names(program: Program, interface: int) -> list[str]:
    """Names of the resources of an interface, in the order of their indices."""
    check_enum(interface, {UNIFORM, UNIFORM_BLOCK, PROGRAM_INPUT, PROGRAM_OUTPUT, TRANSFORM_FEEDBACK_VARYING, *_ABSENT},
               "program interface")  # fmt: skip
    linked = program.linked
    if linked is None or interface in _ABSENT:
        return []
    if interface == UNIFORM:
        return [name for name, *_ in active_uniforms(program)]
    if interface == UNIFORM_BLOCK:
        return [block.name for block in linked.blocks]
    if interface == PROGRAM_INPUT:
        return [name for name, *_ in active_attributes(program)]
    if interface == PROGRAM_OUTPUT:
        return [name for name, _ in _outputs(linked)]
    return [captured.name for captured in linked.captured]


@entry.answers()
def glGetProgramInterfaceiv(context: Context, program: int, interface: int, name: int, *_: Any) -> int:
    names = _names(program_object(context, program), interface)
    values = {gl.ACTIVE_RESOURCES: len(names), 0x92F6: max((len(n) + 1 for n in names), default=0)}
    check_enum(name, values, "parameter of a program interface")
    return values[name]


@entry.with_call("glGetProgramResourceIndex", effect=HARMLESS)
def glGetProgramResourceIndex(context: Context, call: Call) -> None:
    program, interface, name = program_object(context, whole(call.at(0))), whole(call.at(1)), text(call.at(2))
    names = _names(program, interface)
    if interface == UNIFORM_BLOCK and isinstance(call.result, int):
        program.block_names[call.result] = name
    known = next((i for i, n in enumerate(names) if name in (n, n.removesuffix("[0]"))), INVALID_INDEX)
    context.answer(call, known)


@entry.with_call("glGetProgramResourceLocation", effect=HARMLESS)
def glGetProgramResourceLocation(context: Context, call: Call) -> None:
    program, interface, name = linked_program(context, whole(call.at(0))), whole(call.at(1)), text(call.at(2))
    assert program.linked is not None
    check_enum(interface, (UNIFORM, PROGRAM_INPUT, PROGRAM_OUTPUT), "program interface with locations")
    if interface == UNIFORM:
        if isinstance(call.result, int):
            program.place(name, call.result)
        context.answer(call, program.location_of(name))
        return
    context.answer(call, _locations(program.linked, interface).get(name, -1))


def _locations(linked: LinkedProgram, interface: int) -> dict[str, int]:
    if interface == PROGRAM_INPUT:
        return {a.name: a.location for a in linked.attributes}
    return dict(_outputs(linked))


@entry.answers()
def glGetProgramResourceName(context: Context, program: int, interface: int, index: int, size: int, *_: Any) -> str:
    names = _names(program_object(context, program), interface)
    check_value(0 <= index < len(names) and size >= 0, f"resource {index} of {len(names)}")
    return names[index][: max(0, size - 1)]


@entry.answers()
def glGetProgramResourceiv(
    context: Context, program: int, interface: int, index: int, count: int, properties: Sequence[int], *_: Any
) -> Value:
    target = program_object(context, program)
    names = _names(target, interface)
    check_value(0 <= index < len(names) and count > 0, f"resource {index} of {len(names)}")
    known = {NAME_LENGTH: len(names[index]) + 1, **_properties(target, interface, index, names[index])}
    values: list[Value] = []
    for name in list(properties)[:count]:
        check_enum(name, known, "property of a program resource")
        value = known[name]
        values += value if isinstance(value, list) else [value]
    return values


def _properties(program: Program, interface: int, index: int, name: str) -> dict[int, Any]:
    linked = program.linked
    assert linked is not None
    if interface == UNIFORM_BLOCK:
        block = linked.blocks[index]
        instance = first_instance(linked.blocks, index)
        members = [i for i, u in enumerate(active_uniforms(program)) if u[3][gl.UNIFORM_BLOCK_INDEX] == instance]
        return {
            BUFFER_BINDING: program.block_bindings.get(index, block.binding),
            BUFFER_DATA_SIZE: block.size_bytes,
            NUM_ACTIVE_VARIABLES: len(members),
            ACTIVE_VARIABLES: members,
            REFERENCED_BY_VERTEX_SHADER: int("vertex" in block.slots),
            REFERENCED_BY_FRAGMENT_SHADER: int("fragment" in block.slots),
        }
    if interface == UNIFORM:
        _, kind, size, parts = active_uniforms(program)[index]
        location = program.location_of(name) if parts[gl.UNIFORM_BLOCK_INDEX] < 0 else -1
        return {TYPE: kind, ARRAY_SIZE: size, LOCATION: location, **{p: parts[q] for p, q in _OF_MEMBERS.items()}}
    if interface == PROGRAM_INPUT:
        _, kind, size = active_attributes(program)[index]
        return {TYPE: kind, ARRAY_SIZE: size, LOCATION: _locations(linked, interface).get(name, -1)}
    if interface == PROGRAM_OUTPUT:
        return {LOCATION: _locations(linked, interface)[name], ARRAY_SIZE: 1}
    return {TYPE: linked.captured[index].gl_type, ARRAY_SIZE: linked.captured[index].size}
