"""Precision of values: which ones 16-bit floats may hold.

An operation has the highest precision of its operands; constants have none (ESSL 1.00, 4.5.2; ESSL 3.00, 4.5.3). What
counts are the declared precisions of inputs, uniforms and samplers: what is assigned to a variable keeps its own.
"""

from collections.abc import Iterable

from ..ir.opcodes import OPCODES
from ..ssa import If, Jump, Loop, Node, Operand, Value
from ..ssa.values import MEMORY_OPS, TEXTURE_OPS

HALF = frozenset({"lowp", "mediump"})
_NEUTRAL = frozenset({"IMM", "UNDEF"})
_SELECTIONS = frozenset({"UCMP"})


class Precisions:
    """Values of a shader that need 32 bits.

    Parameters
    ----------
    nodes
        Single-assignment code of the whole shader.
    """

    def __init__(self, nodes: list[Node]) -> None:
        self._full: set[object] = set()
        # What a loop carries may become more precise by what its body computes.
        while self._pass(nodes, []):
            pass

    def half(self, value: Value) -> bool:
        """Whether an operation may compute with 16-bit floats."""
        info = OPCODES.get(value.op)
        return not self._is_full(value) and value.op not in MEMORY_OPS and (info is None or info.kind != "int")

    def _is_full(self, value: Value) -> bool:
        if value.op in _NEUTRAL:
            return False
        if value.op in ("INPUT", "UNIFORM", "SAMPLER"):
            return value.data[0].precision not in HALF
        return value in self._full

    def _pass(self, nodes: list[Node], loops: list[Loop]) -> bool:
        changed = False
        for node in nodes:
            if isinstance(node, Value):
                changed |= self._value(node)
            elif isinstance(node, If):
                changed |= self._pass(node.then, loops) | self._pass(node.otherwise, loops)
                for yields in (node.then_yields, node.else_yields):
                    changed |= self._take(node.results, yields)
            elif isinstance(node, Loop):
                changed |= self._take(node.parameters, node.initial)
                changed |= self._pass(node.body, [*loops, node])
                changed |= self._take(node.parameters, node.next)
            else:
                changed |= self._jump(node, loops[-1])
        return changed

    def _jump(self, jump: Jump, loop: Loop) -> bool:
        return self._take(loop.results if jump.kind == "BRK" else loop.parameters, jump.yields)

    def _take(self, phis: list[Value], yields: list[Operand] | None) -> bool:
        pairs = zip(phis, yields or (), strict=False)
        return self._mark(phi for phi, operand in pairs if self._is_full(operand.value))

    def _value(self, value: Value) -> bool:
        if value.op in TEXTURE_OPS:
            full = value.data.variable.precision not in HALF
        elif value.op in MEMORY_OPS or value.op == "RESQ":
            full = True
        elif value.op == "READ":
            full = value.data[0] in self._full
        else:
            args = value.args[1:] if value.op in _SELECTIONS else value.args
            full = any(self._is_full(a.value) for a in args)
        if not full:
            return False
        # An array is as precise as what is most precise in it.
        return self._mark([value.data[0] if value.op == "WRITE" else value])

    def _mark(self, values: Iterable[object]) -> bool:
        before = len(self._full)
        self._full.update(values)
        return len(self._full) > before
