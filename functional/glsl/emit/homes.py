"""Where values live: which register, and which of its components.

Walking backwards, a value whose only use puts it somewhere (an output, a part of a vector, a PHI) is computed
right there.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..ir.opcodes import OPCODES
from ..ssa import Code, If, Jump, Loop, Node, Operand, Value
from ..ssa.values import LEAF_OPS, TEXTURE_OPS, identity, operands_of, walk
from .places import Places, phis_of


@dataclass(slots=True, eq=False)
class Register:
    """A register before it has a number. ``output`` is set for output registers.

    ``first`` and ``last`` are the emission positions it is needed between.
    """

    output: int | None = None
    number: int = -1
    first: int = -1
    last: int = -1


@dataclass(slots=True, eq=False)
class Home:
    """Component c of a value is in components ``positions[c]`` of a register."""

    register: Register
    positions: tuple[tuple[int, ...], ...]
    saturate: bool = False


@dataclass(slots=True)
class Homes:
    """The homes of every value that has one; ``merged`` are SAT values computed by their operand."""

    of: dict[Value, Home] = field(default_factory=dict)
    merged: set[Value] = field(default_factory=set)
    residents: dict[Register, list[Value]] = field(default_factory=dict)

    def put(self, value: Value, home: Home) -> Home:
        """Let the value live there."""
        self.of[value] = home
        self.residents.setdefault(home.register, []).append(value)
        return home

    def identity(self, value: Value) -> Home:
        """The value's home: made now, if nobody has chosen one."""
        home = self.of.get(value)
        if home is None:
            home = self.put(value, Home(Register(), tuple((c,) for c in range(value.width))))
        return home


NOT_MOVABLE = LEAF_OPS | {"PHI", "LOAD"}


