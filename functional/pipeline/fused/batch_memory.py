"""Memory of a worker and state of a draw for the kernels of a batch: arrays to work in, and the state by address."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import DEFAULT_INSTRUCTION_LIMIT, Backend, Kernel
from ...execute.native_calls import address
from ...glsl.ir.analysis import reads_in_loops
from ..fragments.color_writing import blend_kernel, clamped_constant
from ..fragments.depth_stencil import stencil_table
from ..fragments.rasterization import batch_quads
from ..state import DrawState
from ..target import ColorTarget
from .batch_kernels import cover_geometry
from .batch_state import ANY, CHUNK_QUADS, BatchField
from .noted_reads import read_rows
from .read_log import texture_operations
from .sampler_blocks import sampler_blocks

_NO_STENCIL = np.zeros((2, 7), np.int64)
_CHANGING = BatchField.SHADE
"""Fields from here on change with every draw."""


class BatchMemory:
    """Arrays of a worker for a framebuffer's size, and their addresses."""

    def __init__(self, width: int, height: int) -> None:
        capacity = batch_quads(width, height)
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
        self.state[BatchField.MOST_PIXELS], self.state[BatchField.COVER] = ANY, cover_geometry.address
        self.results = np.empty(0, np.float32)
        self._prepared: BatchDraw | None = None

    def make_room(self, outputs: int) -> None:
        """Rows for the outputs of a chunk."""
        needed = outputs * 4 * 4 * CHUNK_QUADS
        if self.results.size < needed:
            self.results = np.empty(needed, np.float32)
            self.state[BatchField.RESULTS] = address(self.results)

    def prepare(self, draw: BatchDraw) -> NDArray[np.int64]:
        """The state for a draw; usually the same as for the previous draw."""
        if draw is not self._prepared:
            self.make_room(len(draw.shader.outputs))
            self.state[_CHANGING:] = draw.fields
            self._prepared = draw
        return self.state


class BatchDraw:
    """Fields that a draw changes in a worker's state, and the arrays that they point to."""

    def __init__(
        self, state: DrawState, kernel: Kernel, blends: list[tuple[Kernel, int, ColorTarget]], depth_row: int
    ) -> None:
        self.kernel = kernel
        self.target, self.shader = target, shader = state.target, state.program.fragment
        self.reads_in_loops = reads_in_loops(shader)
        self.read_rows = read_rows(state.samplers.fragment, texture_operations(shader))
        targets = [(blend.address, row, address(color.pixels)) for blend, row, color in blends]
        table = np.array(targets or [(0, 0, 0)], np.int64)
        samplers = sampler_blocks(state, kernel)
        # Uniforms change in place; all draws of a state share this.
        constants, tests = state.constants.fragment, state.depth_stencil
        assert constants.dtype == np.float32 and constants.flags.c_contiguous
        constant = clamped_constant(state.blending.blend)
        faces = stencil_table(tests) if tests.stencil_test else _NO_STENCIL
        self._kept = samplers, constants, constant, faces, table, blends
        fields = (
            kernel.address,
            len(blends),
            address(table),
            address(constants),
            address(samplers),
            len(shader.outputs),
            shader.discards,
            depth_row,
            address(constant),
            state.early_depth,
            0 if target.depth is None else address(target.depth),
            target.depth_format,
            tests.depth_test,
            tests.depth_function & 7,
            tests.depth_write,
            0 if target.stencil is None else address(target.stencil),
            tests.stencil_test,
            address(faces),
            # Unsnapped triangles keep the row order of memory, as in the reference.
            target.height if target.flipped else 0,
        )
        self.fields = np.array(fields, np.int64)


def batch_draw(state: DrawState, kernel: Kernel, backend: Backend) -> BatchDraw | str:
    """The state of a draw, or the reason why there is no kernel to blend it.

    Parameters
    ----------
    state
        What is drawn.
    kernel
        Kernel of its fragment shader.
    backend
        Back end with the blend kernels.
    """
    outputs = list(enumerate(state.program.fragment.outputs))
    rows = {d.slot: 4 * i for i, d in outputs if d.semantic == "color"}
    depth_row = next((4 * i for i, d in outputs if d.semantic == "depth"), -1)
    blends = []
    for number, color in enumerate(state.target.colors if any(state.blending.color_mask) else ()):
        if color is None or number not in rows:
            continue
        blend = blend_kernel(state, color, backend)
        if isinstance(blend, str):
            return blend
        blends.append((blend, rows[number], color))
    return BatchDraw(state, kernel, blends, depth_row)
