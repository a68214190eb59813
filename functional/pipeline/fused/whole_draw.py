"""Draws that go from vertices to pixels in one call: those that nobody records, of shaders that are machine code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import Backend
from ..command import DrawCommand, RasterState
from ..geometry.primitive_assembly import CORNERS, room
from ..geometry.set_up import STRAIGHT, slots
from . import native_raster
from .arena import Arena
from .attribute_table import attribute_table
from .batch_memory import BatchDraw, BatchMemory, batch_draw
from .fragment_kernels import endless
from .vertex_state import VertexState, vertex_state
from .whole_kernels import draw_whole
from .workers import Workers

VERTEX_BYTES, PRIMITIVE_BYTES, OTHER_BYTES = 48, 112, 1 << 17
"""What `draw_whole` needs per vertex but for its varyings, per primitive, and for a chunk of vertices, at most."""

MAX_VERTICES = 4096
"""Vertices of a draw that may be shaded in vain, because it turns out to be one for several workers."""
_ANY = 1 << 62


@dataclass(frozen=True, slots=True)
class _State:
    """What draws of one state have in common; see `draw_whole`."""

    batch: BatchDraw
    vertex: VertexState
    raster: RasterState
    vertex_bytes: int
    flat: NDArray[np.int64]
    straight: NDArray[np.int64]


class WholeDraws:
    """Executes draws, each in one call.

    Parameters
    ----------
    backend
        Gives the kernels.
    workers
        Where there are several, draws that cover much are left to them.
    """

    def __init__(self, backend: Backend, workers: Workers) -> None:
        self.backend, self.workers = backend, workers
        self._memory = BatchMemory(0, 0)
        self._arena = Arena()

    def run(self, draw: DrawCommand) -> bool | None:
        """Whether any sample passed; None, and nothing drawn, where the draw must go stage by stage.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        size = CORNERS[draw.topology]
        known: tuple[_State | None] | None = draw.derived.get(("whole", size))
        if known is None:
            known = draw.derived["whole", size] = (self._state(draw, size),)
        state = known[0]
        table = attribute_table(draw) if state is not None and draw.feedback is None else None
        if state is None or table is None:
            return None
        target, raster, stream = draw.target, state.raster, draw.stream
        most_pixels = _ANY
        if self.workers.jobs > 1:
            if draw.instances > 1 or len(stream.distinct) > MAX_VERTICES:
                return None
            most_pixels = native_raster.LEAST_PIXELS - 1
        if self._memory.size != (target.width, target.height):
            self._memory = BatchMemory(target.width, target.height)
        fields = self._memory.prepare(state.batch)
        most = room(draw.topology, len(stream.stream))
        arena = self._arena.grown(len(stream.distinct) * state.vertex_bytes + most * PRIMITIVE_BYTES + OTHER_BYTES)
        any_passed = False
        for instance in range(draw.instances):
            passed, failed, shared = draw_whole(
                arena,
                draw.topology,
                size,
                most,
                stream.stream,
                stream.distinct,
                instance,
                table.fields,
                table.constants,
                state.vertex.fields,
                state.vertex.places,
                state.flat,
                state.straight,
                raster.rounded,
                raster.exact,
                raster.modes,
                raster.box,
                fields,
                most_pixels,
            )
            if shared:
                return None
            if failed:
                raise endless(draw)
            any_passed |= passed
        return any_passed

    def _state(self, draw: DrawCommand, size: int) -> _State | None:
        vertex = vertex_state(draw, self.backend)
        batch = None if vertex is None else batch_draw(draw, size, 4 * vertex.slots, self.backend, False)
        if vertex is None or batch is None:
            return None
        needed = 16 * vertex.slots + VERTEX_BYTES
        return _State(batch, vertex, draw.raster_state, needed, slots(draw, "flat"), slots(draw, STRAIGHT))
