"""A shader translated once: straight-line pieces of operations inside a tree of branches and loops."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ...glsl.ir.program import File, Shader
from ..backend import FloatArray
from .kernels import Operation
from .layout import Layout
from .translate import Translator


@dataclass(slots=True)
class Straight:
    """Instructions without flow. ``first_pc`` is set if a basic block begins."""

    instructions: int
    operations: list[Operation]
    masked: list[Operation]
    first_pc: int | None
    kills: bool = False
    condition: int | None = None


@dataclass(slots=True)
class Branch:
    """A UIF: ``condition`` is a row."""

    condition: int
    then: "list[Item]" = field(default_factory=list)
    otherwise: "list[Item]" = field(default_factory=list)


@dataclass(slots=True)
class Repeat:
    """A loop; ``end`` is its last instruction if that is a separate block, to which CONT leads."""

    body: "list[Item]" = field(default_factory=list)
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

    def _end_of(self, pc: int) -> tuple[int | None, int]:
        """The matching ELSE (if any) and ENDIF or ENDLOOP."""
        depth, otherwise = 0, None
        for position in range(pc, len(self.shader.instructions)):
            opcode = self.shader.instructions[position].opcode
            depth += {"UIF": 1, "BGNLOOP": 1, "ENDIF": -1, "ENDLOOP": -1}.get(opcode, 0)
            if opcode == "ELSE" and depth == 1:
                otherwise = position
            if depth == 0:
                return otherwise, position
        raise ValueError(f"{self.shader.name}: flow instruction {pc} has no end")

    def _items(self, start: int, stop: int, depth: int) -> list[Item]:
        items: list[Item] = []
        pc = start
        while pc < stop:
            opcode = self.shader.instructions[pc].opcode
            if opcode == "UIF":
                otherwise, end = self._end_of(pc)
                items += self._branch(pc, otherwise, end, depth)
                pc = end + 1
            elif opcode == "BGNLOOP":
                _, end = self._end_of(pc)
                items += self._loop(pc, end, depth)
                pc = end + 1
            else:
                items += self._simple(pc, depth)
                pc += 1
        return items

    def _count(self, piece: Straight, pc: int) -> None:
        piece.instructions += 1
        if self.starts_block:
            piece.first_pc = pc
            self.starts_block = False

    def _simple(self, pc: int, depth: int) -> list[Item]:
        instruction = self.shader.instructions[pc]
        piece = Straight(0, [], [], None)
        self._count(piece, pc)
        if instruction.opcode in ("BRK", "CONT"):
            self.starts_block = True
            return [piece, Leave(instruction.opcode == "CONT")]
        if instruction.info.shape == "kill":
            piece.kills = True
            if instruction.sources:
                piece.operations, piece.condition = self.translator.condition(instruction.sources[0])
                piece.masked = piece.operations
        elif instruction.destination is not None:
            uniform = set(self.translator.uniform)
            if depth:
                piece.masked = self.translator.instruction(pc, True, True)
                self.translator.uniform = uniform
            piece.operations = self.translator.instruction(pc, depth > 0, False)
        return [piece]

    def _written(self, start: int, stop: int) -> set[tuple[File, int, int]]:
        return {
            (d.file, d.index, c)
            for instruction in self.shader.instructions[start:stop]
            if (d := instruction.destination) is not None
            for c in d.components
        }

    def _enter(self, pc: int, end: int, depth: int) -> Straight:
        """The flow instruction itself, and what must be wide inside."""
        piece = Straight(0, [], [], None)
        self._count(piece, pc)
        piece.operations = self.translator.widen(self._written(pc, end))
        piece.masked = piece.operations
        self.starts_block = True
        return piece

    def _branch(self, pc: int, otherwise: int | None, end: int, depth: int) -> list[Item]:
        operations, row = self.translator.condition(self.shader.instructions[pc].sources[0])
        piece = self._enter(pc, end, depth)
        piece.operations = piece.masked = [*operations, *piece.operations]
        branch = Branch(row)
        middle = end if otherwise is None else otherwise
        branch.then = merge(self._items(pc + 1, middle, depth + 1))
        if otherwise is not None:
            mark = Straight(0, [], [], None)
            self._count(mark, otherwise)
            branch.then = merge([*branch.then, mark])
            self.starts_block = True
            branch.otherwise = merge(self._items(otherwise + 1, end, depth + 1))
        self.starts_block = True
        closing = Straight(0, [], [], None)
        self._count(closing, end)
        return [piece, branch, closing]

    def _loop(self, pc: int, end: int, depth: int) -> list[Item]:
        piece = self._enter(pc, end, depth)
        body = self._items(pc + 1, end, depth + 1)
        mark = Straight(0, [], [], None)
        continued = any(i.opcode == "CONT" and i.flow_target == end for i in self.shader.instructions[pc:end])
        self.starts_block |= continued
        self._count(mark, end)
        self.starts_block = True
        return [piece, Repeat(merge(body), mark) if continued else Repeat(merge([*body, mark]))]


def merge(items: list[Item]) -> list[Item]:
    """Join consecutive straight-line pieces of one basic block."""
    merged: list[Item] = []
    for item in items:
        last = merged[-1] if merged else None
        both_straight = isinstance(item, Straight) and isinstance(last, Straight)
        if both_straight and _continues(item, last):  # type: ignore[arg-type]
            _append(last, item)  # type: ignore[arg-type]
        else:
            merged.append(item)
    return merged


def _continues(piece: Straight, last: Straight) -> bool:
    return piece.first_pc is None and not last.kills


def _append(last: Straight, piece: Straight) -> None:
    last.instructions += piece.instructions
    last.operations = [*last.operations, *piece.operations]
    last.masked = [*last.masked, *piece.masked]
    last.kills, last.condition = piece.kills, piece.condition


@dataclass(frozen=True, slots=True)
class Whole:
    """A shader without flow as one call, given inputs, outputs and constants, all C-contiguous; and its address."""

    instructions: int
    run: Callable[[FloatArray, FloatArray, FloatArray], None]
    address: int


@dataclass(slots=True)
class Plan:
    """A shader ready to run; ``code`` keeps what the operations depend on alive."""

    shader: Shader
    layout: Layout
    items: list[Item]
    code: object = None
    whole: Whole | None = None


def make_plan(shader: Shader) -> Plan:
    """Translate a shader."""
    planner = Planner(shader)
    items = merge(planner.plan())
    return Plan(shader, planner.layout, items)
