"""Lowering statements: branches, jumps and inlined functions."""

from collections.abc import Callable, Sequence

from ..ssa import Operand, Origin, is_constant
from ..typed import (
    Block,
    Declare,
    Evaluate,
    Expression,
    Function,
    If,
    Jump,
    Loop,
    Reference,
    Statement,
    Switch,
    Variable,
)
from ..types import BOOL, VOID
from .effects import WrittenVariables, always_jumps, contains_jump
from .jumps import FALSE, JumpLowering, NextTrip
from .l_value import LValue
from .state import FunctionFrame, Leaves

MAXIMUM_INLINING_DEPTH = 64

_LOWERINGS: dict[type, str] = {
    Block: "_block",
    Evaluate: "_evaluate",
    Declare: "_declare",
    If: "_if",
    Loop: "loop",
    Switch: "switch",
    Jump: "jump",
    NextTrip: "next_trip",
}
"""Methods by kind of statement: by name, as subclasses implement some."""


class StatementLowering(JumpLowering):
    """Lowers statements to nodes."""

    written: WrittenVariables

    def loop(self, statement: Loop) -> None:
        """Lower a loop."""
        raise NotImplementedError

    def switch(self, statement: Switch) -> None:
        """Lower a switch."""
        raise NotImplementedError

    def next_trip(self, statement: NextTrip) -> None:
        """Continue a loop that is being unrolled."""
        raise NotImplementedError

    def call(self, function: Function, arguments: tuple[Expression, ...], line: int) -> Leaves:
        """Inline a function call: copy in, body, copy out in the order of the parameters."""
        if len(self.frames) >= MAXIMUM_INLINING_DEPTH:
            self.fail("calls nested too deeply", line)
        outer = list(self.state)
        targets: list[tuple[LValue | None, Leaves | None]] = []
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            if parameter.direction == "in":
                targets.append((None, self.value(argument)))
            else:
                l_value = self.l_value(argument)
                incoming = self.read(l_value, line) if parameter.direction == "inout" else None
                targets.append((l_value, incoming))
        for parameter, (_, leaves) in zip(function.parameters, targets, strict=True):
            self.declare(parameter, leaves)
        result = self.body(function, self.builder.origin)
        outgoing = [
            self.read(self.l_value(Reference(line, p.type, p)), line) if l_value is not None else ()
            for p, (l_value, _) in zip(function.parameters, targets, strict=True)
        ]
        for (target, _), leaves in zip(targets, outgoing, strict=True):
            if target is not None:
                self.write(target, leaves)
        self.state = {variable: self.state[variable] for variable in outer}
        return result

    def body(self, function: Function, calls: Origin = ()) -> Leaves:
        """Lower a function's body for some calls, with the parameters in the state; the leaves of its result."""
        returned = Variable("returned", BOOL)
        result = None if function.return_type == VOID else Variable("result", function.return_type)
        frame = FunctionFrame(returned, result, calls)
        self.state[returned] = (self.builder.immediate(FALSE),)
        if result is not None:
            self.state[result] = self.undefined_leaves(result)
        self.frames.append(frame)
        assert function.body is not None
        self.statements(function.body.statements)
        self.frames.pop()
        self.dead = False
        del self.state[returned]
        return self.state.pop(result) if result is not None else ()

    def statements(self, statements: Sequence[Statement]) -> None:
        """Lower statements up to the first after which none is executed."""
        kinds = self.flagged_kinds()
        for position, statement in enumerate(statements):
            if isinstance(statement, If) and (
                always_jumps(statement.then, kinds) or always_jumps(statement.otherwise, kinds)
            ):
                self._if_else_rest(statement, statements[position + 1 :], kinds)
                return
            self.statement(statement)
            if self.dead or self.certainly_gone():
                return
            if contains_jump(statement, kinds):
                gone = self.gone()
                if not is_constant(gone, FALSE):
                    self._unless(gone, statements[position + 1 :])
                    return

    def _if_else_rest(self, statement: If, rest: Sequence[Statement], kinds: tuple[str, ...]) -> None:
        """One branch always jumps, so the code after the If belongs to the other one."""
        then: list[Statement] = [statement.then]
        otherwise: list[Statement] = [statement.otherwise] if statement.otherwise else []
        if always_jumps(statement.then, kinds):
            otherwise += rest
        else:
            then += rest
        outer = self.at(statement.line)
        condition = self.scalar(statement.condition)
        self.branch(condition, lambda: self.statements(then), lambda: self.statements(otherwise))
        self.builder.origin = outer

    def _unless(self, gone: Operand, rest: Sequence[Statement]) -> None:
        """Lower the rest under the condition that no jump has skipped it."""
        loop = self.real_loop()
        if loop is not None:
            self.branch(gone, lambda: self.jump_out(loop), lambda: None)
            if not self.dead:
                self.statements(rest)
        elif rest:
            self.branch(gone, lambda: None, lambda: self.statements(rest))

    def branch(self, condition: Operand, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Lower two alternatives, or only one if the condition is known."""
        if condition.value.op == "IMM":
            (otherwise if is_constant(condition, FALSE) else then)()
            return
        base = self.state
        results = []
        self.branch_depth += 1
        for lower in (then, otherwise):
            self.state, self.dead = dict(base), False
            outer = self.builder.push()
            lower()
            nodes = self.builder.pop(outer)
            results.append((nodes, None if self.dead else self.state))
        self.branch_depth -= 1
        self.state, self.dead = base, False
        if not results[0][0] and not results[1][0] and results[0][1] == results[1][1] == base:
            return
        self.join(condition, (results[0], results[1]), base)

    def statement(self, statement: Statement) -> None:
        """Lower one statement."""
        outer = self.at(statement.line)
        getattr(self, _LOWERINGS[type(statement)])(statement)
        self.builder.origin = outer

    def _block(self, statement: Block) -> None:
        self.statements(statement.statements)

    def _evaluate(self, statement: Evaluate) -> None:
        self.value(statement.expression)

    def _declare(self, statement: Declare) -> None:
        variable = statement.variable
        self.declare(variable, self.value(variable.initializer) if variable.initializer else None)

    def _if(self, statement: If) -> None:
        condition = self.scalar(statement.condition)
        otherwise = statement.otherwise
        self.branch(
            condition,
            lambda: self.statements([statement.then]),
            lambda: self.statements([otherwise] if otherwise else []),
        )
