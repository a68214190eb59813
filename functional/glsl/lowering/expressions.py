"""Lowering expressions."""

from collections.abc import Callable
from typing import Any

from ..memory_functions import uses_memory, writes_memory
from ..ssa import Operand, is_constant
from ..typed import (
    Assign,
    BufferLength,
    BuiltinCall,
    Call,
    Comma,
    Constant,
    Construct,
    Expression,
    FieldOf,
    Function,
    Increment,
    IndexOf,
    Operation,
    Reference,
    Select,
    Swizzle,
    Variable,
    walk,
)
from ..types import VOID, BasicType, SamplerType, Type
from . import operators
from .bits import WRITING
from .builtins import expand
from .l_values import LValueLowering
from .state import BranchResult, Leaves
from .textures import expand_texture, is_texture_function

MAXIMUM_EVALUATIONS = 200_000
ONE_BITS = {"float": 0x3F800000, "int": 1, "uint": 1}


class ExpressionLowering(LValueLowering):
    """Lowers expressions to operands."""

    def call(self, function: Function, arguments: tuple[Expression, ...], line: int) -> Leaves:
        """Inline a function call."""
        raise NotImplementedError

    def value(self, expression: Expression) -> Leaves:
        """Operands of an expression's value, after its side effects."""
        self.evaluated += 1
        if self.evaluated > MAXIMUM_EVALUATIONS:
            self.fail("too much code after inlining and unrolling", expression.line)
        outer = self.at(expression.line)
        leaves = _LOWERINGS[type(expression)](self, expression)
        self.builder.origin = outer
        return leaves

    def _constant(self, expression: Constant) -> Leaves:
        return (self.builder.immediate(*expression.bits),)

    def _read(self, expression: Expression) -> Leaves:
        return self.read(self.l_value(expression), expression.line)

    def _operation(self, expression: Operation) -> Leaves:
        if len(expression.operands) == 1:
            return self._unary(expression)
        left, right = self._reassociated(expression)
        if expression.operator in ("&&", "||") and has_effects(right):
            return self._short_circuit(expression.operator, left, right)
        a = self.value(left)
        b = self.value(right)
        return operators.binary(self.builder, expression.operator, left.type, right.type, a, b)

    def _reassociated(self, expression: Operation) -> tuple[Expression, Expression]:
        """Operands; (matrix * matrix) * vector becomes matrix * (matrix * vector), a quarter of the work."""
        left, right = expression.operands
        vector = isinstance(right.type, BasicType) and right.type.is_vector
        while vector and expression.operator == "*" and isinstance(left, Operation):
            if left.operator != "*":
                break
            outer, inner = left.operands
            if not (is_matrix(outer.type) and is_matrix(inner.type)):
                break
            product = BasicType("float", inner.type.rows if isinstance(inner.type, BasicType) else 1)
            left, right = outer, Operation(expression.line, product, "*", (inner, right))
        return left, right

    def _unary(self, expression: Operation) -> Leaves:
        leaves = self.value(expression.operands[0])
        if expression.operator == "+":
            return leaves
        if expression.operator == "-":
            return operators.negated(self.builder, expression.type, leaves)
        return tuple(self.builder.alu("NOT", leaf) for leaf in leaves)

    def _short_circuit(self, operator: str, left: Expression, right: Expression) -> Leaves:
        condition = self.scalar(left)
        short_value = self.builder.immediate(0 if operator == "&&" else 0xFFFFFFFF)
        evaluate: Callable[[], Leaves] = lambda: self.value(right)  # noqa: E731
        skip: Callable[[], Leaves] = lambda: (short_value,)  # noqa: E731
        if operator == "&&":
            return self.choose(condition, evaluate, skip)
        return self.choose(condition, skip, evaluate)

    def choose(self, condition: Operand, then: Callable[[], Leaves], otherwise: Callable[[], Leaves]) -> Leaves:
        """The leaves of one of two evaluations, only one of which is executed."""
        if condition.value.op == "IMM":
            return otherwise() if is_constant(condition, 0) else then()
        base = self.state
        pair: list[BranchResult] = []
        leaves: list[Leaves] = []
        result = Variable("result", VOID)
        for evaluate in (then, otherwise):
            self.state = dict(base)
            outer = self.builder.push()
            chosen = evaluate()
            nodes = self.builder.pop(outer)
            leaves.append(chosen)
            pair.append((nodes, {**self.state, result: chosen}))
        base = {**base, result: leaves[0]}
        self.join(condition, (pair[0], pair[1]), base)
        return self.state.pop(result)

    def _assign(self, expression: Assign) -> Leaves:
        l_value = self.l_value(expression.target)
        leaves = self.value(expression.value)
        if expression.operator:
            old = self.read(l_value, expression.line)
            leaves = operators.binary(
                self.builder, expression.operator, expression.target.type, expression.value.type, old, leaves
            )
        self.write(l_value, leaves)
        return leaves

    def _increment(self, expression: Increment) -> Leaves:
        l_value = self.l_value(expression.target)
        old = self.read(l_value, expression.line)
        of = expression.type
        assert isinstance(of, BasicType)
        one = tuple(self.builder.immediate(*(ONE_BITS[of.base],) * len(leaf.swizzle)) for leaf in old)
        new = operators.binary(self.builder, expression.operator, of, of, old, one)
        self.write(l_value, new)
        return old if expression.postfix else new

    def _select(self, expression: Select) -> Leaves:
        condition = self.scalar(expression.condition)
        return self.choose(condition, lambda: self.value(expression.then), lambda: self.value(expression.otherwise))

    def _comma(self, expression: Comma) -> Leaves:
        self.value(expression.first)
        return self.value(expression.second)

    def _construct(self, expression: Construct) -> Leaves:
        values = [self.value(argument) for argument in expression.arguments]
        if not isinstance(expression.type, BasicType):
            return tuple(leaf for leaves in values for leaf in leaves)
        arguments = [
            (argument.type, leaves)
            for argument, leaves in zip(expression.arguments, values, strict=True)
            if isinstance(argument.type, BasicType)
        ]
        return operators.construct(self.builder, expression.type, arguments)

    def _call(self, expression: Call) -> Leaves:
        return self.call(expression.function, expression.arguments, expression.line)

    def _builtin(self, expression: BuiltinCall) -> Leaves:
        if expression.written:
            return self._writing(expression)
        if uses_memory(expression.name):
            return self.memory_function(expression)
        first = expression.arguments[0].type
        if is_texture_function(expression.name):
            return (self._texture(expression),)
        values = [self.value(argument) for argument in expression.arguments]
        base = first.base if isinstance(first, BasicType) else "float"
        last = expression.arguments[-1].type
        base_of_last = last.base if isinstance(last, BasicType) else "float"
        return expand(self.builder, expression.name, base, values, base_of_last)

    def _texture(self, expression: BuiltinCall) -> Operand:
        """A texture function; if the sampler is chosen at run time, every candidate is sampled."""
        of = expression.arguments[0].type
        assert isinstance(of, SamplerType)
        l_value = self.l_value(expression.arguments[0])
        rest = [self.scalar(argument) for argument in expression.arguments[1:]]
        if l_value.dynamic is None:
            sampler = self.read(l_value, expression.line)[0]
            return expand_texture(self.builder, expression.name, of, sampler, rest)
        result: Operand | None = None
        for distance, sampler in self.samplers_from(l_value):
            texel = expand_texture(self.builder, expression.name, of, sampler, list(rest))
            if result is not None:
                chosen = self.builder.alu("USEQ", l_value.dynamic, self.builder.immediate(distance))
                wide = self.builder.select(chosen, (0,) * len(texel.swizzle))
                texel = self.builder.alu("UCMP", wide, texel, result)
            result = texel
        assert result is not None
        return result

    def _writing(self, expression: BuiltinCall) -> Leaves:
        """A function that writes arguments."""
        read = [a for i, a in enumerate(expression.arguments) if i not in expression.written]
        operands = [self.scalar(argument) for argument in read]
        targets = [self.l_value(expression.arguments[i]) for i in expression.written]
        results = WRITING[expression.name](self.builder, *operands)
        for target, result in zip(targets, results[-len(targets) :], strict=True):
            self.write(target, (result,))
        return results[: -len(targets)]


def is_matrix(of: Type) -> bool:
    """Whether a type is a matrix."""
    return isinstance(of, BasicType) and of.is_matrix


def has_effects(expression: Expression) -> bool:
    """Whether evaluating an expression can change anything."""
    return any(
        isinstance(part, (Assign, Increment, Call))
        or (isinstance(part, BuiltinCall) and (part.written or writes_memory(part.name)))
        for part in walk(expression)
    )


_LOWERINGS: dict[type, Callable[[ExpressionLowering, Any], Leaves]] = {
    Constant: ExpressionLowering._constant,
    Reference: ExpressionLowering._read,
    FieldOf: ExpressionLowering._read,
    Swizzle: ExpressionLowering._read,
    IndexOf: ExpressionLowering._read,
    Operation: ExpressionLowering._operation,
    Assign: ExpressionLowering._assign,
    Increment: ExpressionLowering._increment,
    Select: ExpressionLowering._select,
    Comma: ExpressionLowering._comma,
    Construct: ExpressionLowering._construct,
    Call: ExpressionLowering._call,
    BuiltinCall: ExpressionLowering._builtin,
    BufferLength: ExpressionLowering.buffer_length,
}
