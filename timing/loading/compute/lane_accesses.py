"""Elements that lanes of quads, or vertices, access, from the rows of the activity that describe them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..source import ActivityError, numbers
from .warp_accesses import NO_LANE

Array = np.ndarray[Any, Any]
LANES = 4
_PCS = 1 << 16


class ExecutedAccesses(NamedTuple):
    """Accesses that quads or vertices execute.

    Attributes
    ----------
    number
        Number of the quad or vertex in the activity, int64, (accesses,).
    pc
        Instruction of each, int64, (accesses,).
    loads
        Whether helpers take part in it, bool, (accesses,).
    execution
        How often each lane has executed it before, int64, (accesses, lanes); `NO_LANE` for lanes that do not execute
        it.
    """

    number: Array
    pc: Array
    loads: Array
    execution: Array


class _Executions(NamedTuple):
    """Executions that rows describe: the row of each and how many of the row come before it; what sorts them."""

    row: Array
    nth: Array
    key: Array


def elements_of_lanes(table: pa.Table, owner: str, asked: ExecutedAccesses) -> Array:
    """Elements that lanes access: int64, (accesses, lanes), -1 for none.

    Parameters
    ----------
    table
        `quad_memory_accesses` or `vertex_memory_accesses`.
    owner
        Its column with the quad or vertex.
    asked
        Accesses.

    Raises
    ------
    ActivityError
        If the table has fewer accesses.
    """
    single = "lanes" not in table.column_names
    lanes = np.ones(len(table), np.int64) if single else numbers(table, "lanes").astype(np.int64)
    base, step = (numbers(table, name).astype(np.int64) for name in ("base", "step"))
    of, key = _executions(table, owner), asked.number * _PCS + asked.pc
    of_lanes = np.full(asked.execution.shape, -1, np.int64)
    for lane in range(1 if single else LANES):
        own = np.flatnonzero((lanes[of.row] >> lane | lanes[of.row] >> lane + LANES) & 1)
        accesses = np.flatnonzero(asked.execution[:, lane] != NO_LANE)
        place = np.searchsorted(of.key[own], key[accesses]) + asked.execution[accesses, lane]
        recorded = place < len(own)
        recorded[recorded] = of.key[own[place[recorded]]] == key[accesses[recorded]]
        if not recorded.all():
            number = asked.number[accesses[np.argmin(recorded)]]
            raise ActivityError(f"{owner}_memory_accesses: {owner} {number} lacks some that it executes")
        execution = own[place]
        row = of.row[execution]
        first = base[row] + (numbers(table, f"offset_{lane}").astype(np.int64)[row] if lane else 0)
        elements = np.maximum(first + step[row] * of.nth[execution], -1)
        takes_part = asked.loads[accesses] | (lanes[row] >> lane & 1 != 0)
        of_lanes[accesses, lane] = np.where(takes_part, elements, -1)
    return of_lanes


def _executions(table: pa.Table, owner: str) -> _Executions:
    """All executions, by owner and instruction, then in order."""
    count = numbers(table, "executions").astype(np.int64)
    row = np.repeat(np.arange(len(table)), count)
    nth = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    key = (numbers(table, owner).astype(np.int64) * _PCS + numbers(table, "pc").astype(np.int64))[row]
    order = np.argsort(key, kind="stable")
    return _Executions(row[order], nth[order], key[order])
