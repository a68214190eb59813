"""Tables of the tile-based machine with unified cores: registers that programs need, and dispatches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.frame import Table
from ..units.simt_core import SimtCoreParameters
from .dispatch_tables import no_dispatches
from .own import Source
from .shader_code import check_registers
from .vertex_batches import Load, VertexWarp

if TYPE_CHECKING:
    from ..config.schema import Configuration

Array = np.ndarray[Any, Any]


class Unified(NamedTuple):
    """`fragment_registers`, `vertex_registers`: of a lane, by row of the draw states and of the batches. Tables of what
    its programs do not do, as those of the SIMT machine do, have no rows: `vertex_warp`, `load`, `line`, `untested`."""

    fragment_registers: Table
    vertex_registers: Table
    vertex_warp: Table
    load: Table
    line: Table
    untested: Table
    dispatch: Table
    compute_warp: Table
    compute_lane: Table
    memory_operation: Table
    memory_line: Table
    written: Table
    quad_access: Table
    stream_access: Table


def read_unified(source: Source | None, configuration: Configuration) -> Unified:
    """Tables of a frame, or without rows.

    Raises
    ------
    ActivityError
        If a program needs more registers than a core has.
    """
    fragment, vertex = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if source is not None:
        fragment = _registers(source, "fragment")
        per_draw, instances = _registers(source, "vertex"), [row["instances"] for row in source.draws.rows]
        vertex = np.repeat(per_draw, np.array(instances, np.int64))
        for registers in (fragment, vertex):
            check_registers(registers, configuration.of(SimtCoreParameters).warp_threads, "a warp", configuration)
    none = np.zeros(0, VertexWarp.dtype), np.zeros(0, Load.dtype), np.zeros(0, np.int64), np.zeros(0, np.int8)
    return Unified(fragment, vertex, *none, *(no_dispatches() if source is None else source.compute))


def _registers(source: Source, stage: str) -> Array:
    registers = source.code.registers
    return np.array([registers.get((row["program"], stage), 0) for row in source.draws.rows], np.int64)
