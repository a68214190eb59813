"""A whole shader over one vector of lanes: arithmetic, texture operations, discard, and flow under execution masks.

A branch is skipped if no lane takes it, so uniform branches are real branches. Flow and arithmetic share the registers
and the mask of the executing lanes, so they are in one file.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from llvmlite import ir

from ....glsl.ir.analysis import blocks
from ....glsl.ir.opcodes import ADDRESSING
from ....glsl.ir.program import Destination, File, Instruction, Shader, Source
from ...backend import Noted
from ...decisions import decision_places
from ...kernel_arguments import FLAT_TARGETS
from ...numpy_backend.layout import Key, registers_written
from .indirect import LaneFile, address_key, chosen_files, clamped, immediates, uniform_element
from .instruction import emit_instruction, is_arithmetic, read_operand, write_results
from .memory import any_lane, in_all_lanes
from .single_assignment import Place, Variables
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
    "TXD": None,
}
"""Texture operations, and the source and component that is the bias, level of detail or level."""
REFERENCES = {"shadow_2d": 2, "shadow_cube": 3, "shadow_2d_array": 3}
"""Component of the first source that depths are compared with."""
TARGETS = ("2d", "external", "cube", "2d_array", "3d", "2d_ms", *REFERENCES)
FLOW = ("UIF", "ELSE", "ENDIF", "BGNLOOP", "ENDLOOP", "BRK", "CONT", "END")
NOTHING = ("END", "MEMBAR", "BARRIER")
"""Instructions without code: the lanes of a vector execute each instruction together."""


class Operands(NamedTuple):
    """Operands of a texture operation.

    Attributes
    ----------
    coordinates
        s and t, or s, t, r and the reference.
    detail
        Bias or level of detail.
    gradients
        Changes of s, t and r to the next pixel right and up, if the operation brings them.
    """

    coordinates: list[Value]
    detail: Value
    gradients: tuple[list[Value], list[Value]] | None = None


Texture = Callable[[int, Instruction, Operands, Value], list[Value]]
"""Emits texture operation number n: instruction, operands, lanes that execute it (None: all); four channels."""
Operand = Callable[[int, int], Value]
"""Emits a component of a source: its number, and the position."""
Memory = Callable[[Instruction, Operand, Value], dict[int, Value]]
"""Emits an instruction on memory for the lanes that execute it (None: all); components of its result."""


def not_vector_code(shader: Shader, accesses: bool = False) -> str:
    """The first reason why a shader cannot be vector code as a whole; "" if it can. ``accesses`` says whether there is
    code for its instructions on memory."""
    if len(shader.instructions) > MAX_INSTRUCTIONS:
        return f"it has more than {MAX_INSTRUCTIONS} instructions"
    for instruction in shader.instructions:
        opcode = instruction.opcode
        if opcode in TEXTURES:
            if instruction.target not in TARGETS:
                return f"it samples a texture of kind {instruction.target}"
        elif not (
            opcode in (*FLOW, "KILL", "KILL_IF")
            or is_arithmetic(instruction)
            or (accesses and instruction.info.shape in (*ADDRESSING, "barrier"))
        ):
            return f"it executes {opcode}"
    return ""


def input_keys(shader: Shader) -> list[Key]:
    """Components of the inputs that may be read, in order."""
    if File.INPUT in chosen_files(shader):
        return [Key(File.INPUT, i, c) for i in range(len(shader.inputs)) for c in range(4)]
    keys = set()
    for instruction in shader.instructions:
        destination, shape = instruction.destination, instruction.info.shape
        every = destination.components if destination is not None and shape == "component" else range(4)
        keys |= {(s.index, s.swizzle[c]) for s in instruction.sources if s.file is File.INPUT for c in every}
    return [Key(File.INPUT, i, c) for i, c in sorted(keys)]


class Flow(Enum):
    """Variables other than registers: discarded lanes, instructions executed by the vector and by each lane; of the
    innermost loop, the lanes that go on with this iteration, and those that begin another."""

    KILLED = auto()
    COUNT = auto()
    EXECUTED = auto()
    LIVE = auto()
    REMAINING = auto()


@dataclass
class _Loop:
    """An open loop: its head, the variables that it changes, where it begins, and what was outside."""

    head: ir.Block
    carried: dict[Hashable, Value]
    start_pc: int
    mask: Value
    live: Value
    remaining: Value


@dataclass
class _Branch:
    """An open branch: the lanes that reached it (None: all), its condition, the block after the present half, and the
    place from where control gets there without it."""

    outer: Value
    condition: Value
    following: ir.Block
    skipping: Place


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
    noted, tree
        What is noted of the flow of lanes, and the tree of decisions, if it is these.
    memory
        Emits instructions on memory; None if there are none.
    temporaries
        Where temporaries lie whose numbers are chosen at run time, if they outlive this code.
    mask
        Lanes that execute; None: all.
    executed
        The pcs of instructions that are not left out; None: all.
    """

    v: Vectors
    shader: Shader
    inputs: dict[Key, Value]
    constants: Value
    texture: Texture | None = None
    limit: Value = None
    fail: Callable[[], None] | None = None
    noted: Noted = "nothing"
    tree: Value = None
    memory: Memory | None = None
    temporaries: Value = None
    mask: Value = None
    executed: frozenset[int] | None = None
    _loops: list[_Loop] = field(default_factory=list)
    _branches: list[_Branch] = field(default_factory=list)
    _textures: int = 0
    _decisions: LaneDecisions | None = None
    _block_sizes: dict[int, int] = field(default_factory=dict)
    _files: dict[File, LaneFile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.variables = Variables(self.v.builder)
        self.written = registers_written(self.shader.instructions)

    def emit(self) -> None:
        """All instructions, in order."""
        v = self.v
        if self.shader.discards:
            self.variables[Flow.KILLED] = v.flag(False)
        if any(instruction.opcode == "BGNLOOP" for instruction in self.shader.instructions):
            self.variables[Flow.COUNT] = ir.Constant(LONG, 0)
        if self.noted == "decisions":
            self._decisions = LaneDecisions(v, decision_places(self.shader), self.tree)
        elif self.noted == "instructions":
            self.variables[Flow.EXECUTED] = v.integer(0)
            self._block_sizes = {block.first: block.last + 1 - block.first for block in blocks(self.shader)}
        self.begin_registers(self.written)
        self.instructions(range(len(self.shader.instructions)))
        if self._decisions is not None:
            self._decisions.lead_on(v.flag(True))

    def begin_registers(self, written: Iterable[Key]) -> None:
        """Make files, and set registers to 0."""
        self._make_files()
        for key in written:
            if key.file not in self._files:
                self.variables[key] = self.v.number(0)

    def instructions(self, pcs: Iterable[int]) -> None:
        """Some instructions, in order."""
        for pc in pcs:
            instruction = self.shader.instructions[pc]
            # At the end of a half, lanes of the other one have not arrived; and of a loop, those that continued.
            if instruction.opcode != "ENDIF":
                self._enter_block(pc, self.variables[Flow.REMAINING] if instruction.opcode == "ENDLOOP" else self.mask)
            if self.executed is None or pc in self.executed:
                self._instruction(pc, instruction)
            if instruction.opcode == "ENDIF":
                self._enter_block(pc, self.mask)

    @property
    def killed(self) -> Value:
        """Lanes that were discarded; None if the shader discards none."""
        return self.variables.get(Flow.KILLED)

    def flow_of_lanes(self) -> Value:
        """Per lane, the node of the tree of decisions where it ended, or the instructions that it executed."""
        if self._decisions is None:
            return self.variables[Flow.EXECUTED]
        return self.v.builder.load(self._decisions.nodes, typ=self.v.ints)

    def output(self, register: int, component: int) -> Value:
        """Final value of an output; 0 if it was never written."""
        key = Key(File.OUTPUT, register, component)
        return self.read(key) if key in self.written else self.v.number(0)

    def read(self, key: Key) -> Value:
        """A component of a register."""
        if key.file in self._files:
            place = self._files[key.file].place(key.register, key.component)
            return self.v.builder.load(place, typ=self.v.floats)
        if key.file is File.INPUT:
            return self.inputs[key]
        value = self.variables.get(key)
        if value is None and key.file is File.CONSTANT:
            value = self.variables[key] = in_all_lanes(self.v, self.constants, 4 * key.register + key.component)
        return self.v.number(0) if value is None else value

    def write(self, key: Key, value: Value) -> None:
        """Change a component in the lanes that execute."""
        if self.mask is not None:
            value = self.v.builder.select(self.mask, value, self.read(key))
        if key.file in self._files:
            self.v.builder.store(value, self._files[key.file].place(key.register, key.component))
        else:
            self.variables[key] = value

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
        address = self.read(address_key(destination))
        self._files[destination.file].write(address, destination.index, component, value, self.mask)

    def _make_files(self) -> None:
        """Memory for files whose registers are chosen at run time, and lanes differ in."""
        chosen = chosen_files(self.shader)
        if File.TEMPORARY in chosen:
            self._files[File.TEMPORARY] = LaneFile(self.v, self.shader.temporary_count, self.temporaries)
        if File.INPUT in chosen:
            file = self._files[File.INPUT] = LaneFile(self.v, len(self.shader.inputs))
            for key in input_keys(self.shader):
                self.v.builder.store(self.inputs[key], file.place(key.register, key.component))

    def _enter_block(self, pc: int, lanes: Value) -> None:
        """Count the instructions of the block that begins at an instruction, if one does, for the lanes in it."""
        size = self._block_sizes.get(pc)
        if size is not None:
            v, b = self.v, self.v.builder
            added = v.integer(size) if lanes is None else b.select(lanes, v.integer(size), v.integer(0))
            self.variables[Flow.EXECUTED] = b.add(self.variables[Flow.EXECUTED], added)

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
            self._begin_loop(pc, instruction.flow_target)
        elif opcode == "ENDLOOP":
            self._end_loop(pc)
        elif opcode in ("BRK", "CONT"):
            self._leave(opcode == "CONT")
        elif instruction.info.shape in ADDRESSING:
            self._access(instruction)
        elif opcode not in NOTHING:
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
        gradients = None
        if instruction.opcode == "TXD":
            sources = instruction.sources[1:3]
            in_x, in_y = ([read_operand(v, self.shader, self, s, c) for c in range(3)] for s in sources)
            gradients = in_x, in_y
        assert self.texture is not None
        channels = self.texture(self._textures, instruction, Operands(coordinates, detail, gradients), self.mask)
        self._textures += 1
        results = {c: channels[c] for c in instruction.destination.components}
        write_results(v, instruction, results, self)

    def _access(self, instruction: Instruction) -> None:
        def operand(source: int, position: int) -> Value:
            return read_operand(self.v, self.shader, self, instruction.sources[source], position)

        assert self.memory is not None
        results = self.memory(instruction, operand, self.mask)
        if instruction.destination is not None:
            write_results(self.v, instruction, results, self)

    def _kill(self, instruction: Instruction) -> None:
        """Killed lanes continue to execute, because their neighbours need them for derivatives."""
        v, b, lanes = self.v, self.v.builder, self.mask
        for source in instruction.sources:
            negative = None
            for position in range(4):
                operand = read_operand(v, self.shader, self, source, position)
                below = b.fcmp_ordered("<", operand, v.number(0))
                negative = below if negative is None else b.or_(negative, below)
            lanes = negative if lanes is None else b.and_(lanes, negative)
        self.variables[Flow.KILLED] = b.or_(self.killed, v.flag(True) if lanes is None else lanes)

    def _if(self, pc: int, instruction: Instruction) -> None:
        v, b = self.v, self.v.builder
        operand = read_operand(v, self.shader, self, instruction.sources[0], 0)
        condition = b.icmp_signed("!=", v.to_ints(operand), v.integer(0))
        outer = self.mask
        lanes = condition if outer is None else b.and_(outer, condition)
        if self._decisions is not None:
            self._decisions.decide(pc, v.flag(True) if outer is None else outer, lanes)
        then, following = b.append_basic_block("then"), b.append_basic_block("behind")
        self._branches.append(_Branch(outer, condition, following, self.variables.place()))
        self.mask = lanes
        b.cbranch(any_lane(b, lanes), then, following)
        b.position_at_end(then)

    def _else(self) -> None:
        b, branch = self.v.builder, self._branches[-1]
        self.variables.join(branch.following, branch.skipping)
        # No lane that gets here has left a loop in the other half.
        lanes = b.not_(branch.condition)
        self.mask = lanes if branch.outer is None else b.and_(branch.outer, lanes)
        otherwise, branch.following = b.append_basic_block("otherwise"), b.append_basic_block("behind")
        branch.skipping = self.variables.place()
        b.cbranch(any_lane(b, self.mask), otherwise, branch.following)
        b.position_at_end(otherwise)

    def _endif(self) -> None:
        branch = self._branches.pop()
        self.variables.join(branch.following, branch.skipping)
        self.mask = branch.outer
        if (live := self.variables.get(Flow.LIVE)) is not None:
            self.mask = self.v.builder.and_(branch.outer, live)

    def _begin_loop(self, pc: int, end: int | None) -> None:
        variables, mask = self.variables, self.mask
        live, remaining = variables.get(Flow.LIVE), variables.get(Flow.REMAINING)
        variables[Flow.REMAINING] = self.v.flag(True) if mask is None else mask
        head = self.v.builder.append_basic_block("loop")
        changed = [
            Flow.KILLED,
            Flow.COUNT,
            Flow.EXECUTED,
            Flow.REMAINING,
            *registers_written(self.shader.instructions[pc:end]),
        ]
        self._loops.append(_Loop(head, variables.begin_loop(head, changed), pc, mask, live, remaining))
        variables[Flow.LIVE] = self.mask = variables[Flow.REMAINING]

    def _end_loop(self, pc: int) -> None:
        v, b, variables, loop = self.v, self.v.builder, self.variables, self._loops.pop()
        variables[Flow.COUNT] = b.add(variables[Flow.COUNT], ir.Constant(LONG, pc + 1 - loop.start_pc))
        too_many = b.icmp_signed(">", variables[Flow.COUNT], self.limit)
        assert self.fail is not None
        with b.if_then(too_many):
            self.fail()
        lanes = variables[Flow.REMAINING] = b.select(too_many, v.flag(False), variables[Flow.REMAINING])
        if self._decisions is not None:
            self._decisions.lead_on(lanes)
        behind = b.append_basic_block("endloop")
        variables.repeat(loop.carried)
        b.cbranch(any_lane(b, lanes), loop.head, behind)
        b.position_at_end(behind)
        variables.restore(Flow.LIVE, loop.live)
        variables.restore(Flow.REMAINING, loop.remaining)
        self.mask = loop.mask

    def _leave(self, again: bool) -> None:
        b, variables = self.v.builder, self.variables
        staying = b.not_(self.mask)
        variables[Flow.LIVE] = b.and_(variables[Flow.LIVE], staying)
        if not again:
            variables[Flow.REMAINING] = b.and_(variables[Flow.REMAINING], staying)
        self.mask = self.v.flag(False)
