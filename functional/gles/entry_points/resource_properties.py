"""Properties of the resources of a program (OpenGL ES 3.1, table 7.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...glsl import BufferVariable, LinkedProgram
from ...glsl.gl_types import gl_type
from ...glsl.stage_interface import StageVariable
from ...glsl.types import ArrayType
from ...opengl import enums as gl
from ..programs import Program
from .get_programs import active_uniforms, first_instance

UNIFORM, UNIFORM_BLOCK, PROGRAM_INPUT, PROGRAM_OUTPUT = range(gl.UNIFORM, gl.PROGRAM_OUTPUT + 1)
TRANSFORM_FEEDBACK_VARYING = gl.TRANSFORM_FEEDBACK_VARYING
NAME_LENGTH, TYPE, ARRAY_SIZE, OFFSET, BLOCK_INDEX, ARRAY_STRIDE, MATRIX_STRIDE, IS_ROW_MAJOR = range(0x92F9, 0x9301)
ATOMIC_COUNTER_BUFFER_INDEX, BUFFER_BINDING, BUFFER_DATA_SIZE, NUM_ACTIVE_VARIABLES, ACTIVE_VARIABLES = range(
    0x9301, 0x9306
)
REFERENCED_BY = {"vertex": 0x9306, "fragment": 0x930A, "compute": 0x930B}
OTHER_STAGES = range(0x9307, 0x930A)
"""References by tessellation and geometry shaders, which drivers that have them answer."""
TOP_LEVEL_ARRAY_SIZE, TOP_LEVEL_ARRAY_STRIDE, LOCATION = 0x930C, 0x930D, 0x930E
_OF_MEMBERS = {
    BLOCK_INDEX: gl.UNIFORM_BLOCK_INDEX,
    OFFSET: gl.UNIFORM_OFFSET,
    ARRAY_STRIDE: gl.UNIFORM_ARRAY_STRIDE,
    MATRIX_STRIDE: gl.UNIFORM_MATRIX_STRIDE,
    IS_ROW_MAJOR: gl.UNIFORM_IS_ROW_MAJOR,
    ATOMIC_COUNTER_BUFFER_INDEX: gl.UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX,
}
PROPERTIES = frozenset((*range(NAME_LENGTH, LOCATION + 1),))


def stage_variables(linked: LinkedProgram, interface: int) -> tuple[StageVariable, ...]:
    """Inputs or outputs of a program."""
    return linked.inputs if interface == PROGRAM_INPUT else linked.outputs


def buffer_variables(linked: LinkedProgram) -> list[tuple[int, str, BufferVariable]]:
    """Members of storage blocks with the number of their block and their names; instances of an array of blocks have
    the same members, which count once."""
    variables = []
    for number, block in enumerate(linked.storage_blocks):
        if first_instance(linked.storage_blocks, number) == number:
            for variable in block.members:
                suffix = "[0]" if isinstance(variable.member.type, ArrayType) else ""
                variables.append((number, variable.member.name + suffix, variable))
    return variables


def locations(linked: LinkedProgram, interface: int) -> dict[str, int]:
    """Locations of inputs or outputs by name, of arrays those of each element, too."""
    by_name: dict[str, int] = {}
    for variable in stage_variables(linked, interface):
        by_name[variable.name] = variable.location
        for element in range(variable.array_size):
            by_name[f"{variable.name}[{element}]"] = variable.location + element if variable.location >= 0 else -1
    return by_name


def properties(program: Program, interface: int, index: int, name: str) -> dict[int, Any]:
    """Every property that a resource of a name has."""
    linked = program.linked
    assert linked is not None
    length = {} if interface == gl.ATOMIC_COUNTER_BUFFER else {NAME_LENGTH: len(name) + 1}
    if interface in _READERS:
        return length | _READERS[interface](program, linked, index)
    if interface in (PROGRAM_INPUT, PROGRAM_OUTPUT):
        return length | _of_interface(stage_variables(linked, interface)[index])
    return length | {TYPE: linked.captured[index].gl_type, ARRAY_SIZE: linked.captured[index].size}


def _referenced(stages: Sequence[str] | Mapping[Any, Any]) -> dict[int, int]:
    return dict.fromkeys(OTHER_STAGES, 0) | {name: int(stage in stages) for stage, name in REFERENCED_BY.items()}


def _buffer(binding: int, size: int, members: list[int]) -> dict[int, Any]:
    return {
        BUFFER_BINDING: binding,
        BUFFER_DATA_SIZE: size,
        NUM_ACTIVE_VARIABLES: len(members),
        ACTIVE_VARIABLES: members,
    }


def _uniform_block(program: Program, linked: LinkedProgram, index: int) -> dict[int, Any]:
    block, instance = linked.blocks[index], first_instance(linked.blocks, index)
    members = [i for i, u in enumerate(active_uniforms(program)) if u[3][gl.UNIFORM_BLOCK_INDEX] == instance]
    binding = program.block_bindings.get(index, block.binding)
    return _buffer(binding, block.size_bytes, members) | _referenced(block.slots)


def _storage_block(program: Program, linked: LinkedProgram, index: int) -> dict[int, Any]:
    block, instance = linked.storage_blocks[index], first_instance(linked.storage_blocks, index)
    members = [i for i, (number, *_) in enumerate(buffer_variables(linked)) if number == instance]
    return _buffer(block.binding, -(-block.size_bytes // 16) * 16, members) | _referenced(block.stages)


def _counter_buffer(program: Program, linked: LinkedProgram, index: int) -> dict[int, Any]:
    buffer = linked.counter_buffers[index]
    names = [u.name for u in linked.uniforms]
    members = [names.index(name) for name in buffer.counters]
    return _buffer(buffer.binding, buffer.size_bytes, members) | _referenced(buffer.stages)


def _buffer_variable(program: Program, linked: LinkedProgram, index: int) -> dict[int, Any]:
    number, _, variable = buffer_variables(linked)[index]
    member, of = variable.member, variable.member.type
    return {
        TYPE: gl_type(of),
        ARRAY_SIZE: of.size if isinstance(of, ArrayType) else 1,
        OFFSET: member.offset_bytes,
        BLOCK_INDEX: number,
        ARRAY_STRIDE: member.array_stride_bytes,
        MATRIX_STRIDE: member.matrix_stride_bytes,
        IS_ROW_MAJOR: int(member.row_major),
        TOP_LEVEL_ARRAY_SIZE: variable.top_level_size,
        TOP_LEVEL_ARRAY_STRIDE: variable.top_level_stride_bytes,
        **_referenced(linked.storage_blocks[number].stages),
    }


def _uniform(program: Program, linked: LinkedProgram, index: int) -> dict[int, Any]:
    name, kind, size, parts = active_uniforms(program)[index]
    loose = parts[gl.UNIFORM_BLOCK_INDEX] < 0 and parts[gl.UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX] < 0
    stages = linked.uniforms[index].stages if index < len(linked.uniforms) else ()
    if parts[gl.UNIFORM_BLOCK_INDEX] >= 0:
        stages = tuple(linked.blocks[parts[gl.UNIFORM_BLOCK_INDEX]].slots)
    return {
        TYPE: kind,
        ARRAY_SIZE: size,
        LOCATION: program.location_of(name) if loose else -1,
        **{p: parts[q] for p, q in _OF_MEMBERS.items()},
        **_referenced(stages),
    }


def _of_interface(variable: StageVariable) -> dict[int, Any]:
    place = {TYPE: variable.gl_type, ARRAY_SIZE: max(1, variable.array_size), LOCATION: variable.location}
    return place | _referenced((variable.stage,))


_READERS = {
    UNIFORM: _uniform,
    UNIFORM_BLOCK: _uniform_block,
    gl.SHADER_STORAGE_BLOCK: _storage_block,
    gl.BUFFER_VARIABLE: _buffer_variable,
    gl.ATOMIC_COUNTER_BUFFER: _counter_buffer,
}
