"""Accesses of warps to memory in the order in which they execute them, from the paths and accesses of their lanes."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from tilegpu.functional.activity.accesses import AccessRow, LocalSize, elements_of, lanes_of

from ..code import merge

Array = np.ndarray[Any, Any]
NO_LANE = -1


class Kind(NamedTuple):
    """Accesses to the same memory of the same size."""

    memory: str
    number: int
    words: int
    atomic: bool


TEXELS = Kind("TEXTURE", -1, 0, False)
"""Texture operations."""


class Shape(NamedTuple):
    """Accesses of a warp by the paths of its lanes.

    Attributes
    ----------
    pc
        Instruction of each access, (accesses,).
    execution
        How often each lane has executed it before, (accesses, lanes); `NO_LANE` for lanes that do not execute it.
    kinds
        Accesses that are alike.
    """

    pc: Array
    execution: Array
    kinds: dict[Kind, Array]


class Elements(NamedTuple):
    """Elements that lanes of a group access, (rows, lanes), -1 where a lane has no such access; each instruction has
    rows from `first` on, one for each execution."""

    table: Array
    first: dict[int, int]
    executions: dict[int, int]


def accesses_memory(row: dict[str, Any]) -> bool:
    """Whether an instruction, a row of the activity, accesses memory; queries of sizes do not."""
    return row["memory"] is not None and row["opcode"] != "RESQ"


def words_of(row: dict[str, Any]) -> int:
    """Words that each lane accesses, one after the other."""
    if row["opcode"] == "STORE":
        return max(1, row["stored"] or 0)
    return max(1, row["write_mask"].bit_length()) if row["opcode"] == "LOAD" else 1


def group_elements(rows: list[AccessRow], size: LocalSize) -> Elements:
    """Elements that the lanes of a group access."""
    lanes, by_pc = prod(size), dict[int, list[tuple[Array, Array]]]()
    for row in rows:
        by_pc.setdefault(row.pc, []).append((lanes_of(row, size), elements_of(row, size)))
    executions = {
        pc: int(np.sum([executing * len(elements) for executing, elements in parts], 0).max())
        for pc, parts in by_pc.items()
    }
    ends = np.cumsum([*executions.values()]).tolist()
    first = {pc: end - executions[pc] for pc, end in zip(executions, ends, strict=True)}
    table = np.full((ends[-1] if ends else 0, lanes), -1, np.int64)
    for pc, parts in by_pc.items():
        at = np.full(lanes, first[pc])
        for executing, elements in parts:
            inside = np.maximum(elements, -1)
            if executing.all() and (at == at[0]).all():
                table[at[0] : at[0] + len(elements)] = inside
            else:
                which = np.flatnonzero(executing)
                table[at[which] + np.arange(len(elements))[:, None], which] = inside
            at[executing] += len(elements)
    return Elements(table, first, executions)


def warp_elements(elements: Elements, shape: Shape, which: Array, first_lane: Array) -> Array:
    """Elements of some accesses of some warps of a group, (warps, accesses, lanes); -1 for none.

    Parameters
    ----------
    elements
        Of the group.
    shape
        Accesses of each of the warps.
    which
        Those asked for.
    first_lane
        Where each warp begins in the group, (warps,).

    Raises
    ------
    LookupError
        If the group has fewer accesses.
    """
    execution = shape.execution[which]
    number, inverse = np.unique(shape.pc[which], return_inverse=True)
    first = np.array([elements.first[pc] for pc in number.tolist()], np.int64)[inverse]
    count = np.array([elements.executions[pc] for pc in number.tolist()], np.int64)[inverse]
    if (execution >= count[:, None]).any():
        raise LookupError
    rows, lanes = np.maximum(first[:, None] + execution, 0), np.arange(execution.shape[1])
    of_warps = elements.table[rows[None], (first_lane[:, None] + lanes)[:, None]]
    return np.where(execution == NO_LANE, -1, of_warps)


def warp_shape(instructions: dict[int, dict[str, Any]], blocks: dict[int, Array], paths: tuple[int, ...]) -> Shape:
    """Accesses of a warp.

    Parameters
    ----------
    instructions
        Those that access memory or sample, rows of the activity, by pc.
    blocks
        First instruction of each block that a path executes, in order, by path.
    paths
        Of the lanes.
    """
    distinct = sorted(set(paths))
    taken = [blocks[path] for path in distinct]
    starts = {int(block) for own in taken for block in own}
    inside = {start: [pc for pc, row in sorted(instructions.items()) if row["block"] == start] for start in starts}
    at, done = [0] * len(taken), [dict.fromkeys(instructions, 0) for _ in taken]
    pcs, executions, kinds = list[int](), list[list[int]](), dict[Kind, list[int]]()
    for block in (taken[0] if len(taken) == 1 else merge(taken)).tolist():
        going = [i < len(own) and int(own[i]) == block for own, i in zip(taken, at, strict=True)]
        for pc in inside[block]:
            kinds.setdefault(_kind(instructions[pc]), []).append(len(pcs))
            pcs.append(pc)
            executions.append([done[p][pc] if goes else NO_LANE for p, goes in enumerate(going)])
            for p, goes in enumerate(going):
                done[p][pc] += goes
        at = [i + goes for i, goes in zip(at, going, strict=True)]
    table = np.array(executions, np.int64).reshape(-1, len(taken))
    lanes = np.array([distinct.index(path) for path in paths])
    return Shape(np.array(pcs, np.int64), table[:, lanes], {kind: np.array(which) for kind, which in kinds.items()})


def _kind(row: dict[str, Any]) -> Kind:
    if row["memory"] is None:
        return TEXELS
    index = -1 if row["memory_index"] is None else row["memory_index"]
    return Kind(row["memory"], index, words_of(row), row["opcode"].startswith("ATOM"))
