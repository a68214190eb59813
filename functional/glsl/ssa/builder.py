"""Builds values; one that can be folded, simplified or reused is not created."""

from typing import Any

from ..errors import ShaderError
from ..ir.opcodes import OPCODES
from ..ir.semantics import evaluate
from . import identities
from .values import LEAF_OPS, MEMORY_OPS, TEXTURE_OPS, Node, Operand, Origin, Value, bits_of

MAXIMUM_VALUES = 200_000
ONE = 0x3F800000


class Builder:
    """Appends values to ``nodes``, one scope of common subexpressions per nested construct.

    ``origin`` is that of the values that are appended; a value that is reused keeps its first one.
    """

    def __init__(self, name: str = "shader") -> None:
        self.name = name
        self.nodes: list[Node] = []
        self.available: list[dict[tuple[Any, ...], Value]] = [{}]
        self.constants: dict[tuple[int, ...], Value] = {}
        self.count = 0
        self.origin: Origin = ()

    def push(self) -> list[Node]:
        """Begin a nested list of nodes; returns the list to return to."""
        outer, self.nodes = self.nodes, []
        self.available.append({})
        return outer

    def pop(self, outer: list[Node]) -> list[Node]:
        """End a nested list and return it."""
        inner, self.nodes = self.nodes, outer
        self.available.pop()
        return inner

    def make(self, op: str, width: int, args: tuple[Operand, ...] = (), data: Any = None) -> Operand:
        """Append a value unchanged.

        Raises
        ------
        ShaderError
            When the shader grows beyond 200000 operations.
        """
        self.count += 1
        if self.count > MAXIMUM_VALUES:
            message = f"more than {MAXIMUM_VALUES} operations after inlining and unrolling"
            raise ShaderError(message, 0, self.name)
        value = Value(op, width, args, data, self.origin)
        self.nodes.append(value)
        return Operand(value, tuple(range(width)))

    def shared(self, op: str, width: int, args: tuple[Operand, ...] = (), data: Any = None) -> Operand:
        """Append a value unless an equal one is in scope."""
        key = (op, width, args, data)
        for scope in reversed(self.available):
            if key in scope:
                return Operand(scope[key], tuple(range(width)))
        result = self.make(op, width, args, data)
        self.available[-1][key] = result.value
        return result

    def immediate(self, *bits: int) -> Operand:
        """Constant components, as 32-bit patterns."""
        value = self.constants.get(bits)
        if value is None:
            value = self.constants[bits] = Value("IMM", len(bits), (), bits)
        return Operand(value, tuple(range(len(bits))))

    def undefined(self, width: int) -> Operand:
        """Components that were never written."""
        return Operand(Value("UNDEF", width), tuple(range(width)))

    def alu(self, op: str, *operands: Operand) -> Operand:
        """An operation of the instruction set on operands of equal width (1 for replicating ones)."""
        info = OPCODES[op]
        args = tuple(self.canonical(operand) for operand in operands)
        if info.kind == "int":
            args = tuple(self._plain(operand) for operand in args)
        if op == "UCMP":
            # The selected operands have no type, so they have no sign modifiers either.
            args = (args[0], self._plain(args[1]), self._plain(args[2]))
        width = 1 if info.shape.startswith("dot") else len(args[0].swizzle)
        if op not in ("DDX", "DDY"):
            if all(a.value.op == "IMM" for a in args):
                return self.immediate(*evaluate(op, [bits_of(a) for a in args]))
            simpler = identities.simplify(self, op, args)
            if simpler is not None:
                return simpler
        elif args[0].value.op == "IMM":
            return self.immediate(*(0,) * width)
        return self.shared(op, width, args)

    def _plain(self, operand: Operand) -> Operand:
        """An operand without sign modifiers, for opcodes on integers."""
        if operand.negate or operand.absolute:
            return self.shared("MOV", len(operand.swizzle), (operand,))
        return operand

    def vector(self, components: list[Operand]) -> Operand:
        """A vector of scalars."""
        parts = [self.canonical(c) for c in components]
        if len(parts) == 1:
            return parts[0]
        defined = [p for p in parts if p.value.op != "UNDEF"]
        if not defined:
            return self.undefined(len(parts))
        if all(p.value.op == "IMM" for p in defined):
            return self.immediate(*(bits_of(p)[0] if p.value.op == "IMM" else 0 for p in parts))
        first = defined[0]
        if all(p.value is first.value and p[2:] == first[2:] for p in defined):
            swizzle = tuple(p.swizzle[0] if p.value is first.value else first.swizzle[0] for p in parts)
            return Operand(first.value, swizzle, first.negate, first.absolute)
        return self.shared("VEC", len(parts), tuple(parts))

    def select(self, operand: Operand, components: tuple[int, ...]) -> Operand:
        """Components of an operand."""
        swizzle = tuple(operand.swizzle[c] for c in components)
        return self.canonical(Operand(operand.value, swizzle, operand.negate, operand.absolute))

    def canonical(self, operand: Operand) -> Operand:
        """The same components, traced to the values that they come from."""
        value = operand.value
        if value.op == "IMM":
            bits = bits_of(operand)
            unchanged = bits == value.data and operand[2:] == (False, False)
            return operand if unchanged else self.immediate(*bits)
        if value.op == "UNDEF":
            return Operand(value, (0,) * len(operand.swizzle))
        if value.op != "VEC":
            return operand
        parts = [value.args[c] for c in operand.swizzle]
        defined = [p for p in parts if p.value.op != "UNDEF"]
        if defined and all(p.value.op == "IMM" for p in defined):
            bits = tuple(bits_of(p)[0] if p.value.op == "IMM" else 0 for p in parts)
            whole = self.immediate(*bits)
            return self.canonical(operand._replace(value=whole.value, swizzle=whole.swizzle))
        if defined and all(p.value is defined[0].value and p[2:] == defined[0][2:] for p in defined):
            swizzle = tuple(p.swizzle[0] if p.value is defined[0].value else defined[0].swizzle[0] for p in parts)
            inner = defined[0]._replace(swizzle=swizzle)
            if operand.absolute:
                inner = inner._replace(absolute=True, negate=False)
            return inner._replace(negate=inner.negate != operand.negate)
        return operand

    def negate(self, operand: Operand) -> Operand:
        """The operand with its float sign flipped."""
        return self.canonical(operand._replace(negate=not operand.negate))

    def absolute(self, operand: Operand) -> Operand:
        """The operand without its float sign."""
        return self.canonical(operand._replace(negate=False, absolute=True))

    def saturate(self, operand: Operand) -> Operand:
        """The operand clamped to [0, 1]."""
        operand = self.canonical(operand)
        if operand.value.op == "IMM":
            low = [(0,) * len(operand.swizzle), (ONE,) * len(operand.swizzle)]
            return self.immediate(*evaluate("MIN", [evaluate("MAX", [bits_of(operand), low[0]]), low[1]]))
        if operand.value.op == "SAT" and operand[2:] == (False, False):
            return operand
        return self.shared("SAT", len(operand.swizzle), (operand,))

    def rebuild(self, value: Value, args: tuple[Operand, ...]) -> Operand:
        """Rebuild ``value`` with other arguments, simplified for these."""
        op = value.op
        if op in LEAF_OPS or op in TEXTURE_OPS:
            return self.shared(op, value.width, args, value.data)
        if op == "VEC":
            return self.vector(list(args))
        if op == "SAT":
            return self.saturate(args[0])
        if op == "RESQ":
            return self.shared(op, value.width, args, value.data)
        if op == "MOV" or op not in OPCODES or op in ("KILL", "KILL_IF") or op in MEMORY_OPS:
            return self.make(op, value.width, args, value.data)
        return self.alu(op, *args)


def is_constant(operand: Operand, bits: int) -> bool:
    """Whether every component is the constant with this bit pattern."""
    return operand.value.op == "IMM" and all(b == bits for b in bits_of(operand))
