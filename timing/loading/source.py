"""Reading an activity: columns as arrays, and what cannot be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.errors import ActivityError
from tilegpu.functional.activity.reader import Activity

__all__ = [
    "Activity",
    "ActivityError",
    "RecordedFrame",
    "need_hidden_quads",
    "numbers",
    "open_activity",
    "screen_surfaces",
]


@dataclass(frozen=True)
class RecordedFrame:
    """Tables of a frame that say what is drawn, which techniques may amend.

    `quads` may get rows at its end, as reads of textures name its rows; tables may get columns.
    """

    activity: Activity
    frame: int
    passes: pa.Table
    draws: pa.Table
    primitives: pa.Table
    quads: pa.Table

    @cached_property
    def _screen(self) -> frozenset[int]:
        return screen_surfaces(self.activity)

    def draws_screen(self, row: dict[str, Any]) -> bool:
        """Whether a pass draws to the default framebuffer."""
        return any(attachment["surface"] in self._screen for attachment in row["attachments"])


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


def need_hidden_quads(activity: Activity, why: str) -> None:
    """ActivityError, which begins with the reason, where quads that are not shaded are not recorded."""
    if activity.manifest.level != "all":
        raise ActivityError(f"{activity.folder}: {why}; record with --level all")


def screen_surfaces(activity: Activity) -> frozenset[int]:
    """Surfaces that hold the screen's colours."""
    table = activity.table("surfaces", ["surface", "kind"])
    kinds = zip(table["surface"].to_pylist(), table["kind"].to_pylist(), strict=True)
    return frozenset(surface for surface, kind in kinds if kind == "default_color")


def numbers(table: pa.Table, name: str, null: float = 0) -> np.ndarray[Any, Any]:
    """Column of numbers or flags as an array, nulls replaced."""
    column = table[name]
    if column.null_count:
        column = pc.fill_null(column, pa.scalar(null, column.type))
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    return np.ascontiguousarray(column.to_numpy())
