"""Instructions that follow a fragment program where processors read and write pixels themselves (Decoupled
Access/Execute, 2.2: the Memory Unit makes "load/stores to the color buffer").

Seven instructions follow each program, at the addresses that follow its own; a draw executes those that its state asks
for, each quad once. The paper does not list them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.stages import FragmentStage

from ..engine import frame as f
from ..memory.address_map import Region

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Accesses = tuple[int, ...]
"""Rows of PIXEL_CODE that a draw executes."""

DEPTH, LOADED, COLOR = 52, 51, 50
"""Registers: temporal ones beyond the 48 of the paper's processor (Table 1), so that no program waits for them."""
FIRST_OUTPUT, LAST_OUTPUT = 53, 60

OUTPUTS = -1
PIXEL_CODE = (
    (f.MEM, f.DEPTH_LOAD, DEPTH, ()),
    (f.ALU, 0, DEPTH, (DEPTH,)),
    (f.MEM, f.DEPTH_STORE, 0, (DEPTH,)),
    (f.MEM, f.COLOR_LOAD, LOADED, (DEPTH,)),
    (f.ALU, 0, COLOR, (OUTPUTS,)),
    (f.ALU, 0, COLOR, (COLOR, LOADED)),
    (f.MEM, f.COLOR_STORE, 0, (COLOR, OUTPUTS)),
)
"""Kind, access, register written, registers read (OUTPUTS: those that the program writes its colours to).

In words: load depth, compare, store depth; load colour, multiply the program's by its factor, multiply and add the
loaded one, store colour."""
LOAD_DEPTH, COMPARE, STORE_DEPTH, LOAD_COLOR, MULTIPLY, MULTIPLY_ADD, STORE_COLOR = range(len(PIXEL_CODE))
COMPONENTS = {COMPARE: 1, MULTIPLY: 4, MULTIPLY_ADD: 4}
NO_PROGRAM = -1
"""Key of the code for quads whose program is not recorded."""


def accesses_of(draw: Any) -> Accesses:
    """Accesses of a draw behind its program, from its row in the activity.

    Depth is loaded only where it is tested after shading. Colours are loaded where they are blended with; writes have
    byte masks, so that masked channels need no load.
    """
    accesses: Accesses = ()
    if not draw["early_depth"] and (draw["depth_test"] or (draw["stencil_test"] and draw["stencil_front"])):
        accesses += (LOAD_DEPTH, COMPARE)
        if draw["depth_write"] or draw["stencil_test"]:
            accesses += (STORE_DEPTH,)
    if any(draw["color_masks"] or ()):
        if draw["blend_enabled"]:
            accesses += (LOAD_COLOR, MULTIPLY, MULTIPLY_ADD)
        accesses += (STORE_COLOR,)
    return accesses


def pixel_counts(accesses: Accesses, outputs: int, lanes: int) -> np.ndarray[Any, Any]:
    """Operations of each kind that some lanes execute, and registers they read and write: int64, (kinds + registers,).

    Parameters
    ----------
    accesses
        Rows of PIXEL_CODE.
    outputs
        Registers that the program writes its colours to.
    lanes
        How many.
    """
    counts = np.zeros(len(f.KINDS) + len(f.REGISTER_ACCESSES), np.int64)
    registers = counts[len(f.KINDS) :]
    for row in accesses:
        kind, _, destination, _ = PIXEL_CODE[row]
        operands = _operands(row, accesses)
        counts[kind] += COMPONENTS.get(row, 1)
        registers[f.TEMPORAL_WRITES] += destination > 0
        registers[f.TEMPORAL_READS] += len(operands) - operands.count(OUTPUTS)
        registers[f.OUTPUT_READS] += outputs * operands.count(OUTPUTS)
    return lanes * counts


def _operands(row: int, accesses: Accesses) -> tuple[int, ...]:
    """Registers whose values are used; others of a row's only say what it waits for."""
    if row == LOAD_COLOR:
        return ()
    if row == STORE_COLOR:
        return (COLOR,) if MULTIPLY_ADD in accesses else (OUTPUTS,)
    return PIXEL_CODE[row][3]


def instructions_of(rows: Iterable[int], outputs: tuple[int, ...], cycles: int) -> np.ndarray[Any, Any]:
    """Some rows of PIXEL_CODE as instructions without addresses; `outputs`: registers with the program's colours."""
    templates = [PIXEL_CODE[row] for row in rows]
    piece = np.zeros(len(templates), f.Instruction.dtype)
    piece["cycles"] = cycles
    for row, (kind, access, destination, sources) in zip(piece, templates, strict=True):
        read = [register for s in sources for register in (outputs if s == OUTPUTS else (s,))]
        row["kind"], row["access"], row["destination"] = kind, access, destination
        for name, register in zip(("source_0", "source_1", "source_2"), read, strict=False):
            row[name] = register
    return piece


def append_pixel_code(
    table: np.ndarray[Any, Any],
    programs: dict[int, tuple[int, int]],
    region: Region,
    configuration: Hardware,
    scalar: bool,
) -> tuple[np.ndarray[Any, Any], dict[int, int]]:
    """The table of instructions with what follows each fragment program, and the first row of it by program.

    Parameters
    ----------
    table
        Instructions of all programs, with their addresses; room behind those of fragment programs is reserved.
    programs
        First and last row of each fragment program.
    region
        Where code lies, for quads whose program is not recorded.
    configuration
        Says how many bytes an instruction has.
    scalar
        Whether lanes execute scalar instructions.
    """
    size = configuration.of(FragmentStage).instruction_bytes
    pieces, first_row = [table], {}
    for program, (first, last) in [*programs.items(), (NO_PROGRAM, (0, 0))]:
        recorded = last > first
        # A scalar instruction takes its size, so what an instruction on vectors becomes takes several.
        last_size = size * int(table["cycles"][last - 1]) if recorded and scalar else size
        address = int(table["address"][last - 1]) + last_size if recorded else region.take(len(PIXEL_CODE) * size)
        written = np.unique(table["destination"][first:last])
        outputs = tuple(int(r) for r in written if FIRST_OUTPUT <= r <= LAST_OUTPUT)[:2]
        piece = instructions_of(range(len(PIXEL_CODE)), outputs, configuration.of(FragmentStage).issue_cycles)
        piece["address"], piece["pc"] = address + np.arange(len(piece)) * size, last - first + np.arange(len(piece))
        if scalar:
            piece["cycles"][[MULTIPLY, MULTIPLY_ADD]] *= 4
        first_row[program] = sum(len(p) for p in pieces)
        pieces.append(piece)
    return np.concatenate(pieces), first_row
