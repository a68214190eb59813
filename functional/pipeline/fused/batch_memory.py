"""Memory of a worker and state of a draw for the kernels of a batch, by address."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...compile.blocks import block_of, code_at, place_of, words_in
from ...execute.backend import Backend, Kernel
from ...glsl.ir.analysis import reads_in_loops
from ..fragments.color_writing import color_writers
from ..fragments.depth_stencil import depth_kernel, tests_of
from ..fragments.general_writing import clamped_constant
from ..fragments.multisampling import fixed_coverage
from ..fragments.rasterization import memory_of
from ..sink import NO_OBSERVER, Observer
from ..state import DrawState
from .batch_kernels import cover_geometry
from .batch_state import ANY, CHUNK_QUADS, Batch, BlendTarget, FragmentState, QuadCounts
from .late_tests import test_late
from .noted_reads import ReadRow, read_rows
from .sample_kernels import cover_samples, test_samples_late
from .sampler_blocks import sampler_blocks

_RASTER, _DRAW, _OBSERVED = (place_of(Batch, name) for name in ("raster", "draw", "observed"))


MOST_SIZES = 8
"""Sizes of framebuffers that a worker has memory for; programs draw to few in turn."""


class BatchMemory:
    """Arrays of a worker for a framebuffer's size.

    Parameters
    ----------
    size
        Width and height of the framebuffer.
    outputs
        Most outputs of a shader.
    most_pixels
        Of `Batch`.
    """

    def __init__(self, size: tuple[int, int] = (0, 0), outputs: int = 0, most_pixels: int = ANY) -> None:
        left, right, quads = memory_of(*size)
        self.outputs = outputs
        self.batch = Batch(
            quads,
            np.empty(quads.number, np.uint16),
            np.empty(quads.number, np.int64),
            left,
            right,
            np.empty(CHUNK_QUADS, np.uint32),
            np.empty(CHUNK_QUADS, np.uint16),
            np.empty((4 * outputs, 4 * CHUNK_QUADS), np.float32),
            np.zeros(words_in(QuadCounts), np.int64),
            most_pixels,
            code_at(0),
            0,
            0,
        )
        self._block = block_of(self.batch)
        self.address = self._block.address

    def prepare(self, draw: BatchDraw, observer: Observer) -> None:
        """Take the state of a draw, and what executes it from coverage on."""
        words = self._block.words
        # Faster than a slice.
        words[_RASTER], words[_DRAW], words[_OBSERVED] = observer.raster, draw.address, observer.address


class BatchMemories:
    """Memory of a worker, kept by the size of the framebuffer.

    Parameters
    ----------
    most_pixels
        Of `Batch`.
    """

    def __init__(self, most_pixels: int = ANY) -> None:
        self._most_pixels = most_pixels
        self._kept: dict[tuple[int, int], BatchMemory] = {}

    def prepared(self, draw: BatchDraw, observer: Observer = NO_OBSERVER) -> BatchMemory:
        """Memory for a draw, with its state and what executes it from coverage on."""
        memory = self._kept.get(draw.size)
        if memory is None or memory.outputs < draw.outputs:
            if memory is None and len(self._kept) == MOST_SIZES:
                del self._kept[next(iter(self._kept))]
            memory = self._kept[draw.size] = BatchMemory(draw.size, draw.outputs, self._most_pixels)
        memory.prepare(draw, observer)
        return memory


class BatchDraw:
    """State of draws from coverage on.

    Parameters
    ----------
    state
        What is drawn.
    kernel
        Kernel of its fragment shader.
    backend
        Back end with the kernels that blend.
    """

    def __init__(self, state: DrawState, kernel: Kernel, backend: Backend) -> None:
        writers = color_writers(state, backend)
        self.kernel, target = kernel, state.target
        self.shader = shader = state.program.fragment
        self.size, self.outputs = (target.width, target.height), len(shader.outputs)
        self.reads_in_loops = reads_in_loops(shader)
        self._samplers = state.samplers.fragment
        rows = {(d.semantic, d.slot): 4 * i for i, d in enumerate(shader.outputs)}
        targets = [
            BlendTarget(code_at(writer.kernel.address), rows["color", writer.number], writer.pixels)
            for writer in writers
            if ("color", writer.number) in rows
        ]
        self.cover, late = (cover_geometry, test_late) if target.samples == 1 else (cover_samples, test_samples_late)
        alpha_row = rows.get(("color", 0), -4) + 3 if state.blending.alpha_to_coverage else -1
        self.alpha_covers = alpha_row >= 0
        self.depth_output = next((row for (semantic, _), row in rows.items() if semantic == "depth"), -1)
        # Uniforms change in place; all draws of a state share this.
        constants = state.constants.fragment
        assert constants.dtype == np.float32
        depth_test = depth_kernel(state, backend)
        fields = FragmentState(
            code_at(self.cover.address),
            code_at(kernel.address),
            kernel.width,
            np.array(targets, np.int64).reshape(-1, words_in(BlendTarget)),
            constants,
            sampler_blocks(shader, state.samplers.fragment, kernel),
            shader.discards,
            self.depth_output,
            clamped_constant(state.blending),
            state.early_depth,
            code_at(0 if state.early_depth else late.address),
            tests_of(state, 0),
            code_at(0 if depth_test is None else depth_test.address),
            fixed_coverage(state.blending),
            alpha_row,
            target.width,
            # Unsnapped triangles keep the row order of memory, as in the reference.
            target.height if target.flipped else 0,
        )
        self._block = block_of(fields, writers, depth_test)
        self.address = self._block.address

    @cached_property
    def read_rows(self) -> tuple[ReadRow, ...]:
        """Of its shader and textures."""
        return read_rows(self.shader, self._samplers)

    def colors_in(self, outputs: NDArray[np.float32]) -> dict[int, NDArray[np.float32]]:
        """Rows of colours among rows of all outputs, by draw buffer; none if there are no rows."""
        rows = {d.slot: 4 * i for i, d in enumerate(self.shader.outputs) if d.semantic == "color"}
        return {slot: outputs[row : row + 4] for slot, row in rows.items() if len(outputs)}
