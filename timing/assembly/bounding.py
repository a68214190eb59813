"""Bound of a tile, with the instrument `draw_costs`: that which units of the raster stage did for most of the time
since the tile before in the same Raster Unit was written.

Candidates are the cycles in which a unit was at work, in the mean of its instances; those in which a programmable core
waited for texels, code or results; and those in which a unit that works in order waited for memory. A unit that has
nothing to do, or cannot hand on, bounds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.machine import Machine
from ..engine.unit import Unit
from ..instruments.draw_costs import MAX_BOUNDS
from .charging import HELD_UP, accounted_units, for_instances

Candidate = tuple[Unit, int]
"""A unit and the number of one of its causes."""


def candidates(machine: Machine) -> tuple[Candidate, ...]:
    """Causes of units that may bound a tile of a machine, downstream units first: `TileLog.bound` is the place, from
    1."""
    units = [unit for unit in accounted_units(machine) if not (machine.sorts and unit.before_parameter_buffer)]
    bounds = [
        (unit, number)
        for unit in units
        for number, cause in enumerate(unit.causes)
        if number == 0 or (cause not in HELD_UP and (unit.programmable or unit.holds_up))
    ]
    if len(bounds) > MAX_BOUNDS:
        raise ValueError(f"machine {machine.name}: raise instruments.draw_costs.MAX_BOUNDS")
    return tuple(bounds)


def names(machine: Machine) -> tuple[str, ...]:
    """Names of what may bound a tile: `fragment_processor` at work, `fragment_processor.texel_stall`."""
    return tuple(
        unit.name if number == 0 else f"{unit.name}.{unit.causes[number]}" for unit, number in candidates(machine)
    )


def bounding(machine: Machine) -> Iterator[str]:
    """Lines of `bound(gpu, r, t)`: the number of what bounded the tile of a Raster Unit that was written in cycle t."""
    yield "@unit"
    yield "def bound(gpu, r, t):"
    yield '    """What bounded the tile of a Raster Unit that was written in this cycle."""'
    yield f"    before, first, found, most = gpu.technique.draw_costs.before, r * {MAX_BOUNDS}, 0, 0.0"
    for place, (unit, number) in enumerate(candidates(machine)):
        yield from ("    " + line for line in _candidate(unit, number, place))
    yield "    return found"
    yield ""


def _candidate(unit: Unit, number: int, place: int) -> Iterator[str]:
    count = f"max(1, gpu.instances.{unit.name})"
    own = unit.name
    lines = (f"spent += {own}.spent[{number}]", f"if {own}.cause == {number}:", f"    spent += t - {own}.since")
    yield "spent = 0"
    yield from for_instances(unit, ["r"] if unit.scope else [], lines)
    yield f"if (spent - before[first + {place}]) / {count} > most:"
    yield f"    most = (spent - before[first + {place}]) / {count}"
    yield f"    found = {place + 1}"
    yield f"before[first + {place}] = spent"
