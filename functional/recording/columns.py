"""Columns of the large tables as growing arrays, filled by kernels; their memory is reused for every frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compile import helper
from ..compile.addresses import address
from ..compile.blocks import Kernel, array_kinds, code_at, places, words_in, write
from ..compile.called_methods import CalledMethod
from ..compile.native import carray, load

FIRST_ROWS = 1 << 19
"""Initial room, for about as many rows as a row group has; memory beyond the rows is never touched."""


class Extent(NamedTuple):
    """Beginning of the block of a table, which its columns follow.

    Attributes
    ----------
    rows, first, room
        Rows, the first one of the current frame, and how many there is room for.
    grow
        Makes room for a number of further rows, and returns 1.
    """

    rows: int
    first: int
    room: int
    grow: Kernel


EXTENT = places(Extent)
_ROWS, _FIRST, _ROOM, _ = EXTENT
_WORDS = words_in(Extent)
COLUMNS = 8 * _WORDS
"""Bytes from the address of a table to its columns."""


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
    arrays
        As declared, each (room,) or (columns, room).
    table, address
        Of `Extent`, and of these arrays as a block; they stay the same.
    """

    def __init__(self, declared: Callable[..., Any], times: int = 1, **names: tuple[str, ...]) -> None:
        self._names, room = names, times * FIRST_ROWS
        self._words = np.zeros(_WORDS + words_in(declared), np.int64)
        # Python reads single words of it several times faster.
        self._extent = self._words.data
        self._grow = CalledMethod(self.reserve, 1)
        write(self._words[:_WORDS], Extent(0, 0, room, code_at(self._grow.address)))
        self.table = address(self._words)
        self.address = self.table + COLUMNS
        self._keep(
            declared(
                **{
                    field: np.empty((len(names[field]), room) if dimensions > 1 else room, kind)
                    for field, (kind, dimensions) in array_kinds(declared).items()
                }
            )
        )

    def _keep(self, arrays: Any) -> None:
        self.arrays = arrays
        write(self._words[_WORDS:], arrays)

    @property
    def count(self) -> int:
        """Rows."""
        return self._extent[_ROWS]

    @count.setter
    def count(self, rows: int) -> None:
        self._extent[_ROWS] = rows

    @property
    def first(self) -> int:
        """First row of the current frame."""
        return self._extent[_FIRST]

    @property
    def following(self) -> int:
        """Number in its frame of the next row."""
        return self._extent[_ROWS] - self._extent[_FIRST]

    def reserve(self, rows: int) -> int:
        """Make room for a number of rows; the index of the first."""
        count, room = self._extent[_ROWS], self._extent[_ROOM]
        if count + rows > room:
            room = self._extent[_ROOM] = max(2 * room, count + rows)
            self._keep(type(self.arrays)(*(_larger(array, count, room) for array in self.arrays)))
        return count

    def grow(self, rows: int) -> int:
        """Make room for rows, and count them; the index of the first."""
        first = self.reserve(rows)
        self._extent[_ROWS] = first + rows
        return first

    def end_frame(self) -> None:
        """Begin another frame."""
        self._extent[_FIRST] = self._extent[_ROWS]

    def clear(self) -> None:
        """Forget all rows."""
        self._extent[_ROWS] = self._extent[_FIRST] = 0

    def columns(self) -> dict[str, Any]:
        """Columns by name; valid until more rows are added."""
        columns: dict[str, Any] = {}
        for field, array in self.arrays._asdict().items():
            rows = array[..., : self.count]
            columns |= zip(self._names[field], rows, strict=True) if field in self._names else {field: rows}
        return columns


def _larger(array: NDArray[Any], count: int, room: int) -> NDArray[Any]:
    larger = np.empty((*array.shape[:-1], room), array.dtype)
    larger[..., :count] = array[..., :count]
    return larger


@helper
def count_of(table: int) -> Any:
    """Rows of the table at an address."""
    return carray(table, _WORDS, np.int64)[EXTENT.rows]


@helper
def set_count(table: int, rows: int) -> None:
    """Count the rows up to some, for which there is room."""
    carray(table, _WORDS, np.int64)[EXTENT.rows] = rows


@helper
def following(table: int) -> Any:
    """Number in its frame of the next row."""
    words = carray(table, _WORDS, np.int64)
    return words[EXTENT.rows] - words[EXTENT.first]


@helper
def reserve(table: int, rows: int) -> Any:
    """Make room for rows; the index of the first, -1 if that was not possible."""
    words = carray(table, _WORDS, np.int64)
    count = words[EXTENT.rows]
    if count + rows > words[EXTENT.room] and not load(table, Extent).grow(rows):
        return -1
    return count


@helper
def grow(table: int, rows: int) -> Any:
    """Make room for rows, and count them; the index of the first, -1 if that was not possible."""
    first = reserve(table, rows)
    if first >= 0:
        set_count(table, first + rows)
    return first
