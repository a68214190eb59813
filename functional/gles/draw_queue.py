"""Consecutive draws of the same state, executed as one.

Programs often draw an object in several calls with nothing between them. The pipeline can execute these as the
primitives of one draw, for about the cost of a single call; recorded ones keep vertices of their own. The result is
the same because every other call executes the queue first.
"""

from __future__ import annotations

from ..capture import Call
from ..pipeline.command import DrawCommand, Vertices
from ..pipeline.index_stream import IndexStream, beside, joined
from ..pipeline.sink import Sink

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
    sink
        Records the draws, if they are.
    """

    def __init__(
        self, call: Call, command: DrawCommand, room: int, executes: bool = True, sink: Sink | None = None
    ) -> None:
        self.call, self.sink = call, sink
        self._joined: list[tuple[Vertices, int]] = []
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

    def take_recorded(self, vertices: Vertices, call: int) -> bool:
        """Append a draw of the same state that is recorded, if it has its indices from where the first one does."""
        if vertices.index_source.buffer != self._command.vertices.index_source.buffer:
            return False
        taken = self.take(vertices.topology, vertices.stream) is True
        if taken:
            self._joined.append((vertices, call))
        return taken

    def following(self, call: Call, topology: int, stream: IndexStream, executes: bool = True) -> DrawQueue:
        """Start a separate queue with a draw of the same state that cannot be joined; nothing is recorded."""
        return DrawQueue(call, self._command.with_stream(topology, stream), self._vertices, executes)

    def command(self) -> DrawCommand | None:
        """All waiting draws that are executed, as one; None without any. Records those that joined."""
        if self._joined and self.sink is not None and self.sink.joining is not None:
            self.sink.joining.join(self._joined)
        if not self._streams:
            return None
        if len(self._streams) == 1 and self._first:
            return self._command
        streams = tuple(self._streams)
        stream = streams[0] if len(streams) == 1 else joined(streams) if self.sink is None else beside(streams)
        return self._command.with_stream(self._command.vertices.topology, stream)
