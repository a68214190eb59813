"""One instruction in vector code, wherever its registers are stored."""

from __future__ import annotations

from typing import Protocol

from ....glsl.ir.program import Destination, File, Instruction, Shader, Source
from ...numpy_backend.layout import Key
from .operations import OPERATIONS, dot, saturate
from .vectors import Value, Vectors


class RegisterFile(Protocol):
    """Access to components of registers."""

    def read(self, key: Key) -> Value:
        """A component, a float vector."""

    def write(self, key: Key, value: Value) -> None:
        """Change a component."""

    def read_chosen(self, source: Source, component: int) -> Value:
        """A component of a register that is chosen at run time."""

    def write_chosen(self, destination: Destination, component: int, value: Value) -> None:
        """Change it."""


def is_arithmetic(instruction: Instruction) -> bool:
    """Whether vector code supports the instruction, wherever its operands come from."""
    return instruction.opcode in OPERATIONS or instruction.info.shape.startswith("dot")


def is_native(instruction: Instruction) -> bool:
    """Whether vector code supports the instruction with registers that are known at compile time."""
    destination = instruction.destination
    if destination is None or destination.indirect is not None or any(s.indirect for s in instruction.sources):
        return False
    if any(s.file is File.ADDRESS for s in instruction.sources) or destination.file is File.ADDRESS:
        return False
    return is_arithmetic(instruction)


def emit_instruction(v: Vectors, shader: Shader, instruction: Instruction, registers: RegisterFile) -> None:
    """An instruction of arithmetic."""
    destination = instruction.destination
    assert destination is not None
    shape, sources = instruction.info.shape, instruction.sources

    def operands(position: int) -> list[Value]:
        return [read_operand(v, shader, registers, s, position) for s in sources]

    results: dict[int, Value]
    if shape.startswith("dot"):
        count = int(shape[3])
        a, b = ([read_operand(v, shader, registers, s, c) for c in range(count)] for s in sources)
        results = dict.fromkeys(destination.components, dot(v, a, b))
    elif shape in ("replicate", "address"):
        results = dict.fromkeys(destination.components, OPERATIONS[instruction.opcode](v, *operands(0)))
    else:
        results = {c: OPERATIONS[instruction.opcode](v, *operands(c)) for c in destination.components}
    write_results(v, instruction, results, registers)


def write_results(v: Vectors, instruction: Instruction, results: dict[int, Value], registers: RegisterFile) -> None:
    """Write components of the destination."""
    destination = instruction.destination
    assert destination is not None
    for component, value in results.items():
        result = saturate(v, value) if destination.saturate else value
        if destination.indirect is not None:
            registers.write_chosen(destination, component, result)
        else:
            registers.write(Key(destination.file, destination.index, component), result)


def read_operand(v: Vectors, shader: Shader, registers: RegisterFile, source: Source, position: int) -> Value:
    """A component of an operand, modifiers applied."""
    component = source.swizzle[position]
    if source.indirect is not None:
        value = registers.read_chosen(source, component)
    elif source.file is File.IMMEDIATE:
        value = v.bits(shader.immediates[source.index][component])
    else:
        value = registers.read(Key(source.file, source.index, component))
    if source.absolute:
        value = v.call("fabs", value)
    return v.builder.fneg(value) if source.negate else value
