"""Depth and stencil tests of a chunk after its shading, called by address: most draws are tested before."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import helper, kernel_by_address
from ...compile.blocks import Address
from ...compile.native import load
from ..fragments.rasterization import Quads
from .batch_coverage import depth_test_some, some_of
from .batch_state import Batch, FragmentState
from .geometry_block import Drawable


@helper
def lanes_killed(flags: int) -> Any:
    """A bit per lane from a quad's four flags, each of one byte."""
    return (flags | flags >> 7 | flags >> 14 | flags >> 21) & 15


@helper
def alive_quads(batch: Batch, state: FragmentState, first: int, count: int) -> Any:
    """The quads of a chunk without the samples of discarded lanes. With late tests, all quads are shaded: a chunk is a
    run of them."""
    part = some_of(batch.quads, first, first + count)
    lanes = part.coverage.copy()
    for i in range(count if state.discards else 0):
        lanes[i] &= ~(0x1111 * lanes_killed(batch.killed[i]))
    return Quads(part.primitive, part.x, part.y, lanes)


@helper
def written_depths(batch: Batch, state: FragmentState, count: int) -> Any:
    """Depths that the shader wrote for the quads of a chunk: float32, (4, quads), or of no quads if it writes none."""
    depths = np.empty((4, count if state.depth_output >= 0 else 0), np.float32)
    for i in range(depths.shape[1]):
        for lane in range(4):
            depths[lane, i] = batch.results[state.depth_output, 4 * i + lane]
    return depths


@kernel_by_address
def test_late(memory: Address, geometry: Address, first: int, count: int) -> int:
    """Test a shaded chunk of pixels of one sample.

    Parameters
    ----------
    memory, geometry
        Of `Batch` and `Drawable`.
    first, count
        First quad of the chunk, and how many there are.
    """
    batch, placed = load(memory, Batch), load(geometry, Drawable).placed
    state = load(batch.draw, FragmentState)
    passed = batch.passed[first : first + count]
    quads, depths = alive_quads(batch, state, first, count), written_depths(batch, state, count)
    depth_test_some(state, quads, placed.planes, placed.front, depths, passed)
    return 0
