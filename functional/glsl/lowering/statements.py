"""Lowering statements: branches, jumps and inlined functions."""

from collections.abc import Callable, Sequence
from typing import Any

from ..ssa import Jump as JumpNode
from ..ssa import Operand, is_constant
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
from .effects import WrittenVariables, always_returns, contains_jump
from .expressions import ExpressionLowering
from .place import Place
from .state import CannotUnroll, FunctionFrame, Leaves, LoopFrame, UnrolledFrame

TRUE, FALSE = 0xFFFFFFFF, 0
MAXIMUM_INLINING_DEPTH = 64


class StatementLowering(ExpressionLowering):
    """Statements to nodes."""

    written: WrittenVariables

    def loop(self, statement: Loop) -> None:
        """Lower a loop."""
        raise NotImplementedError

    def switch(self, statement: Switch) -> None:
        """Lower a switch."""
        raise NotImplementedError

    def call(self, function: Function, arguments: tuple[Expression, ...], line: int) -> Leaves:
        """Inline a function call: copy in, body, copy out in order of the parameters."""
        if len(self.frames) >= MAXIMUM_INLINING_DEPTH:
            self.fail("calls nested too deeply", line)
        outer = list(self.state)
        targets: list[tuple[Place | None, Leaves | None]] = []
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            if parameter.direction == "in":
                targets.append((None, self.value(argument)))
            else:
                place = self.place(argument)
                incoming = self.read(place, line) if parameter.direction == "inout" else None
                targets.append((place, incoming))
        for parameter, (_, leaves) in zip(function.parameters, targets, strict=True):
            self.declare(parameter, leaves)
        result = self.body(function)
        outgoing = [
            self.read(self.place(Reference(line, p.type, p)), line) if place is not None else ()
            for p, (place, _) in zip(function.parameters, targets, strict=True)
        ]
        for (target, _), leaves in zip(targets, outgoing, strict=True):
            if target is not None:
                self.write(target, leaves)
        self.state = {variable: self.state[variable] for variable in outer}
        return result

    def body(self, function: Function) -> Leaves:
        """Lower a function's body; parameters are in the state. Returns the result's leaves."""
        returned = Variable("returned", BOOL)
        result = None if function.return_type == VOID else Variable("result", function.return_type)
        frame = FunctionFrame(returned, result)
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
        """Lower statements up to the first that never lets the next one run."""
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(statement, If) and (always_returns(statement.then) or always_returns(statement.otherwise)):
                self._if_else_rest(statement, rest)
                return
            self.statement(statement)
            if self.dead or self._returned():
                return
            if contains_jump(statement, ("return",)) and not is_constant(self._flag(), FALSE):
                self._unless_returned(rest)
                return

    def _flag(self) -> Operand:
        return self.state[self.frames[-1].returned][0]

    def _returned(self) -> bool:
        return is_constant(self._flag(), TRUE)

    def _if_else_rest(self, statement: If, rest: Sequence[Statement]) -> None:
        """One branch always returns: what follows the If belongs to the other one."""
        then_returns = always_returns(statement.then)
        then: list[Statement] = [statement.then]
        otherwise: list[Statement] = [statement.otherwise] if statement.otherwise else []
        if then_returns:
            otherwise += rest
        else:
            then += rest
        condition = self.scalar(statement.condition)
        self.branch(condition, lambda: self.statements(then), lambda: self.statements(otherwise))

    def _unless_returned(self, rest: Sequence[Statement]) -> None:
        frame = self.frames[-1]
        if frame.loops:
            self.branch(self._flag(), lambda: self.jump_out(frame.loops[-1]), lambda: None)
            if not self.dead:
                self.statements(rest)
        elif rest:
            self.branch(self._flag(), lambda: None, lambda: self.statements(rest))

    def branch(self, condition: Operand, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Lower two alternatives; a condition that is known leaves one."""
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
        lowerings: dict[type, Callable[[Any], None]] = {
            Block: self._block,
            Evaluate: self._evaluate,
            Declare: self._declare,
            If: self._if,
            Loop: self.loop,
            Switch: self.switch,
            Jump: self._jump,
        }
        lowerings[type(statement)](statement)

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

    def _jump(self, statement: Jump) -> None:
        frame = self.frames[-1]
        if statement.kind == "discard":
            self.builder.make("KILL", 0)
        elif statement.kind == "return":
            if statement.value is not None and frame.result is not None:
                self.state[frame.result] = self.value(statement.value)
            self.state[frame.returned] = (self.builder.immediate(TRUE),)
            if frame.loops:
                self.jump_out(frame.loops[-1])
        elif statement.kind == "break":
            self.jump_out(frame.loops[-1])
        else:
            self.next_iteration(frame.loops[-1])

    def carried(self, frame: LoopFrame) -> list[Operand]:
        """What a jump of this loop hands over: the leaves of its variables."""
        return [leaf for variable in frame.variables for leaf in self.state[variable]]

    def _end_trip(self, frame: UnrolledFrame, jump: str) -> None:
        """A jump in a loop that is being unrolled: it must be certain."""
        if self.branch_depth != frame.branch_depth:
            raise CannotUnroll
        frame.left = jump
        self.dead = True

    def jump_out(self, frame: LoopFrame | UnrolledFrame) -> None:
        """Leave the loop."""
        if isinstance(frame, UnrolledFrame):
            self._end_trip(frame, "break")
            return
        jump = JumpNode("BRK", self.carried(frame))
        self.builder.nodes.append(jump)
        frame.breaks.append(jump)
        self.dead = True

    def next_iteration(self, frame: LoopFrame | UnrolledFrame) -> None:
        """What ``continue`` does: the step, the test of a do-while, and around."""
        if isinstance(frame, UnrolledFrame):
            self._end_trip(frame, "continue")
            return
        self.continue_part(frame)
        if not self.dead:
            self.builder.nodes.append(JumpNode("CONT", self.carried(frame)))
            self.dead = True

    def continue_part(self, frame: LoopFrame) -> None:
        """The step of a for loop, the test of a do-while."""
        if frame.step is not None:
            self.value(frame.step)
        if frame.condition is not None:
            self.leave_unless(self.scalar(frame.condition), frame)

    def leave_unless(self, condition: Operand, frame: LoopFrame) -> None:
        """Leave the loop where the condition is false."""
        self.branch(condition, lambda: None, lambda: self.jump_out(frame))
