"""Lowers switches to a chain of Ifs, each with the code from its label up to the break.

If repeating the code that labels fall through to would make it too large, the sections are put one after the other
under flags instead.
"""

from dataclasses import dataclass
from functools import partial

from ..ssa import Operand
from ..typed import Block, If, Jump, Statement, Switch, Variable
from ..types import BOOL
from .effects import children, contains_jump
from .jumps import FALSE
from .state import FlaggedFrame
from .statements import StatementLowering

MAXIMUM_SECTIONS = 512
MAXIMUM_STATEMENTS = 1 << 10


class TooMuchCode(Exception):
    """Repeating the code that labels fall through to would make it too large."""


class SwitchLowering(StatementLowering):
    """Switches."""

    def switch(self, statement: Switch) -> None:
        """Lower a switch; code that several labels reach by falling through is repeated for each if it is small."""
        if len(statement.sections) > MAXIMUM_SECTIONS:
            self.fail(f"more than {MAXIMUM_SECTIONS} sections in a switch", statement.line)
        selector = self.scalar(statement.selector)
        try:
            bodies = _bodies(statement)
        except TooMuchCode:
            self._flagged(selector, statement)
            return
        cases: list[tuple[list[int], list[Statement]]] = []
        default: list[Statement] = []
        for (labels, _), body in zip(statement.sections, bodies, strict=True):
            if None in labels:
                default = body
            else:
                cases.append(([label for label in labels if label is not None], body))
        self._chain(selector, cases, default, 0)

    def _flagged(self, selector: Operand, statement: Switch) -> None:
        """Lower sections one after the other, each executed if a label so far matched and no jump was taken."""
        frame = FlaggedFrame(Variable("left", BOOL))
        inside = Variable("inside", BOOL)
        loops = self.frames[-1].loops
        loops.append(frame)
        labels = [label for section, _ in statement.sections for label in section if label is not None]
        for flag in (frame.ended, inside):
            self.state[flag] = (self.builder.immediate(FALSE),)
        for section, body in statement.sections:
            enters = self._is_any(selector, [label for label in section if label is not None])
            if None in section:
                others = self.builder.alu("NOT", self._is_any(selector, labels))
                enters = self.builder.alu("OR", enters, others)
            self.state[inside] = (self.builder.alu("OR", self.state[inside][0], enters),)
            stays = self.builder.alu("NOT", self.gone())
            condition = self.builder.alu("AND", self.state[inside][0], stays)
            self.branch(condition, partial(self.statements, body), lambda: None)
            if self.dead:
                break
        loops.pop()
        del self.state[frame.ended], self.state[inside]

    def _is_any(self, selector: Operand, labels: list[int]) -> Operand:
        chosen = self.builder.immediate(FALSE)
        for label in labels:
            chosen = self.builder.alu("OR", chosen, self.builder.alu("USEQ", selector, self.builder.immediate(label)))
        return chosen

    def _chain(
        self, selector: Operand, cases: list[tuple[list[int], list[Statement]]], default: list[Statement], first: int
    ) -> None:
        if first == len(cases):
            self.statements(default)
            return
        labels, body = cases[first]
        chosen = self._is_any(selector, labels)
        self.branch(chosen, lambda: self.statements(body), lambda: self._chain(selector, cases, default, first + 1))


def _bodies(statement: Switch) -> list[list[Statement]]:
    """Per section, all statements that are executed from it on."""
    budget = Budget()
    bodies: list[list[Statement]] = []
    following: list[Statement] = []
    for _, section in reversed(statement.sections):
        # Statements after the section's last one belong to the sections that it falls through to.
        following = _without_breaks([*section, *following], budget)
        bodies.insert(0, following)
    return bodies


@dataclass(slots=True)
class Budget:
    """Number of statements that a switch was split into."""

    statements: int = 0

    def count(self, statements: list[Statement]) -> None:
        """Count statements, including nested ones."""
        stack = list(statements)
        while stack:
            self.statements += 1
            if self.statements > MAXIMUM_STATEMENTS:
                raise TooMuchCode
            stack += children(stack.pop())


def _without_breaks(statements: list[Statement], budget: Budget) -> list[Statement]:
    """The statements, without the breaks of this switch and the code that they skip."""
    budget.count(statements)
    for position, statement in enumerate(statements):
        if isinstance(statement, Jump):
            return statements[:position] if statement.kind == "break" else statements[: position + 1]
        if not contains_jump(statement, ("break",)):
            continue
        rest = statements[position + 1 :]
        if isinstance(statement, Block):
            return [*statements[:position], *_without_breaks([*statement.statements, *rest], budget)]
        if isinstance(statement, If):
            then = _without_breaks([statement.then, *rest], budget)
            otherwise = _without_breaks([*([statement.otherwise] if statement.otherwise else []), *rest], budget)
            parts = Block(statement.line, then), Block(statement.line, otherwise)
            return [*statements[:position], If(statement.line, statement.condition, *parts)]
    return statements
