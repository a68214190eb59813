"""Executes a draw from coverage to colours, batch by batch, without returning to Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import ZERO, kernel, kernel_by_address
from ...execute.kernel_arguments import ReadField
from ...execute.native_calls import call_by_address, carray, pointer
from .batch_coverage import cover_batch
from .batch_shading import ENDLESS, Told, shade_batch
from .batch_state import BatchField
from .geometry_block import GEOMETRY_FIELDS, drawn_of, surface_of

_F = BatchField
_STATE_FIELDS, _READ_FIELDS = len(BatchField), len(ReadField)
FAILED = 2
"""Bit of what `raster` returns: a shader did not come to its end."""


@kernel_by_address
def cover_geometry(state: Any, geometry: Any, start: Any, keep_hidden: Any) -> Any:
    """Cover as many primitives as a batch holds; the addresses are of fields as in `BatchField`, where numbers of quads
    are left, and `GeometryField`. Returns the next primitive; see `cover_batch`."""
    fields, block = (
        carray(pointer(state), _STATE_FIELDS, np.int64),
        carray(pointer(geometry), GEOMETRY_FIELDS, np.int64),
    )
    following, covered, chosen = cover_batch(fields, drawn_of(block), surface_of(block), start, keep_hidden != 0)
    fields[_F.COVERED], fields[_F.CHOSEN] = covered, chosen
    return following


@kernel_by_address
def raster(state: Any, geometry: Any) -> int:
    """Cover, test, shade and write all primitives of a draw, in order.

    Parameters are those of `cover_geometry`. Returns 1 if any sample passed, and `FAILED`.
    """
    fields, block = (
        carray(pointer(state), _STATE_FIELDS, np.int64),
        carray(pointer(geometry), GEOMETRY_FIELDS, np.int64),
    )
    passed = carray(pointer(fields[_F.PASSED]), fields[_F.CAPACITY], np.uint16)
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
    surface, any_passed, start = surface_of(block), 0, ZERO
    while start < len(surface.front):
        start = call_by_address(fields[_F.COVER], (state, geometry, start, ZERO))
        if shade_batch(fields, surface, 0, fields[_F.CHOSEN], told) == ENDLESS:
            return any_passed | FAILED
        for q in range(0 if any_passed else fields[_F.COVERED]):
            if passed[q]:
                any_passed = 1
                break
    return any_passed


@kernel
def shade_geometry(state: Any, geometry: Any, begin: Any, shaded: Any, told: Any) -> int:
    """Shade the quads that a batch selected; the geometry is int64, as in `GeometryField`, and `Told` a plain tuple,
    which is faster to pass from Python. See `shade_batch`."""
    since, notes, discarded, depths, tree, nodes, log, log_lanes = told
    all_told = Told(since, notes, discarded, depths, tree, nodes, log, log_lanes)
    return shade_batch(state, surface_of(geometry), begin, shaded, all_told)
