"""Reads what recorded answers to queries of programs tell of the captured driver's numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...capture import Call
from ...opengl import enums as gl
from ..context import Context
from ..driver_numbers import DriverNumbers
from ..programs import Program
from .programs import INVALID_INDEX, program_object

_BLOCK_INDEX, _LOCATION, _ACTIVE_VARIABLES = 0x92FD, 0x930E, 0x9305


def learn_from_answer(program: Program, call: Call) -> None:
    """Note what the answer in the stream to a query tells; answers that are missing or damaged tell nothing."""
    reader = _READERS.get(call.name)
    if reader is not None and program.linked is not None:
        reader(program, program.numbers, call)


def asked_program(context: Context, name: int) -> Program:
    """The program that a query asks about, after the recorded answer is noted; GLError if there is none."""
    program = program_object(context, name)
    if context.current_call is not None:
        learn_from_answer(program, context.current_call)
    return program


def _at(call: Call, place: int) -> Any:
    return call.arguments[place] if place < len(call.arguments) else None


def _integer(value: Any) -> int | None:
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, int) else None


def _integers(value: Any) -> list[int]:
    return [v for v in value if isinstance(v, int)] if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, str) else None


def _name(program: Program, numbers: DriverNumbers, interface: int, index: Any, name: Any) -> None:
    index, name = _integer(index), _text(name)
    if index is None or index < 0 or index == INVALID_INDEX or name is None:
        return
    if interface == gl.UNIFORM:
        numbers.name_uniform(index, name)
    elif interface == gl.UNIFORM_BLOCK:
        program.block_names[index] = name


def _active_uniform(program: Program, numbers: DriverNumbers, call: Call) -> None:
    _name(program, numbers, gl.UNIFORM, _at(call, 1), _at(call, 6))


def _block_name(program: Program, numbers: DriverNumbers, call: Call) -> None:
    _name(program, numbers, gl.UNIFORM_BLOCK, _at(call, 1), _at(call, 4))


def _resource_name(program: Program, numbers: DriverNumbers, call: Call) -> None:
    _name(program, numbers, _integer(_at(call, 1)) or 0, _at(call, 2), _at(call, 5))


def _resource_index(program: Program, numbers: DriverNumbers, call: Call) -> None:
    _name(program, numbers, _integer(_at(call, 1)) or 0, call.result, _at(call, 2))


def _block_index(program: Program, numbers: DriverNumbers, call: Call) -> None:
    _name(program, numbers, gl.UNIFORM_BLOCK, call.result, _at(call, 1))


def _indices(program: Program, numbers: DriverNumbers, call: Call) -> None:
    names = _at(call, 2)
    for name, index in zip(names if isinstance(names, list) else [names], _integers(_at(call, 3)), strict=False):
        _name(program, numbers, gl.UNIFORM, index, name)


def _uniforms(program: Program, numbers: DriverNumbers, call: Call) -> None:
    if _at(call, 3) == gl.UNIFORM_BLOCK_INDEX:
        for index, block in zip(_integers(_at(call, 2)), _integers(_at(call, 4)), strict=False):
            numbers.join_block(program, index, block)


def _block(program: Program, numbers: DriverNumbers, call: Call) -> None:
    block = _integer(_at(call, 1))
    if _at(call, 2) == gl.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES and block is not None:
        for index in _integers(_at(call, 3)):
            numbers.join_block(program, index, block)


def _resource(program: Program, numbers: DriverNumbers, call: Call) -> None:
    interface, index = _integer(_at(call, 1)), _integer(_at(call, 2))
    if index is None or interface not in (gl.UNIFORM, gl.UNIFORM_BLOCK):
        return
    answered = _integer(_at(call, 6))
    values = _integers(_at(call, 7))[: len(_integers(_at(call, 7))) if answered is None else max(0, answered)]
    for name, value in _properties(_integers(_at(call, 4)), values):
        if interface == gl.UNIFORM and name == _LOCATION:
            numbers.place_uniform(program, index, value)
        elif interface == gl.UNIFORM and name == _BLOCK_INDEX:
            numbers.join_block(program, index, value)
        elif interface == gl.UNIFORM_BLOCK and name == _ACTIVE_VARIABLES:
            numbers.join_block(program, value, index)


def _properties(asked: list[int], values: list[int]) -> Iterator[tuple[int, int]]:
    """Each value with its property; all of them have one value but the list of active variables."""
    members = len(values) - len(asked) + 1
    at = 0
    for name in asked:
        count = members if name == _ACTIVE_VARIABLES else 1
        yield from ((name, value) for value in values[at : at + max(0, count)])
        at += max(0, count)


_READERS: dict[str, Callable[[Program, DriverNumbers, Call], None]] = {
    "glGetActiveUniform": _active_uniform,
    "glGetActiveUniformBlockName": _block_name,
    "glGetActiveUniformBlockiv": _block,
    "glGetActiveUniformsiv": _uniforms,
    "glGetProgramResourceIndex": _resource_index,
    "glGetProgramResourceName": _resource_name,
    "glGetProgramResourceiv": _resource,
    "glGetUniformBlockIndex": _block_index,
    "glGetUniformIndices": _indices,
}
