"""Declaration of a hardware unit: one `Unit` in its file, from which everything else is derived.

The machine's record, the dispatch to its `tick`, the accounts, the looks at its queues, the tables of results, the
timeline, energy and the words for a machine that stalls all come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.records import Record
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import Structure

from .account import CAUSES
from .frame import GEOMETRY_TABLES

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from .chip import Chip
    from .gpu import Gpu


RASTER_UNIT = "raster_unit"
"""Scope of the units that every Raster Unit has of its own."""


def once(configuration: Hardware) -> int:
    """Number of instances of a unit that exists once."""
    return 1


def no_setup(chip: Chip, owner: Any, place: tuple[int, ...]) -> None:
    """A record whose registers all begin at zero."""


@dataclass(frozen=True)
class Watch:
    """A queue of a unit that is looked at every few cycles.

    Parameters
    ----------
    name
        Its statistics are `queues.<name>.…`; queues of one name count together.
    title
        Track of the timeline.
    queue
        Field of the ring in the unit's record; `raster_unit.<field>` for one that instances share.
    count, depth
        Fields that hold these figures, where the queue is no ring.
    unless
        Field of the record; where it is not 0, the instance is passed over.
    """

    name: str
    title: str
    queue: str = ""
    count: str = ""
    depth: str = ""
    unless: str = ""

    @property
    def fields(self) -> tuple[str, str]:
        """Paths of the number of entries and of the room."""
        return (f"{self.queue}.count", f"{self.queue}.depth") if self.queue else (self.count, self.depth)


@dataclass(frozen=True)
class Unit:
    """A kind of hardware unit.

    Parameters
    ----------
    name
        Its field in the machine's record and its name in results.
    module
        `__name__` of its file, where its wires are bound.
    record
        Type of its registers, or a function that makes it where plug-ins add some; `id` is filled in by the builder.
    tick
        `tick(gpu, *tables, *place, t)`: does a cycle's work, returns when it next has something to do.
    tables
        Groups of the frame's tables that it reads, fields of `engine.frame.Frame`.
    scope
        `RASTER_UNIT` for what each of them has, else empty.
    most
        Room for instances (in each scope); 1 makes a single record, not an array.
    count
        Instances (in each scope) under a configuration.
    shared
        Registers that the instances of a scope share, fields of the scope's record.
    parameters
        Its sections of the configuration, each a class with a name.
    setup
        `setup(chip, record, place)`: sets sizes from `chip.configuration`, as in
        `chip.configuration.of(RasterizerParameters).queue`.
    begin_frame
        What a new frame resets.
    ahead_of
        Unit before which it is ticked, for units that a technique adds; the last one by default.
    ports
        Fields that hold a memory port, and the level it goes to, where the machine does not say.
    listens, calls
        Signals that wake it up, and hooks which may stall it, for units that a technique adds.
    causes
        What its cycles are booked on, for records with `engine.account.Accounted`.
    reason, reasons, asks
        Name of the reason (`declare.reasons`) for which a draw holds the frame while the unit is at work for it; those
        of single causes, by their names, where they differ; `asks(gpu, *place)`: number of the reason in a cycle, for
        causes that have `ASKED` there.
    programmable
        Whether it executes programs.
    holds_up
        Whether it holds up the stream while it waits: it waits for memory, in order.
    label
        Name of an instance in results, where it is not the unit's.
    tile, tile_is_last
        Field of the tile at work, for the timeline; whether it keeps the last one when there is nothing to do.
    tile_of
        `tile_of(record, r)`: the tile of Raster Unit r at work in a unit that serves all of them, or -1.
    watches, statistics, structures
        Queues, counters (paths in the unit's record) and structures of the energy model.
    marks
        Counters of which one at least moves when it does work.
    stands
        Work that it has under way, in words, or an empty string.
    """

    name: str
    module: str
    record: type[Record] | np.dtype[Any] | Callable[[], np.dtype[Any]]
    tick: Callable[..., Any]
    tables: tuple[str, ...] = ()
    scope: str = ""
    most: int = 1
    count: Callable[[Any], int] = once
    shared: type[Record] | None = None
    parameters: tuple[type[Group], ...] = ()
    setup: Callable[[Any, Any, tuple[int, ...]], None] = no_setup
    begin_frame: Callable[[Any], None] | None = None
    ahead_of: str = ""
    ports: Mapping[str, str] = field(default_factory=dict)
    listens: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    causes: tuple[str, ...] = CAUSES
    reason: str = "other"
    reasons: Mapping[str, str] = field(default_factory=dict)
    asks: Callable[..., Any] | None = None
    programmable: bool = False
    holds_up: bool = False
    label: Callable[[Any], str] | None = None
    tile: str = ""
    tile_is_last: bool = False
    tile_of: Callable[[Any, int], int] | None = None
    watches: tuple[Watch, ...] = ()
    statistics: tuple[Stat, ...] = ()
    structures: tuple[Structure, ...] = ()
    marks: tuple[str, ...] = ()
    stands: Callable[[Any], str] | None = None

    @property
    def record_class(self) -> type[Record]:
        """Type of its registers, to editors and wires; without fields where a plug-in gives numpy's type alone."""
        return self.record if isinstance(self.record, type) else Record

    @property
    def registers(self) -> np.dtype[Any]:
        """Type of its registers, to numpy."""
        return np.dtype(self.record) if isinstance(self.record, (type, np.dtype)) else self.record()

    @cached_property
    def accounted(self) -> bool:
        """Whether its cycles are charged to causes."""
        return "spent" in (self.registers.names or ())

    @property
    def dimensions(self) -> int:
        """Number of indices that identify an instance."""
        return (self.scope != "") + (self.most > 1)

    def path(self, *place: str) -> str:
        """Source text of the instance at a place in the machine's record `gpu`."""
        places = [*place, "0", "0"]
        owner = f"gpu.{self.scope}[{places.pop(0)}]" if self.scope else "gpu"
        return f"{owner}.{self.name}" + (f"[{places.pop(0)}]" if self.most > 1 else "")

    @property
    def before_parameter_buffer(self) -> bool:
        """Whether it reads only tables of the geometry stage."""
        return set(self.tables) <= set(GEOMETRY_TABLES)

    def at(self, gpu: Gpu, place: tuple[int, ...]) -> Any:
        """Record of the instance at a place."""
        indices = list(place)
        owner = getattr(gpu, self.scope)[indices.pop(0)] if self.scope else gpu
        instances = getattr(owner, self.name)
        return instances[indices.pop(0)] if self.most > 1 else instances
