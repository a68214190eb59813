"""Draws that follow each other in one state, executed as one.

Programs often draw an object in several calls with nothing between them. To the pipeline these are primitives of one
draw, and it costs as much as any of them alone. Nobody can tell, as long as nobody asks between them: every other call
has the queue executed first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..capture import Call
from ..execute.backend import ExecutionError
from ..pipeline.command import DrawCommand
from ..pipeline.draw import Outcome
from ..pipeline.index_stream import IndexStream, joined
from . import enums as gl
from .errors import GLError

LONGEST_STREAM = 2048
LONGEST_QUEUE = 8192
"""Vertices of a draw that is joined with others, and of all together; longer ones gain nothing."""


def execute_draw(run: Callable[[DrawCommand, Any], Outcome | None], command: DrawCommand, sink: Any) -> Outcome | None:
    """Execute a draw now; GLError where a shader does not come to its end."""
    try:
        return run(command, sink)
    except ExecutionError as error:
        raise GLError(gl.NO_ERROR, str(error)) from None


class DrawQueue:
    """The draws that wait, all in one state.

    Parameters
    ----------
    call
        The first of them.
    command
        That draw, resolved.
    room
        Vertices that its arrays have for others, too.
    """

    def __init__(self, call: Call, command: DrawCommand, room: int) -> None:
        self.call = call
        self._command = command
        self._vertices = room
        self._streams: list[IndexStream] = [command.vertices.stream]
        count = command.vertices.stream.count
        self._room = LONGEST_QUEUE - count if count <= LONGEST_STREAM else 0

    def take(self, topology: int, stream: IndexStream) -> bool | None:
        """Append a draw of the same state; None if it cannot be joined, False if the arrays lack vertices of it."""
        if stream.largest >= self._vertices:
            return False
        count = stream.count
        if topology != self._command.vertices.topology or count > LONGEST_STREAM or count > self._room:
            return None
        self._streams.append(stream)
        self._room -= count
        return True

    def following(self, call: Call, topology: int, stream: IndexStream) -> DrawQueue:
        """A queue of its own for a draw of the same state that cannot be joined."""
        return DrawQueue(call, self._command.with_stream(topology, stream), self._vertices)

    def command(self) -> DrawCommand:
        """All of them as one draw."""
        if len(self._streams) == 1:
            return self._command
        return self._command.with_stream(self._command.vertices.topology, joined(tuple(self._streams)))
