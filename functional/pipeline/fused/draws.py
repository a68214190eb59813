"""Executes draws by fused kernels: the whole draw in one call, or its vertices and primitives, or its fragments."""

from __future__ import annotations

from functools import cached_property

from ...compile.blocks import Block
from ...execute.backend import endless
from ...stage_clock import SilentClock
from ..command import DrawCommand
from ..geometry.set_up import Geometry
from ..sink import Observer, Sink
from . import native_raster
from .arena import Arena
from .attribute_table import attribute_table
from .batch_kernels import raster
from .batch_memory import BatchDraw, BatchMemories
from .batch_state import ANY
from .geometry_call import GeometryCall
from .native_raster import NativeRaster
from .recording_raster import RecordingRaster
from .vertex_state import check_end
from .whole_kernels import draw_whole
from .workers import Workers

VERTEX_BYTES, PRIMITIVE_BYTES, OTHER_BYTES = 48, 112, 1 << 17
"""Most bytes that `draw_whole` needs per vertex without its varyings, per primitive (of which there are no more than
vertices), and for a chunk of vertices."""

MAX_VERTICES = 4096
"""Most vertices of a draw that may be shaded in vain, because the draw turns out to be one for several workers."""


class FusedDraws:
    """Executes draws, or halves of them; `plan` says which ones, and with what state.

    Parameters
    ----------
    workers
        Share the fragments of draws that cover many pixels and are not recorded.
    clock
        Notified of the stages.

    Attributes
    ----------
    geometry
        Executes the stages up to set-up.
    """

    def __init__(self, workers: Workers, clock: SilentClock) -> None:
        self.workers, self.clock = workers, clock
        self.geometry = GeometryCall()
        self._native, self._recording = NativeRaster(workers), RecordingRaster(clock)
        self._arena, self._observed = Arena(), BatchMemories()

    @cached_property
    def _memories(self) -> BatchMemories:
        most_pixels = native_raster.LEAST_PIXELS - 1 if self.workers.jobs > 1 else ANY
        return BatchMemories(most_pixels)

    @cached_property
    def _rendered(self) -> Observer:
        """Observes nothing."""
        return Observer(raster.address, 0)

    def fragments(self, draw: DrawCommand, state: BatchDraw, geometry: Geometry, sink: Sink | None) -> bool:
        """Everything from coverage on; whether any sample passed.

        Raises
        ------
        ExecutionError
            A shader does not terminate.
        """
        if sink is None and not self.clock.measures:
            return self._native.run(draw, state, geometry)
        return self._recording.run(draw, state, geometry, sink)

    def run(
        self, draw: DrawCommand, vertices: Block, fragments: BatchDraw, observer: Observer | None = None
    ) -> bool | None:
        """Execute a whole draw in one call; whether any sample passed.

        None, and nothing is drawn, if several workers had better share its fragments: it has several instances or many
        vertices, or turns out to cover many pixels after set-up. With an observer, this thread executes it alone.

        Raises
        ------
        ExecutionError
            A shader does not terminate.
        """
        topology, _, instances, stream, _ = draw.vertices
        alone = self.workers.jobs == 1 or observer is not None
        if not alone and (instances > 1 or len(stream.distinct) > MAX_VERTICES):
            return None
        memory = (self._observed if observer else self._memories).prepared(fragments, observer or self._rendered)
        attributes = attribute_table(draw).words
        needed = len(stream.distinct) * (16 * vertices.values.slots + VERTEX_BYTES) + OTHER_BYTES
        arena = self._arena.grown(needed + len(stream.stream) * PRIMITIVE_BYTES)
        streams = stream.stream, stream.distinct, stream.ends
        passed, failed, too_large = draw_whole(
            arena, topology, streams, instances, vertices.address, attributes, memory.address
        )
        check_end(vertices, draw.state.program.vertex)
        if too_large:
            return None
        if failed:
            raise endless(draw.state.program.fragment)
        return passed
