"""The record that holds all registers of a machine; configurations do not change its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilegpu.timing.declare.records import MAX_MAPPINGS, MAX_PORTS, MAX_TILE_QUADS, Field, record

from ..engine.account import OCCUPANCY
from ..engine.calendar import CALENDAR, MASK, MAX_UNITS
from ..engine.machine import SCOPES, SIGNALS, Machine
from ..engine.technique import Technique
from ..engine.unit import Unit
from ..memory.lines import LINES
from ..memory.network import NETWORK
from ..memory.request import PORTS

UNIT = record(kind="i4", a="i4", b="i4")
"""Unit as the clock knows it; a and b say which of its kind (Raster Unit and processor)."""


def record_of(machine: Machine, techniques: Sequence[Technique] = ()) -> np.dtype[Any]:
    """Type of the record that holds a machine with its techniques' units.

    Parameters
    ----------
    machine
        As of `Machine.with_techniques`.
    techniques
        Those whose registers it holds.
    """
    return record(
        technique=record(none="i8", **{technique.name: technique.record for technique in techniques}),
        cycle="i8",
        stuck="i8",
        ticks="i8",
        calendar=CALENDAR,
        unit=(UNIT, (MAX_UNITS,)),
        signal=record(**dict.fromkeys(SIGNALS, MASK)),
        caller=record(none=MASK, **dict.fromkeys(machine.callers, MASK)),
        line_bytes="i8",
        line_shift="i8",
        tile_width="i8",
        tile_height="i8",
        raster_units="i8",
        tile_assignment="i8",
        fragment_processors="i8",
        vertex_processors="i8",
        quad_processor=("i4", (MAX_MAPPINGS * MAX_TILE_QUADS,)),
        shared_input="i8",
        caches="i8",
        looks="i8",
        instances=record(none="i8", **{unit.name: "i8" for unit in machine.units}),
        occupancy=(OCCUPANCY, (len(machine.queues) + 1,)),
        **{unit.name: _instances(unit) for unit in machine.units if not unit.scope},
        **{scope: (_scope(machine, scope), (most,)) for scope, most in SCOPES.items()},
        waiting=("i4", (MAX_PORTS,)),
        port=PORTS,
        network=NETWORK,
        line=LINES,
    )


def _instances(unit: Unit) -> Field:
    return (unit.record, (unit.most,)) if unit.most > 1 else unit.record


def _scope(machine: Machine, scope: str) -> np.dtype[Any]:
    fields: dict[str, Field] = {}
    for unit in machine.units:
        if unit.scope == scope:
            fields |= {unit.name: _instances(unit), **unit.shared}
    return record(none="i8", **fields)
