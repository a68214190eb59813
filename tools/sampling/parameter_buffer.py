"""Lines of the Parameter Buffer that frames take, from the lists of their tiles."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tilegpu.timing.memory.parameter_buffer import ParameterBuffer, block_bytes

LINE_BYTES = 64


def lines_taken(lists: pa.Table) -> int:
    """Lines of 64 bytes that any of some frames takes, in the layout that configurations have unless told otherwise.

    Each pass begins the buffer anew: a block of pointers for every tile, then blocks of lists that are longer, then
    the attributes of primitives. Tiles follow each other row by row from the top; another order changes nothing as long
    as all images drawn to have the same size.

    Parameters
    ----------
    lists
        Rows of the table `tile_lists`.
    """
    used = np.zeros(0, bool)
    for (columns, rows), (entries, attributes) in _longest(lists).items():
        own = _lines(entries.reshape(rows, columns)[::-1].ravel(), attributes)
        longer, shorter = (used, own) if len(used) >= len(own) else (own, used)
        longer[: len(shorter)] |= shorter
        used = longer
    return int(used.sum())


def _longest(lists: pa.Table) -> dict[tuple[int, int], tuple[NDArray[np.int64], int]]:
    """By columns and rows of tiles: the most entries of each tile, and the most attributes."""
    found: dict[tuple[int, int], tuple[NDArray[np.int64], int]] = {}
    numbers = [lists[name].to_pylist() for name in ("columns", "rows", "attributes")]
    for columns, rows, attributes, entries in zip(*numbers, lists["entries"], strict=True):
        own = np.asarray(entries.values, np.int64)
        known, most = found.get((columns, rows), (own, 0))
        found[columns, rows] = np.maximum(known, own), max(most, attributes)
    return found


def _lines(entries: NDArray[np.int64], attributes: int) -> NDArray[np.bool_]:
    """Which lines a pass takes whose tiles have some entries each."""
    layout = ParameterBuffer()
    room = block_bytes(layout, LINE_BYTES) // LINE_BYTES
    listed = -(-entries * layout.pointer_bytes // LINE_BYTES)
    blocks = np.arange(room) < listed[:, None]
    beyond = int(np.maximum(0, listed - room).sum()) + -(-attributes * layout.attribute_bytes // LINE_BYTES)
    return np.concatenate([blocks.ravel(), np.ones(beyond, bool)])
