"""Tables of a frame for the tile-based machine with unified cores: registers of programs, and dispatches."""

from __future__ import annotations

from typing import NamedTuple

from .frame import Table


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
