"""Instructions with operands: registers, immediates, constants, addresses."""

from dataclasses import dataclass, replace
from typing import Any

from ..ir.program import Destination, File, Indirect, Instruction, Source
from ..memory_interface import MemoryInterface
from ..ssa import Code, Loop, Operand, Origin, RegisterArray, bits_of
from .constants import Immediates
from .precision import Precisions
from .register_assignment import Assignment, Assignments, Register, RegisterAssigner


@dataclass(slots=True)
class Interface:
    """Register numbers of the shader's interface, by (variable, register offset); constants by variable."""

    inputs: dict[tuple[Any, int], int]
    outputs: dict[tuple[Any, int], int]
    constants: dict[Any, int]
    samplers: dict[tuple[Any, int], int]
    memory: MemoryInterface


@dataclass(slots=True)
class Pending:
    """An instruction whose registers are not numbered yet."""

    instruction: Instruction
    destination: Register | None
    sources: tuple[Register | None, ...]
    origin: Origin


class OperandEmitter:
    """State of the emitter, and emission of single instructions."""

    def __init__(self, code: Code, interface: Interface) -> None:
        self.code = code
        self.interface = interface
        assigner = RegisterAssigner(code, interface.outputs)
        self.assignments: Assignments = assigner.assignments
        self.uses = assigner.uses
        self.precisions = Precisions(code.nodes)
        self.immediates = Immediates()
        self.pending: list[Pending] = []
        self.registers: dict[Register, None] = {}
        self.loops: list[tuple[Loop, int]] = []
        self.extended: dict[int, set[Register]] = {}
        self.addresses: list[Operand | None] = [None] * 4
        self.next_address = 0
        self.arrays: dict[RegisterArray, int] = {}
        self.array_registers = 0
        self.origin: Origin = ()

    def numbered(self, pending: Pending) -> Instruction:
        """The instruction with its registers' numbers."""
        instruction = pending.instruction
        if pending.destination is not None and instruction.destination is not None:
            instruction = replace(
                instruction, destination=replace(instruction.destination, index=pending.destination.number)
            )
        if any(register is not None for register in pending.sources):
            sources = tuple(
                source if register is None else replace(source, index=register.number)
                for source, register in zip(instruction.sources, pending.sources, strict=True)
            )
            instruction = replace(instruction, sources=sources)
        return instruction

    def touch(self, register: Register, write: bool) -> None:
        """Note that a register is used here."""
        position = len(self.pending)
        if register.first < 0:
            register.first = position
        register.last = max(register.last, position)
        self.registers[register] = None
        if not write:
            # What a loop reads but does not define is needed again in the next iteration.
            for loop, start in self.loops:
                if register.first < start:
                    self.extended.setdefault(id(loop), set()).add(register)
                    break

    def emit(
        self,
        opcode: str,
        assigned: Assignment | None = None,
        sources: tuple[Source, ...] = (),
        registers: tuple[Register | None, ...] = (),
        **extra: Any,
    ) -> None:
        """Append an instruction that writes ``assigned``."""
        destination, register = None, None
        if assigned is not None:
            mask = sum(1 << position for places in assigned.positions for position in set(places))
            if assigned.register.output is not None:
                destination = Destination(File.OUTPUT, assigned.register.output, mask, assigned.saturate)
            else:
                destination = Destination(File.TEMPORARY, 0, mask, assigned.saturate)
                register = assigned.register
        for source in registers:
            if source is not None:
                self.touch(source, False)
        if register is not None:
            self.touch(register, True)
        instruction = Instruction(opcode, destination, sources, **extra)
        self.pending.append(Pending(instruction, register, registers, self.origin))

    def source(self, operand: Operand, places: tuple[int, ...]) -> tuple[Source, Register | None]:
        """A source whose component ``places[i]`` reads component i of the operand."""
        file, index, components, indirect, register = self.locate(operand)
        used = dict(zip(places, components, strict=False))
        filler = components[-1]
        a, b, c, d = (used.get(i, filler) for i in range(4))
        negate, absolute = (False, False) if operand.value.op == "IMM" else operand[2:]
        return Source(file, index, (a, b, c, d), negate, absolute, indirect), register

    def locate(self, operand: Operand) -> tuple[File, int, tuple[int, ...], Indirect | None, Register | None]:
        """File, index, selected component per component, run-time offset, register."""
        value = operand.value
        if value.op in ("IMM", "UNDEF"):
            bits = bits_of(operand) if value.op == "IMM" else (0,) * len(operand.swizzle)
            index, components = self.immediates.place(bits)
            return File.IMMEDIATE, index, components, None, None
        if value.op in ("UNIFORM", "INPUT"):
            variable, offset = value.data
            indirect = self.address(value.args[0]) if value.args else None
            if value.op == "INPUT":
                return File.INPUT, self.interface.inputs[variable, offset], operand.swizzle, indirect, None
            return File.CONSTANT, self.interface.constants[variable] + offset, operand.swizzle, indirect, None
        assigned = self.assignments.of[value]
        components = tuple(assigned.positions[c][0] for c in operand.swizzle)
        return File.TEMPORARY, 0, components, None, assigned.register

    def address(self, operand: Operand) -> Indirect:
        """Load an offset into an address register."""
        for component, held in enumerate(self.addresses):
            if held == operand:
                return Indirect(0, component)
        component = self.next_address
        self.next_address = (component + 1) % 4
        source, register = self.source(operand, (0, 1, 2, 3)[: len(operand.swizzle)])
        destination = Destination(File.ADDRESS, 0, 1 << component)
        swizzle = (source.swizzle[0],) * 4
        if register is not None:
            self.touch(register, False)
        instruction = Instruction("UARL", destination, (replace(source, swizzle=swizzle),))
        self.pending.append(Pending(instruction, None, (register,), self.origin))
        self.addresses[component] = operand
        return Indirect(0, component)

    def forget_addresses(self) -> None:
        """Code may jump here, so the content of the address registers is unknown."""
        self.addresses = [None] * 4
