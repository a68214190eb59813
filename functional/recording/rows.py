"""Rows of small tables, collected until a frame ends."""

from __future__ import annotations

from typing import Any


class Rows:
    """Rows as tuples in the order of the columns; the garbage collector stops tracking tuples of plain values.

    Parameters
    ----------
    names
        Names of the columns; by default those of the first row.
    """

    def __init__(self, *names: str) -> None:
        self._names = names
        self._rows: list[tuple[Any, ...]] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def append(self, row: tuple[Any, ...]) -> None:
        """Append a row."""
        self._rows.append(row)

    def add(self, **columns: Any) -> None:
        """Append a row by the names of its columns, the same ones in every row."""
        self._names = self._names or tuple(columns)
        self.append(tuple([columns[name] for name in self._names]))

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        return dict(zip(self._names, map(list, zip(*self._rows, strict=True)), strict=True)) if self._rows else {}
