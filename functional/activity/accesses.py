"""Accesses to memory as the activity holds them: rows that describe the elements of a work group's invocations."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

OUTSIDE = -1
"""Element of an access beyond the end of its memory, which has no effect."""

LocalSize = tuple[int, int, int]


class AccessRow(NamedTuple):
    """A row of the table `memory_accesses`, which describes its columns."""

    group: int
    pc: int
    executions: int
    lanes: bytes | None
    base: int
    stride_x: int
    stride_y: int
    stride_z: int
    step: int
    offsets: NDArray[np.int64] | None


def places(numbers: NDArray[np.int64], extent: LocalSize) -> NDArray[np.int64]:
    """Coordinates x, y and z of numbers that count x first, (3, n)."""
    width, height, _ = extent
    return np.stack([numbers % width, numbers // width % height, numbers // (width * height)])


@lru_cache(maxsize=64)
def local_places(size: LocalSize) -> NDArray[np.int64]:
    """Local x, y and z of the invocations of a work group, in the order of their indices; (3, invocations)."""
    return places(np.arange(prod(size)), size)


def lanes_of(row: AccessRow, size: LocalSize) -> NDArray[np.bool_]:
    """Invocations of the group that execute the instruction, (invocations,)."""
    count = prod(size)
    if row.lanes is None:
        return np.ones(count, np.bool_)
    bits = np.unpackbits(np.frombuffer(row.lanes, np.uint8), bitorder="little", count=count)
    return bits.astype(np.bool_)


def elements_of(row: AccessRow, size: LocalSize) -> NDArray[np.int64]:
    """Elements that those invocations access, (executions, invocations that execute the instruction)."""
    if row.offsets is not None:
        first = row.base + np.asarray(row.offsets, np.int64)
    else:
        strides = np.array([row.stride_x, row.stride_y, row.stride_z], np.int64)
        first = row.base + strides @ local_places(size)[:, lanes_of(row, size)]
    return np.asarray(first[None] + row.step * np.arange(row.executions)[:, None], np.int64)
