"""Columns of the large tables as growing arrays, filled by kernels; their memory is reused for every frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_ROWS = 1 << 19
"""Initial room, for about as many rows as a row group has; memory beyond the rows is never touched."""


class Columns:
    """Rows of one table.

    Parameters
    ----------
    times
        How many times `FIRST_ROWS` there is room for to begin with.
    blocks
        Type and names of the columns of each array.

    Attributes
    ----------
    count
        Rows.
    first
        First row of the current frame.
    blocks
        Arrays of the blocks, each (columns, room), as kernels fill them.
    """

    def __init__(self, times: int = 1, **blocks: tuple[type[np.generic], tuple[str, ...]]) -> None:
        self.count = self.first = 0
        self._names = {block: names for block, (_, names) in blocks.items()}
        self._arrays: dict[str, NDArray[Any]] = {
            block: np.empty((len(names), times * FIRST_ROWS), kind) for block, (kind, names) in blocks.items()
        }
        self.blocks = tuple(self._arrays.values())
        self._room = times * FIRST_ROWS

    @property
    def following(self) -> int:
        """Number in its frame of the next row."""
        return self.count - self.first

    def reserve(self, rows: int) -> int:
        """Make room for a number of rows; the index of the first."""
        needed = self.count + rows
        if needed > self._room:
            self._room = max(2 * self._room, needed)
            for block, array in self._arrays.items():
                larger = np.empty((len(array), self._room), array.dtype)
                larger[:, : self.count] = array[:, : self.count]
                self._arrays[block] = larger
            self.blocks = tuple(self._arrays.values())
        return self.count

    def grow(self, rows: int) -> int:
        """Make room for rows, and count them; the index of the first."""
        first = self.reserve(rows)
        self.count += rows
        return first

    def end_frame(self) -> None:
        """Begin another frame."""
        self.first = self.count

    def clear(self) -> None:
        """Forget all rows."""
        self.count = self.first = 0

    def columns(self) -> dict[str, Any]:
        """Columns by name; valid until more rows are added."""
        return {
            name: self._arrays[block][i, : self.count]
            for block, names in self._names.items()
            for i, name in enumerate(names)
        }
