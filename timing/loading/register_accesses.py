"""Accesses of instructions to the register files that operands lie in: constant, input, temporal, output ones
(Decoupled Access/Execute, 2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..engine import frame as f

Array = np.ndarray[Any, Any]

READS = {
    "CONST": f.CONSTANT_READS,
    "IMM": f.CONSTANT_READS,
    "IN": f.INPUT_READS,
    "TEMP": f.TEMPORAL_READS,
    "ADDR": f.TEMPORAL_READS,
    "OUT": f.OUTPUT_READS,
}
WRITES = {"TEMP": f.TEMPORAL_WRITES, "ADDR": f.TEMPORAL_WRITES, "OUT": f.OUTPUT_WRITES}


def accesses_of_instructions(instructions: pa.Table) -> Array:
    """Accesses of each instruction: int64, (accesses, instructions). An operand that occurs twice is read twice."""
    accesses = np.zeros((len(f.REGISTER_ACCESSES), len(instructions)), np.int64)
    for i, sources in enumerate(instructions["sources"].to_pylist()):
        for source in sources or ():
            if source["file"] in READS:
                accesses[READS[source["file"]], i] += 1
    for i, file in enumerate(instructions["destination_file"].to_pylist()):
        if file in WRITES:
            accesses[WRITES[file], i] += 1
    return accesses


def accesses_of_program(instructions: pa.Table, reads_outputs: bool) -> Array:
    """Accesses of a lane in addition to those of its instructions: inputs are written before they begin, outputs read
    when all are over.

    Parameters
    ----------
    instructions
        Those of one program.
    reads_outputs
        Whether something other than instructions reads the outputs.
    """
    accesses = np.zeros(len(f.REGISTER_ACCESSES), np.int64)
    operands = [s for sources in instructions["sources"].to_pylist() for s in sources or ()]
    accesses[f.INPUT_WRITES] = len({s["index"] for s in operands if s["file"] == "IN"})
    if reads_outputs:
        destinations = zip(*(instructions[f"destination_{c}"].to_pylist() for c in ("file", "index")), strict=True)
        accesses[f.OUTPUT_READS] = len({index for file, index in destinations if file == "OUT"})
    return accesses
