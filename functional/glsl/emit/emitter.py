"""From single-assignment code to instructions over registers."""

from dataclasses import dataclass, replace
from typing import Any

from ..ir.opcodes import OPCODES
from ..ir.program import Destination, File, Indirect, Instruction, Source
from ..ssa import Code, If, Jump, Loop, Memory, Node, Operand, Value, bits_of
from ..ssa.values import LEAF_OPS, TEXTURE_OPS
from .constants import Immediates
from .homes import Home, HomeFinder, Homes, Register
from .registers import allocate


@dataclass(slots=True)
class Interface:
    """Register numbers of everything outside, by (variable, register offset); constants by variable."""

    inputs: dict[tuple[Any, int], int]
    outputs: dict[tuple[Any, int], int]
    constants: dict[Any, int]
    samplers: dict[tuple[Any, int], int]


@dataclass(slots=True)
class Pending:
    """An instruction whose registers have no numbers yet."""

    instruction: Instruction
    destination: Register | None
    sources: tuple[Register | None, ...]


class Emitter:
    """Emits one shader."""

    def __init__(self, code: Code, interface: Interface) -> None:
        self.code = code
        self.interface = interface
        self.homes: Homes = HomeFinder(code, interface.outputs).homes
        self.immediates = Immediates()
        self.pending: list[Pending] = []
        self.registers: dict[Register, None] = {}
        self.loops: list[tuple[Loop, int]] = []
        self.extended: dict[int, set[Register]] = {}
        self.addresses: list[Operand | None] = [None] * 4
        self.next_address = 0
        self.memories: dict[Memory, int] = {}
        self.memory_registers = 0

    def run(self) -> tuple[tuple[Instruction, ...], int]:
        """Instructions, END included, and the size of the temporary file."""
        self._nodes(self.code.nodes)
        for variable, offset, operand in self.code.outputs:
            home = self.homes.of.get(operand.value)
            number = self.interface.outputs[variable, offset]
            if home is None or home.register.output != number:
                self._move(Home(Register(output=number), tuple((c,) for c in range(4))), operand)
        self._emit("END")
        count = allocate(list(self.registers), self.memory_registers)
        instructions = tuple(self._numbered(p) for p in self.pending)
        return _with_flow_targets(instructions), count

    def _numbered(self, pending: Pending) -> Instruction:
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

    def _touch(self, register: Register, write: bool) -> None:
        position = len(self.pending)
        if register.first < 0:
            register.first = position
        register.last = max(register.last, position)
        self.registers[register] = None
        if not write:
            # What a loop reads but did not make is needed again in the next iteration.
            for loop, start in self.loops:
                if register.first < start:
                    self.extended.setdefault(id(loop), set()).add(register)
                    break

    def _emit(
        self, opcode: str, home: Home | None = None, sources: tuple[Source, ...] = (),
        registers: tuple[Register | None, ...] = (), **extra: Any,
    ) -> None:
        destination, register = None, None
        if home is not None:
            mask = sum(1 << position for places in home.positions for position in set(places))
            if home.register.output is not None:
                destination = Destination(File.OUTPUT, home.register.output, mask, home.saturate)
            else:
                destination = Destination(File.TEMPORARY, 0, mask, home.saturate)
                register = home.register
        for source in registers:
            if source is not None:
                self._touch(source, False)
        if register is not None:
            self._touch(register, True)
        self.pending.append(Pending(Instruction(opcode, destination, sources, **extra), register, registers))

    def _nodes(self, nodes: list[Node]) -> None:
        for node in nodes:
            if isinstance(node, Value):
                self._value(node)
            elif isinstance(node, If):
                self._if(node)
            elif isinstance(node, Loop):
                self._loop(node)
            else:
                self._jump(node)

    def _source(self, operand: Operand, places: tuple[int, ...]) -> tuple[Source, Register | None]:
        """A source whose component ``places[i]`` reads component i of the operand."""
        file, index, components, indirect, register = self._locate(operand)
        used = dict(zip(places, components, strict=False))
        filler = components[-1]
        a, b, c, d = (used.get(i, filler) for i in range(4))
        negate, absolute = (False, False) if operand.value.op == "IMM" else operand[2:]
        return Source(file, index, (a, b, c, d), negate, absolute, indirect), register

    def _locate(
        self, operand: Operand
    ) -> tuple[File, int, tuple[int, ...], Indirect | None, Register | None]:
        value = operand.value
        if value.op in ("IMM", "UNDEF"):
            bits = bits_of(operand) if value.op == "IMM" else (0,) * len(operand.swizzle)
            index, components = self.immediates.place(bits)
            return File.IMMEDIATE, index, components, None, None
        if value.op in ("UNIFORM", "INPUT"):
            variable, offset = value.data
            indirect = self._address(value.args[0]) if value.args else None
            if value.op == "INPUT":
                return File.INPUT, self.interface.inputs[variable, offset], operand.swizzle, indirect, None
            return File.CONSTANT, self.interface.constants[variable] + offset, operand.swizzle, indirect, None
        home = self.homes.of[value]
        components = tuple(home.positions[c][0] for c in operand.swizzle)
        return File.TEMPORARY, 0, components, None, home.register

    def _address(self, operand: Operand) -> Indirect:
        """Have an offset in an address register."""
        for component, held in enumerate(self.addresses):
            if held == operand:
                return Indirect(0, component)
        component = self.next_address
        self.next_address = (component + 1) % 4
        source, register = self._source(operand, (0, 1, 2, 3)[: len(operand.swizzle)])
        destination = Destination(File.ADDRESS, 0, 1 << component)
        swizzle = (source.swizzle[0],) * 4
        if register is not None:
            self._touch(register, False)
        instruction = Instruction("UARL", destination, (replace(source, swizzle=swizzle),))
        self.pending.append(Pending(instruction, None, (register,)))
        self.addresses[component] = operand
        return Indirect(0, component)

    def _forget_addresses(self) -> None:
        self.addresses = [None] * 4

    def _value(self, value: Value) -> None:
        if value.op in LEAF_OPS or value in self.homes.merged:
            return
        if value.op == "VEC":
            self._vector(value)
        elif value.op == "SAT":
            home = self.homes.identity(value)
            self._move(Home(home.register, home.positions, True), value.args[0])
        elif value.op in ("LOAD", "STORE"):
            self._memory(value)
        elif value.op in ("KILL", "KILL_IF"):
            pairs = [self._source(operand, (0,)) for operand in value.args]
            self._emit(value.op, None, tuple(s for s, _ in pairs), tuple(r for _, r in pairs))
        else:
            self._operation(value)

    def _operation(self, value: Value) -> None:
        info = OPCODES[value.op]
        home = self.homes.identity(value)
        if info.shape in ("component",):
            places = tuple(p for positions in home.positions for p in positions)
            chosen = tuple(c for c, positions in enumerate(home.positions) for _ in positions)
            operands = [o._replace(swizzle=tuple(o.swizzle[c] for c in chosen)) for o in value.args]
        elif info.shape == "texture":
            operands, places = list(value.args), (0, 1, 2, 3)
        else:
            operands = list(value.args)
            places = tuple(range(len(operands[0].swizzle)))
        pairs = [self._source(operand, places) for operand in operands]
        extra: dict[str, Any] = {}
        if value.op in TEXTURE_OPS:
            data = value.data
            target = ("shadow_" if data.shadow else "") + data.target
            sampler = self.interface.samplers[data.variable, data.offset]
            extra = {"sampler": sampler, "target": target, "offsets": data.offsets}
        self._emit(value.op, home, tuple(s for s, _ in pairs), tuple(r for _, r in pairs), **extra)

    def _move(self, home: Home, operand: Operand, components: tuple[int, ...] | None = None) -> None:
        """MOV of an operand's components to where they belong."""
        chosen = components if components is not None else tuple(range(len(operand.swizzle)))
        places = tuple(p for c in chosen for p in home.positions[c])
        sources = tuple(operand.swizzle[i] for i, c in enumerate(chosen) for _ in home.positions[c])
        if components is None:
            sources = tuple(operand.swizzle[c] for c in chosen for _ in home.positions[c])
        source, register = self._source(operand._replace(swizzle=sources), places)
        target = Home(home.register, tuple((p,) for p in places), home.saturate)
        self._emit("MOV", target, (source,), (register,))

    def _vector(self, value: Value) -> None:
        """Components that were not computed in place are moved, one MOV per source."""
        home = self.homes.identity(value)
        groups: dict[tuple[Any, ...], list[int]] = {}
        for component, operand in enumerate(value.args):
            there = self.homes.of.get(operand.value)
            settled = there is not None and there.register is home.register
            if settled or operand.value.op == "UNDEF":
                continue
            key = ("IMM",) if operand.value.op == "IMM" else (operand.value, operand.negate, operand.absolute)
            groups.setdefault(key, []).append(component)
        for key, components in groups.items():
            operands = [value.args[c] for c in components]
            if key == ("IMM",):
                bits = tuple(bit for o in operands for bit in bits_of(o))
                joined = Operand(Value("IMM", len(bits), (), bits), tuple(range(len(bits))))
            else:
                joined = operands[0]._replace(swizzle=tuple(o.swizzle[0] for o in operands))
            self._move(home, joined, tuple(components))

    def _memory(self, value: Value) -> None:
        memory, offset = value.data[0], value.data[1]
        if memory not in self.memories:
            self.memories[memory] = self.memory_registers
            self.memory_registers += memory.registers
        index = self.memories[memory] + offset
        dynamic = value.args[-1] if len(value.args) == (2 if value.op == "STORE" else 1) else None
        indirect = self._address(dynamic) if dynamic is not None else None
        if value.op == "LOAD":
            home = self.homes.identity(value)
            source = Source(File.TEMPORARY, index, indirect=indirect)
            self._emit("MOV", home, (source,), (None,))
            return
        components = value.data[2]
        source, register = self._source(value.args[0], components)
        destination = Destination(File.TEMPORARY, index, sum(1 << c for c in components), False, indirect)
        if register is not None:
            self._touch(register, False)
        self.pending.append(Pending(Instruction("MOV", destination, (source,)), None, (register,)))

    def _copies(self, phis: list[Value], yields: list[Operand] | None) -> None:
        """Hand operands to PHIs, all at once: what a copy overwrites and another one needs is saved first."""
        moves = []
        for phi, operand in zip(phis, yields or (), strict=False):
            home = self.homes.identity(phi)
            there = self.homes.of.get(operand.value)
            in_place = there is not None and there.register is home.register
            if operand.value.op != "UNDEF" and not (in_place and self._same_places(phi, operand)):
                moves.append((home, operand))
        targets = {id(home.register) for home, _ in moves}
        saved = []
        for position, (home, operand) in enumerate(moves):
            there = self.homes.of.get(operand.value)
            earlier = {id(h.register) for h, _ in moves[:position]}
            if there is not None and id(there.register) in targets and id(there.register) in earlier:
                copy = Value("PHI", len(operand.swizzle))
                self._move(self.homes.identity(copy), operand)
                operand = Operand(copy, tuple(range(copy.width)))
            saved.append((home, operand))
        for home, operand in saved:
            self._move(home, operand)

    def _same_places(self, phi: Value, operand: Operand) -> bool:
        ours, theirs = self.homes.of[phi].positions, self.homes.of[operand.value].positions
        plain = not operand.negate and not operand.absolute
        return plain and all(ours[i][0] in theirs[c] for i, c in enumerate(operand.swizzle))

    def _if(self, node: If) -> None:
        source, register = self._source(node.condition, (0,))
        self._emit("UIF", None, (source,), (register,))
        self._forget_addresses()
        self._nodes(node.then)
        self._copies(node.results, node.then_yields)
        mark = len(self.pending)
        self._emit("ELSE")
        self._forget_addresses()
        self._nodes(node.otherwise)
        self._copies(node.results, node.else_yields)
        if len(self.pending) == mark + 1:
            self.pending.pop()
        self._emit("ENDIF")
        self._forget_addresses()

    def _loop(self, loop: Loop) -> None:
        self._copies(loop.parameters, loop.initial)
        self._emit("BGNLOOP")
        self._forget_addresses()
        self.loops.append((loop, len(self.pending)))
        self._nodes(loop.body)
        self._copies(loop.parameters, loop.next)
        self._emit("ENDLOOP")
        self.loops.pop()
        self._forget_addresses()
        end = len(self.pending)
        needed = self.extended.pop(id(loop), set())
        needed |= {self.homes.identity(parameter).register for parameter in loop.parameters}
        for register in needed:
            register.last = max(register.last, end)

    def _jump(self, jump: Jump) -> None:
        loop = self.loops[-1][0]
        self._copies(loop.results if jump.kind == "BRK" else loop.parameters, jump.yields)
        self._emit(jump.kind)


def _with_flow_targets(instructions: tuple[Instruction, ...]) -> tuple[Instruction, ...]:
    """Fill in where flow instructions jump to."""
    targets: dict[int, int] = {}
    open_ifs: list[int] = []
    loops: list[tuple[int, list[int]]] = []
    for pc, instruction in enumerate(instructions):
        if instruction.opcode == "UIF":
            open_ifs.append(pc)
        elif instruction.opcode == "ELSE":
            targets[open_ifs.pop()] = pc + 1
            open_ifs.append(pc)
        elif instruction.opcode == "ENDIF":
            targets[open_ifs.pop()] = pc
        elif instruction.opcode == "BGNLOOP":
            loops.append((pc, []))
        elif instruction.opcode in ("BRK", "CONT"):
            loops[-1][1].append(pc)
        elif instruction.opcode == "ENDLOOP":
            start, jumps = loops.pop()
            targets[pc], targets[start] = start + 1, pc
            for jump in jumps:
                targets[jump] = pc + 1 if instructions[jump].opcode == "BRK" else pc
    return tuple(
        replace(instruction, flow_target=targets[pc]) if pc in targets else instruction
        for pc, instruction in enumerate(instructions)
    )
