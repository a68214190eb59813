"""Checking expressions (chapter 5)."""

import struct
from collections.abc import Callable
from typing import Any

from .. import syntax
from ..typed import (
    Assign,
    BufferLength,
    Call,
    Comma,
    Constant,
    Expression,
    FieldOf,
    Increment,
    IndexOf,
    Operation,
    Reference,
    Select,
    Swizzle,
)
from ..types import (
    BOOL,
    BUILTIN_TYPES,
    INT,
    ArrayType,
    BasicType,
    CounterType,
    StructType,
    Type,
    VoidType,
    contains_opaque,
)
from .base import is_integer
from .calls import CallChecker, access_to
from .conversions import balanced
from .operators import SHIFTS, binary_type, unary_type

_SWIZZLE_SETS = ("xyzw", "rgba", "stpq")


class ExpressionChecker(CallChecker):
    """Expressions."""

    def check_expression(self, node: syntax.Expression) -> Expression:
        """Type an expression.

        Raises
        ------
        ShaderError
            If a rule of the language is broken.
        """
        return _CHECKERS[type(node)](self, node)

    def check_condition(self, node: syntax.Expression) -> Expression:
        """Type an expression that must be a scalar bool."""
        condition = self.check_value(node)
        if condition.type != BOOL:
            self.fail(f"condition must be bool, not {condition.type.name}", node)
        return condition

    def _literal(self, node: syntax.Literal) -> Expression:
        if node.base == "float":
            bits = struct.unpack("<I", struct.pack("<f", node.value))[0]
        elif node.base == "bool":
            bits = 0xFFFFFFFF if node.value else 0
        else:
            bits = int(node.value)
        return Constant(node.line, BUILTIN_TYPES[node.base], (bits,), constant=True)

    def _unary(self, node: syntax.Unary) -> Expression:
        operand = self.check_value(node.operand)
        if node.operator in ("++", "--"):
            return self._increment(operand, node.operator, False, node)
        result = unary_type(node.operator, operand.type)
        if result is None:
            self.fail(f"operator {node.operator} does not apply to {operand.type.name}", node)
        if node.operator == "+":
            return operand if operand.constant else Operation(node.line, result, "+", (operand,))
        return Operation(node.line, result, node.operator, (operand,), constant=operand.constant)

    def _postfix(self, node: syntax.Postfix) -> Expression:
        return self._increment(self.check_value(node.operand), node.operator, True, node)

    def _increment(self, target: Expression, operator: str, postfix: bool, node: syntax.Node) -> Expression:
        if unary_type("-", target.type) is None:
            self.fail(f"operator {operator} does not apply to {target.type.name}", node)
        self.check_lvalue(target, node)
        return Increment(node.line, target.type, target, operator[0], postfix)

    def _binary(self, node: syntax.Binary) -> Expression:
        left, right = self.check_value(node.left), self.check_value(node.right)
        if node.operator == ",":
            # ESSL 1.00, 5.10, allows the comma operator in constant expressions; ESSL 3.00, 4.3.3, does not.
            constant = self.version < 300 and left.constant and right.constant
            return Comma(node.line, right.type, left, right, constant=constant)
        if self.converts and node.operator not in SHIFTS:
            left, right = balanced(left, right)
        result = binary_type(node.operator, left.type, right.type, self.version)
        if result is None:
            types = f"{left.type.name} and {right.type.name}"
            self.fail(f"operator {node.operator} does not apply to {types}", node)
        constant = left.constant and right.constant
        return Operation(node.line, result, node.operator, (left, right), constant=constant)

    def _assignment(self, node: syntax.Assignment) -> Expression:
        written_only = self.check_expression if node.operator == "=" else self.check_value
        target, value = written_only(node.target), self.check_value(node.value)
        self.check_lvalue(target, node)
        operator = node.operator[:-1]
        if self.converts:
            value = (
                balanced(target, value)[1] if operator and operator not in SHIFTS else self.as_type(value, target.type)
            )
        result: Type | None = value.type
        if operator:
            result = binary_type(operator, target.type, value.type, self.version)
        elif not self.is_assignable(target.type):
            self.fail("arrays cannot be assigned in GLSL ES 1.00", node)
        if result != target.type or isinstance(result, VoidType):
            self.fail(f"cannot assign {value.type.name} to {target.type.name} with {node.operator}", node)
        return Assign(node.line, target.type, target, operator, value)

    def _conditional(self, node: syntax.Conditional) -> Expression:
        condition = self.check_condition(node.condition)
        then, otherwise = self.check_value(node.then), self.check_value(node.otherwise)
        if self.converts:
            then, otherwise = balanced(then, otherwise)
        if then.type != otherwise.type:
            self.fail(f"?: between {then.type.name} and {otherwise.type.name}", node)
        if contains_opaque(then.type) or not self.is_assignable(then.type):
            self.fail(f"?: does not apply to {then.type.name}", node)
        constant = condition.constant and then.constant and otherwise.constant
        return Select(node.line, then.type, condition, then, otherwise, constant=constant)

    def _index(self, node: syntax.Index) -> Expression:
        base, index = self.check_expression(node.base), self.check_value(node.index)
        size, element = self._elements(base.type, node)
        if not is_integer(index.type):
            self.fail(f"index must be an integer, not {index.type.name}", node)
        if index.constant:
            value = self.integer_constant(index, "index")
            # A size of 0 is that of the buffer (ESSL 3.10, 4.1.9).
            if value < 0 or (size and value >= size):
                self.fail(f"index {value} is outside of {base.type.name}", node)
            if index.type == INT:
                index = Constant(index.line, INT, (value,), constant=True)
        elif self.version >= 300:
            self._check_dynamic_index(base, node)
        return IndexOf(node.line, element, base, index, constant=base.constant and index.constant)

    def _check_dynamic_index(self, base: Expression, node: syntax.Node) -> None:
        """Arrays of samplers, blocks and fragment outputs need constant indices (ESSL 3.00, 4.1.9, 4.3)."""
        if not isinstance(base.type, ArrayType):
            return
        variable = base.variable if isinstance(base, Reference) else None
        block = variable is not None and bool(variable.block)
        output = variable is not None and variable.storage == "out" and self.stage == "fragment"
        if block or output or (contains_opaque(base.type) and not isinstance(base.type.element, CounterType)):
            self.fail(f"{base.type.name} is indexed by constants only", node)

    def _elements(self, of: Type, node: syntax.Node) -> tuple[int, Type]:
        if isinstance(of, ArrayType):
            return of.size, of.element
        if not isinstance(of, BasicType) or of.is_scalar:
            self.fail(f"{of.name} cannot be indexed", node)
        return (of.columns, of.with_rows(of.rows)) if of.is_matrix else (of.rows, of.with_rows(1))

    def _member(self, node: syntax.Member) -> Expression:
        base = self.check_expression(node.base)
        if isinstance(base.type, StructType):
            index = base.type.field_index(node.name)
            if index is None:
                self.fail(f"{base.type.name} has no member {node.name}", node)
            return FieldOf(node.line, base.type.fields[index].type, base, index, constant=base.constant)
        if not isinstance(base.type, BasicType) or not base.type.is_vector:
            self.fail(f"{base.type.name} has no members", node)
        components = self._swizzle(node.name, base.type, node)
        return Swizzle(node.line, base.type.with_rows(len(components)), base, components, constant=base.constant)

    def _swizzle(self, name: str, of: BasicType, node: syntax.Node) -> tuple[int, ...]:
        letters = next((s for s in _SWIZZLE_SETS if all(c in s for c in name)), None)
        if letters is None or len(name) > 4:
            self.fail(f"{name} is not a selection of components", node)
        components = tuple(letters.index(c) for c in name)
        if max(components) >= of.rows:
            self.fail(f"{of.name} has no component {name[components.index(max(components))]}", node)
        return components

    def _length(self, node: syntax.Length) -> Expression:
        self.measured += 1
        base = self.check_expression(node.base)
        self.measured -= 1
        if not isinstance(base.type, ArrayType):
            self.fail(f"{base.type.name} has no length()", node)
        if not base.type.size:
            return BufferLength(node.line, INT, base)
        return Constant(node.line, INT, (base.type.size,), constant=True)

    def check_lvalue(self, expression: Expression, node: syntax.Node) -> None:
        """Reject expressions that cannot be assigned to (section 5.8)."""
        inner = expression
        while isinstance(inner, (Swizzle, FieldOf, IndexOf)):
            if isinstance(inner, Swizzle) and len(set(inner.components)) < len(inner.components):
                self.fail("a component is written twice", node)
            inner = inner.base
        if not isinstance(inner, Reference):
            what = "result of a function" if isinstance(inner, Call) else "value"
            self.fail(f"a {what} cannot be written", node)
        variable = inner.variable
        if variable.constant:
            self.fail(f"{variable.name} is const", node)
        if variable.storage in ("uniform", "in") or "readonly" in access_to(expression):
            self.fail(f"{variable.name} cannot be written", node)
        if contains_opaque(expression.type):
            self.fail("samplers cannot be written", node)
        if variable.storage == "out":
            self.written_outputs.setdefault(variable.name, node.line)
            if {"gl_FragColor", "gl_FragData"} <= set(self.written_outputs):
                self.fail("both gl_FragColor and gl_FragData are written", node)


_CHECKERS: dict[type, Callable[[ExpressionChecker, Any], Expression]] = {
    syntax.Identifier: ExpressionChecker.check_identifier,
    syntax.Literal: ExpressionChecker._literal,
    syntax.Unary: ExpressionChecker._unary,
    syntax.Postfix: ExpressionChecker._postfix,
    syntax.Binary: ExpressionChecker._binary,
    syntax.Assignment: ExpressionChecker._assignment,
    syntax.Conditional: ExpressionChecker._conditional,
    syntax.Index: ExpressionChecker._index,
    syntax.Member: ExpressionChecker._member,
    syntax.Length: ExpressionChecker._length,
    syntax.Call: ExpressionChecker.check_call,
    syntax.TypeConstructor: ExpressionChecker.check_type_constructor,
}
