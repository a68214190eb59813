"""Tables of dispatches as the machine reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.records import Record, i4, i8

Array = np.ndarray[Any, Any]


class DispatchRow(Record):
    """Dispatch. `group_warps`: warps of a group, those of group g beginning at `first_warp` + g times as many;
    `registers`: of a lane; `waits`: whether a memory barrier lies between it and the dispatch before. The machine fills
    in when its first group may begin and its last one ends, and counts the groups that are `left`."""

    number: i4
    program: i4
    groups: i4
    group_warps: i4
    first_warp: i4
    registers: i4
    shared_bytes: i4
    waits: i4
    first_written: i4
    last_written: i4
    first_cycle: i8
    last_cycle: i8
    left: i8


class ComputeWarp(Record):
    """Warp of a group: rows of the paths of its lanes; the first of its accesses to memory and textures."""

    first_lane: i4
    last_lane: i4
    first_operation: i4


class MemoryOperation(Record):
    """Access of a warp to memory, or texture operation: lines that it touches; `cycles`: that shared memory takes for
    it, or atomic operations that it consists of."""

    first_line: i8
    lines: i4
    cycles: i4


class MemoryLine(Record):
    """Line that an access touches; `bytes`: of the sectors of 32 bytes in it that the access touches."""

    address: i8
    bytes: i4


class Written(Record):
    """Range of memory that a dispatch may write."""

    address: i8
    size_bytes: i8


class Compute(NamedTuple):
    """Tables of dispatches."""

    dispatch: Array
    compute_warp: Array
    compute_lane: Array
    memory_operation: Array
    memory_line: Array
    written: Array


def no_dispatches() -> Compute:
    """Tables without rows."""
    kinds = (DispatchRow.dtype, ComputeWarp.dtype, np.int32, MemoryOperation.dtype, MemoryLine.dtype, Written.dtype)
    return Compute(*(np.zeros(0, kind) for kind in kinds))
