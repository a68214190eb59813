"""Lowering switches: a chain of Ifs, each with what its label lets run up to the break."""

from ..ssa import Operand
from ..typed import Block, If, Jump, Statement, Switch
from .effects import children, contains_jump
from .statements import StatementLowering

MAXIMUM_SECTIONS = 512
MAXIMUM_STATEMENTS = 1 << 14


class SwitchLowering(StatementLowering):
    """Switches."""

    def switch(self, statement: Switch) -> None:
        """Lower a switch; code that several labels reach by falling through is lowered for each of them."""
        if len(statement.sections) > MAXIMUM_SECTIONS:
            self.fail(f"more than {MAXIMUM_SECTIONS} sections in a switch", statement.line)
        selector = self.scalar(statement.selector)
        self.switch_statements = 0
        bodies: list[list[Statement]] = []
        following: list[Statement] = []
        for _, section in reversed(statement.sections):
            # Statements behind the section's last one belong to the sections it falls into.
            following = self._without_breaks([*section, *following], statement.line)
            bodies.insert(0, following)
        cases: list[tuple[list[int], list[Statement]]] = []
        default: list[Statement] = []
        for (labels, _), body in zip(statement.sections, bodies, strict=True):
            if None in labels:
                default = body
            else:
                cases.append(([label for label in labels if label is not None], body))
        self._chain(selector, cases, default, 0)

    def _chain(
        self, selector: Operand, cases: list[tuple[list[int], list[Statement]]], default: list[Statement], first: int
    ) -> None:
        if first == len(cases):
            self.statements(default)
            return
        labels, body = cases[first]
        chosen: Operand | None = None
        for label in labels:
            equal = self.builder.alu("USEQ", selector, self.builder.immediate(label))
            chosen = equal if chosen is None else self.builder.alu("OR", chosen, equal)
        assert chosen is not None
        self.branch(chosen, lambda: self.statements(body), lambda: self._chain(selector, cases, default, first + 1))

    def _count(self, statements: list[Statement], line: int) -> None:
        """Count statements, those inside included, against the limit of this switch."""
        stack = list(statements)
        while stack:
            self.switch_statements += 1
            if self.switch_statements > MAXIMUM_STATEMENTS:
                self.fail("too much code after taking a switch apart", line)
            stack += children(stack.pop())

    def _without_breaks(self, statements: list[Statement], line: int) -> list[Statement]:
        """The statements with every break of this switch replaced by leaving out what it skips."""
        self._count(statements, line)
        for position, statement in enumerate(statements):
            if isinstance(statement, Jump):
                return statements[:position] if statement.kind == "break" else statements[: position + 1]
            if not contains_jump(statement, ("break",)):
                continue
            rest = statements[position + 1 :]
            if isinstance(statement, Block):
                return [*statements[:position], *self._without_breaks([*statement.statements, *rest], line)]
            if isinstance(statement, If):
                then = self._without_breaks([statement.then, *rest], line)
                otherwise = self._without_breaks([*([statement.otherwise] if statement.otherwise else []), *rest], line)
                parts = Block(statement.line, then), Block(statement.line, otherwise)
                return [*statements[:position], If(statement.line, statement.condition, *parts)]
        return statements
