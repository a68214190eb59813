"""Shader code in single-assignment form: every value is computed once, control flow is structured.

Names are the instruction set's, plus a few that only exist here:

=========== ==================================================================================
IMM         constant components, ``data`` are their bits
UNDEF       undefined; any value is correct
UNIFORM     ``data`` (variable, register offset); one optional argument is a run-time offset
INPUT       as UNIFORM, of a stage input
SAMPLER     ``data`` (variable, offset): only an argument of texture operations
VEC         its arguments' components, concatenated
PHI         a parameter of a loop, or a result of an If or a loop
READ, WRITE ``data`` (array, register offset[, components]): an array that is indexed at run time
SAT         clamped to [0, 1]
=========== ==================================================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..ir.opcodes import OPCODES

SIGN = 0x80000000
"""Sign of a float."""


Origin = tuple[int, ...]
"""Line of the source that code comes from, and those of the calls that it was inlined for, the innermost first; empty
for code that no line has."""


class Value:
    """The result of an operation, with ``width`` components; compared by identity."""

    __slots__ = ("args", "data", "op", "origin", "width")

    def __init__(
        self, op: str, width: int, args: "tuple[Operand, ...]" = (), data: Any = None, origin: Origin = ()
    ) -> None:
        self.op = op
        self.width = width
        self.args = args
        self.data = data
        self.origin = origin


class Operand(NamedTuple):
    """Selected components of a value, with optional absolute and negate modifiers (applied in this order)."""

    value: Value
    swizzle: tuple[int, ...]
    negate: bool = False
    absolute: bool = False


def bits_of(operand: Operand) -> tuple[int, ...]:
    """Components of an immediate operand, with modifiers applied."""
    bits = tuple(operand.value.data[c] for c in operand.swizzle)
    if operand.absolute:
        bits = tuple(b & ~SIGN for b in bits)
    if operand.negate:
        bits = tuple(b ^ SIGN for b in bits)
    return bits


@dataclass(slots=True, eq=False)
class RegisterArray:
    """A variable in consecutive registers because it is indexed at run time.

    ``table`` holds the registers' bits if it is constant; it is then part of the immediates and never stored to.
    """

    name: str
    registers: int
    table: tuple[tuple[int, ...], ...] | None = None


@dataclass(slots=True, eq=False)
class If:
    """``results[i]`` is ``then_yields[i]`` or ``else_yields[i]``; a branch that jumps away yields None."""

    condition: Operand
    then: "list[Node]"
    otherwise: "list[Node]"
    results: list[Value]
    then_yields: list[Operand] | None
    else_yields: list[Operand] | None
    origin: Origin = ()


@dataclass(slots=True, eq=False)
class Loop:
    """``parameters`` start as ``initial`` and continue as ``next`` or a CONT's yields.

    ``next`` is None if the end of the body is never reached. ``results`` are what the BRK yields.
    """

    parameters: list[Value]
    initial: list[Operand]
    body: "list[Node]" = field(default_factory=list)
    next: list[Operand] | None = None
    results: list[Value] = field(default_factory=list)
    origin: Origin = ()


@dataclass(slots=True, eq=False)
class Jump:
    """``kind`` is "BRK" or "CONT", of the innermost loop."""

    kind: str
    yields: list[Operand]
    origin: Origin = ()


Node = Value | If | Loop | Jump

MEMORY_OPS = frozenset(name for name, info in OPCODES.items() if info.shape in ("load", "store", "atomic", "barrier"))
"""Operations on memory whose order and number matter."""
SIDE_EFFECTS = frozenset(("WRITE", "KILL", "KILL_IF", *MEMORY_OPS - {"LOAD"}))
LEAF_OPS = frozenset(("IMM", "UNDEF", "UNIFORM", "INPUT", "SAMPLER"))
TEXTURE_OPS = frozenset(("TEX", "TXP", "TXB", "TXL", "TXD", "TXF", "TXQ", "TEX2", "TXB2", "TXL2", "TG4"))


@dataclass(slots=True)
class Code:
    """A whole shader: its nodes and the final values of its outputs.

    ``outputs`` are (output variable, register offset, operand); ``written`` says where each variable among them is
    written last.
    """

    nodes: list[Node]
    outputs: list[tuple[Any, int, Operand]]
    written: dict[Any, Origin] = field(default_factory=dict)


def identity(value: Value) -> Operand:
    """The whole value."""
    return Operand(value, tuple(range(value.width)))


def walk(nodes: list[Node]) -> Iterator[Node]:
    """Every node in program order, constructs before their content."""
    stack = [iter(nodes)]
    while stack:
        for node in stack[-1]:
            yield node
            if isinstance(node, If):
                stack.append(iter([*node.then, *node.otherwise]))
                break
            if isinstance(node, Loop):
                stack.append(iter(node.body))
                break
        else:
            stack.pop()


def operands_of(node: Node) -> list[Operand]:
    """Every operand that a node itself holds, without those of nested nodes."""
    if isinstance(node, Value):
        return list(node.args)
    if isinstance(node, If):
        return [node.condition, *(node.then_yields or ()), *(node.else_yields or ())]
    if isinstance(node, Loop):
        return [*node.initial, *(node.next or ())]
    return list(node.yields)
