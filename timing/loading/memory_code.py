"""Instructions on memory in programs: what machines make of loads, stores, atomic operations and barriers.

On machines whose cores do not execute compute programs, those of vertex and fragment programs are arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..engine import frame as f

_ACCESSES = {"LOAD": f.GLOBAL_LOAD, "STORE": f.GLOBAL_STORE}
_LOCAL = {"STORE": f.LOCAL_STORE}


def mark_accesses(table: np.ndarray[Any, Any], instructions: pa.Table, computes: bool, local: bool) -> None:
    """Set the kinds and accesses of a table of instructions, from the rows of the activity.

    Parameters
    ----------
    table
        Rows of `engine.frame.Instruction`.
    instructions
        Table of the activity.
    computes
        Whether the machine executes compute programs.
    local
        Whether shared memory lies in memory.
    """
    chosen = pc.or_(pc.equal(instructions["stage"], "compute"), pc.equal(instructions["class"], "mem"))
    which = np.flatnonzero(chosen.to_numpy())
    rows = instructions.take(pa.array(which)).to_pylist() if len(which) else []
    for i, row in zip(which.tolist(), rows, strict=True):
        if computes or row["stage"] == "compute":
            kind = int(table["kind"][i])
            table["kind"][i], access = _replayed(row["class"], row["opcode"], row["memory"], kind)
            table["access"][i] = _LOCAL.get(row["opcode"], f.LOCAL_LOAD) if local and access == f.SHARED else access
        else:
            table["kind"][i] = f.ALU


def _replayed(kind: str, opcode: str, memory: str | None, default: int) -> tuple[int, int]:
    """Kind and access of an instruction."""
    if opcode in ("BARRIER", "MEMBAR"):
        return f.FLOW, f.BARRIER if opcode == "BARRIER" else 0
    if opcode == "RESQ":
        return f.ALU, 0
    if kind != "mem":
        return default, 0
    return f.MEM, f.SHARED if memory == "SHARED" else _ACCESSES.get(opcode, f.ATOMIC)
