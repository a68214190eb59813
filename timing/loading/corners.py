"""Corners of primitives on the screen, as the rasterizer snaps them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.kernels.spans import SUBPIXELS

from .source import numbers

Array = np.ndarray[Any, Any]


class Corners(NamedTuple):
    """Corners of primitives.

    Attributes
    ----------
    x, y
        int64, (primitives, 3): in parts of a pixel, `SUBPIXELS` to one.
    number
        int64, (primitives,): how many of them count.
    on_screen
        bool, (primitives,): whether all of these are on the screen.
    extent
        int64, (primitives,): half the size of a point or the width of a line, in the same parts.
    """

    x: Array
    y: Array
    number: Array
    on_screen: Array
    extent: Array


def snapped_corners(rows: pa.Table) -> Corners:
    """Corners from the table `primitives` of an activity."""
    number = np.where(numbers(rows, "vertex_2") >= 0, 3, np.where(numbers(rows, "vertex_1") >= 0, 2, 1))
    x, y = (np.stack([numbers(rows, f"{axis}_{i}").astype(np.int64) for i in range(3)], axis=1) for axis in "xy")
    on_screen = np.ones(len(rows), bool)
    for i in range(3):
        on_screen &= pc.is_valid(rows[f"x_{i}"]).to_numpy(zero_copy_only=False) | (i >= number)
    size = np.maximum(numbers(rows, "point_size"), numbers(rows, "line_width"))
    extent = np.ceil(np.clip(np.nan_to_num(size), 0, 1 << 16) * (SUBPIXELS / 2)).astype(np.int64)
    return Corners(x, y, number, on_screen, extent)
