"""Instructions on memory in programs: what machines make of loads, stores, atomic operations and barriers.

Those of vertex and fragment programs are not replayed: they take their time as arithmetic does, and no memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..engine import frame as f

_ACCESSES = {"LOAD": f.GLOBAL_LOAD, "STORE": f.GLOBAL_STORE}


def mark_accesses(table: np.ndarray[Any, Any], instructions: pa.Table) -> None:
    """Set the kinds and accesses of a table of instructions, from the rows of the activity."""
    chosen = pc.or_(pc.equal(instructions["stage"], "compute"), pc.equal(instructions["class"], "mem"))
    which = np.flatnonzero(chosen.to_numpy())
    rows = instructions.take(pa.array(which)).to_pylist() if len(which) else []
    for i, row in zip(which.tolist(), rows, strict=True):
        if row["stage"] == "compute":
            kind = int(table["kind"][i])
            table["kind"][i], table["access"][i] = _of_compute(row["class"], row["opcode"], row["memory"], kind)
        else:
            table["kind"][i] = f.ALU


def _of_compute(kind: str, opcode: str, memory: str | None, default: int) -> tuple[int, int]:
    """Kind and access of an instruction of a compute program."""
    if opcode in ("BARRIER", "MEMBAR"):
        return f.FLOW, f.BARRIER if opcode == "BARRIER" else 0
    if opcode == "RESQ":
        return f.ALU, 0
    if kind != "mem":
        return default, 0
    return f.MEM, f.SHARED if memory == "SHARED" else _ACCESSES.get(opcode, f.ATOMIC)
