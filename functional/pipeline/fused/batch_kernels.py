"""A draw from coverage to colours, batch by batch, without going back to Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import kernel
from ...execute.kernel_arguments import ReadField
from ...execute.native_calls import pointer
from .batch_coverage import cover_batch
from .batch_shading import ENDLESS, shade_batch
from .batch_state import BatchField, carray

_F = BatchField
_READ_FIELDS = len(ReadField)


@kernel
def raster(
    state: Any,
    size: Any,
    snapped: Any,
    x: Any,
    y: Any,
    window_x: Any,
    window_y: Any,
    extent: Any,
    culled: Any,
    corners: Any,
    window: Any,
    outputs: Any,
    planes: Any,
    front: Any,
    box: Any,
) -> tuple[bool, bool]:
    """Cover, test, shade and write all primitives of a draw, in order.

    Parameters are those of `cover_batch` and `shade_batch`.

    Returns
    -------
    bool, bool
        Whether any sample passed; whether a shader did not come to its end.
    """
    passed = carray(pointer(state[_F.PASSED]), state[_F.CAPACITY], np.uint16)
    notes, discarded = np.empty((0, _READ_FIELDS), np.int64), np.empty(0, np.uint8)
    depths, tree, nodes = np.empty(0, np.float32), np.empty(0, np.int64), np.empty(0, np.int32)
    log, log_lanes = np.empty(0, np.int64), np.empty(0, np.int64)
    any_passed, start = False, 0
    while start < len(culled):
        start, count, shaded = cover_batch(
            state, start, size, snapped, x, y, window_x, window_y, extent, culled, planes, front, box, False
        )
        done = shade_batch(
            state,
            shaded,
            corners,
            window,
            outputs,
            planes,
            front,
            extent,
            notes,
            discarded,
            depths,
            tree,
            nodes,
            log,
            log_lanes,
            0,
        )
        if done == ENDLESS:
            return any_passed, True
        if not any_passed:
            for q in range(count):
                if passed[q]:
                    any_passed = True
                    break
    return any_passed, False
