"""A shader translated once: straight-line pieces of operations inside a tree of branches and loops."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...glsl.ir.program import Shader
from .kernels import Operation
from .layout import Layout, registers_written
from .translate import MEMORY_SHAPES, Translator


@dataclass(slots=True)
class Straight:
    """Instructions without flow. ``first_pc`` is set if a basic block begins."""

    instructions: int
    operations: list[Operation]
    first_pc: int | None
    kills: bool = False
    condition: int | None = None


@dataclass(slots=True)
class Branch:
    """A UIF: ``condition`` is a row."""

    condition: int
    then: "list[Item]"
    otherwise: "list[Item]"


@dataclass(slots=True)
class Repeat:
    """A loop; ``end`` is its last instruction if that is a separate block, to which CONT leads."""

    body: "list[Item]"
    end: Straight | None = None


@dataclass(slots=True)
class Leave:
    """BRK, or CONT if ``again``."""

    again: bool


Item = Straight | Branch | Repeat | Leave


class Planner:
    """Builds the tree of a shader."""

    def __init__(self, shader: Shader) -> None:
        self.shader = shader
        self.layout = Layout(shader)
        self.translator = Translator(shader, self.layout)
        self.starts_block = True

    def plan(self) -> list[Item]:
        """The whole shader."""
        return self._items(0, len(self.shader.instructions), 0)

    def _items(self, start: int, stop: int, depth: int) -> list[Item]:
        items: list[Item] = []
        pc = start
        while pc < stop:
            opcode = self.shader.instructions[pc].opcode
            if opcode == "UIF":
                end = self._end_of(pc)
                items += self._branch(pc, end, depth)
            elif opcode == "BGNLOOP":
                end = self._target(pc)
                items += self._loop(pc, end, depth)
            else:
                end = pc
                items += self._simple(pc, depth)
            pc = end + 1
        return merge(items)

    def _target(self, pc: int) -> int:
        target = self.shader.instructions[pc].flow_target
        if target is None:
            raise ValueError(f"{self.shader.name}: flow instruction {pc} has no end")
        return target

    def _end_of(self, pc: int) -> int:
        """The ENDIF of a UIF, which jumps there or behind its ELSE."""
        target = self._target(pc)
        return self._target(target - 1) if self.shader.instructions[target - 1].opcode == "ELSE" else target

    def _piece(self, pc: int, operations: Sequence[Operation] = ()) -> Straight:
        """One instruction, and whether a block begins with it."""
        piece = Straight(1, list(operations), pc if self.starts_block else None)
        self.starts_block = False
        return piece

    def _simple(self, pc: int, depth: int) -> list[Item]:
        instruction, piece = self.shader.instructions[pc], self._piece(pc)
        if instruction.opcode in ("BRK", "CONT"):
            self.starts_block = True
            return [piece, Leave(instruction.opcode == "CONT")]
        if instruction.info.shape == "kill":
            piece.kills = True
            if instruction.sources:
                piece.operations, piece.condition = self.translator.condition(instruction.sources[0])
        elif instruction.info.shape in MEMORY_SHAPES:
            piece.operations = self.translator.memory(pc, depth > 0)
        elif instruction.destination is not None:
            piece.operations = self.translator.instruction(pc, depth > 0)
        return [piece]

    def _enter(self, pc: int, end: int, operations: Sequence[Operation] = ()) -> Straight:
        """The flow instruction itself, and what must be wide inside."""
        written = registers_written(self.shader.instructions[pc:end])
        piece = self._piece(pc, [*operations, *self.translator.widen(written)])
        self.starts_block = True
        return piece

    def _branch(self, pc: int, end: int, depth: int) -> list[Item]:
        operations, row = self.translator.condition(self.shader.instructions[pc].sources[0])
        piece = self._enter(pc, end, operations)
        middle = self._target(pc)
        then = self._items(pc + 1, middle, depth + 1)
        self.starts_block = True
        otherwise = self._items(middle, end, depth + 1)
        self.starts_block = True
        return [piece, Branch(row, then, otherwise), self._piece(end)]

    def _loop(self, pc: int, end: int, depth: int) -> list[Item]:
        piece = self._enter(pc, end)
        continued = any(i.opcode == "CONT" and i.flow_target == end for i in self.shader.instructions[pc:end])
        body = self._items(pc + 1, end if continued else end + 1, depth + 1)
        closing = None
        if continued:
            self.starts_block = True
            closing = self._piece(end)
        self.starts_block = True
        return [piece, Repeat(body, closing)]


def merge(items: list[Item]) -> list[Item]:
    """Join consecutive straight-line pieces of one basic block."""
    merged: list[Item] = []
    for item in items:
        last = merged[-1] if merged else None
        if isinstance(item, Straight) and isinstance(last, Straight) and item.first_pc is None and not last.kills:
            last.instructions += item.instructions
            last.operations += item.operations
            last.kills, last.condition = item.kills, item.condition
        else:
            merged.append(item)
    return merged


@dataclass(slots=True)
class Plan:
    """A shader ready to run; ``code`` keeps what the operations depend on alive."""

    shader: Shader
    layout: Layout
    items: list[Item]
    code: object = None


def make_plan(shader: Shader) -> Plan:
    """Translate a shader."""
    planner = Planner(shader)
    return Plan(shader, planner.layout, planner.plan())
