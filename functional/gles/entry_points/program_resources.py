"""Queries of program resources by interface (OpenGL ES 3.1, 7.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call, Value
from ...opengl import enums as gl
from ..arguments import text, whole
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import HARMLESS
from ..programs import Program
from .get_programs import active_uniforms
from .programs import INVALID_INDEX, linked_program, program_object
from .recorded_numbers import asked_program
from .resource_properties import (
    NUM_ACTIVE_VARIABLES,
    PROGRAM_INPUT,
    PROGRAM_OUTPUT,
    PROPERTIES,
    TRANSFORM_FEEDBACK_VARYING,
    UNIFORM,
    UNIFORM_BLOCK,
    buffer_variables,
    locations,
    properties,
    stage_variables,
)
from .table import EntryPoints

entry = EntryPoints()
_INTERFACES = {
    UNIFORM,
    UNIFORM_BLOCK,
    PROGRAM_INPUT,
    PROGRAM_OUTPUT,
    TRANSFORM_FEEDBACK_VARYING,
    gl.ATOMIC_COUNTER_BUFFER,
    gl.BUFFER_VARIABLE,
    gl.SHADER_STORAGE_BLOCK,
}
_MAX_NAME_LENGTH, _MAX_NUM_ACTIVE_VARIABLES = 0x92F6, 0x92F7
_BUFFERS = (UNIFORM_BLOCK, gl.ATOMIC_COUNTER_BUFFER, gl.SHADER_STORAGE_BLOCK)


def _names(program: Program, interface: int) -> list[str]:
    """Names of the resources of an interface, in the order of their indices."""
    check_enum(interface, _INTERFACES, "program interface")
    linked = program.linked
    if linked is None:
        return []
    if interface == UNIFORM:
        return [name for name, *_ in active_uniforms(program)]
    if interface == UNIFORM_BLOCK:
        return [block.name for block in linked.blocks]
    if interface in (PROGRAM_INPUT, PROGRAM_OUTPUT):
        return [variable.listed_name for variable in stage_variables(linked, interface)]
    if interface == gl.SHADER_STORAGE_BLOCK:
        return [block.name for block in linked.storage_blocks]
    if interface == gl.BUFFER_VARIABLE:
        return [name for _, name, _ in buffer_variables(linked)]
    if interface == gl.ATOMIC_COUNTER_BUFFER:
        return [""] * len(linked.counter_buffers)
    return [captured.name for captured in linked.captured]


@entry.answers()
def glGetProgramInterfaceiv(context: Context, program: int, interface: int, name: int, *_: Any) -> int:
    target = program_object(context, program)
    names = _names(target, interface)
    check_enum(name, (gl.ACTIVE_RESOURCES, _MAX_NAME_LENGTH, _MAX_NUM_ACTIVE_VARIABLES), "parameter of an interface")
    if name == gl.ACTIVE_RESOURCES:
        return len(names)
    if name == _MAX_NAME_LENGTH:
        check_operation(interface != gl.ATOMIC_COUNTER_BUFFER, "buffers of atomic counters have no names")
        return max((len(n) + 1 for n in names), default=0)
    check_operation(interface in _BUFFERS, "this interface has no members")
    counts = [properties(target, interface, i, n)[NUM_ACTIVE_VARIABLES] for i, n in enumerate(names)]
    return max(counts, default=0)


@entry.with_call("glGetProgramResourceIndex", effect=HARMLESS)
def glGetProgramResourceIndex(context: Context, call: Call) -> None:
    program, interface, name = asked_program(context, whole(call.at(0))), whole(call.at(1)), text(call.at(2))
    check_enum(interface, _INTERFACES - {gl.ATOMIC_COUNTER_BUFFER}, "program interface with names")
    names = _names(program, interface)
    index = next((i for i, n in enumerate(names) if name in (n, n.removesuffix("[0]"))), INVALID_INDEX)
    context.answer(call, index)


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
    context.answer(call, locations(program.linked, interface).get(name, -1))


@entry.answers()
def glGetProgramResourceName(context: Context, program: int, interface: int, index: int, size: int, *_: Any) -> str:
    check_enum(interface, _INTERFACES - {gl.ATOMIC_COUNTER_BUFFER}, "program interface with names")
    names = _names(asked_program(context, program), interface)
    check_value(0 <= index < len(names) and size >= 0, f"resource {index} of {len(names)}")
    return names[index][: max(0, size - 1)]


@entry.answers()
def glGetProgramResourceiv(
    context: Context, program: int, interface: int, index: int, count: int, asked: Sequence[int], *_: Any
) -> Value:
    target = asked_program(context, program)
    names = _names(target, interface)
    check_value(0 <= index < len(names) and count > 0, f"resource {index} of {len(names)}")
    by_name = properties(target, interface, index, names[index])
    values: list[Value] = []
    for name in list(asked)[:count]:
        check_enum(name, PROPERTIES, "property of a program resource")
        check_operation(name in by_name, f"this resource has no property {name:#06x}")
        value = by_name[name]
        values += value if isinstance(value, list) else [value]
    return values
