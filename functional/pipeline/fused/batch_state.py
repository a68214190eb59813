"""State of a draw as the kernels of a batch take it, and the blocks of arguments that they make of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...execute.backend import DEFAULT_INSTRUCTION_LIMIT
from ...execute.kernel_arguments import BlendField, FragmentField
from ...jit import helper
from ...jit.blocks import FloatRows, Floats, Halves, Integers, Numbers, WordRows, Words
from ..fragments.depth_blocks import DepthStencilTests
from ..fragments.rasterization import Quads

CHUNK_QUADS = 256
"""Quads that are shaded before they are written, few enough for their colours to stay in the cache."""
COVERED, CHOSEN = range(2)
"""Positions in `Batch.counts`: quads that are covered, and those of them that are to be shaded."""
ANY = 1 << 62
"""Limit for draws that may cover any number of pixels."""
_FRAGMENT_FIELDS, _BLEND_FIELDS = len(FragmentField), len(BlendField)


class Batch(NamedTuple):
    """Arrays that a worker works in.

    Attributes
    ----------
    quads, passed, which
        Quads of a batch, lanes of each that passed, and which of them are shaded.
    left, right
        Ends of spans.
    killed, results
        Of a chunk: a byte per lane, and rows of the shader's outputs.
    counts
        ``COVERED`` and ``CHOSEN``.
    most_pixels
        What a draw may cover.
    raster, cover
        Addresses of kernels of `batch_kernels`.
    draw
        Address of the `FragmentState` of the draw.
    """

    quads: Quads
    passed: Halves
    which: Words
    left: Integers
    right: Integers
    killed: Numbers
    results: FloatRows
    counts: Words
    most_pixels: int
    raster: int
    cover: int
    draw: int


class FragmentState(NamedTuple):
    """State of draws from coverage on.

    Attributes
    ----------
    shade
        Address of the kernel.
    targets
        Kernel, row of the colour, and address of the pixels, for each draw buffer that is written.
    constants, samplers
        Of the shader.
    discards, depth_output
        Whether the shader discards, and the row of the depth that it writes, or -1.
    constant
        For blending.
    early, tests
        Tests, and whether they come before shading.
    width, flip
        Of the framebuffer, and its height if it counts rows from the top, otherwise 0.
    """

    shade: int
    targets: WordRows
    constants: FloatRows
    samplers: Words
    discards: bool
    depth_output: int
    constant: Floats
    early: bool
    tests: DepthStencilTests
    width: int
    flip: int


@helper
def fragment_block(quads: Any, placed: Any, outputs: Any, constants: Any, samplers: Any) -> Any:
    """Arguments of the fragment kernel, without the quads to shade and the results."""
    block = np.zeros(_FRAGMENT_FIELDS, np.int64)
    block[FragmentField.PRIMITIVE.value] = quads.primitive.ctypes.data
    block[FragmentField.QUAD_X.value] = quads.x.ctypes.data
    block[FragmentField.QUAD_Y.value] = quads.y.ctypes.data
    block[FragmentField.CORNERS.value] = placed.corners.ctypes.data
    block[FragmentField.WINDOW.value] = placed.window.ctypes.data
    block[FragmentField.OUTPUTS.value] = outputs.ctypes.data
    block[FragmentField.OUTPUT_STRIDE.value] = outputs.shape[1]
    block[FragmentField.PLANES.value] = placed.planes.ctypes.data
    block[FragmentField.FRONT.value] = placed.front.ctypes.data
    block[FragmentField.EXTENT.value] = placed.extent.ctypes.data
    block[FragmentField.CONSTANTS.value] = constants.ctypes.data
    block[FragmentField.SAMPLERS.value] = samplers.ctypes.data
    block[FragmentField.LIMIT.value] = DEFAULT_INSTRUCTION_LIMIT
    return block


@helper
def blend_block(batch: Any, state: Any) -> Any:
    """Arguments of the blend kernels, without quads, colours and pixels."""
    block = np.zeros(_BLEND_FIELDS, np.int64)
    block[BlendField.QUAD_X.value] = batch.quads.x.ctypes.data
    block[BlendField.QUAD_Y.value] = batch.quads.y.ctypes.data
    block[BlendField.LANES.value] = batch.passed.ctypes.data
    block[BlendField.ROW.value] = 4 * CHUNK_QUADS
    block[BlendField.WIDTH.value] = state.width
    block[BlendField.CONSTANT.value] = state.constant.ctypes.data
    return block
