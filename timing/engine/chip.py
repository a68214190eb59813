"""A machine of one configuration, with its registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from tilegpu.timing.declare.hardware import Hardware

from .machine import Machine
from .plain import plain
from .technique import Technique
from .unit import RASTER_UNIT, Unit


class Owner(NamedTuple):
    """An instance of a unit: its place and its record."""

    unit: Unit
    place: tuple[int, ...]
    record: Any


@dataclass(eq=False)
class Chip:
    """A machine of one configuration.

    Parameters
    ----------
    configuration
        Hardware.
    machine
        What it is made of, techniques' units among it.
    techniques
        In the order in which they are asked.
    gpu
        Its registers: a record, or the same as plain objects.
    kept
        What tables of results need of the frames before, by technique.
    began
        Cycle in which the frame began.
    """

    configuration: Hardware
    machine: Machine
    techniques: tuple[Technique, ...]
    gpu: Any
    kept: dict[str, Any] = field(default_factory=dict)
    began: int = 0

    def plain(self) -> Chip:
        """The same with plain objects in the place of records, for units that are not compiled."""
        return Chip(self.configuration, self.machine, self.techniques, plain(self.gpu))

    def instances(self, unit: Unit) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Places and records of a unit's instances."""
        for place in instances(self.machine, unit, self.gpu):
            yield place, unit.at(self.gpu, place)

    @cached_property
    def owners(self) -> tuple[Owner, ...]:
        """All instances of all units, in the order of the stream, once the chip is built."""
        units = reversed(self.machine.units)
        return tuple(Owner(unit, place, owner) for unit in units for place, owner in self.instances(unit))

    @cached_property
    def accounted(self) -> tuple[Owner, ...]:
        """Instances whose cycles are charged to causes."""
        return tuple(owner for owner in self.owners if owner.unit.accounted)

    def caches(self, kind: str) -> list[Any]:
        """Caches of a kind."""
        type_ = [k.name for k in self.machine.caches].index(kind)
        return [cache for cache in (self.gpu.cache[k] for k in range(self.gpu.caches)) if cache.type == type_]

    def settle(self) -> None:
        """Charge the time up to now to what the units were doing, so that their cycles add up."""
        for _, _, owner in self.accounted:
            owner.spent[owner.cause] += self.gpu.cycle - owner.since
            owner.since = self.gpu.cycle


def instances(machine: Machine, unit: Unit, gpu: Any) -> Iterator[tuple[int, ...]]:
    """Places of a unit's instances in a machine that was built."""
    count = range(int(getattr(gpu.instances, unit.name)))
    scopes = range(int(gpu.raster_units)) if unit.scope == RASTER_UNIT else range(1)
    for r in scopes:
        for i in count if unit.most > 1 else range(min(1, len(count))):
            yield ((r,) if unit.scope else ()) + ((i,) if unit.most > 1 else ())
