"""Draws that follow each other in one state, executed as one.

Programs often draw an object in several calls with nothing between them. To the pipeline these are primitives of one
draw, and it costs as much as any of them alone. Nobody can tell, as long as nobody asks between them: every other call
has the queue executed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..capture import Call
from ..execute.backend import ExecutionError
from ..pipeline.command import DrawCommand
from ..pipeline.draw import Outcome
from ..pipeline.index_stream import IndexStream, joined
from . import enums as gl
from .errors import ExecutorError, GLError, InternalError

if TYPE_CHECKING:
    from .context import Context

LONGEST_STREAM = 2048
LONGEST_QUEUE = 8192
"""Vertices of a draw that is joined with others, and of all together; longer ones gain nothing."""


def execute_draw(context: Context, command: DrawCommand, sink: Any, call: int) -> Outcome | None:
    """Execute a draw now.

    Raises
    ------
    GLError
        A shader does not come to its end.
    ExecutorError, InternalError
        It could not be executed.
    """
    try:
        return context.run_draw(command, sink)
    except ExecutionError as error:
        raise GLError(gl.NO_ERROR, str(error)) from None
    except ExecutorError:
        raise
    except Exception as error:
        raise InternalError(f"call {call}: {error}") from error


class DrawQueue:
    """The draws that wait, all in one state; `call` is the first of them."""

    def __init__(self, call: Call, command: DrawCommand) -> None:
        self.call = call
        self._command = command
        self._streams: list[IndexStream] = [command.stream]
        self._room = LONGEST_QUEUE - command.count

    def take(self, command: DrawCommand) -> bool:
        """Append a draw, if it differs from the others in its vertices alone."""
        first = self._command
        if (
            command.derived is not first.derived
            or command.arrays is not first.arrays
            or command.topology != first.topology
            or max(command.count, first.count) > LONGEST_STREAM
            or command.count > self._room
        ):
            return False
        self._streams.append(command.stream)
        self._room -= command.count
        return True

    def command(self) -> DrawCommand:
        """All of them as one draw."""
        if len(self._streams) == 1:
            return self._command
        return self._command.with_stream(joined(tuple(self._streams)))
