"""Lines of the Parameter Buffer that frames take, from the lists of their tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tilegpu.timing.memory.parameter_buffer import ParameterBuffer, block_bytes

LINE_BYTES = 64


class PassLists(NamedTuple):
    """A row of the table `tile_lists`: tiles in a row and rows of them, attributes, and entries by tile."""

    columns: int
    rows: int
    attributes: int
    entries: NDArray[np.int64]


def lists_by_frame(table: pa.Table) -> dict[int, list[PassLists]]:
    """Rows of the table `tile_lists` by frame."""
    by_frame: dict[int, list[PassLists]] = {}
    numbers = [table[name].to_pylist() for name in ("frame", "columns", "rows", "attributes")]
    for frame, columns, rows, attributes, entries in zip(*numbers, table["entries"], strict=True):
        own = PassLists(columns, rows, attributes, np.asarray(entries.values, np.int64))
        by_frame.setdefault(frame, []).append(own)
    return by_frame


class LinesTaken:
    """Lines of 64 bytes that at least one of a set of frames takes, in the default layout of configurations.

    Each pass begins the buffer anew: a block of pointers for every tile, then blocks of lists that are longer, then
    the attributes of primitives. Tiles follow each other row by row from the top; another order changes nothing as long
    as all images drawn to have the same size.
    """

    def __init__(self) -> None:
        self.count = 0
        self._longest: dict[tuple[int, int], tuple[NDArray[np.int64], int]] = {}
        """By columns and rows of tiles: the most entries of each tile, and the most attributes of a pass."""

    def add(self, lists: Iterable[PassLists]) -> int:
        """Add the lists of frames; how many lines none before has taken."""
        for columns, rows, attributes, entries in lists:
            longest, most = self._longest.get((columns, rows), (entries, 0))
            self._longest[columns, rows] = np.maximum(longest, entries), max(most, attributes)
        before, self.count = self.count, self._lines()
        return self.count - before

    def _lines(self) -> int:
        used = np.zeros(0, bool)
        for (columns, rows), (entries, attributes) in self._longest.items():
            own = _lines(entries.reshape(rows, columns)[::-1].ravel(), attributes)
            longer, shorter = (used, own) if len(used) >= len(own) else (own, used)
            longer[: len(shorter)] |= shorter
            used = longer
        return int(used.sum())


def _lines(entries: NDArray[np.int64], attributes: int) -> NDArray[np.bool_]:
    """Mark the lines that a pass takes, given the entries of each tile's list."""
    layout = ParameterBuffer()
    room = block_bytes(layout, LINE_BYTES) // LINE_BYTES
    listed = -(-entries * layout.pointer_bytes // LINE_BYTES)
    blocks = np.arange(room) < listed[:, None]
    beyond = int(np.maximum(0, listed - room).sum()) + -(-attributes * layout.attribute_bytes // LINE_BYTES)
    return np.concatenate([blocks.ravel(), np.ones(beyond, bool)])
