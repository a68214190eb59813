"""Executes a draw from coverage to colours, batch by batch, without returning to Python."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from ...compile import kernel, kernel_by_address
from ...compile.blocks import Address
from ...compile.native import load
from .batch_coverage import cover_batch
from .batch_shading import ENDLESS, ShadingReport, shade_batch
from .batch_state import QUAD_COUNTS, Batch, FragmentState
from .geometry_block import Drawable

FAILED = 2
"""Bit of what `raster` returns: a shader did not terminate."""


@kernel_by_address
def cover_geometry(memory: Address, geometry: Address, start: int, keep_hidden: int) -> Any:
    """Cover as many primitives as a batch holds; the addresses are of `Batch`, which counts quads, and `Drawable`.
    Returns the next primitive; see `cover_batch`."""
    batch, drawable = load(memory, Batch), load(geometry, Drawable)
    state = load(batch.draw, FragmentState)
    following, covered, chosen = cover_batch(batch, state, drawable, start, keep_hidden != 0)
    batch.counts[QUAD_COUNTS.covered], batch.counts[QUAD_COUNTS.chosen] = covered, chosen
    return following


@kernel_by_address
def raster(memory: Address, geometry: Address) -> int:
    """Cover, test, shade and write all primitives of a draw, in order.

    Parameters are those of `cover_geometry`. Returns 1 if any sample passed, and `FAILED`.
    """
    batch, drawable = load(memory, Batch), load(geometry, Drawable)
    state = load(batch.draw, FragmentState)
    nothing, lanes, quads = np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint16)
    outputs, nodes = np.empty((0, 0), np.float32), np.empty(0, np.int32)
    report = ShadingReport(0, nothing, lanes, outputs, quads, nothing, nodes, nothing, nothing)
    any_passed, start = 0, 0
    while start < len(drawable.placed.front):
        start = state.cover(memory, geometry, start, 0)
        if shade_batch(memory, geometry, 0, batch.counts[QUAD_COUNTS.chosen], report) == ENDLESS:
            return any_passed | FAILED
        for q in range(0 if any_passed else batch.counts[QUAD_COUNTS.covered]):
            if batch.passed[q]:
                any_passed = 1
                break
    return any_passed


@kernel
def shade_geometry(
    memory: Address, geometry: Address, begin: int, shaded: int, report: Annotated[tuple[Any, ...], ShadingReport]
) -> int:
    """Shade the quads that a batch selected; addresses as for `cover_geometry`, and `ShadingReport` as a plain tuple,
    which is faster to pass from Python. See `shade_batch`."""
    return shade_batch(memory, geometry, begin, shaded, ShadingReport(*report))
