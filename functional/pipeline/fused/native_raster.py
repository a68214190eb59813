"""Draws whose quads never come back to Python: those that nobody records, in formats that the kernels know."""

from __future__ import annotations

from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import Backend
from ..command import DrawCommand
from ..fragments.rasterization import unsnapped_corners
from ..geometry.set_up import Geometry
from .batch_coverage import box_pixels
from .batch_kernels import raster
from .batch_memory import BatchDraw, BatchMemory, batch_draw
from .fragment_kernels import endless
from .workers import Workers

LEAST_PIXELS, BANDS_PER_JOB = 1 << 15, 4
"""Threads pay off from so many pixels on; more bands than threads even out what bands cost."""


class NativeRaster:
    """Rasterizes, tests, shades and writes draws, each in one call, or in one per band of rows for several workers.

    Parameters
    ----------
    backend
        Gives the kernels.
    workers
        Share draws that cover much.
    """

    def __init__(self, backend: Backend, workers: Workers) -> None:
        self.backend, self.workers = backend, workers
        self._memories: SimpleQueue[BatchMemory] = SimpleQueue()
        for _ in range(workers.jobs):
            self._memories.put(BatchMemory(0, 0))

    def run(self, draw: DrawCommand, geometry: Geometry, snap: bool) -> bool | None:
        """Whether any sample passed; None, and nothing drawn, where the general way must be taken.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        state = batch_draw(draw, geometry.size, geometry.outputs.shape[1], self.backend, False)
        if state is None:
            return None
        if self.workers.jobs == 1:
            passed, failed = self._band(state, geometry, snap, draw.raster_state.box, geometry.culled)
            if failed:
                raise endless(draw)
            return passed
        outcomes = self.workers.map(lambda band: self._band(state, geometry, snap, *band), self._bands(draw, geometry))
        if any(failed for _, failed in outcomes):
            raise endless(draw)
        return any(passed for passed, _ in outcomes)

    def _bands(self, draw: DrawCommand, geometry: Geometry) -> list[tuple[NDArray[np.int64], NDArray[np.int8]]]:
        """Parts of the framebuffer, of whole quads, and what is culled in each."""
        box = draw.raster_state.box
        if geometry.size < 3 or box_pixels(geometry.x, geometry.y, geometry.culled, box) < LEAST_PIXELS:
            return [(box, geometry.culled)]
        rows = max(2, -(-int(box[3] - box[1]) // (BANDS_PER_JOB * self.workers.jobs)) + 1 & ~1)
        first = int(box[1]) & ~1
        bands = []
        for start in range(first, int(box[3]), rows):
            band = box.copy()
            band[1], band[3] = max(start, box[1]), min(start + rows, box[3])
            bands.append((band, geometry.culled.copy()))
        return bands

    def _band(
        self, draw: BatchDraw, geometry: Geometry, snap: bool, box: NDArray[np.int64], culled: NDArray[np.int8]
    ) -> tuple[bool, bool]:
        target = draw.target
        memory = self._memories.get()
        if memory.size != (target.width, target.height):
            memory = BatchMemory(target.width, target.height)
        try:
            state = memory.prepare(draw)
            window_x, window_y = unsnapped_corners(geometry, snap)
            passed, failed = raster(
                state,
                geometry.size,
                snap,
                geometry.x,
                geometry.y,
                window_x,
                window_y,
                geometry.extent,
                culled,
                geometry.corners,
                geometry.window,
                geometry.outputs,
                geometry.planes,
                geometry.front,
                box,
            )
        finally:
            self._memories.put(memory)
        return passed, failed
