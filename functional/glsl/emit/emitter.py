"""From single-assignment code to instructions over registers."""

from typing import Any

from ..ir.opcodes import OPCODES
from ..ir.program import Destination, File, Instruction, Source
from ..ssa import If, Jump, Loop, Node, Operand, Value, bits_of
from ..ssa.values import LEAF_OPS, TEXTURE_OPS
from .flow_targets import with_flow_targets
from .homes import Home, Register
from .operands import OperandEmitter, Pending
from .registers import allocate


class Emitter(OperandEmitter):
    """Emits one shader."""

    def run(self) -> tuple[tuple[Instruction, ...], int]:
        """Instructions, END included, and the size of the temporary file."""
        self._nodes(self.code.nodes)
        for variable, offset, operand in self.code.outputs:
            home = self.homes.of.get(operand.value)
            number = self.interface.outputs[variable, offset]
            if home is None or home.register.output != number:
                self._move(Home(Register(output=number), tuple((c,) for c in range(4))), operand)
        self.emit("END")
        count = allocate(list(self.registers), self.memory_registers)
        instructions = tuple(self.numbered(p) for p in self.pending)
        return with_flow_targets(instructions), count

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

    def _value(self, value: Value) -> None:
        if value.op in LEAF_OPS:
            return
        if value.op == "VEC":
            self._vector(value)
        elif value.op == "SAT":
            home = self.homes.identity(value)
            # Where the operand's instruction saturates, a copy is left, as in Mesa's code.
            self._move(Home(home.register, home.positions, value not in self.homes.merged), value.args[0])
        elif value.op in ("LOAD", "STORE"):
            self._memory(value)
        elif value.op in ("KILL", "KILL_IF"):
            pairs = [self.source(operand, (0,)) for operand in value.args]
            self.emit(value.op, None, tuple(s for s, _ in pairs), tuple(r for _, r in pairs))
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
        pairs = [self.source(operand, places) for operand in operands]
        extra: dict[str, Any] = {}
        if value.op in TEXTURE_OPS:
            data = value.data
            target = ("shadow_" if data.shadow else "") + data.target
            sampler = self.interface.samplers[data.variable, data.offset]
            extra = {"sampler": sampler, "target": target, "offsets": data.offsets}
        self.emit(value.op, home, tuple(s for s, _ in pairs), tuple(r for _, r in pairs), **extra)

    def _move(self, home: Home, operand: Operand, components: tuple[int, ...] | None = None) -> None:
        """MOV of an operand's components to where they belong."""
        chosen = components if components is not None else tuple(range(len(operand.swizzle)))
        places = tuple(p for c in chosen for p in home.positions[c])
        sources = tuple(operand.swizzle[i] for i, c in enumerate(chosen) for _ in home.positions[c])
        if components is None:
            sources = tuple(operand.swizzle[c] for c in chosen for _ in home.positions[c])
        source, register = self.source(operand._replace(swizzle=sources), places)
        target = Home(home.register, tuple((p,) for p in places), home.saturate)
        self.emit("MOV", target, (source,), (register,))

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
            if memory.table is not None:
                self.memories[memory] = self.immediates.table(memory.table)
            else:
                self.memories[memory] = self.memory_registers
                self.memory_registers += memory.registers
        index = self.memories[memory] + offset
        dynamic = value.args[-1] if len(value.args) == (2 if value.op == "STORE" else 1) else None
        indirect = self.address(dynamic) if dynamic is not None else None
        if value.op == "LOAD":
            home = self.homes.identity(value)
            file = File.TEMPORARY if memory.table is None else File.IMMEDIATE
            source = Source(file, index, indirect=indirect)
            self.emit("MOV", home, (source,), (None,))
            return
        components = value.data[2]
        source, register = self.source(value.args[0], components)
        destination = Destination(File.TEMPORARY, index, sum(1 << c for c in components), False, indirect)
        if register is not None:
            self.touch(register, False)
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
        source, register = self.source(node.condition, (0,))
        self.emit("UIF", None, (source,), (register,))
        self.forget_addresses()
        self._nodes(node.then)
        self._copies(node.results, node.then_yields)
        mark = len(self.pending)
        self.emit("ELSE")
        self.forget_addresses()
        self._nodes(node.otherwise)
        self._copies(node.results, node.else_yields)
        if len(self.pending) == mark + 1:
            self.pending.pop()
        self.emit("ENDIF")
        self.forget_addresses()

    def _loop(self, loop: Loop) -> None:
        self._copies(loop.parameters, loop.initial)
        self.emit("BGNLOOP")
        self.forget_addresses()
        self.loops.append((loop, len(self.pending)))
        self._nodes(loop.body)
        self._copies(loop.parameters, loop.next)
        self.emit("ENDLOOP")
        self.loops.pop()
        self.forget_addresses()
        end = len(self.pending)
        needed = self.extended.pop(id(loop), set())
        needed |= {self.homes.identity(parameter).register for parameter in loop.parameters}
        for register in needed:
            register.last = max(register.last, end)

    def _jump(self, jump: Jump) -> None:
        loop = self.loops[-1][0]
        self._copies(loop.results if jump.kind == "BRK" else loop.parameters, jump.yields)
        self.emit(jump.kind)
