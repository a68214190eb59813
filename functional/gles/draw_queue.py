"""Consecutive draws of the same state, executed as one.

Programs often draw an object in several calls with nothing between them. The pipeline can execute these as the
primitives of one draw, for about the cost of a single call. The result is the same because every other call executes
the queue first.
"""

from __future__ import annotations

from ..capture import Call
from ..pipeline.command import DrawCommand
from ..pipeline.index_stream import IndexStream, joined

LONGEST_STREAM = 2048
LONGEST_QUEUE = 8192
"""Most vertices of a draw that is joined with others, and of all joined draws; longer ones gain nothing."""


class DrawQueue:
    """The waiting draws, all of the same state.

    Parameters
    ----------
    call
        Call of the first draw.
    command
        The first draw, resolved.
    room
        Number of vertices in its arrays, which the others may use too.
    executes
        Whether the first draw is executed. Those that are not still count, so that the same draws are joined.
    """

    def __init__(self, call: Call, command: DrawCommand, room: int, executes: bool = True) -> None:
        self.call = call
        self._command = command
        self._vertices = room
        self._first = executes
        self._streams: list[IndexStream] = [command.vertices.stream] if executes else []
        count = command.vertices.stream.count
        self._room = LONGEST_QUEUE - count if count <= LONGEST_STREAM else 0

    def take(self, topology: int, stream: IndexStream, executes: bool = True) -> bool | None:
        """Append a draw of the same state; None if it cannot be joined, False if the arrays lack its vertices."""
        if stream.largest >= self._vertices:
            return False
        count = stream.count
        if topology != self._command.vertices.topology or count > LONGEST_STREAM or count > self._room:
            return None
        if executes:
            self._streams.append(stream)
        self._room -= count
        return True

    def following(self, call: Call, topology: int, stream: IndexStream, executes: bool = True) -> DrawQueue:
        """Start a separate queue with a draw of the same state that cannot be joined."""
        return DrawQueue(call, self._command.with_stream(topology, stream), self._vertices, executes)

    def command(self) -> DrawCommand | None:
        """All waiting draws that are executed, as one; None without any."""
        if not self._streams:
            return None
        if len(self._streams) == 1 and self._first:
            return self._command
        stream = joined(tuple(self._streams)) if len(self._streams) > 1 else self._streams[0]
        return self._command.with_stream(self._command.vertices.topology, stream)
