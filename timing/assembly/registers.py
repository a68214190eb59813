"""The record that holds all registers of a machine; configurations do not change its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilegpu.timing.declare.records import Field, fields_of, record

from ..engine.account import Occupancy
from ..engine.calendar import Page
from ..engine.machine import SCOPES, Machine
from ..engine.technique import Technique
from ..engine.unit import Unit
from ..memory.gpu import Gpu
from ..units.warp_schedulers import FOLDER


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
        technique=record(none="i8", **{technique.name: np.dtype(technique.record) for technique in techniques}),
        warp_scheduler=record(none="i8", **{each.name: np.dtype(each.record) for each in FOLDER.find_all()}),
        **fields_of(Gpu),
        caller=record(none=Page.dtype, **dict.fromkeys(machine.callers, Page.dtype)),
        instances=record(none="i8", **{unit.name: "i8" for unit in machine.units}),
        occupancy=(Occupancy.dtype, (len(machine.queues) + 1,)),
        **{unit.name: _instances(unit) for unit in machine.units if not unit.scope},
        **{scope: (_scope(machine, scope), (most,)) for scope, most in SCOPES.items()},
    )


def _instances(unit: Unit) -> Field:
    return (unit.registers, (unit.most,)) if unit.most > 1 else unit.registers


def _scope(machine: Machine, scope: str) -> np.dtype[Any]:
    fields: dict[str, Field] = {}
    for unit in machine.units:
        if unit.scope == scope:
            fields |= {unit.name: _instances(unit), **(fields_of(unit.shared) if unit.shared else {})}
    return record(none="i8", **fields)
