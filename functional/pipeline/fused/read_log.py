"""Texture reads of shaders that read in loops: kernels append a record per operation and vector of lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...execute.kernel_arguments import LogField
from ...glsl.ir.program import Shader
from ..state import DrawState
from ..texturing.reads import LoggedReads

FIRST_RECORDS = 4096


class ReadLog:
    """Room for records, as kernels take it.

    Parameters
    ----------
    width
        Lanes of a vector.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.block = np.zeros(len(LogField), np.int64)
        self.arrays: dict[LogField, NDArray[Any]] = {
            LogField.OPERATION: np.empty(0, np.int32),
            LogField.LANE: np.empty(0, np.int64),
            LogField.LEVELS: np.empty((0, 2, width), np.int8),
            LogField.X: np.empty((0, 2, width), np.int32),
            LogField.Y: np.empty((0, 2, width), np.int32),
            LogField.FACE: np.empty((0, width), np.int32),
            LogField.LINEAR: np.empty((0, width), np.bool_),
        }
        self._resize(FIRST_RECORDS)

    @property
    def full(self) -> bool:
        """Whether the last kernel ran out of room; its records were removed."""
        return bool(self.block[LogField.FULL])

    def clear(self) -> None:
        """Forget all records."""
        self.block[LogField.COUNT] = 0

    def grow(self) -> None:
        """Make room for four times as many records."""
        self._resize(4 * int(self.block[LogField.CAPACITY]))

    def _resize(self, records: int) -> None:
        for name, array in self.arrays.items():
            # One more for a record that does not fit.
            larger = np.empty((records + 1, *array.shape[1:]), array.dtype)
            larger[: len(array)] = array
            self.arrays[name] = larger
            self.block[name] = larger.ctypes.data
        self.block[LogField.CAPACITY], self.block[LogField.FULL] = records, 0

    def told(self, state: DrawState) -> LoggedReads:
        """The records, until the log is cleared; reads of incomplete textures are left out."""
        count = int(self.block[LogField.COUNT])
        operations, samplers = [], state.samplers.fragment
        for pc, number in texture_operations(state.program.fragment):
            sampler = samplers[number]
            operations.append((pc, number, sampler.storage is not None, 0))
        operation, first, levels, x, y, face, linear = (array[:count] for array in self.arrays.values())
        bases = np.array([samplers[number].base_level for _, number, *_ in operations], np.int8)
        if bases.any():
            levels = np.where(levels >= 0, levels + bases[operation][:, None, None], levels).astype(np.int8)
        table = np.array(operations, np.int64).reshape(-1, 4)
        return LoggedReads(table, operation, first, levels, x, y, face, linear)


def texture_operations(shader: Shader) -> tuple[tuple[int, int], ...]:
    """Position and sampler of each texture instruction."""
    return tuple(
        (pc, i.sampler)
        for pc, i in enumerate(shader.instructions)
        if i.info.shape == "texture" and i.sampler is not None
    )
