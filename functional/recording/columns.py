"""Columns of the large tables as growing arrays, filled by kernels; their memory is reused for every frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..jit.blocks import array_kinds, block_of

FIRST_ROWS = 1 << 19
"""Initial room, for about as many rows as a row group has; memory beyond the rows is never touched."""


class Columns:
    """Rows of one table.

    Parameters
    ----------
    declared
        `NamedTuple` of the arrays: one-dimensional ones are columns, two-dimensional ones several columns.
    times
        How many times `FIRST_ROWS` there is room for to begin with.
    names
        Names of the columns of each two-dimensional array.

    Attributes
    ----------
    count
        Rows.
    first
        First row of the current frame.
    arrays
        As declared, each (room,) or (columns, room).
    address
        Of these arrays as a block.
    """

    def __init__(self, declared: Callable[..., Any], times: int = 1, **names: tuple[str, ...]) -> None:
        self.count = self.first = 0
        self._names, self._room = names, times * FIRST_ROWS
        self._keep(
            declared(
                **{
                    field: np.empty((len(names[field]), self._room) if dimensions > 1 else self._room, kind)
                    for field, (kind, dimensions) in array_kinds(declared).items()
                }
            )
        )

    def _keep(self, arrays: Any) -> None:
        self.arrays, self._block = arrays, block_of(arrays)
        self.address = self._block.address

    @property
    def following(self) -> int:
        """Number in its frame of the next row."""
        return self.count - self.first

    def reserve(self, rows: int) -> int:
        """Make room for a number of rows; the index of the first."""
        needed = self.count + rows
        if needed > self._room:
            self._room = max(2 * self._room, needed)
            self._keep(type(self.arrays)(*map(self._larger, self.arrays)))
        return self.count

    def _larger(self, array: NDArray[Any]) -> NDArray[Any]:
        larger = np.empty((*array.shape[:-1], self._room), array.dtype)
        larger[..., : self.count] = array[..., : self.count]
        return larger

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
        columns: dict[str, Any] = {}
        for field, array in self.arrays._asdict().items():
            rows = array[..., : self.count]
            columns |= zip(self._names[field], rows, strict=True) if field in self._names else {field: rows}
        return columns
