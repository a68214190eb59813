"""Rows of small tables, collected until a frame ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa


class PlainRows:
    """Rows as tuples in the order of the columns; those of plain values the garbage collector soon leaves alone."""

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
    """Columns of one table, growing.

    A chunk gives every column the same number of rows: a numpy array, a two-dimensional one for list columns, a list,
    or a scalar that all rows of the chunk share.
    """

    def __init__(self) -> None:
        self.count = 0
        self._chunks: dict[str, list[Any]] = {}

    def add(self, rows: int, **columns: Any) -> None:
        """Append a chunk of `rows` rows."""
        if rows == 0:
            return
        self.count += rows
        for name, value in columns.items():
            if not isinstance(value, np.ndarray | list):
                value = [value] * rows if value is None or isinstance(value, str | bool) else np.full(rows, value)
            self._chunks.setdefault(name, []).append(value)

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        return {name: _joined(chunks) for name, chunks in self._chunks.items()}


def _joined(chunks: list[Any]) -> Any:
    if all(isinstance(c, np.ndarray) and c.ndim == 2 for c in chunks):
        widths = np.concatenate([np.full(len(c), c.shape[1], np.int32) for c in chunks])
        offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(widths, dtype=np.int32)])
        flat = np.concatenate([c.reshape(-1) for c in chunks])
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat))
    if all(isinstance(c, np.ndarray) for c in chunks):
        return np.concatenate(chunks)
    return [value for chunk in chunks for value in (chunk.tolist() if isinstance(chunk, np.ndarray) else chunk)]
