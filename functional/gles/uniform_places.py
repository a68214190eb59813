"""Destinations of uniform values, prepared once: programs set the same uniforms many times in every frame."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

SLOT_BYTES = 16
Run = tuple[int, int, int, int]
"""First and last byte of constants, and of the values that go there."""


class Written(Protocol):
    """The part of a program that tracks changes of its constants; see `programs.Program`."""

    version: int
    dirty: dict[tuple[str, int], int]


@dataclass(frozen=True, slots=True)
class StagePlace:
    """Constants of one stage: the stage, its first slot, their bytes, number of slots, and runs of bytes to write."""

    key: tuple[str, int]
    constants: memoryview
    slots: int
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class UniformPlace:
    """Destination of one call's values.

    Attributes
    ----------
    size
        Number of values that the call passes.
    pack
        Turns them into bytes.
    stages
        Constants to write.
    """

    size: int
    pack: Callable[..., bytes]
    stages: tuple[StagePlace, ...]

    def write(self, program: Written, values: Sequence[Any]) -> bool:
        """Write values; False, and nothing is written, if they are not of the prepared form."""
        try:
            data = self.pack(*values)
        except (struct.error, OverflowError, TypeError):
            return False
        self.write_bytes(program, data)
        return True

    def write_bytes(self, program: Written, data: bytes) -> None:
        """Write packed values."""
        changed = False
        for place in self.stages:
            constants = place.constants
            for first, last, begin, end in place.runs:
                # Views are compared byte by byte.
                if constants[first:last].tobytes() != data[begin:end]:
                    break
            else:
                continue
            for first, last, begin, end in place.runs:
                constants[first:last] = data[begin:end]
            program.dirty[place.key] = max(place.slots, program.dirty.get(place.key, 0))
            changed = True
        program.version += changed


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """Destination of one call's texture units.

    Attributes
    ----------
    size
        Number of values that the call passes.
    places
        Units of a stage, index in them, and index in the call's numbers.
    """

    size: int
    places: tuple[tuple[list[int], int, int], ...]

    def write(self, program: Written, values: Sequence[Any]) -> bool:
        """Whether the units are already set to the values; changes nothing."""
        for units, place, number in self.places:
            value = values[number]
            if type(value) is not int or units[place] != value:
                return False
        program.version += 1
        return True


def stage_place(stage: str, constants: NDArray[np.float32], slot: int, rows: int, components: int) -> StagePlace | None:
    """Location of `rows` rows of some components in the constants of a stage, cut at the end of the constants."""
    slots = min(rows, len(constants) - slot)
    if slots <= 0:
        return None
    size = 4 * components
    runs = [(SLOT_BYTES * (slot + i), SLOT_BYTES * (slot + i) + size, size * i, size * (i + 1)) for i in range(slots)]
    if size == SLOT_BYTES:
        runs = [(runs[0][0], runs[-1][1], 0, size * slots)]
    return StagePlace((stage, slot), constants.data.cast("B"), slots, tuple(runs))
