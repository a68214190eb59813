"""Time for which instructions occupy Arm's unified cores: tuples (Bifrost), pipes (Valhall) or bundles (Midgard).

The operations of a basic block share the block's time. Those without a cycle of their own issue together with others:
they are left out of what a warp executes. A texture operation, an access to memory and what waits for a varying have
one at least.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bundles import bundles
from .operations import Operations, Row, total
from .pipes import PIPES, of_pipes, pipe_cycles
from .program_operations import program_operations
from .tuples import scheduled_tuples
from .varyings import Loads, Places, loads

LANES = {"tuples": 8, "pipes": 16, "bundles": 1}
"""Threads that an execution engine, a processing engine or an arithmetic pipe issues for per cycle."""
MODELS = frozenset(LANES)
Array = np.ndarray[Any, Any]


def unified_issue(rows: list[Row], issue: str, warp_threads: int, places: Places) -> tuple[Array, Array, Array]:
    """Cycles of each instruction, 16-bit channels of varyings that it waits for, and what it counts for by pipe.

    Parameters
    ----------
    rows
        Rows of the activity's table `instructions`, program by program and stage by stage.
    issue
        Name of a model.
    warp_threads
        Threads of a warp, which a scheduler issues for together, or in turn where it has fewer lanes.
    places
        Inputs of programs that are the place of the fragment; a varying like any other on Midgard.
    """
    cycles, channels = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
    pipes = np.zeros((len(rows), len(PIPES)), np.int64)
    turns = max(1, warp_threads // LANES[issue])
    first = 0
    for last in range(1, len(rows) + 1):
        if last < len(rows) and key(rows[last]) == key(rows[first]):
            continue
        mine = rows[first:last]
        loaded = loads(mine, places.get(mine[0]["program"], frozenset()) if issue != "bundles" else frozenset())
        cycles[first:last] = program_cycles(mine, loaded, issue, turns)
        channels[first:last] = loaded.channels
        if issue == "pipes":
            pipes[first:last] = pipe_counts(mine, loaded, cycles[first:last])
        first = last
    return cycles, channels, pipes


def key(row: Row) -> tuple[int, str]:
    """Program and stage of an instruction."""
    return row["program"], row["stage"]


def program_cycles(rows: list[Row], loaded: Loads, issue: str, turns: int) -> list[int]:
    """Cycles of each instruction of a program's stage; `turns`: those of a warp for one of a thread."""
    cycles = [0] * len(rows)
    operations = [] if issue == "bundles" else program_operations(rows, loaded)
    blocks: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        blocks.setdefault(row["block"], []).append(i)
    for members in blocks.values():
        time = turns * block_time([rows[i] for i in members], operations[members[0] : members[-1] + 1], issue)
        fixed = [rows[i]["class"] in ("tex", "mem") or loaded.channels[i] > 0 for i in members]
        fixed = [own or rows[i]["opcode"] == "BARRIER" for own, i in zip(fixed, members, strict=True)]
        for i, own in zip(members, share(time, fixed), strict=True):
            cycles[i] = own
    return cycles


def pipe_counts(rows: list[Row], loaded: Loads, cycles: Array) -> Array:
    """Instructions of each pipe, on account of the last instruction of the block that takes a cycle."""
    counts = np.zeros((len(rows), len(PIPES)), np.int64)
    operations = program_operations(rows, loaded)
    last = {row["block"]: i for i, row in enumerate(rows) if cycles[i] > 0}
    for row, own in zip(rows, operations, strict=True):
        if row["block"] in last:
            counts[last[row["block"]]] += of_pipes(own)
    return counts


def block_time(rows: list[Row], operations: list[Operations], issue: str) -> int:
    """Tuples, cycles of the pipes or bundles of a block."""
    if issue == "pipes":
        return pipe_cycles(total(operations))
    return bundles(rows) if issue == "bundles" else scheduled_tuples(rows, operations)


def share(cycles: int, fixed: list[bool]) -> list[int]:
    """The time of a block for each of its instructions: one cycle for those that need one, the rest spread evenly."""
    rest, n = max(0, cycles - sum(fixed)), len(fixed)
    ends = [rest * (i + 1) // n for i in range(n)]
    return [int(own) + end - begin for own, begin, end in zip(fixed, [0, *ends], ends, strict=False)]
