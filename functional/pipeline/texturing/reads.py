"""Texels that texture operations read: lane by lane, or as records for shaders that read in loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Reads:
    """Texels that one texture operation read, lane by lane.

    Attributes
    ----------
    pc, sampler
        The operation.
    levels
        int8, (2, n): levels read, -1 for none.
    x, y
        int32, (2, n): base texels before wrapping.
    face
        int32, (n,): layer, face or slice.
    linear
        bool, (n,): 2x2 texels or one.
    active
        bool, (n,): lanes that execute the operation; None for all.
    probe
        Anisotropic probe, from 0.
    """

    pc: int
    sampler: int
    levels: NDArray[np.int8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    face: NDArray[np.int32]
    linear: NDArray[np.bool_]
    active: NDArray[np.bool_] | None
    probe: int = 0

    @classmethod
    def blank(
        cls, operation: tuple[int, int], lanes: int, probe: int, active: NDArray[np.bool_] | None = None
    ) -> Reads:
        """Rows in which no lane of an operation, instruction and sampler, has read anything yet."""
        return cls(
            *operation,
            np.full((2, lanes), -1, np.int8),
            np.zeros((2, lanes), np.int32),
            np.zeros((2, lanes), np.int32),
            np.zeros(lanes, np.int32),
            np.zeros(lanes, np.bool_),
            active,
            probe,
        )


@dataclass(frozen=True)
class LoggedReads:
    """Records, in order of execution for lanes of the same quad; those of the same lanes are consecutive.

    Attributes
    ----------
    operations
        int64, (operations, 4): instruction, sampler, whether it is recorded, and probe.
    operation
        int32, (n,): position in `operations`.
    first
        int64, (n,): first lane of each record.
    levels, x, y
        int8 and int32, (n, 2, width): as in `Reads`, by lane from the first on; some may be beyond the last lane.
    face, linear
        int32 and bool, (n, width).
    """

    operations: NDArray[np.int64]
    operation: NDArray[np.int32]
    first: NDArray[np.int64]
    levels: NDArray[np.int8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    face: NDArray[np.int32]
    linear: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.operation)
