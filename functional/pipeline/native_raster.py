"""Draws whose quads never come back to Python: those that nobody records, in formats that the kernels know."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.compiled import COMPILED
from ..execute.backend import DEFAULT_INSTRUCTION_LIMIT, Backend, ExecutionError, Kernel
from ..execute.kernel_arguments import FragmentField
from .batch_kernels import CHUNK_QUADS, BatchField, raster
from .color_writing import blend_kernel, clamped_constant
from .command import DrawCommand
from .depth_stencil import stencil_table
from .fragment_kernels import address, chosen_kernel, sampler_block
from .geometry import Geometry

_NOWHERE = np.zeros((0, 3), np.float32)
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
    """Rasterizes, tests, shades and writes draws in one call.

    Parameters
    ----------
    backend
        Gives the kernels.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._memory: _Memory | None = None
        # The texture unit's functions do not change.
        self._unit: NDArray[np.int64] | None = None

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
        rows = {
            d.semantic: 4 * i
            for i, d in enumerate(draw.program.fragment.outputs)
            if d.slot == 0 or d.semantic == "depth"
        }
        blend = None
        if color is not None and "color" in rows:
            blend = blend_kernel(draw, color, self.backend)
            if blend is None:
                return None
        return self._run(draw, geometry, snap, kernel, blend, rows)

    def _run(
        self,
        draw: DrawCommand,
        geometry: Geometry,
        snap: bool,
        kernel: Kernel,
        blend: Kernel | None,
        rows: dict[str, int],
    ) -> bool:
        target, shader = draw.target, draw.program.fragment
        memory = self._memory
        if memory is None or memory.size != (target.width, target.height):
            memory = self._memory = _Memory(target.width, target.height)
            memory.state[BatchField.IMPLICIT : BatchField.EXPLICIT + 1] = self._texture_unit(kernel)
        memory.make_room(len(shader.outputs))
        samplers = np.array([v for sampler in draw.fragment_samplers for v in sampler_block(sampler)] or [0], np.int64)
        constants = np.ascontiguousarray(draw.fragment_constants, np.float32)
        constant = clamped_constant(draw)
        faces = stencil_table(draw)
        state, color = memory.state, target.colors[0] if target.colors else None
        state[_FIRST:] = (
            kernel.address,
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
        window_x = window_y = _NOWHERE
        if not snap:
            window_x, window_y = geometry.window[geometry.corners, 0], geometry.memory_y[geometry.corners]
        any_passed, failed = raster(
            state,
            geometry.size,
            snap,
            geometry.x,
            geometry.y,
            window_x,
            window_y,
            geometry.extent,
            geometry.culled,
            geometry.corners,
            geometry.window,
            geometry.outputs,
            geometry.planes,
            geometry.front,
            draw.raster_state.box,
        )
        if failed:
            raise ExecutionError(
                f"{shader.name}: more than {DEFAULT_INSTRUCTION_LIMIT} instructions executed; does a loop never end?"
            )
        return bool(any_passed)

    def _texture_unit(self, kernel: Kernel) -> NDArray[np.int64]:
        if self._unit is None:
            block = np.zeros(len(FragmentField), np.int64)
            kernel.bind(block)
            self._unit = block[FragmentField.IMPLICIT : FragmentField.EXPLICIT + 1]
        return self._unit
