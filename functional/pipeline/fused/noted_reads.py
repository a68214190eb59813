"""Texture reads as kernels note them: a row of all lanes per texture operation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...execute.kernel_arguments import ReadField
from ...execute.native_calls import address
from ..sampler import Sampler
from ..texturing.reads import LoggedReads
from ..texturing.unit import probes

NO_NOTES: NDArray[np.int64] = np.zeros((0, len(ReadField)), np.int64)
"""Blocks of a shader without texture operations, or of which nothing is noted."""


class NotedReads:
    """Rows of all lanes for every texture operation of a shader and every probe, for a kernel to fill where it executes
    it.

    Parameters
    ----------
    samplers
        Of the draw.
    operations
        Instruction and sampler of each texture operation.
    row
        Lanes of a row.

    Attributes
    ----------
    blocks
        Where operations note their reads, as kernels take it: int64, (rows, fields of `kernel_arguments.ReadField`).
        The first probes of all operations come first, in order.
    """

    def __init__(self, samplers: tuple[Sampler, ...], operations: tuple[tuple[int, int], ...], row: int) -> None:
        self._samplers = samplers
        self._rows = [(pc, sampler, probe) for pc, sampler in operations for probe in range(probes(samplers[sampler]))]
        count = len(self._rows)
        self._levels = np.full((count, 2, row), -1, np.int8)
        # Of lanes that read nothing, nobody asks for more than that.
        self._x, self._y = np.empty((count, 2, row), np.int32), np.empty((count, 2, row), np.int32)
        self._linear = np.empty((count, row), np.bool_)
        # Operations on plain images do not say which image they read.
        self._face = np.zeros((count, row), np.int32)
        self.blocks = self._blocks(row)

    def _blocks(self, row: int) -> NDArray[np.int64]:
        rows = self._rows
        order = sorted(range(len(rows)), key=lambda i: rows[i][2] > 0)
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
        blocks[:, ReadField.ROW] = row
        for i, (_, _, probe) in enumerate(rows):
            if probe:
                blocks[place[i - 1], ReadField.NEXT] = (place[i] - place[i - 1]) * blocks.strides[0]
        return blocks

    def told(self) -> LoggedReads:
        """What is recorded: nothing of incomplete textures, and levels counted from the texture's first."""
        operations = []
        for levels, (pc, number, probe) in zip(self._levels, self._rows, strict=True):
            sampler = self._samplers[number]
            operations.append((pc, number, sampler.storage is not None, probe))
            if sampler.base_level:
                levels[levels >= 0] += sampler.base_level
        return LoggedReads(
            np.array(operations, np.int64).reshape(-1, 4),
            np.arange(len(operations), dtype=np.int32),
            np.zeros(len(operations), np.int64),
            self._levels,
            self._x,
            self._y,
            self._face,
            self._linear,
        )