class HomeFinder:
    """Chooses homes for a shader's values."""

    def __init__(self, code: Code, output_registers: dict[tuple[Any, int], int]) -> None:
        self.homes = Homes()
        self.uses: Counter[Value] = Counter()
        self.blocks: dict[Value, int] = {}
        for node in walk(code.nodes):
            self.uses.update(operand.value for operand in operands_of(node))
        self.uses.update(operand.value for _, _, operand in code.outputs)
        self._number_blocks(code.nodes)
        self.places = Places(code)
        self.of_parameters: set[Register] = set()
        for variable, offset, operand in code.outputs:
            register = Register(output=output_registers[variable, offset])
            if self.blocks.get(operand.value) == id(code.nodes):
                self._settle(operand, Home(register, tuple((c,) for c in range(4))))
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

    def _settle(self, operand: Operand, home: Home) -> bool:
        """Let an operand's value be computed in ``home`` if this is its only use."""
        value = operand.value
        if self.uses[value] != 1 or value in self.homes.of or operand.negate or operand.absolute:
            return False
        positions: list[list[int]] = [[] for _ in range(value.width)]
        for position, component in enumerate(operand.swizzle):
            positions[component] += home.positions[position]
        if not movable(value, positions):
            return False
        self.homes.put(value, Home(home.register, tuple(tuple(p) for p in positions)))
        return True

    def _visit(self, nodes: list[Node]) -> None:
        for node in reversed(nodes):
            if isinstance(node, If):
                self._yields(node.results, node.then_yields, node.then)
                self._yields(node.results, node.else_yields, node.otherwise)
                self._visit(node.then)
                self._visit(node.otherwise)
                self._carried(node, nodes)
            elif isinstance(node, Loop):
                self._loop(node, nodes)
            elif isinstance(node, Value):
                self._value(node)

    def _yields(self, phis: list[Value], yields: list[Operand] | None, block: list[Node]) -> None:
        for phi, operand in zip(phis, yields or (), strict=False):
            if self.blocks.get(operand.value) == id(block):
                self._settle(operand, self.homes.identity(phi))
            elif self._is_result(operand, block) and operand == identity(phi)._replace(value=operand.value):
                self.homes.put(operand.value, self.homes.identity(phi))

    def _is_result(self, operand: Operand, block: list[Node]) -> bool:
        """Whether an operand is the result of an If of this block that is not needed otherwise."""
        value = operand.value
        if value.op != "PHI" or self.uses[value] != 1 or value in self.homes.of:
            return False
        return any(isinstance(node, If) and value in node.results for node in block)

    def _carried(self, node: If, block: list[Node]) -> None:
        """Let what an If hands on, and what it replaces in the other branch, be in one register.

        That is so if nobody reads it any more once the other branch has written the result. Parameters of loops keep
        their registers to themselves.
        """
        for yields, span in zip((node.then_yields, node.else_yields), self.places.spans[id(node)][::-1], strict=True):
            for phi, operand in zip(node.results, yields or (), strict=False):
                value, home = operand.value, self.homes.identity(phi)
                plain = operand == identity(phi)._replace(value=value) and value.width == phi.width
                free = value not in self.homes.of and self.blocks.get(value) == id(block)
                movable_there = value.op not in NOT_MOVABLE and value.op not in TEXTURE_OPS
                kept = home.register.output is not None or home.register in self.of_parameters
                if plain and free and movable_there and not kept:
                    residents = self.homes.residents[home.register]
                    if self.places.last_read(value, node, span) <= self.places.first_write(residents, span):
                        self.homes.put(value, Home(home.register, home.positions))

    def _loop(self, loop: Loop, outer: list[Node]) -> None:
        self.of_parameters |= {self.homes.identity(parameter).register for parameter in loop.parameters}
        for parameter, initial in zip(loop.parameters, loop.initial, strict=True):
            if self.blocks.get(initial.value) == id(outer):
                self._settle(initial, self.homes.identity(parameter))
        if loop.next is not None:
            last_read = self._last_reads(loop)
            for parameter, operand in zip(loop.parameters, loop.next, strict=True):
                made = next((i for i, n in enumerate(loop.body) if n is operand.value), None)
                alone = sum(1 for o in loop.next if o.value is parameter) == 0
                if made is not None and alone and last_read.get(parameter, -1) <= made:
                    self._settle(operand, self.homes.identity(parameter))
                elif operand.value.op == "PHI" and sum(1 for o in loop.next if o.value is operand.value) == 1:
                    self._share(operand, parameter, loop.body, last_read.get(parameter, -1))
        self._visit(loop.body)

    def _share(self, operand: Operand, parameter: Value, body: list[Node], last_read: int) -> None:
        """Let a PHI made inside the body be where the parameter is, if nobody needs that any more."""
        phi = operand.value
        whole = operand == identity(phi) and phi.width == parameter.width and phi not in self.homes.of
        made = next((i for i, node in enumerate(body) if phi in phis_of(node)), -1)
        if whole and last_read < made:
            self.homes.put(phi, self.homes.identity(parameter))

    def _last_reads(self, loop: Loop) -> dict[Value, int]:
        """Per parameter, where in the body its last read is.

        What is read after the loop is read, in effect, by the last break.
        """
        inside: Counter[Value] = Counter()
        last: dict[Value, int] = {}
        for position, node in enumerate(loop.body):
            for inner in walk([node]):
                for operand in operands_of(inner):
                    inside[operand.value] += 1
                    last[operand.value] = position
        for operand in loop.next or ():
            inside[operand.value] += 1
            last[operand.value] = len(loop.body)
        last_break = max((i for i, node in enumerate(loop.body) if _breaks(node)), default=-1)
        for parameter in loop.parameters:
            if inside[parameter] < self.uses[parameter]:
                last[parameter] = max(last.get(parameter, -1), last_break)
        return last

    def _value(self, value: Value) -> None:
        if value.op == "VEC":
            self._vector(value)
        elif value.op == "SAT":
            operand = value.args[0]
            source = operand.value
            info = OPCODES.get(source.op)
            floating = info is not None and info.kind == "float" and info.shape != "texture"
            alone = self.uses[source] == 1 and source not in self.homes.of
            if floating and alone and self._same_block(source, value) and operand[2:] == (False, False):
                self.homes.identity(source).saturate = True
                self.homes.merged.add(value)

    def _same_block(self, a: Value, b: Value) -> bool:
        return a in self.blocks and self.blocks[a] == self.blocks[b]

    def _vector(self, value: Value) -> None:
        home = self.homes.identity(value)
        by_source: dict[Value, list[int]] = {}
        for component, operand in enumerate(value.args):
            by_source.setdefault(operand.value, []).append(component)
        for source, components in by_source.items():
            operands = [value.args[c] for c in components]
            elsewhere = self.uses[source] != len(components) or source in self.homes.of
            if elsewhere or not self._same_block(source, value):
                continue
            if any(o.negate or o.absolute for o in operands):
                continue
            positions: list[list[int]] = [[] for _ in range(source.width)]
            for component, operand in zip(components, operands, strict=True):
                positions[operand.swizzle[0]] += home.positions[component]
            if movable(source, positions):
                self.homes.put(source, Home(home.register, tuple(tuple(p) for p in positions)))


def _breaks(node: Node) -> bool:
    """Whether a node can leave the loop it is directly in."""
    if isinstance(node, If):
        return any(_breaks(inner) for inner in (*node.then, *node.otherwise))
    return isinstance(node, Jump) and node.kind == "BRK"


def movable(value: Value, positions: list[list[int]]) -> bool:
    """Whether the operation can write its components to these positions."""
    if value.op in NOT_MOVABLE or not any(positions):
        return False
    if value.op in TEXTURE_OPS:
        return all(p in ([], [c]) for c, p in enumerate(positions))
    return True
