"""Draws that are recorded or measured, batch by batch: what the kernels of a batch did is told to the sink."""

from __future__ import annotations

import numpy as np

from ..execute.backend import Backend
from ..execute.kernel_arguments import ReadField
from ..stage_clock import COVERAGE, FRAGMENTS, TELLING, SilentClock
from .batch_kernels import cover_batch, shade_batch
from .batch_memory import BatchDraw, BatchMemory, batch_draw
from .batch_state import BatchField
from .command import DrawCommand
from .fragment_kernels import endless, new_reads, note_block, told_reads
from .fragment_shading import ShadedQuads
from .geometry import Geometry
from .rasterization import Quads, unsnapped_corners
from .sink import Sink

_PASSED, _WHICH = BatchField.PASSED, BatchField.WHICH
_QUADS = (BatchField.PRIMITIVE, BatchField.QUAD_X, BatchField.QUAD_Y, BatchField.COVERAGE)


class RecordingRaster:
    """Rasterizes, tests, shades, writes and tells draws.

    Parameters
    ----------
    backend
        Gives the kernels.
    clock
        Told of the stages.
    """

    def __init__(self, backend: Backend, clock: SilentClock) -> None:
        self.backend, self.clock = backend, clock
        self._memory = BatchMemory(0, 0)

    def run(self, draw: DrawCommand, geometry: Geometry, snap: bool, sink: Sink | None) -> bool | None:
        """Whether any sample passed; None, and nothing drawn, where the general way must be taken.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        state = None if sink and sink.colors else batch_draw(draw, geometry, self.backend, sink is not None)
        if state is None:
            return None
        target = draw.target
        if self._memory.size != (target.width, target.height):
            self._memory = BatchMemory(target.width, target.height)
        self._memory.prepare(state)
        window_x, window_y = unsnapped_corners(geometry, snap)
        any_passed, start = False, 0
        while start < len(geometry.culled):
            with self.clock.stage(COVERAGE):
                start, count, shaded = cover_batch(
                    self._memory.state,
                    start,
                    geometry.size,
                    snap,
                    geometry.x,
                    geometry.y,
                    window_x,
                    window_y,
                    geometry.extent,
                    geometry.culled,
                    geometry.planes,
                    geometry.front,
                    draw.raster_state.box,
                    sink is not None and sink.shade_occluded,
                )
            if count:
                any_passed |= self._batch(state, geometry, sink, count, shaded)
        return any_passed

    def _batch(self, state: BatchDraw, geometry: Geometry, sink: Sink | None, count: int, shaded: int) -> bool:
        """Shade and tell a batch; whether any sample passed."""
        draw, arrays = state.command, self._memory.arrays
        shader = draw.program.fragment
        lanes, step = 4 * shaded, state.kernel.width
        row = -(-lanes // step) * step
        reads = new_reads(shader, row) if sink else []
        notes = np.array([note_block(r, row) for r in reads], np.int64).reshape(-1, len(ReadField))
        discarded = np.zeros(count, np.uint8)
        depths = np.empty(lanes if shader.writes_depth else 0, np.float32)
        with self.clock.stage(FRAGMENTS):
            finished = shade_batch(
                self._memory.state,
                shaded,
                geometry.corners,
                geometry.window,
                geometry.outputs,
                geometry.planes,
                geometry.front,
                notes,
                discarded,
                depths,
            )
        if not finished:
            raise endless(draw)
        passed = arrays[_PASSED][:count].copy()
        if sink is None:
            return bool(passed.any())
        primitive, x, y, coverage = (arrays[field][:count] for field in _QUADS)
        part = ShadedQuads(
            arrays[_WHICH][:shaded],
            {},
            depths if shader.writes_depth else None,
            None,
            np.zeros(lanes, np.int32),
            told_reads(draw, reads, lanes),
        )
        with self.clock.stage(TELLING):
            sink.quads(Quads(primitive, x, y, coverage), passed, discarded, [part] if shaded else [])
        return bool(passed.any())
