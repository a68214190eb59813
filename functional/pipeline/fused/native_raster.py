"""Fragments of draws that are not recorded: their quads never return to Python."""

from __future__ import annotations

from queue import SimpleQueue

from ...compile.blocks import Block
from ...execute.backend import endless
from ..command import DrawCommand
from ..geometry.set_up import Geometry
from .batch_coverage import box_pixels
from .batch_kernels import FAILED, raster
from .batch_memory import BatchDraw, BatchMemories
from .geometry_block import geometry_block, part_of
from .workers import Workers

LEAST_PIXELS, BANDS_PER_JOB = 1 << 15, 4
"""Number of pixels from which threads pay off; more bands than threads balance the cost of bands."""


class NativeRaster:
    """Rasterizes, tests, shades and writes draws, each in one call, or in one per band of rows for several workers.

    Parameters
    ----------
    workers
        Share draws that cover many pixels.
    """

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._memories: SimpleQueue[BatchMemories] = SimpleQueue()
        for _ in range(workers.jobs):
            self._memories.put(BatchMemories())

    def run(self, draw: DrawCommand, state: BatchDraw, geometry: Geometry) -> bool:
        """Whether any sample passed.

        Raises
        ------
        ExecutionError
            A shader does not terminate.
        """
        outcomes = self.workers.map(lambda band: self._band(state, band), self._bands(draw, geometry))
        if any(failed for _, failed in outcomes):
            raise endless(draw.state.program.fragment)
        return any(passed for passed, _ in outcomes)

    def _bands(self, draw: DrawCommand, geometry: Geometry) -> list[Block]:
        """Parts of the framebuffer, of whole quads, and the culled primitives of each."""
        box = draw.raster_state.box
        whole = geometry_block(geometry, box)
        alone = self.workers.jobs == 1 or geometry.size < 3
        if alone or box_pixels(geometry.x, geometry.y, geometry.culled, box) < LEAST_PIXELS:
            return [whole]
        rows = max(2, -(-int(box[3] - box[1]) // (BANDS_PER_JOB * self.workers.jobs)) + 1 & ~1)
        first = int(box[1]) & ~1
        bands = []
        for start in range(first, int(box[3]), rows):
            band = box.copy()
            band[1], band[3] = max(start, box[1]), min(start + rows, box[3])
            bands.append(part_of(whole, band, geometry.culled.copy()))
        return bands

    def _band(self, draw: BatchDraw, geometry: Block) -> tuple[bool, bool]:
        memories = self._memories.get()
        try:
            outcome = raster(memories.prepared(draw).address, geometry.address)
        finally:
            self._memories.put(memories)
        return bool(outcome & 1), bool(outcome & FAILED)
