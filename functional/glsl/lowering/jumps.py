"""Lowers jumps: to real ones in loops, to flags in functions, switches and unrolled loops."""

from dataclasses import dataclass

from ..ssa import Jump as JumpNode
from ..ssa import Operand, is_constant
from ..typed import Jump, Loop, Statement, Variable
from .expressions import ExpressionLowering
from .state import CannotUnroll, FlaggedFrame, LoopFrame

TRUE, FALSE = 0xFFFFFFFF, 0
MAXIMUM_UNCERTAIN_BREAKS = 1


@dataclass(slots=True)
class Unrolling:
    """A loop being unrolled, with the most iterations that it may have."""

    loop: Loop
    frame: FlaggedFrame
    most: int


@dataclass(slots=True)
class NextTrip(Statement):
    """Marks the end of an iteration of a loop that is being unrolled."""

    unrolling: Unrolling


class JumpLowering(ExpressionLowering):
    """Lowers jumps and the code that they skip."""

    def jump(self, statement: Jump) -> None:
        """Lower a jump."""
        function = self.frames[-1]
        if statement.kind == "discard":
            self.builder.make("KILL", 0)
        elif statement.kind == "return":
            if statement.value is not None and function.result is not None:
                self.state[function.result] = self.value(statement.value)
            self._set(function.returned)
            loop = next((f for f in reversed(function.loops) if not _is_switch(f)), None)
            if loop is not None:
                self.jump_out(loop, statement)
        elif statement.kind == "break":
            self.jump_out(function.loops[-1], statement)
        else:
            loop = next(f for f in reversed(function.loops) if not _is_switch(f))
            if isinstance(loop, LoopFrame):
                self.next_iteration(loop)
            else:
                assert loop.skipped is not None
                self._set(loop.skipped)

    def jump_out(self, frame: LoopFrame | FlaggedFrame, statement: Jump | None = None) -> None:
        """Leave the loop or switch."""
        if isinstance(frame, FlaggedFrame):
            self._set(frame.ended)
            if frame.skipped is not None and self.branch_depth != frame.branch_depth:
                frame.uncertain.add(id(statement))
                if len(frame.uncertain) > MAXIMUM_UNCERTAIN_BREAKS:
                    raise CannotUnroll
            return
        jump = JumpNode("BRK", self.carried(frame), self.builder.origin)
        self.builder.nodes.append(jump)
        frame.breaks.append(jump)
        self.dead = True

    def next_iteration(self, frame: LoopFrame) -> None:
        """Lower ``continue``: the step or the test of a do-while, then the next iteration."""
        self.continue_part(frame)
        if not self.dead:
            self.builder.nodes.append(JumpNode("CONT", self.carried(frame), self.builder.origin))
            self.dead = True

    def continue_part(self, frame: LoopFrame) -> None:
        """Lower the step of a for loop, the test of a do-while."""
        raise NotImplementedError

    def carried(self, frame: LoopFrame) -> list[Operand]:
        """Operands that a jump of this loop passes on: the leaves of its variables."""
        return [leaf for variable in frame.variables for leaf in self.state[variable]]

    def real_loop(self) -> LoopFrame | None:
        """The innermost construct of the function, if it is a loop that is not unrolled."""
        loops = self.frames[-1].loops
        return loops[-1] if loops and isinstance(loops[-1], LoopFrame) else None

    def flagged_kinds(self) -> tuple[str, ...]:
        """Kinds of jumps that set flags here."""
        loops = self.frames[-1].loops
        if not loops or isinstance(loops[-1], LoopFrame):
            return ("return",)
        return ("return", "break", "continue")

    def certainly_gone(self) -> bool:
        """Whether a jump has certainly been taken; a certain return also leaves the real loops around it."""
        gone = is_constant(self.gone(), TRUE)
        loop = self.real_loop()
        if gone and loop is not None:
            self.jump_out(loop)
        return gone

    def gone(self) -> Operand:
        """Whether a jump was taken that skips the following code: the combined flags of this place."""
        function = self.frames[-1]
        flags = [function.returned]
        for frame in reversed(function.loops):
            if isinstance(frame, LoopFrame):
                break
            flags += frame.flags
            if not _is_switch(frame):
                break
        joined = self.state[flags[0]][0]
        for flag in flags[1:]:
            joined = self.builder.alu("OR", joined, self.state[flag][0])
        return joined

    def _set(self, flag: Variable) -> None:
        self.state[flag] = (self.builder.immediate(TRUE),)


def _is_switch(frame: LoopFrame | FlaggedFrame) -> bool:
    return isinstance(frame, FlaggedFrame) and frame.skipped is None
