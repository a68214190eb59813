"""Tables of dispatches, and of what draws access in buffers and images, as the machine reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.records import Record, i4, i8

from .frame import Written

Array = np.ndarray[Any, Any]


class DispatchRow(Record):
    """Dispatch. `group_warps`: warps of a group, those of group g beginning at `first_warp` + g times as many;
    `registers`: of a lane; `waits`: whether a memory barrier lies between it and the dispatch before; `work`: its
    account (`engine.work`). The machine fills in when its first group may begin and its last one ends, and counts the
    groups that are not done, `remaining`."""

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
    remaining: i8
    work: i4


class ComputeWarp(Record):
    """Warp of a group: rows of the paths of its lanes; the first of its accesses to memory and textures."""

    first_lane: i4
    last_lane: i4
    first_operation: i4


class MemoryOperation(Record):
    """Access of a warp of a dispatch, of a quad or of a vertex to memory, or texture operation of a warp of a dispatch:
    lines that it touches; `cycles`: that shared memory takes for it, or atomic operations that it consists of."""

    first_line: i8
    lines: i4
    cycles: i4


class MemoryLine(Record):
    """Line that an access touches; `sectors`: of 32 bytes in it that the access touches, a bit each; `lanes`: that
    change the same word, at most."""

    address: i8
    sectors: i4
    lanes: i4


class Compute(NamedTuple):
    """Tables of dispatches; `quad_access`, `stream_access`: the first access of each quad, and of each vertex of the
    stream, no rows where draws access nothing."""

    dispatch: Array
    compute_warp: Array
    compute_lane: Array
    memory_operation: Array
    memory_line: Array
    written: Array
    quad_access: Array
    stream_access: Array


def no_dispatches() -> Compute:
    """Tables without rows."""
    kinds = DispatchRow.dtype, ComputeWarp.dtype, np.int32, MemoryOperation.dtype, MemoryLine.dtype, Written.dtype
    return Compute(*(np.zeros(0, kind) for kind in (*kinds, np.int32, np.int32)))
