"""Instructions around the programs of a machine whose programs fetch vertices, write what they become, test depth and
blend (Emerald, 3.3.1, stages L, M and N of Figure 3, and 3.3.3): which of them a draw executes.

Fragment programs: an early test precedes the program, all other accesses to pixels behind it (`pixel_code.PIXEL_CODE`).
Vertex programs: a load for each attribute before, a store for each output behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.stages import FragmentStage

from ..engine import frame as f
from ..memory.address_map import Region
from ..units.raster_pipeline import RasterParameters
from ..units.simt_core import SimtCoreParameters
from .pixel_code import COMPARE, LOAD_DEPTH, NO_PROGRAM, PIXEL_CODE, STORE_DEPTH, Accesses, accesses_of, instructions_of
from .source import ActivityError

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

EARLY = (LOAD_DEPTH, COMPARE, STORE_DEPTH)
"""The first rows of PIXEL_CODE, which precede a fragment program as well."""
MAX_ATTRIBUTES, MAX_OUTPUTS = 16, 33
"""Attributes that OpenGL ES 3.0 has at least 16 of, as have drivers; the position and 32 vectors of varyings."""
AROUND = {"vertex": (MAX_ATTRIBUTES, MAX_OUTPUTS), "fragment": (len(EARLY), len(PIXEL_CODE)), "compute": (0, 0)}
"""Instructions that there is room for before and behind a program."""


def tests_depth(draw: Any, configuration: Hardware) -> bool:
    """Whether programs of a draw test depth and stencil, where it has such tests."""
    return configuration.of(SimtCoreParameters).blended_depth == "tested" or not draw["blend_enabled"]


def around(draw: Any, configuration: Hardware) -> tuple[Accesses, Accesses]:
    """Accesses of a draw before and behind its fragment program, from its row in the activity: rows of EARLY, and of
    PIXEL_CODE."""
    before: Accesses = ()
    if not tests_depth(draw, configuration):
        return before, tuple(row for row in accesses_of(draw) if row not in EARLY)
    # The depth unit of a central pipeline tests before.
    central = configuration.of(RasterParameters).pipeline == "central"
    if not central and draw["early_depth"] and (draw["depth_test"] or (draw["stencil_test"] and draw["stencil_front"])):
        before = (0, 1, 2) if draw["depth_write"] or draw["stencil_test"] else (0, 1)
    return before, accesses_of(draw)


def attribute_loads(draw: Any) -> int:
    """Arrays that a draw fetches."""
    return sum(layout["buffer"] is not None for layout in draw["attributes"] or ())


def registers_of(instructions: pa.Table) -> int:
    """Registers of 32 bits that a lane needs for a program: four for each input, temporary and output it names."""
    named = {(s["file"], s["index"]) for sources in instructions["sources"].to_pylist() for s in sources or ()}
    named |= set(zip(*(instructions[f"destination_{c}"].to_pylist() for c in ("file", "index")), strict=True))
    return 4 * sum(file in ("TEMP", "IN", "OUT") for file, _ in named)


def check_registers(per_thread: np.ndarray[Any, Any], threads: int, what: str, configuration: Hardware) -> None:
    """ActivityError where a core cannot hold what it must take as a whole, for that would wait for ever."""
    needed, room = int(per_thread.max(initial=0)) * threads, configuration.of(SimtCoreParameters).registers
    if needed > room:
        raise ActivityError(
            f"draws: a program needs {needed:,} registers for {what}; raise simt_core.registers ({room:,})"
        )


def take_place(table: np.ndarray[Any, Any], stage: str, region: Region, configuration: Hardware) -> None:
    """Give the instructions of a program addresses, with room around them; a scalar instruction takes
    `instruction_bytes`."""
    size = configuration.of(FragmentStage).instruction_bytes
    before, behind = AROUND[stage]
    lengths = table["cycles"].astype(np.int64)
    address = region.take(int(lengths.sum() + before + behind) * size)
    table["address"] = address + size * (before + np.cumsum(lengths) - lengths)


def append_before(
    table: np.ndarray[Any, Any], programs: dict[tuple[int, str], tuple[int, int]], configuration: Hardware
) -> tuple[np.ndarray[Any, Any], dict[tuple[int, str], int], dict[tuple[int, str], int]]:
    """The table of instructions with what precedes each program, and behind those of vertices.

    Parameters
    ----------
    table
        Instructions, with their addresses.
    programs
        First and last row of each, by program and stage.
    configuration
        Says how many bytes an instruction has.

    Returns
    -------
    numpy.ndarray, dict, dict
        The table, and the first row before a program, and behind it, by program and stage.
    """
    size = configuration.of(FragmentStage).instruction_bytes
    pieces, before, behind = [table], {}, {}
    length = len(table)
    for key, (first, last) in [*programs.items(), ((NO_PROGRAM, "fragment"), (0, 0))]:
        if key[1] == "compute":
            continue
        piece = _accesses(f.ATTRIBUTE_LOAD, MAX_ATTRIBUTES) if key[1] == "vertex" else instructions_of(EARLY, (), 1)
        address = int(table["address"][first]) if last > first else int(table["address"][-1]) + size * (1 + len(piece))
        piece["address"] = address - size * np.arange(len(piece), 0, -1)
        before[key] = length
        pieces.append(piece)
        length += len(piece)
        if key[1] == "vertex":
            piece = _accesses(f.OUTPUT_STORE, MAX_OUTPUTS)
            end = int(table["address"][last - 1]) + size * int(table["cycles"][last - 1])
            piece["address"] = end + size * np.arange(len(piece))
            behind[key] = length
            pieces.append(piece)
            length += len(piece)
    return np.concatenate(pieces), before, behind


def _accesses(access: int, count: int) -> np.ndarray[Any, Any]:
    """The loads before a vertex program, or the stores behind it, without addresses."""
    piece = np.zeros(count, f.Instruction.dtype)
    piece["kind"], piece["access"], piece["cycles"] = f.MEM, access, 1
    piece["operand"] = np.arange(count)
    return piece
