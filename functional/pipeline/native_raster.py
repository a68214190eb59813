"""Draws whose quads never come back to Python: those that nobody records, in formats that the kernels know."""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.compiled import COMPILED
from ..execute.backend import DEFAULT_INSTRUCTION_LIMIT, Backend, ExecutionError, Kernel
from .batch_kernels import CHUNK_QUADS, BatchField, box_pixels, raster
from .color_writing import blend_kernel, clamped_constant
from .command import DrawCommand
from .depth_stencil import stencil_table
from .fragment_kernels import address, chosen_kernel, sampler_block
from .geometry import Geometry
from .workers import Workers

_NOWHERE = np.zeros((0, 3), np.float32)
LEAST_PIXELS, BANDS_PER_JOB = 1 << 15, 4
"""Threads pay off from so many pixels on; more bands than threads even out what bands cost."""
_FIRST = BatchField.SHADE
"""Fields from here on change with every draw."""


class _Memory:
    """Arrays of a worker for a framebuffer's size, and their addresses."""

    def __init__(self, width: int, height: int) -> None:
        capacity = (width // 2 + 3) * (height // 2 + 3) + 64
        self.size = width, height
        self.arrays: dict[BatchField, NDArray[Any]] = {
            BatchField.PRIMITIVE: np.empty(capacity, np.int32),
            BatchField.QUAD_X: np.empty(capacity, np.uint16),
            BatchField.QUAD_Y: np.empty(capacity, np.uint16),
            BatchField.COVERAGE: np.empty(capacity, np.uint16),
            BatchField.PASSED: np.empty(capacity, np.uint16),
            BatchField.WHICH: np.empty(capacity, np.int64),
            BatchField.LEFT: np.zeros(height + 2, np.int32),
            BatchField.RIGHT: np.zeros(height + 2, np.int32),
            BatchField.KILLED: np.empty(4 * CHUNK_QUADS, np.uint8),
        }
        self.state = np.zeros(len(BatchField), np.int64)
        for field, array in self.arrays.items():
            self.state[field] = address(array)
        self.state[BatchField.CAPACITY] = capacity
        self.state[BatchField.WIDTH], self.state[BatchField.HEIGHT] = width, height
        self.state[BatchField.LIMIT] = DEFAULT_INSTRUCTION_LIMIT
        self.results = np.empty(0, np.float32)

    def make_room(self, outputs: int) -> None:
        """Rows for the outputs of a chunk."""
        needed = outputs * 4 * 4 * CHUNK_QUADS
        if self.results.size < needed:
            self.results = np.empty(needed, np.float32)
            self.state[BatchField.RESULTS] = address(self.results)


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
        self._memories: SimpleQueue[_Memory] = SimpleQueue()
        for _ in range(workers.jobs):
            self._memories.put(_Memory(0, 0))

    def run(self, draw: DrawCommand, geometry: Geometry, snap: bool) -> bool | None:
        """Whether any sample passed; None, and nothing drawn, where the general way must be taken.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        if not COMPILED or draw.target.samples > 1 or len(draw.target.colors) > 1:
            return None
        kernel = chosen_kernel(draw, geometry, self.backend, False)
        if kernel is None:
            return None
        color = draw.target.colors[0] if draw.target.colors and any(draw.color_mask) else None
        outputs = enumerate(draw.program.fragment.outputs)
        rows = {d.semantic: 4 * i for i, d in outputs if d.slot == 0 or d.semantic == "depth"}
        blend = None
        if color is not None and "color" in rows:
            blend = blend_kernel(draw, color, self.backend)
            if blend is None:
                return None
        state = _DrawState(draw, kernel, blend, rows)
        outcomes = self.workers.map(lambda band: self._band(state, geometry, snap, *band), self._bands(draw, geometry))
        if any(failed for _, failed in outcomes):
            name = draw.program.fragment.name
            raise ExecutionError(
                f"{name}: more than {DEFAULT_INSTRUCTION_LIMIT} instructions executed; does a loop never end?"
            )
        return any(passed for passed, _ in outcomes)

    def _bands(self, draw: DrawCommand, geometry: Geometry) -> list[tuple[NDArray[np.int64], NDArray[np.int8]]]:
        """Parts of the framebuffer, of whole quads, and what is culled in each."""
        box = draw.raster_state.box
        if self.workers.jobs == 1 or box_pixels(geometry.x, geometry.y, geometry.culled, box) < LEAST_PIXELS:
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
        self, draw: _DrawState, geometry: Geometry, snap: bool, box: NDArray[np.int64], culled: NDArray[np.int8]
    ) -> tuple[bool, bool]:
        target = draw.command.target
        memory = self._memories.get()
        if memory.size != (target.width, target.height):
            memory = _Memory(target.width, target.height)
        try:
            memory.make_room(len(draw.command.program.fragment.outputs))
            memory.state[_FIRST:] = draw.fields
            window_x = window_y = _NOWHERE
            if not snap:
                window_x, window_y = geometry.window[geometry.corners, 0], geometry.memory_y[geometry.corners]
            passed, failed = raster(
                memory.state,
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


class _DrawState:
    """What a draw changes in a worker's state, and the arrays that it points at."""

    def __init__(self, draw: DrawCommand, kernel: Kernel, blend: Kernel | None, rows: dict[str, int]) -> None:
        self.command = draw
        target, shader = draw.target, draw.program.fragment
        color = target.colors[0] if target.colors else None
        samplers = np.array([v for sampler in draw.fragment_samplers for v in sampler_block(sampler)] or [0], np.int64)
        constants = np.ascontiguousarray(draw.fragment_constants, np.float32)
        constant, faces = clamped_constant(draw), stencil_table(draw)
        self._kept = samplers, constants, constant, faces
        self.fields = (
            kernel.address,
            *kernel.texture_unit,
            0 if blend is None else blend.address,
            address(constants),
            address(samplers),
            len(shader.outputs),
            shader.discards,
            rows.get("color", 0),
            rows.get("depth", -1),
            0 if color is None else address(color.pixels),
            address(constant),
            draw.early_depth,
            0 if target.depth is None else address(target.depth),
            target.depth_format,
            draw.depth_test,
            draw.depth_function & 7,
            draw.depth_write,
            0 if target.stencil is None else address(target.stencil),
            draw.stencil_test,
            address(faces),
            # Unsnapped triangles keep the row order of memory, where the reference walks them.
            target.height if target.flipped else 0,
        )
