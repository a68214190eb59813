"""Texture reads as kernels note them: a row of all lanes per texture operation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...execute.kernel_arguments import ReadField
from ...execute.native_calls import address
from ..sampler import Sampler
from ..texturing.reads import LoggedReads
from ..texturing.unit import probes

NO_NOTES: NDArray[np.int64] = np.zeros((0, len(ReadField)), np.int64)
"""Blocks of a shader without texture operations, or without notes."""
LANE_BYTES = 2 * (1 + 4 + 4) + 4 + 1
"""Bytes of a row per lane."""


class ReadRow(NamedTuple):
    """The reads of the lanes of a row.

    Attributes
    ----------
    pc, sampler, probe
        The operation, and the number of its anisotropic probe.
    told
        Whether it is recorded; reads of incomplete textures are not.
    base_level
        Level of the texture from which levels are counted.
    """

    pc: int
    sampler: int
    probe: int
    told: bool
    base_level: int


def read_rows(samplers: tuple[Sampler, ...], operations: tuple[tuple[int, int], ...]) -> tuple[ReadRow, ...]:
    """Rows for every texture operation, instruction and sampler, of a draw with some samplers, and every probe."""
    return tuple(
        ReadRow(pc, number, probe, samplers[number].storage is not None, samplers[number].base_level)
        for pc, number in operations
        for probe in range(probes(samplers[number]))
    )


class NotedReads:
    """Room for rows of all lanes, for a kernel to fill where it executes the operations.

    Parameters
    ----------
    rows
        See `read_rows`.
    lanes
        Lanes of a row.

    Attributes
    ----------
    blocks
        Where operations note their reads, as kernels take it: int64, (rows, fields of `kernel_arguments.ReadField`).
        The first probes of all operations come first, in order.
    """

    def __init__(self, rows: tuple[ReadRow, ...], lanes: int) -> None:
        count = len(rows)
        # For lanes that read nothing, the other columns are never used.
        self._levels = np.empty((count, 2, lanes), np.int8)
        self._x, self._y = np.empty((count, 2, lanes), np.int32), np.empty((count, 2, lanes), np.int32)
        self._linear, self._face = np.empty((count, lanes), np.bool_), np.empty((count, lanes), np.int32)
        self._bases = [(row, base_level) for row, (*_, base_level) in enumerate(rows) if base_level]
        operations = [(pc, sampler, told, probe) for pc, sampler, probe, told, _ in rows]
        self.blocks = self._blocks(rows, lanes)
        self._told = LoggedReads(
            np.array(operations, np.int64).reshape(-1, 4),
            np.arange(count, dtype=np.int32),
            np.zeros(count, np.int64),
            self._levels,
            self._x,
            self._y,
            self._face,
            self._linear,
        )
        self.clear(lanes)

    def _blocks(self, rows: tuple[ReadRow, ...], lanes: int) -> NDArray[np.int64]:
        order = sorted(range(len(rows)), key=lambda i: rows[i].probe > 0)
        place = {i: number for number, i in enumerate(order)}
        blocks = np.zeros((len(rows), len(ReadField)), np.int64)
        arrays: tuple[tuple[ReadField, NDArray[Any]], ...] = (
            (ReadField.LEVELS, self._levels),
            (ReadField.X, self._x),
            (ReadField.Y, self._y),
            (ReadField.LINEAR, self._linear),
            (ReadField.FACE, self._face),
        )
        for field, array in arrays:
            blocks[:, field] = address(array) + np.array(order, np.int64) * array.strides[0]
        blocks[:, ReadField.ROW] = lanes
        for i, row in enumerate(rows):
            if row.probe:
                blocks[place[i - 1], ReadField.NEXT] = (place[i] - place[i - 1]) * blocks.strides[0]
        return blocks

    def clear(self, lanes: int) -> None:
        """Forget what the first lanes have read."""
        self._levels[:, :, :lanes] = -1
        # Operations on plain images do not say which image they read.
        self._face[:, :lanes] = 0

    def told(self, lanes: int) -> LoggedReads:
        """What the first lanes have read, until they are cleared; levels are counted from the texture's first. Call it
        only once."""
        for row, base_level in self._bases:
            levels = self._levels[row, :, :lanes]
            levels[levels >= 0] += base_level
        return self._told
