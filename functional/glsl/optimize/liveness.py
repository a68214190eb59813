"""Finds the components of values that anything depends on."""

from ..ir.opcodes import OPCODES
from ..ssa import Code, If, Jump, Loop, Node, Operand, Value
from ..ssa.values import SIDE_EFFECTS, walk


class Liveness:
    """Marks backwards from outputs, side effects and control flow.

    ``mask[value]`` has bit c set where component c is needed.
    """

    def __init__(self, code: Code) -> None:
        self.mask: dict[Value, int] = {}
        self.sources: dict[Value, list[Operand]] = {}
        self.pending: list[tuple[Value, int]] = []
        self._find_phi_sources(code.nodes, [])
        for _, _, operand in code.outputs:
            self._need(operand, range(len(operand.swizzle)))
        for node in walk(code.nodes):
            if isinstance(node, If):
                self._need(node.condition, (0,))
            elif isinstance(node, Value) and node.op in SIDE_EFFECTS:
                for operand in node.args:
                    self._need(operand, range(len(operand.swizzle)))
        self._propagate()

    def _find_phi_sources(self, nodes: list[Node], loops: list[Loop]) -> None:
        """Collect, per PHI, every operand that may become its value."""
        for node in nodes:
            if isinstance(node, If):
                for yields in (node.then_yields, node.else_yields):
                    self._feed(node.results, yields)
                self._find_phi_sources(node.then, loops)
                self._find_phi_sources(node.otherwise, loops)
            elif isinstance(node, Loop):
                self._feed(node.parameters, node.initial)
                self._feed(node.parameters, node.next)
                self._find_phi_sources(node.body, [*loops, node])
            elif isinstance(node, Jump):
                loop = loops[-1]
                self._feed(loop.results if node.kind == "BRK" else loop.parameters, node.yields)

    def _feed(self, phis: list[Value], yields: list[Operand] | None) -> None:
        for phi, operand in zip(phis, yields or (), strict=False):
            self.sources.setdefault(phi, []).append(operand)

    def _need(self, operand: Operand, components: "range | tuple[int, ...]") -> None:
        value = operand.value
        mask = 0
        for component in components:
            mask |= 1 << operand.swizzle[component]
        new = mask & ~self.mask.get(value, 0)
        if new:
            self.mask[value] = self.mask.get(value, 0) | mask
            self.pending.append((value, new))

    def _propagate(self) -> None:
        while self.pending:
            value, mask = self.pending.pop()
            components = tuple(c for c in range(value.width) if mask >> c & 1)
            if value.op == "PHI":
                for operand in self.sources.get(value, ()):
                    self._need(operand, components)
            elif value.op == "VEC":
                for component in components:
                    self._need(value.args[component], (0,))
            elif is_componentwise(value):
                for operand in value.args:
                    self._need(operand, components)
            else:
                for operand in value.args:
                    self._need(operand, range(len(operand.swizzle)))


def is_componentwise(value: Value) -> bool:
    """Whether component c of the result depends only on component c of the operands."""
    if value.op == "SAT":
        return True
    info = OPCODES.get(value.op)
    return info is not None and info.shape == "component"
