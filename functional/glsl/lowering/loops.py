"""Lowers loops: unrolled if their ends turn out to be constant, otherwise as loops.

One ``break`` or ``return`` of an unrolled loop may depend on run-time values: the code after it, including further
iterations, is lowered into the branch that stays in the loop.
"""

from collections.abc import Callable

from ..ssa import Loop as LoopNode
from ..ssa import Operand, Value, is_constant
from ..ssa.values import identity
from ..typed import Block, Loop, Operation, Statement, Variable
from ..types import BOOL
from .effects import contains_jump
from .jumps import FALSE, MAXIMUM_UNCERTAIN_BREAKS, TRUE, NextTrip, Unrolling
from .state import CannotUnroll, FlaggedFrame, Leaves, LoopFrame
from .switches import SwitchLowering

MAXIMUM_UNROLLED_TRIPS = 32
MAXIMUM_UNROLLED_COST = 26 * MAXIMUM_UNROLLED_TRIPS
"""Values of an iteration in a real loop, times iterations: the limits are those of Mesa 22.3 for softpipe."""
MAXIMUM_UNROLL_NESTING = 4
LEAVING = ("break", "return")


class LoopLowering(SwitchLowering):
    """Loops."""

    def loop(self, statement: Loop) -> None:
        """Lower a loop, header declarations first."""
        for inner in statement.initial:
            self.statement(inner)
        if not self._unroll(statement):
            self._real_loop(statement)

    def _unroll(self, loop: Loop) -> bool:
        """Execute the loop while compiling; False, without effect, if it does not end soon."""
        if self.in_unrolled >= MAXIMUM_UNROLL_NESTING or id(loop) in self.too_long:
            return False
        builder, loops, undo = self.builder, self.frames[-1].loops, self._undoing()
        frame = FlaggedFrame(Variable("left", BOOL), Variable("skipped", BOOL))
        builder.available.append({})
        self.in_unrolled += 1
        loops.append(frame)
        for flag in frame.flags:
            self.state[flag] = (builder.immediate(FALSE),)
        try:
            self._trips(Unrolling(loop, frame, self._most_trips(loop)), 0)
        except CannotUnroll:
            self.too_long.add(id(loop))
            undo()
            return False
        finally:
            self.in_unrolled -= 1
        loops.pop()
        for flag in frame.flags:
            del self.state[flag]
        facts = builder.available.pop()
        builder.available[-1].update(facts)
        return True

    def _undoing(self) -> Callable[[], None]:
        """A function that undoes whatever is lowered from now on."""
        builder, loops = self.builder, self.frames[-1].loops
        nodes, position, scopes = builder.nodes, len(builder.nodes), len(builder.available)
        state, frames, depth, outer_loops = dict(self.state), list(self.frames), self.branch_depth, list(loops)
        origin = builder.origin

        def undo() -> None:
            self.state, self.frames, self.branch_depth, self.dead = state, frames, depth, False
            loops[:] = outer_loops
            builder.nodes, builder.origin = nodes, origin
            del builder.nodes[position:], builder.available[scopes:]

        return undo

    def _most_trips(self, loop: Loop) -> int:
        """Most iterations that are unrolled, from the values of one of a real loop."""
        if id(loop) not in self.most_trips:
            undo, before, estimates = self._undoing(), self.builder.count, self.estimates
            self.builder.available.append({})
            self.estimates = True
            try:
                self._real_loop(loop)
            finally:
                self.estimates = estimates
            cost, self.builder.count = self.builder.count - before, before
            undo()
            self.most_trips[id(loop)] = min(MAXIMUM_UNROLLED_TRIPS, MAXIMUM_UNROLLED_COST // max(cost, 1))
        return self.most_trips[id(loop)]

    def _trips(self, unrolling: Unrolling, first: int, tested: bool = False) -> None:
        """Lower iterations from ``first`` on, up to one that is certainly or possibly the last.

        ``tested`` says that the loop's condition was already evaluated for the first one.
        """
        loop, frame = unrolling.loop, unrolling.frame
        for trip in range(first, unrolling.most + 1):
            if not (tested and trip == first):
                condition = self._condition(loop, trip)
                if is_constant(condition, FALSE):
                    return
                if condition.value.op != "IMM":
                    self._where_it_goes_on(unrolling, trip, condition)
                    return
            if trip == unrolling.most:
                raise CannotUnroll
            frame.trip, frame.branch_depth, frame.goes_on = trip, self.branch_depth, False
            if contains_jump(loop.body, ("continue",)):
                self.statements([loop.body])
                self._behind_continue(unrolling)
            else:
                self.statements([*_flat(loop.body), NextTrip(loop.line, unrolling)])
            if not frame.goes_on:
                return
            if loop.step is not None:
                self.value(loop.step)

    def _condition(self, loop: Loop, trip: int) -> Operand:
        """Whether the loop's condition allows another iteration."""
        if loop.condition is None or (trip == 0 and not loop.test_first):
            return self.builder.immediate(TRUE)
        condition = self.scalar(loop.condition)
        if loop.condition_variable is not None:
            self.declare(loop.condition_variable, (condition,))
        return condition

    def _where_it_goes_on(self, unrolling: Unrolling, trip: int, condition: Operand) -> None:
        """Lower the iteration, and those after it, under a run-time condition.

        That is worth trying if the loop has another way to end: a part of the condition, or a jump.
        """
        loop, frame = unrolling.loop, unrolling.frame
        joined = isinstance(loop.condition, Operation) and loop.condition.operator == "&&"
        frame.uncertain.add(id(loop))
        if len(frame.uncertain) > MAXIMUM_UNCERTAIN_BREAKS or not (joined or contains_jump(loop.body, LEAVING)):
            raise CannotUnroll
        self.branch(condition, lambda: self._trips(unrolling, trip, tested=True), lambda: None)
        frame.goes_on = False

    def _behind_continue(self, unrolling: Unrolling) -> None:
        frame = unrolling.frame
        assert frame.skipped is not None
        self.state[frame.skipped] = (self.builder.immediate(FALSE),)
        gone = self.gone()
        if is_constant(gone, FALSE):
            frame.goes_on = True
        elif not is_constant(gone, TRUE):
            self.branch(gone, lambda: None, lambda: self.next_trip(NextTrip(unrolling.loop.line, unrolling)))

    def next_trip(self, statement: NextTrip) -> None:
        """Continue the loop: from here inside a branch, otherwise in the caller of the iteration."""
        unrolling = statement.unrolling
        frame, loop = unrolling.frame, unrolling.loop
        if self.branch_depth == frame.branch_depth:
            frame.goes_on = True
            return
        trip = frame.trip
        if loop.step is not None:
            self.value(loop.step)
        self._trips(unrolling, trip + 1)
        frame.goes_on = False

    def _real_loop(self, loop: Loop) -> None:
        frame_of_function = self.frames[-1]
        frame = self._enter(loop)
        frame_of_function.loops.append(frame)
        outer = self.builder.push()
        before = dict(self.state)
        self._bind(frame, frame.node.parameters)
        if loop.test_first and loop.condition is not None:
            condition = self.scalar(loop.condition)
            if loop.condition_variable is not None:
                self.declare(loop.condition_variable, (condition,))
            self.leave_unless(condition, frame)
        if not self.dead:
            self.statements([loop.body])
        if not self.dead:
            self.continue_part(frame)
        frame.node.next = None if self.dead else self.carried(frame)
        frame.node.body = self.builder.pop(outer)
        frame_of_function.loops.pop()
        self.builder.nodes.append(frame.node)
        self._leave(frame, before)

    def continue_part(self, frame: LoopFrame) -> None:
        """The step of a for loop, the test of a do-while."""
        if frame.step is not None:
            self.value(frame.step)
        if frame.condition is not None:
            self.leave_unless(self.scalar(frame.condition), frame)

    def leave_unless(self, condition: Operand, frame: LoopFrame) -> None:
        """Leave the loop if the condition is false."""
        self.branch(condition, lambda: None, lambda: self.jump_out(frame))

    def _enter(self, loop: Loop) -> LoopFrame:
        """Create the loop's node, with a parameter per leaf of every variable that it may write."""
        parts: list[Statement] = [loop.body]
        written = self.written.of_statements(parts)
        for expression in (loop.condition, loop.step):
            if expression is not None:
                written |= self.written.of_expression(expression)
        function = self.frames[-1]
        if contains_jump(loop.body, ("return",)):
            written |= {function.returned} | ({function.result} if function.result else set())
        variables = [variable for variable in self.state if variable in written]
        initial = [leaf for variable in variables for leaf in self.state[variable]]
        parameters = [Value("PHI", len(leaf.swizzle)) for leaf in initial]
        node = LoopNode(parameters, initial, origin=self.builder.origin)
        return LoopFrame(variables, node, loop.step, None if loop.test_first else loop.condition)

    def _bind(self, frame: LoopFrame, values: list[Value]) -> None:
        """Set the loop's variables to these values."""
        rest: list[Operand] = [identity(value) for value in values]
        for variable in frame.variables:
            count = len(self.state[variable])
            self.state[variable] = tuple(rest[:count])
            del rest[:count]

    def _leave(self, frame: LoopFrame, before: dict[Variable, Leaves]) -> None:
        """Continue after the loop: the variables have the values that the breaks passed on."""
        self.state = before
        if not frame.breaks:
            self.dead = True
            return
        self.dead = False
        frame.node.results = [Value("PHI", parameter.width) for parameter in frame.node.parameters]
        self._bind(frame, frame.node.results)


def _flat(body: Statement) -> list[Statement]:
    return body.statements if isinstance(body, Block) else [body]
