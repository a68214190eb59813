"""Lowering loops: unrolled where the trip count turns out constant, else as loops."""

from ..ssa import Loop as LoopNode
from ..ssa import Operand, Value, is_constant
from ..ssa.values import identity
from ..typed import Loop, Statement, Variable
from .effects import contains_jump
from .state import CannotUnroll, Leaves, LoopFrame, UnrolledFrame
from .switches import SwitchLowering

MAXIMUM_UNROLLED_TRIPS = 32
MAXIMUM_UNROLLED_VALUES = 1024
MAXIMUM_UNROLL_NESTING = 4


class LoopLowering(SwitchLowering):
    """Loops."""

    def loop(self, statement: Loop) -> None:
        """Lower a loop, header declarations first."""
        for inner in statement.initial:
            self.statement(inner)
        if not self._unroll(statement):
            self._real_loop(statement)

    def _unroll(self, loop: Loop) -> bool:
        """Execute the loop while compiling; False, and nothing happened, if it does not end soon."""
        if not loop.test_first or loop.condition is None:
            return False
        if self.in_unrolled >= MAXIMUM_UNROLL_NESTING or id(loop) in self.too_long:
            return False
        builder, loops = self.builder, self.frames[-1].loops
        nodes, position, made, scopes = builder.nodes, len(builder.nodes), builder.count, len(builder.known)
        state, frames, depth, outer_loops = dict(self.state), list(self.frames), self.branch_depth, list(loops)
        builder.known.append({})
        self.in_unrolled += 1
        try:
            finished = self._execute(loop, made)
        except CannotUnroll:
            self.too_long.add(id(loop))
            finished = False
        self.in_unrolled -= 1
        if finished:
            loops.pop()
            known = builder.known.pop()
            builder.known[-1].update(known)
            return True
        self.state, self.frames, self.branch_depth, self.dead = state, frames, depth, False
        loops[:] = outer_loops
        builder.nodes = nodes
        del builder.nodes[position:], builder.known[scopes:]
        return False

    def _execute(self, loop: Loop, made: int) -> bool:
        assert loop.condition is not None
        frame = UnrolledFrame(self.branch_depth)
        self.frames[-1].loops.append(frame)
        for trip in range(MAXIMUM_UNROLLED_TRIPS + 1):
            condition = self.scalar(loop.condition)
            if condition.value.op != "IMM":
                return False
            if is_constant(condition, 0):
                return True
            if trip == MAXIMUM_UNROLLED_TRIPS:
                self.too_long.add(id(loop))
                return False
            if loop.condition_variable is not None:
                self.declare(loop.condition_variable, (condition,))
            self.statement(loop.body)
            left, frame.left = frame.left, ""
            if left:
                self.dead = False
            if left == "break" or self.dead or self._returned():
                return True
            if loop.step is not None:
                self.value(loop.step)
            if self.builder.count - made > MAXIMUM_UNROLLED_VALUES:
                self.too_long.add(id(loop))
                return False
        return False

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
        # Whoever returned inside the loop is behind it now.
        if contains_jump(loop.body, ("return",)) and self._returned():
            self.dead = self.dead or bool(frame_of_function.loops)

    def _enter(self, loop: Loop) -> LoopFrame:
        """Make the loop's node, with a parameter per leaf of every variable it may write."""
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
        node = LoopNode(parameters, initial)
        return LoopFrame(variables, node, loop.step, None if loop.test_first else loop.condition)

    def _bind(self, frame: LoopFrame, values: list[Value]) -> None:
        """Let the loop's variables be these values."""
        rest: list[Operand] = [identity(value) for value in values]
        for variable in frame.variables:
            count = len(self.state[variable])
            self.state[variable] = tuple(rest[:count])
            del rest[:count]

    def _leave(self, frame: LoopFrame, before: dict[Variable, Leaves]) -> None:
        """Behind the loop: results are what the breaks carried."""
        self.state = before
        if not frame.breaks:
            self.dead = True
            return
        self.dead = False
        frame.node.results = [Value("PHI", parameter.width) for parameter in frame.node.parameters]
        self._bind(frame, frame.node.results)
