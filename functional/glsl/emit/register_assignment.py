"""Register assignment: the register of each value, and its components there.

Walking backwards, a value whose only use moves it somewhere (an output, a part of a vector, a PHI) is computed
directly there, unless the place holds something that is needed longer.
"""

from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..ir.opcodes import OPCODES
from ..ssa import Code, If, Loop, Node, Operand, Value
from ..ssa.values import LEAF_OPS, TEXTURE_OPS, identity, operands_of, walk
from .lifetimes import Lifetimes


@dataclass(slots=True, eq=False)
class Register:
    """A register that is not numbered yet. ``output`` is set for output registers.

    It is needed between the emission positions ``first`` and ``last``.
    """

    output: int | None = None
    number: int = -1
    first: int = -1
    last: int = -1


@dataclass(slots=True, eq=False)
class Assignment:
    """Component c of a value is in components ``positions[c]`` of a register."""

    register: Register
    positions: tuple[tuple[int, ...], ...]
    saturate: bool = False


@dataclass(slots=True)
class Assignments:
    """Registers of values; ``merged`` are SAT values that their operand's instruction computes."""

    of: dict[Value, Assignment] = field(default_factory=dict)
    merged: set[Value] = field(default_factory=set)
    residents: dict[Register, list[Value]] = field(default_factory=dict)
    """Values per register, ordered by their beginning."""

    def identity(self, value: Value) -> Assignment:
        """The register of a value; a new one if none has been chosen."""
        assigned = self.of.get(value)
        if assigned is None:
            assigned = self.of[value] = Assignment(Register(), tuple((c,) for c in range(value.width)))
            self.residents[assigned.register] = [value]
        return assigned


NOT_MOVABLE = LEAF_OPS | {"READ"}


class RegisterAssigner:
    """Chooses registers for the values of a shader."""

    def __init__(self, code: Code, output_registers: dict[tuple[Any, int], int]) -> None:
        self.assignments = Assignments()
        self.uses: Counter[Value] = Counter()
        self.blocks: dict[Value, int] = {}
        for node in walk(code.nodes):
            self.uses.update(operand.value for operand in operands_of(node))
        self.uses.update(operand.value for _, _, operand in code.outputs)
        self._number_blocks(code.nodes)
        self.lifetimes = Lifetimes(code)
        for variable, offset, operand in code.outputs:
            register = Register(output=output_registers[variable, offset])
            if self.blocks.get(operand.value) == id(code.nodes) and self.uses[operand.value] == 1:
                self._settle(operand, Assignment(register, tuple((c,) for c in range(4))))
        self._visit(code.nodes)

    def _number_blocks(self, nodes: list[Node]) -> None:
        for node in nodes:
            if isinstance(node, Value):
                self.blocks[node] = id(nodes)
            elif isinstance(node, If):
                self._number_blocks(node.then)
                self._number_blocks(node.otherwise)
            elif isinstance(node, Loop):
                self._number_blocks(node.body)

    def _settle(self, operand: Operand, assigned: Assignment) -> bool:
        """Compute the value of an operand in ``assigned`` if all its needed components fit there."""
        value = operand.value
        if value in self.assignments.of or operand.negate or operand.absolute:
            return False
        whole = operand == identity(value) and value.width == len(assigned.positions)
        if not whole and (self.uses[value] != 1 or value.op == "PHI"):
            return False
        positions: list[list[int]] = [[] for _ in range(value.width)]
        for position, component in enumerate(operand.swizzle):
            positions[component] += assigned.positions[position]
        return self._put(value, assigned.register, positions)

    def _put(self, value: Value, register: Register, positions: list[list[int]]) -> bool:
        """Assign the value to this place if it can be there and does not conflict with the values already there."""
        if not movable(value, positions):
            return False
        component_at = {p: c for c, places in enumerate(positions) for p in places}
        residents = self.assignments.residents.setdefault(register, [])
        for resident in self.lifetimes.neighbours(value, residents):
            shared = [
                (component_at[p], c)
                for c, places in enumerate(self.assignments.of[resident].positions)
                for p in places
                if p in component_at
            ]
            if shared and self.lifetimes.interfere(value, resident, shared):
                return False
        self.assignments.of[value] = Assignment(register, tuple(tuple(p) for p in positions))
        insort(residents, value, key=self.lifetimes.begin)
        return True

    def _visit(self, nodes: list[Node]) -> None:
        for node in reversed(nodes):
            if isinstance(node, If):
                self._hand_on(node.results, node.then_yields)
                self._hand_on(node.results, node.else_yields)
                self._visit(node.then)
                self._visit(node.otherwise)
            elif isinstance(node, Loop):
                self._hand_on(node.parameters, node.initial)
                self._hand_on(node.parameters, node.next)
                self._visit(node.body)
            elif isinstance(node, Value):
                self._value(node)

    def _hand_on(self, phis: list[Value], operands: list[Operand] | None) -> None:
        for phi, operand in zip(phis, operands or (), strict=False):
            self._settle(operand, self.assignments.identity(phi))

    def _value(self, value: Value) -> None:
        if value.op == "VEC":
            self._vector(value)
        elif value.op == "SAT":
            operand = value.args[0]
            source = operand.value
            info = OPCODES.get(source.op)
            floating = info is not None and info.kind == "float" and info.shape != "texture"
            alone = self.uses[source] == 1 and source not in self.assignments.of
            if floating and alone and self._same_block(source, value) and operand[2:] == (False, False):
                self.assignments.identity(source).saturate = True
                self.assignments.merged.add(value)

    def _same_block(self, a: Value, b: Value) -> bool:
        return a in self.blocks and self.blocks[a] == self.blocks[b]

    def _vector(self, value: Value) -> None:
        assigned = self.assignments.identity(value)
        by_source: dict[Value, list[int]] = {}
        for component, operand in enumerate(value.args):
            by_source.setdefault(operand.value, []).append(component)
        for source, components in by_source.items():
            operands = [value.args[c] for c in components]
            elsewhere = self.uses[source] != len(components) or source in self.assignments.of
            if elsewhere or not self._same_block(source, value):
                continue
            if any(o.negate or o.absolute for o in operands):
                continue
            positions: list[list[int]] = [[] for _ in range(source.width)]
            for component, operand in zip(components, operands, strict=True):
                positions[operand.swizzle[0]] += assigned.positions[component]
            self._put(source, assigned.register, positions)


def movable(value: Value, positions: list[list[int]]) -> bool:
    """Whether the operation can write its components to these positions."""
    if value.op in NOT_MOVABLE or not any(positions):
        return False
    if value.op in TEXTURE_OPS or value.op in ("LOAD", "RESQ"):
        return all(p in ([], [c]) for c, p in enumerate(positions))
    return True
