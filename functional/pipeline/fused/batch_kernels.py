"""Executes a draw from coverage to colours, batch by batch, without returning to Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import ZERO, kernel
from ...execute.kernel_arguments import ReadField
from ...execute.native_calls import pointer
from .batch_coverage import cover_batch
from .batch_shading import ENDLESS, Told, shade_batch
from .batch_state import BatchField, carray
from .geometry_block import drawn_of, surface_of

_F = BatchField
_READ_FIELDS = len(ReadField)


@kernel
def raster(state: Any, drawn: Any, surface: Any) -> tuple[bool, bool]:
    """Cover, test, shade and write all primitives of a draw, in order.

    Parameters are those of `cover_batch`.

    Returns
    -------
    bool, bool
        Whether any sample passed; whether a shader did not terminate.
    """
    passed = carray(pointer(state[_F.PASSED]), state[_F.CAPACITY], np.uint16)
    nothing, nobody = np.empty(0, np.int64), np.empty(0, np.int32)
    told = Told(
        0,
        np.empty((0, _READ_FIELDS), np.int64),
        np.empty(0, np.uint8),
        np.empty(0, np.float32),
        nothing,
        nobody,
        nothing,
        nothing,
    )
    any_passed, start = False, ZERO
    while start < len(drawn.culled):
        start, count, shaded = cover_batch(state, drawn, surface, start, False)
        if shade_batch(state, surface, 0, shaded, told) == ENDLESS:
            return any_passed, True
        if not any_passed:
            for q in range(count):
                if passed[q]:
                    any_passed = True
                    break
    return any_passed, False


@kernel
def raster_geometry(state: Any, geometry: Any) -> tuple[bool, bool]:
    """Cover, test, shade and write all primitives; the geometry is int64, as in `GeometryField`. See `raster`."""
    return raster(state, drawn_of(geometry), surface_of(geometry))


@kernel
def cover_geometry(state: Any, geometry: Any, start: Any, keep_hidden: Any) -> tuple[int, int, int]:
    """Cover as many primitives as a batch holds; the geometry is int64, as in `GeometryField`. See `cover_batch`."""
    return cover_batch(state, drawn_of(geometry), surface_of(geometry), start, keep_hidden)


@kernel
def shade_geometry(state: Any, geometry: Any, begin: Any, shaded: Any, told: Any) -> int:
    """Shade the quads that a batch selected; the geometry is int64, as in `GeometryField`, and `Told` a plain tuple,
    which is faster to pass from Python. See `shade_batch`."""
    since, notes, discarded, depths, tree, nodes, log, log_lanes = told
    all_told = Told(since, notes, discarded, depths, tree, nodes, log, log_lanes)
    return shade_batch(state, surface_of(geometry), begin, shaded, all_told)
