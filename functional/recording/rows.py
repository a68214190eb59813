"""Rows of small tables, collected until a frame ends."""

from __future__ import annotations

from typing import Any


class PlainRows:
    """Rows as tuples in the order of the columns; the garbage collector stops tracking tuples of plain values."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._rows: list[tuple[Any, ...]] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def add(self, row: tuple[Any, ...]) -> None:
        """Append a row."""
        self._rows.append(row)

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        return dict(zip(self._names, map(list, zip(*self._rows, strict=True)), strict=True)) if self._rows else {}


class Rows:
    """Rows by the names of their columns, all the same ones."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def add(self, **columns: Any) -> None:
        """Append a row."""
        self._rows.append(columns)

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        return {name: [row[name] for row in self._rows] for name in self._rows[0]} if self._rows else {}
