"""Executes draws by fused kernels: the whole draw in one call, or its vertices and primitives, or its fragments."""

from __future__ import annotations

from ...stage_clock import SilentClock
from ..command import DrawCommand
from ..geometry.set_up import Geometry, Primitives
from ..sink import Sink
from . import native_raster
from .arena import Arena
from .attribute_table import attribute_table
from .batch_kernels import raster
from .batch_memory import BatchDraw, BatchMemory
from .batch_state import BatchField
from .geometry_call import GeometryCall
from .kernel_shading import endless
from .native_raster import NativeRaster
from .recording_raster import RecordingRaster
from .vertex_state import VertexState
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
    snap
        Whether window coordinates are snapped.
    workers
        Share the fragments of draws that cover many pixels and are not recorded.
    clock
        Notified of the stages.
    """

    def __init__(self, snap: bool, workers: Workers, clock: SilentClock) -> None:
        self.workers, self.clock = workers, clock
        self._geometry = GeometryCall(snap)
        self._native, self._recording = NativeRaster(snap, workers), RecordingRaster(snap, clock)
        self._memory = BatchMemory(0, 0)
        self._arena = Arena()

    def primitives(self, draw: DrawCommand, state: VertexState, instance: int) -> Primitives:
        """Vertices and primitives of an instance, up to set-up."""
        return self._geometry.run(draw, state, instance)

    def fragments(self, draw: DrawCommand, state: BatchDraw, geometry: Geometry, sink: Sink | None) -> bool:
        """Everything from coverage on; whether any sample passed.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        if sink is None and not self.clock.measures:
            return self._native.run(draw, state, geometry)
        return self._recording.run(draw, state, geometry, sink)

    def run(self, draw: DrawCommand, vertices: VertexState, fragments: BatchDraw) -> bool:
        """Execute a whole draw in one call; whether any sample passed.

        With several workers, draws of several instances or many vertices are left to them, and so are those that turn
        out to cover many pixels after set-up.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        target, (topology, _, instances, stream, _) = draw.state.target, draw.vertices
        many = self.workers.jobs > 1
        if many and (instances > 1 or len(stream.distinct) > MAX_VERTICES):
            return self._shared(draw, vertices, fragments)
        if self._memory.size != (target.width, target.height):
            self._memory = BatchMemory(target.width, target.height)
            self._memory.state[BatchField.RASTER] = raster.address
        fields, attributes = self._memory.prepare(fragments), attribute_table(draw).fields
        if many:
            fields[BatchField.MOST_PIXELS] = native_raster.LEAST_PIXELS - 1
        needed = len(stream.distinct) * (16 * vertices.slots + VERTEX_BYTES) + len(stream.stream) * PRIMITIVE_BYTES
        arena = self._arena.grown(needed + OTHER_BYTES)
        any_passed = False
        for instance in range(instances):
            passed, failed, much = draw_whole(
                arena, topology, stream.stream, stream.distinct, instance, vertices.fields, attributes, fields
            )
            if much:
                return self._shared(draw, vertices, fragments)
            if failed:
                raise endless(draw.state.program.fragment)
            any_passed |= passed
        return any_passed

    def _shared(self, draw: DrawCommand, vertices: VertexState, fragments: BatchDraw) -> bool:
        """Execute a whole draw, with its fragments shared by the workers; whether any sample passed."""
        any_passed = False
        for instance in range(draw.vertices.instances):
            geometry = self._geometry.run(draw, vertices, instance).geometry
            if geometry.drawn:
                any_passed |= self._native.run(draw, fragments, geometry)
        return any_passed
