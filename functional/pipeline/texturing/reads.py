"""Texels that texture operations read: lane by lane, or as records for shaders that read in loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compile.blocks import FlagRows, IntegerPlanes, IntegerRows, Integers, SignedPlanes, WordRows, Words, places


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


class SamplingNotes(NamedTuple):
    """Notes of sampling: fields of `Reads`."""

    levels: NDArray[np.int8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    face: NDArray[np.int32]
    linear: NDArray[np.bool_]


class Operation(NamedTuple):
    """A texture operation of a shader: its instruction, its sampler, whether it is recorded, and anisotropic probe."""

    pc: int
    sampler: int
    recorded: bool
    probe: int


OPERATION = places(Operation)
"""Columns of its fields in `LoggedReads.operations`."""


class LoggedReads(NamedTuple):
    """Records, in order of execution for lanes of the same quad; those of the same lanes are consecutive.

    Attributes
    ----------
    operations
        int64, (operations, 4): an `Operation` each.
    operation
        int32, (n,): position in `operations`.
    first
        int64, (n,): first lane of each record.
    levels, x, y
        int8 and int32, (n, 2, width): as in `Reads`, by lane from the first on; some may be beyond the last lane.
    face, linear
        int32 and bool, (n, width).
    """

    operations: WordRows
    operation: Integers
    first: Words
    levels: SignedPlanes
    x: IntegerPlanes
    y: IntegerPlanes
    face: IntegerRows
    linear: FlagRows

    def __bool__(self) -> bool:
        """Whether there are any."""
        return len(self.operation) > 0
