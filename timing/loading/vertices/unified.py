"""Tables of the tile-based machine with unified cores: registers that programs need, and dispatches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dispatch_tables import no_dispatches
from ...engine.unified_tables import Unified
from ...engine.vertex_warp_tables import Load, VertexWarp
from ...units.simt_core import SimtCoreParameters
from ..own import Source
from ..shader_code import check_registers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]


def read_unified(source: Source | None, configuration: Hardware) -> Unified:
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
