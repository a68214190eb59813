"""Reading an activity: columns as arrays, and what cannot be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.errors import ActivityError
from tilegpu.functional.activity.reader import Activity

__all__ = ["Activity", "ActivityError", "Recorded", "numbers", "open_activity"]


@dataclass(frozen=True)
class Recorded:
    """Tables of a frame that say what is drawn, which techniques may amend.

    `quads` may get rows at its end, as reads of textures name its rows.
    """

    activity: Activity
    frame: int
    passes: pa.Table
    draws: pa.Table
    primitives: pa.Table
    quads: pa.Table


def open_activity(folder: Path) -> Activity:
    """Open an activity that can be replayed.

    Raises
    ------
    ActivityError
        If the folder holds no activity, a damaged one, or one without quads.
    """
    activity = Activity(folder)
    if activity.manifest.level == "summary":
        raise ActivityError(f"{folder}: recorded at level summary, which has no quads; record at level visible or all")
    return activity


def numbers(table: pa.Table, name: str, null: float = 0) -> np.ndarray[Any, Any]:
    """Column of numbers or flags as an array, nulls replaced."""
    column = table[name]
    if column.null_count:
        column = pc.fill_null(column, pa.scalar(null, column.type))
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    return np.ascontiguousarray(column.to_numpy())
