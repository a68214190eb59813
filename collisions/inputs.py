"""Positions of vertices as the application gave them: attributes as fetched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.loading.source import Activity, ActivityError, numbers

Array = np.ndarray[Any, Any]
Row = dict[str, Any]
COLUMNS_OF_MATRICES = {"0x8b5a": 2, "0x8b5b": 3, "0x8b5c": 4, "0x8b65": 2, "0x8b66": 2, "0x8b67": 3, "0x8b68": 3,
                       "0x8b69": 4, "0x8b6a": 4}  # fmt: skip
"""Locations of attributes that are matrices."""
NAMES = ("position", "pos", "vert")
"""Parts of the names of attributes that hold positions; a name that fits earlier wins."""


def position_offset(program: Row, name: str | None, who: str) -> int:
    """First float of the position among a vertex's `inputs`.

    Parameters
    ----------
    program
        Row of the table `programs`.
    name
        Attribute; None for the only one, or the only one that is named like a position.
    who
        File and object, for errors.

    Raises
    ------
    ActivityError
        If there is no such attribute, or which one it is cannot be decided.
    """
    attributes = sorted(program["attributes"], key=lambda a: a["location"])
    names = [a["name"] for a in attributes]
    if name is None:
        name = _likely(names)
    if name not in names:
        listed = ", ".join(names) or "none"
        raise ActivityError(f"{who}: name the attribute that holds the position with --position; there are: {listed}")
    before = attributes[: names.index(name)]
    return 4 * sum(COLUMNS_OF_MATRICES.get(a["type"], 1) for a in before)


def _likely(names: list[str]) -> str | None:
    if len(names) == 1:
        return names[0]
    for part in NAMES:
        matches = [name for name in names if part in name.lower()]
        if matches:
            exact = [name for name in matches if name.lower() == part]
            return exact[0] if exact else matches[0] if len(matches) == 1 else None
    return None


class Vertices:
    """Vertices of a frame, by draw."""

    def __init__(self, activity: Activity, frame: int) -> None:
        table = activity.frame("vertices", frame, ["draw", "index", "inputs"])
        self._draws, self._indices = numbers(table, "draw"), numbers(table, "index")
        column = table["inputs"].combine_chunks()
        self._column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column

    def positions(self, draw: int, offset: int) -> tuple[Array, Array]:
        """Indices of a draw's vertices, ascending, int64 (n,), and their positions, float64 (n, 4)."""
        mine = np.flatnonzero((self._draws == draw) & (self._indices >= 0))
        mine = mine[np.argsort(self._indices[mine], kind="stable")]
        values = self._column.take(pa.array(mine)).flatten().to_numpy(zero_copy_only=False)
        each = values.reshape(len(mine), -1) if len(mine) else np.zeros((0, offset + 4))
        return self._indices[mine], each[:, offset : offset + 4].astype(np.float64)
