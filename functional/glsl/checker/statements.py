"""Checking statements and functions (chapter 6)."""

from collections.abc import Callable
from typing import Any

from .. import syntax
from ..lowering.effects import contains_jump
from ..typed import (
    Block,
    Declare,
    Evaluate,
    Expression,
    Function,
    If,
    Jump,
    Loop,
    Statement,
    Switch,
    Variable,
)
from ..types import BOOL, INT, UINT, VOID
from .declarations import DeclarationChecker


class StatementChecker(DeclarationChecker):
    """Function bodies."""

    def check_function(self, node: syntax.FunctionDefinition) -> None:
        """Check a function and its body; in ESSL 3.00 parameters and body are one scope."""
        function = self.declare_function(node.prototype, True)
        if function.body is not None:
            self.fail(f"{function.signature} is already defined", node)
        # The definition's parameter names are the ones the body uses.
        function.parameters = [self._parameter(parameter) for parameter in node.prototype.parameters]
        self.current = function
        self.scopes.push()
        for parameter in function.parameters:
            if parameter.name:
                self.declare_variable(parameter, node)
        if self.version < 300:
            function.body = self._scoped(node.body)
        else:
            function.body = Block(node.line, self._statements(node.body.statements))
        self.scopes.pop()
        self.current = None
        if function.return_type != VOID and not contains_jump(function.body, ("return",)):
            self.fail(f"{function.name} returns {function.return_type.name} but has no return statement", node)

    def _statements(self, nodes: list[syntax.Statement]) -> list[Statement]:
        statements: list[Statement] = []
        for node in nodes:
            statements += self._statement(node)
        return statements

    def _statement(self, node: syntax.Statement) -> list[Statement]:
        return _CHECKERS[type(node)](self, node)

    def _scoped(self, node: syntax.Statement) -> Block:
        """A statement in its own scope."""
        self.scopes.push()
        statements = node.statements if isinstance(node, syntax.Compound) else [node]
        block = Block(node.line, self._statements(statements))
        self.scopes.pop()
        return block

    def _compound(self, node: syntax.Compound) -> list[Statement]:
        return [self._scoped(node)]

    def _expression(self, node: syntax.ExpressionStatement) -> list[Statement]:
        if node.expression is None:
            return []
        return [Evaluate(node.line, self.check_expression(node.expression))]

    def _declaration(self, node: syntax.DeclarationStatement) -> list[Statement]:
        declaration = node.declaration
        if isinstance(declaration, syntax.VariableDeclaration):
            return [Declare(variable.line, variable) for variable in self.check_variables(declaration)]
        if isinstance(declaration, syntax.InvariantDeclaration):
            self.fail("invariant declarations belong to the global scope", node)
        self.check_precision(declaration)
        return []

    def _if(self, node: syntax.If) -> list[Statement]:
        condition = self.check_condition(node.condition)
        then = self._scoped(node.then)
        otherwise = self._scoped(node.otherwise) if node.otherwise is not None else None
        return [If(node.line, condition, then, otherwise)]

    def _loop_condition(
        self, node: syntax.Expression | syntax.VariableDeclaration | None
    ) -> tuple[Expression | None, Variable | None]:
        if node is None:
            return None, None
        if isinstance(node, syntax.VariableDeclaration):
            variable = self.check_variables(node)[0]
            if variable.type != BOOL:
                self.fail(f"condition must be bool, not {variable.type.name}", node)
            return variable.initializer, variable
        return self.check_condition(node), None

    def _body(self, node: syntax.Statement) -> Block:
        """A loop's body; its braces open no new scope, because the header's names belong to the same one."""
        self.loop_depth += 1
        statements = node.statements if isinstance(node, syntax.Compound) else [node]
        block = Block(node.line, self._statements(statements))
        self.loop_depth -= 1
        return block

    def _for(self, node: syntax.For) -> list[Statement]:
        self.scopes.push()
        initial = self._statement(node.initial)
        condition, variable = self._loop_condition(node.condition)
        step = self.check_expression(node.step) if node.step is not None else None
        loop = Loop(node.line, initial, condition, variable, step, self._body(node.body), True)
        self.scopes.pop()
        return [loop]

    def _while(self, node: syntax.While) -> list[Statement]:
        self.scopes.push()
        condition, variable = self._loop_condition(node.condition)
        loop = Loop(node.line, [], condition, variable, None, self._body(node.body), True)
        self.scopes.pop()
        return [loop]

    def _do(self, node: syntax.DoWhile) -> list[Statement]:
        self.scopes.push()
        body = self._body(node.body)
        self.scopes.pop()
        return [Loop(node.line, [], self.check_condition(node.condition), None, None, body, False)]

    def _switch(self, node: syntax.Switch) -> list[Statement]:
        selector = self.check_value(node.selector)
        if selector.type not in (INT, UINT):
            self.fail(f"switch needs an integer, not {selector.type.name}", node)
        self.switch_depth += 1
        self.scopes.push()
        sections: list[tuple[list[int | None], list[Statement]]] = []
        seen: set[int | None] = set()
        for statement in node.body:
            if isinstance(statement, syntax.Case):
                label = self._label(statement, selector)
                if label in seen:
                    self.fail("label is repeated", statement)
                seen.add(label)
                if not sections or sections[-1][1]:
                    sections.append(([], []))
                sections[-1][0].append(label)
            elif not sections:
                self.fail("statement before the first label", statement)
            else:
                sections[-1][1].extend(self._statement(statement))
        if sections and not sections[-1][1]:
            self.fail("no statement after the last label", node)
        self.scopes.pop()
        self.switch_depth -= 1
        return [Switch(node.line, selector, sections)]

    def _label(self, node: syntax.Case, selector: Expression) -> int | None:
        if node.value is None:
            return None
        value = self.check_expression(node.value)
        if value.type != selector.type:
            self.fail(f"label is {value.type.name}, switch is over {selector.type.name}", node)
        return self.integer_constant(value, "label") & 0xFFFFFFFF

    def _stray_case(self, node: syntax.Case) -> list[Statement]:
        self.fail("label outside of switch", node)

    def _jump(self, node: syntax.Jump) -> list[Statement]:
        if node.kind == "continue" and not self.loop_depth:
            self.fail("continue outside of a loop", node)
        if node.kind == "break" and not self.loop_depth and not self.switch_depth:
            self.fail("break outside of a loop", node)
        if node.kind == "discard" and self.stage != "fragment":
            self.fail("discard belongs to fragment shaders", node)
        if node.kind != "return":
            return [Jump(node.line, node.kind)]
        assert self.current is not None
        return [Jump(node.line, "return", self._returned(node, self.current))]

    def _returned(self, node: syntax.Jump, function: Function) -> Expression | None:
        if node.value is None:
            if function.return_type != VOID:
                self.fail(f"{function.name} must return {function.return_type.name}", node)
            return None
        value = self.as_type(self.check_value(node.value), function.return_type)
        if function.return_type == VOID:
            self.fail(f"{function.name} returns nothing", node)
        if value.type != function.return_type:
            self.fail(f"{function.name} returns {function.return_type.name}, not {value.type.name}", node)
        return value


_CHECKERS: dict[type, Callable[[StatementChecker, Any], list[Statement]]] = {
    syntax.Compound: StatementChecker._compound,
    syntax.ExpressionStatement: StatementChecker._expression,
    syntax.DeclarationStatement: StatementChecker._declaration,
    syntax.If: StatementChecker._if,
    syntax.For: StatementChecker._for,
    syntax.While: StatementChecker._while,
    syntax.DoWhile: StatementChecker._do,
    syntax.Switch: StatementChecker._switch,
    syntax.Jump: StatementChecker._jump,
    syntax.Case: StatementChecker._stray_case,
}
