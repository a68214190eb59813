"""Merges operations on different components of the same values into one vector operation.

``a = v.x + u.x; b = v.y + u.y;`` is one ADD of two components. Any constants can be merged. Values that are needed in
different registers (two outputs, two texture coordinates) stay separate: a vector would cost more moves than it
saves.
"""

from typing import Any

from ..ssa import Builder, Code, If, Loop, Node, Operand, Value, bits_of
from ..ssa.values import TEXTURE_OPS, operands_of, walk
from .liveness import is_componentwise

_COMPONENTS = 4
_COMMUTATIVE = frozenset(
    ("ADD", "MUL", "MAD", "MIN", "MAX", "FSEQ", "FSNE", "UADD", "UMUL", "IMIN", "IMAX", "UMIN", "UMAX", "USEQ", "USNE")
    + ("AND", "OR", "XOR")
)


def vectorize(code: Code) -> Code:
    """Widen the first operation of each group in place; the simplifier drops the rest."""
    _Vectorizer(code).run()
    return code


class _Vectorizer:
    def __init__(self, code: Code) -> None:
        self.code = code
        self.builder = Builder()
        self.destinations = _destinations(code)
        self.widened: dict[Value, Operand] = {}
        self.groups: list[dict[tuple[Any, ...], Value]] = [{}]

    def run(self) -> None:
        self._visit(self.code.nodes)
        self.code.outputs = [(v, offset, self._operand(o)) for v, offset, o in self.code.outputs]

    def _operand(self, old: Operand) -> Operand:
        new = self.widened.get(old.value)
        if new is not None:
            old = old._replace(value=new.value, swizzle=tuple(new.swizzle[c] for c in old.swizzle))
        return self.builder.canonical(old)

    def _operands(self, old: "list[Operand] | None") -> "list[Operand] | None":
        return None if old is None else [self._operand(o) for o in old]

    def _visit(self, nodes: list[Node]) -> None:
        self.groups.append({})
        kept: list[Node] = []
        for node in nodes:
            if isinstance(node, Value):
                node.args = tuple(self._operand(a) for a in node.args)
                if is_componentwise(node) and node.width < _COMPONENTS and self._vectorize(node):
                    continue
            elif isinstance(node, If):
                node.condition = self._operand(node.condition)
                self._visit(node.then)
                self._visit(node.otherwise)
                node.then_yields = self._operands(node.then_yields)
                node.else_yields = self._operands(node.else_yields)
            elif isinstance(node, Loop):
                node.initial = [self._operand(o) for o in node.initial]
                self._visit(node.body)
                node.next = self._operands(node.next)
            else:
                node.yields = [self._operand(o) for o in node.yields]
            kept.append(node)
        nodes[:] = kept
        self.groups.pop()

    def _vectorize(self, value: Value) -> bool:
        """Merge the value into an earlier one, or remember it for later ones."""
        orders = [value.args]
        if value.op in _COMMUTATIVE:
            orders.append((value.args[1], value.args[0], *value.args[2:]))
        destination = self.destinations.get(value)
        for args in orders:
            key = (value.op, destination, *(_source(a) for a in args))
            group = next((scope[key] for scope in reversed(self.groups) if key in scope), None)
            if group is not None and group.width + value.width <= _COMPONENTS:
                self.widened[value] = self._widen(group, value.width, args)
                return True
        self.groups[-1][value.op, destination, *(_source(a) for a in value.args)] = value
        return False

    def _widen(self, group: Value, width: int, args: tuple[Operand, ...]) -> Operand:
        first = group.width
        group.width += width
        pairs = zip(group.args, args, strict=True)
        group.args = tuple(self._concatenated(a, b) for a, b in pairs)
        return Operand(group, tuple(range(first, group.width)))

    def _concatenated(self, a: Operand, b: Operand) -> Operand:
        if a.value.op == "IMM":
            return self.builder.immediate(*bits_of(a), *bits_of(b))
        return a._replace(swizzle=a.swizzle + b.swizzle)


def _source(operand: Operand) -> tuple[Any, ...]:
    """Key of operations that can be merged."""
    return ("IMM",) if operand.value.op == "IMM" else (operand.value, operand.negate, operand.absolute)


def _destinations(code: Code) -> dict[Value, object]:
    """Destination of each value whose only use moves it somewhere."""
    uses: dict[Value, int] = {}
    destinations: dict[Value, object] = {}

    def note(operand: Operand, destination: object) -> None:
        destinations[operand.value] = destination

    for node in walk(code.nodes):
        counted = {operand.value for operand in operands_of(node)}
        for value in counted:
            uses[value] = uses.get(value, 0) + 1
        if isinstance(node, Value) and node.op == "VEC":
            for operand in node.args:
                note(operand, node)
        elif isinstance(node, Value) and node.op in TEXTURE_OPS:
            note(node.args[0], node)
        elif isinstance(node, If):
            for yields in (node.then_yields, node.else_yields):
                for result, operand in zip(node.results, yields or (), strict=False):
                    note(operand, result)
        elif isinstance(node, Loop):
            for yields in (node.initial, node.next):
                for parameter, operand in zip(node.parameters, yields or (), strict=False):
                    note(operand, parameter)
    for variable, offset, operand in code.outputs:
        uses[operand.value] = uses.get(operand.value, 0) + 1
        note(operand, (variable, offset))
    return {value: destination for value, destination in destinations.items() if uses.get(value) == 1}
