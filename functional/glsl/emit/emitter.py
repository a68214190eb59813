"""Turns single-assignment code into instructions on registers."""

from typing import Any

from ..ir.opcodes import OPCODES
from ..ir.program import Destination, File, Instruction, Source
from ..ssa import If, Jump, Loop, Node, Operand, Origin, Value, bits_of
from ..ssa.values import LEAF_OPS, MEMORY_OPS, TEXTURE_OPS, identity
from .copies import Copy, copy_to, in_order
from .flow_targets import with_flow_targets
from .operands import OperandEmitter, Pending
from .register_assignment import Assignment, Register
from .registers import allocate


class Emitter(OperandEmitter):
    """Emits one shader."""

    def run(self) -> tuple[tuple[Instruction, ...], tuple[Origin, ...], int]:
        """Instructions, END included, their origins, and the size of the temporary file."""
        self._nodes(self.code.nodes)
        for variable, offset, operand in self.code.outputs:
            assigned = self.assignments.of.get(operand.value)
            number = self.interface.outputs[variable, offset]
            self.origin = self.code.written.get(variable, ())
            if assigned is None or assigned.register.output != number:
                self._move(Assignment(Register(output=number), tuple((c,) for c in range(4))), operand)
        self.origin = ()
        self.emit("END")
        count = allocate(list(self.registers), self.array_registers)
        instructions = tuple(self.numbered(p) for p in self.pending)
        return with_flow_targets(instructions), tuple(p.origin for p in self.pending), count

    def _nodes(self, nodes: list[Node]) -> None:
        for node in nodes:
            self.origin = node.origin
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
            assigned = self.assignments.identity(value)
            # If the operand's instruction saturates, a copy remains, as in Mesa's code.
            self._move(
                Assignment(assigned.register, assigned.positions, value not in self.assignments.merged), value.args[0]
            )
        elif value.op in ("READ", "WRITE"):
            self._array(value)
        elif value.op in ("KILL", "KILL_IF"):
            pairs = [self.source(operand, (0,)) for operand in value.args]
            self.emit(value.op, None, tuple(s for s, _ in pairs), tuple(r for _, r in pairs))
        elif value.op in MEMORY_OPS or value.op == "RESQ":
            self._memory(value)
        else:
            self._operation(value)

    def _memory(self, value: Value) -> None:
        """An operation on memory; an atomic one whose result is unused has no destination."""
        assigned = self.assignments.identity(value) if value.width and self.uses[value] else None
        pairs = [self.source(operand, (0, 1, 2, 3)) for operand in value.args]
        memory = None if value.data.barrier else (value.data.space, self.interface.memory.index(value.data))
        sources, registers = tuple(s for s, _ in pairs), tuple(r for _, r in pairs)
        count = len(value.args[1].swizzle) if value.op == "STORE" else 0
        self.emit(value.op, assigned, sources, registers, memory=memory, barrier=value.data.barrier, stored=count)

    def _operation(self, value: Value) -> None:
        info = OPCODES[value.op]
        assigned = self.assignments.identity(value)
        if info.shape in ("component",):
            places = tuple(p for positions in assigned.positions for p in positions)
            chosen = tuple(c for c, positions in enumerate(assigned.positions) for _ in positions)
            operands = [o._replace(swizzle=tuple(o.swizzle[c] for c in chosen)) for o in value.args]
        elif info.shape == "texture":
            operands, places = list(value.args), (0, 1, 2, 3)
        else:
            operands = list(value.args)
            places = tuple(range(len(operands[0].swizzle)))
        pairs = [self.source(operand, places) for operand in operands]
        extra: dict[str, Any] = {"half": self.precisions.half(value)}
        if value.op in TEXTURE_OPS:
            data = value.data
            target = ("shadow_" if data.shadow else "") + data.target
            sampler = self.interface.samplers[data.variable, data.offset]
            extra |= {"sampler": sampler, "target": target, "offsets": data.offsets}
        self.emit(value.op, assigned, tuple(s for s, _ in pairs), tuple(r for _, r in pairs), **extra)

    def _move(self, assigned: Assignment, operand: Operand) -> None:
        """MOV an operand's components to their destination."""
        pairs = [(p, c) for c, positions in zip(operand.swizzle, assigned.positions, strict=False) for p in positions]
        places = tuple(p for p, _ in pairs)
        source, register = self.source(operand._replace(swizzle=tuple(c for _, c in pairs)), places)
        target = Assignment(assigned.register, tuple((p,) for p in places), assigned.saturate)
        self.emit("MOV", target, (source,), (register,), half=self.precisions.half(operand.value))

    def _vector(self, value: Value) -> None:
        """Move components that were not computed in place, one MOV per source."""
        assigned = self.assignments.identity(value)
        groups: dict[tuple[Any, ...], list[int]] = {}
        for component, operand in enumerate(value.args):
            if operand.value.op != "UNDEF":
                key = ("IMM",) if operand.value.op == "IMM" else (operand.value, operand.negate, operand.absolute)
                groups.setdefault(key, []).append(component)
        copies = []
        for key, components in groups.items():
            operands = [value.args[c] for c in components]
            if key == ("IMM",):
                bits = tuple(bit for o in operands for bit in bits_of(o))
                joined = Operand(Value("IMM", len(bits), (), bits), tuple(range(len(bits))))
            else:
                joined = operands[0]._replace(swizzle=tuple(o.swizzle[0] for o in operands))
            copies.append(
                copy_to(
                    Assignment(assigned.register, tuple(assigned.positions[c] for c in components)),
                    joined,
                    self.assignments,
                )
            )
        self._at_once(copies)

    def _at_once(self, copies: "list[Copy | None]") -> None:
        """Parallel copies: all sources are read before the first destination is written."""

        def save(operand: Operand) -> Operand:
            value = Value("PHI", len(operand.swizzle))
            self._move(self.assignments.identity(value), operand)
            return identity(value)

        for copy in in_order([c for c in copies if c is not None], self.assignments, save):
            self._move(Assignment(copy.register, tuple((p,) for p in copy.places)), copy.operand)

    def _array(self, value: Value) -> None:
        array, offset = value.data[0], value.data[1]
        if array not in self.arrays:
            if array.table is not None:
                self.arrays[array] = self.immediates.table(array.table)
            else:
                self.arrays[array] = self.array_registers
                self.array_registers += array.registers
        index = self.arrays[array] + offset
        dynamic = value.args[-1] if len(value.args) == (2 if value.op == "WRITE" else 1) else None
        indirect = self.address(dynamic) if dynamic is not None else None
        if value.op == "READ":
            assigned = self.assignments.identity(value)
            file = File.TEMPORARY if array.table is None else File.IMMEDIATE
            source = Source(file, index, indirect=indirect)
            self.emit("MOV", assigned, (source,), (None,))
            return
        components = value.data[2]
        source, register = self.source(value.args[0], components)
        destination = Destination(File.TEMPORARY, index, sum(1 << c for c in components), False, indirect)
        if register is not None:
            self.touch(register, False)
        self.pending.append(Pending(Instruction("MOV", destination, (source,)), None, (register,), self.origin))

    def _copies(self, phis: list[Value], yields: list[Operand] | None) -> None:
        """Pass operands to PHIs in parallel."""
        pairs = zip(phis, yields or (), strict=False)
        self._at_once([copy_to(self.assignments.identity(phi), operand, self.assignments) for phi, operand in pairs])

    def _if(self, node: If) -> None:
        source, register = self.source(node.condition, (0,))
        self.emit("UIF", None, (source,), (register,))
        self.forget_addresses()
        self._nodes(node.then)
        self.origin = node.origin
        self._copies(node.results, node.then_yields)
        mark = len(self.pending)
        self.emit("ELSE")
        self.forget_addresses()
        self._nodes(node.otherwise)
        self.origin = node.origin
        self._copies(node.results, node.else_yields)
        if len(self.pending) == mark + 1:
            self.pending.pop()
        self.emit("ENDIF")
        self.forget_addresses()

    def _loop(self, loop: Loop) -> None:
        self._copies(loop.parameters, loop.initial)
        for parameter in loop.parameters:
            # A value that begins undefined is written inside the loop, and kept for the next iteration nevertheless.
            self.touch(self.assignments.identity(parameter).register, True)
        self.emit("BGNLOOP")
        self.forget_addresses()
        self.loops.append((loop, len(self.pending)))
        self._nodes(loop.body)
        self.origin = loop.origin
        self._copies(loop.parameters, loop.next)
        self.emit("ENDLOOP")
        self.loops.pop()
        self.forget_addresses()
        end = len(self.pending)
        needed = self.extended.pop(id(loop), set())
        needed |= {self.assignments.identity(parameter).register for parameter in loop.parameters}
        for register in needed:
            register.last = max(register.last, end)

    def _jump(self, jump: Jump) -> None:
        loop = self.loops[-1][0]
        self._copies(loop.results if jump.kind == "BRK" else loop.parameters, jump.yields)
        self.emit(jump.kind)
