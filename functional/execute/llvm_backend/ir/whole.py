"""A whole shader over one vector of lanes: arithmetic, texture operations, discard, and flow under execution masks.

A branch is skipped if no lane takes it, so uniform branches are real branches. Registers are variables on the stack,
which LLVM turns into values. Flow and arithmetic share these and the mask of the executing lanes, so they are in one
file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from llvmlite import ir

from ....glsl.ir.analysis import has_flow
from ....glsl.ir.program import Destination, File, Instruction, Shader, Source
from ...decisions import DecisionPlaces
from ...kernel_arguments import FLAT_TARGETS
from ...numpy_backend.layout import Key, registers_written
from .indirect import LaneFile, address_key, chosen_files, clamped, immediates, uniform_element
from .instruction import emit_instruction, is_arithmetic, read_operand, write_results
from .memory import any_lane, in_all_lanes, variable
from .tree import LaneDecisions
from .vectors import LONG, Value, Vectors

MAX_INSTRUCTIONS = 2048
"""Above this, compiling takes seconds."""
TEXTURES = {
    "TEX": None,
    "TXP": None,
    "TXB": (0, 3),
    "TXL": (0, 3),
    "TXF": (0, 3),
    "TXQ": (0, 0),
    "TEX2": None,
    "TXB2": (1, 0),
    "TXL2": (1, 0),
}
"""Texture operations, and the source and component that is the bias, level of detail or level."""
REFERENCES = {"shadow_2d": 2, "shadow_cube": 3, "shadow_2d_array": 3}
"""Component of the first source that depths are compared with."""
TARGETS = ("2d", "external", "cube", "2d_array", "3d", *REFERENCES)
FLOW = ("UIF", "ELSE", "ENDIF", "BGNLOOP", "ENDLOOP", "BRK", "CONT", "END")
Texture = Callable[[int, Instruction, list[Value], Value, Value], list[Value]]
"""Emits texture operation number n: instruction, coordinates (s and t, or s, t, r and the reference), bias or level of
detail, lanes that execute it (None: all); four channels."""


def not_vector_code(shader: Shader) -> str:
    """The first reason why a shader cannot be vector code as a whole; "" if it can."""
    if len(shader.instructions) > MAX_INSTRUCTIONS:
        return f"it has more than {MAX_INSTRUCTIONS} instructions"
    for instruction in shader.instructions:
        opcode = instruction.opcode
        if opcode in TEXTURES:
            if instruction.target not in TARGETS:
                return f"it samples a texture of kind {instruction.target}"
            if opcode != "TXF" and any(instruction.offsets or ()):
                return "it samples with texel offsets"
        elif not (opcode in (*FLOW, "KILL", "KILL_IF") or is_arithmetic(instruction)):
            return f"it executes {opcode}"
    return ""


def input_keys(shader: Shader) -> list[Key]:
    """Components of the inputs."""
    return [Key(File.INPUT, i, c) for i in range(len(shader.inputs)) for c in range(4)]


@dataclass
class _Loop:
    """An open loop: lanes that continue with it, its blocks, and the length of its body."""

    remaining: Value
    head: ir.Block
    start_pc: int
    outer: Value
    outer_live: Value


@dataclass
class _Branch:
    """An open branch: the lanes that reached it, its condition, and where it continues."""

    outer: Value
    condition: Value
    otherwise: ir.Block
    end: ir.Block
    has_else: bool = False


@dataclass
class WholeShader:
    """Emits a shader for a vector of lanes.

    Parameters
    ----------
    v
        Where code goes. Its block must dominate all that is emitted.
    shader
        Shader to emit; see `not_vector_code`.
    inputs
        Components of inputs.
    constants
        Where the constant file lies.
    texture
        Emits texture operations; None if there are none.
    limit, fail
        Most instructions of a vector, int64, and the emitter of the code for exceeding it; None if there are no loops.
    places, tree
        Where outcomes of branches go, and the tree of decisions; None if paths are not recorded.
    """

    v: Vectors
    shader: Shader
    inputs: dict[Key, Value]
    constants: Value
    texture: Texture | None = None
    limit: Value = None
    fail: Callable[[], None] | None = None
    places: DecisionPlaces | None = None
    tree: Value = None
    registers: dict[Key, Value] = field(default_factory=dict)
    killed: Value = None
    _mask: Value = None
    _live: Value = None
    _count: Value = None
    _loops: list[_Loop] = field(default_factory=list)
    _branches: list[_Branch] = field(default_factory=list)
    _textures: int = 0
    _decisions: LaneDecisions | None = None
    _files: dict[File, LaneFile] = field(default_factory=dict)

    def emit(self) -> None:
        """All instructions, in order."""
        v, b = self.v, self.v.builder
        if self.shader.discards:
            self.killed = variable(b, v.flag(False))
        if has_flow(self.shader):
            self._mask, self._live = variable(b, v.flag(True)), variable(b, v.flag(True))
            self._count = variable(b, ir.Constant(LONG, 0))
        if self.places is not None:
            self._decisions = LaneDecisions(v, self.places, self.tree)
        self._make_files()
        for key in registers_written(self.shader.instructions):
            file = self._files.get(key.file)
            self.registers[key] = variable(b, v.number(0)) if file is None else file.place(key.register, key.component)
        for pc, instruction in enumerate(self.shader.instructions):
            self._instruction(pc, instruction)
        if self._decisions is not None:
            self._decisions.lead_on(v.flag(True))

    def nodes(self) -> Value:
        """Node of the tree of decisions where each lane ended, if decisions are noted."""
        assert self._decisions is not None
        return self.v.builder.load(self._decisions.nodes, typ=self.v.ints)

    def output(self, register: int, component: int) -> Value:
        """Final value of an output; 0 if it was never written."""
        place = self.registers.get(Key(File.OUTPUT, register, component))
        return self.v.number(0) if place is None else self.v.builder.load(place, typ=self.v.floats)

    def read(self, key: Key) -> Value:
        """A component of a register."""
        if key.file is File.INPUT:
            return self.inputs[key]
        if key.file is File.CONSTANT:
            return in_all_lanes(self.v, self.constants, 4 * key.register + key.component)
        file = self._files.get(key.file)
        place = self.registers.get(key) if file is None else file.place(key.register, key.component)
        return self.v.number(0) if place is None else self.v.builder.load(place, typ=self.v.floats)

    def write(self, key: Key, value: Value) -> None:
        """Change a component in the lanes that execute."""
        b, place, lanes = self.v.builder, self.registers[key], self._executing()
        if lanes is not None:
            value = b.select(lanes, value, b.load(place, typ=self.v.floats))
        b.store(value, place)

    def read_chosen(self, source: Source, component: int) -> Value:
        """A component of a register that is chosen at run time."""
        v, address = self.v, self.read(address_key(source))
        if source.file in self._files:
            return self._files[source.file].read(address, source.index, component)
        constant = source.file is File.CONSTANT
        count = self.shader.constant_count if constant else len(self.shader.immediates)
        table = self.constants if constant else immediates(v, self.shader)
        return uniform_element(v, table, clamped(v, address, source.index, count), component)

    def write_chosen(self, destination: Destination, component: int, value: Value) -> None:
        """Change a component of it in the lanes that execute."""
        lanes, address = self._executing(), self.read(address_key(destination))
        self._files[destination.file].write(address, destination.index, component, value, lanes)

    def _make_files(self) -> None:
        """Memory for files whose registers are chosen at run time, and lanes differ in."""
        chosen = chosen_files(self.shader)
        if File.TEMPORARY in chosen:
            self._files[File.TEMPORARY] = LaneFile(self.v, self.shader.temporary_count)
        if File.INPUT in chosen:
            file = self._files[File.INPUT] = LaneFile(self.v, len(self.shader.inputs))
            for key in input_keys(self.shader):
                self.v.builder.store(self.inputs[key], file.place(key.register, key.component))

    def _load(self, place: Value) -> Value:
        return self.v.builder.load(place, typ=self.v.flags)

    def _executing(self) -> Value:
        """Lanes that execute; None: all."""
        return None if self._mask is None else self._load(self._mask)

    def _instruction(self, pc: int, instruction: Instruction) -> None:
        opcode = instruction.opcode
        if opcode in TEXTURES:
            self._texture(instruction)
        elif opcode in ("KILL", "KILL_IF"):
            self._kill(instruction)
        elif opcode == "UIF":
            self._if(pc, instruction)
        elif opcode == "ELSE":
            self._else()
        elif opcode == "ENDIF":
            self._endif()
        elif opcode == "BGNLOOP":
            self._begin_loop(pc)
        elif opcode == "ENDLOOP":
            self._end_loop(pc)
        elif opcode in ("BRK", "CONT"):
            self._leave(opcode == "CONT")
        elif opcode != "END":
            emit_instruction(self.v, self.shader, instruction, self)

    def _texture(self, instruction: Instruction) -> None:
        v, b, source = self.v, self.v.builder, instruction.sources[0]
        assert instruction.destination is not None
        target, detail = str(instruction.target), v.number(0)
        places = [0, 1] if target in FLAT_TARGETS else [0, 1, 2, REFERENCES.get(target, 3)]
        coordinates = [read_operand(v, self.shader, self, source, c) for c in places]
        if instruction.opcode == "TXP":
            divisor = read_operand(v, self.shader, self, source, 3)
            coordinates = [b.fdiv(c, divisor) for c in coordinates]
        if (given := TEXTURES[instruction.opcode]) is not None:
            detail = read_operand(v, self.shader, self, instruction.sources[given[0]], given[1])
        assert self.texture is not None
        channels = self.texture(self._textures, instruction, coordinates, detail, self._executing())
        self._textures += 1
        results = {c: channels[c] for c in instruction.destination.components}
        write_results(v, instruction, results, self)

    def _kill(self, instruction: Instruction) -> None:
        """Killed lanes continue to execute, because their neighbours need them for derivatives."""
        v, b, lanes = self.v, self.v.builder, self._executing()
        for source in instruction.sources:
            negative = None
            for position in range(4):
                operand = read_operand(v, self.shader, self, source, position)
                below = b.fcmp_ordered("<", operand, v.number(0))
                negative = below if negative is None else b.or_(negative, below)
            lanes = negative if lanes is None else b.and_(lanes, negative)
        b.store(b.or_(self._load(self.killed), v.flag(True) if lanes is None else lanes), self.killed)

    def _if(self, pc: int, instruction: Instruction) -> None:
        v, b = self.v, self.v.builder
        operand = read_operand(v, self.shader, self, instruction.sources[0], 0)
        condition = b.icmp_signed("!=", v.to_ints(operand), v.integer(0))
        outer = self._executing()
        then = b.append_basic_block("then")
        branch = _Branch(outer, condition, b.append_basic_block("else"), b.append_basic_block("endif"))
        lanes = b.and_(outer, condition)
        if self._decisions is not None:
            self._decisions.decide(pc, outer, lanes)
        b.store(lanes, self._mask)
        b.cbranch(any_lane(b, lanes), then, branch.otherwise)
        b.position_at_end(then)
        self._branches.append(branch)

    def _else(self) -> None:
        b, branch = self.v.builder, self._branches[-1]
        branch.has_else = True
        b.branch(branch.otherwise)
        b.position_at_end(branch.otherwise)
        # No lane that gets here has left a loop in the other half.
        lanes = b.and_(branch.outer, b.not_(branch.condition))
        b.store(lanes, self._mask)
        block = b.append_basic_block("otherwise")
        b.cbranch(any_lane(b, lanes), block, branch.end)
        b.position_at_end(block)

    def _endif(self) -> None:
        b, branch = self.v.builder, self._branches.pop()
        if not branch.has_else:
            b.branch(branch.otherwise)
            b.position_at_end(branch.otherwise)
        b.branch(branch.end)
        b.position_at_end(branch.end)
        b.store(b.and_(branch.outer, self._load(self._live)), self._mask)

    def _begin_loop(self, pc: int) -> None:
        b = self.v.builder
        outer = self._executing()
        remaining = variable(b, outer)
        loop = _Loop(remaining, b.append_basic_block("loop"), pc, outer, self._load(self._live))
        b.branch(loop.head)
        b.position_at_end(loop.head)
        lanes = self._load(remaining)
        b.store(lanes, self._mask)
        b.store(lanes, self._live)
        self._loops.append(loop)

    def _end_loop(self, pc: int) -> None:
        b, loop = self.v.builder, self._loops.pop()
        count = b.add(b.load(self._count, typ=LONG), ir.Constant(LONG, pc + 1 - loop.start_pc))
        b.store(count, self._count)
        too_many = b.icmp_signed(">", count, self.limit)
        assert self.fail is not None
        with b.if_then(too_many):
            self.fail()
            b.store(self.v.flag(False), loop.remaining)
        if self._decisions is not None:
            self._decisions.lead_on(self._load(loop.remaining))
        behind = b.append_basic_block("endloop")
        b.cbranch(any_lane(b, self._load(loop.remaining)), loop.head, behind)
        b.position_at_end(behind)
        b.store(loop.outer, self._mask)
        b.store(loop.outer_live, self._live)

    def _leave(self, again: bool) -> None:
        b, loop = self.v.builder, self._loops[-1]
        staying = b.not_(self._executing())
        b.store(b.and_(self._load(self._live), staying), self._live)
        if not again:
            b.store(b.and_(self._load(loop.remaining), staying), loop.remaining)
        b.store(self.v.flag(False), self._mask)
