"""A machine: its units and how they are wired."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.records import MAX_RASTER_UNITS
from tilegpu.timing.declare.statistics import ResultTable, Stat

from .technique import Technique
from .unit import RASTER_UNIT, Unit, Watch
from .wiring import Target

if TYPE_CHECKING:
    from tilegpu.timing.declare.cache_kinds import CacheKind

SCOPES = {RASTER_UNIT: MAX_RASTER_UNITS}


@dataclass(frozen=True)
class Machine:
    """A machine.

    Parameters
    ----------
    name
        Value of the configuration's field `machine`; name of its module.
    title
        What it is.
    units
        In the order in which they are ticked: a unit before those that feed it, so that what is handed over is seen
        one cycle later.
    wires
        Where the wires of the units lead: `file.wire` to `unit.field`, `raster_unit.field`, a unit, or a function.
    caches
        Kinds of caches, the last level first.
    connect
        `connect(builder)`: makes the caches and joins units, caches and main memory.
    finished
        Whether nothing is left to do (a function of the machine's record).
    settle
        `settle(gpu, t)`: brings counters up to a cycle.
    listens
        Units that each signal (`engine.gpu.Signals`) wakes up.
    callers
        Units that call a hook which may stall them.
    statistics
        Statistics of the machine as a whole; paths are in its record.
    results
        Tables of its own among the results.
    sorts
        Whether geometry is sorted into tiles before it is rasterized (sort-middle). Where not, the frame's tables hold
        a pass as one tile, its primitives in drawing order, and attachments as lines that quads are written to.
    blends_in_shader
        Whether Fragment Processors read and write pixels: their programs end with the instructions for it.
    tests_in_shader
        Whether early tests of depth, fetches of vertices and writes of what they become are instructions as well.
    scalar
        Whether lanes execute scalar instructions, of which an instruction on vectors becomes several.
    computes
        Whether its cores execute compute programs.
    load
        `load(source, configuration)`: tables of a frame that only this machine has, a NamedTuple of arrays which units
        read as the group `machine`; `source` is a `loading.own.Source`, or None for tables without rows.
    raster_tile
        Side in pixels of the squares that the quads of a primitive are sorted by; 0 where they stay as recorded.
    check
        `check(configuration)`: UserError where the machine cannot be built like that.
    parameters
        Sections of the configuration that belong to the machine as a whole; those of units and caches come on top.
    reads
        Single fields of sections whose part it does not have.
    untold
        Columns of the table of tiles that it cannot fill.
    """

    name: str
    title: str
    units: tuple[Unit, ...]
    wires: Mapping[str, Target]
    caches: tuple[CacheKind, ...]
    connect: Callable[[Any], None]
    finished: Callable[[Any], bool]
    settle: Callable[[Any, int], None]
    listens: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    callers: Mapping[str, str] = field(default_factory=dict)
    statistics: tuple[Stat, ...] = ()
    results: tuple[ResultTable, ...] = ()
    sorts: bool = True
    blends_in_shader: bool = False
    tests_in_shader: bool = False
    scalar: bool = False
    computes: bool = False
    load: Callable[[Any, Any], Any] | None = None
    raster_tile: int = 0
    check: Callable[[Any], None] | None = None
    parameters: tuple[type[Group], ...] = ()
    reads: Mapping[type[Group], tuple[str, ...]] = field(default_factory=dict)
    untold: tuple[str, ...] = ()

    @cached_property
    def sections(self) -> dict[str, Group]:
        """Sections of the configuration that its parts declare, with their defaults.

        Those of units are in the order of the stream, then caches, the last level last.
        """
        of_units = (model for unit in reversed(self.units) for model in unit.parameters)
        groups = {model.section: model() for model in (*self.parameters, *of_units)}
        caches = (*self.caches[1:], *self.caches[:1])
        return groups | {kind.name: kind.default for kind in caches if kind.default is not None}

    def has_field(self, name: str) -> bool:
        """Whether one of its parts reads a field of the configuration, by its dotted name."""
        section, _, rest = name.partition(".")
        single = {model.section: fields for model, fields in self.reads.items()}
        return section in self.sections or rest in single.get(section, ())

    @cached_property
    def by_name(self) -> dict[str, Unit]:
        """Units by their names."""
        return {unit.name: unit for unit in self.units}

    def kind(self, name: str) -> int:
        """Number of a kind of units."""
        return [unit.name for unit in self.units].index(name)

    def watched(self) -> Iterator[tuple[Unit, Watch]]:
        """Queues that are looked at, in the order of the stream."""
        for unit in reversed(self.units):
            for watch in unit.watches:
                yield unit, watch

    @cached_property
    def queues(self) -> tuple[str, ...]:
        """Names of the queues that are looked at, each once."""
        return tuple(dict.fromkeys(watch.name for _, watch in self.watched()))

    def with_techniques(self, techniques: Sequence[Technique]) -> Machine:
        """The machine with what techniques add to it."""
        if not techniques:
            return self
        units = list(self.units)
        for technique in techniques:
            for unit in technique.units:
                names = [u.name for u in units]
                units.insert(names.index(unit.ahead_of) if unit.ahead_of else len(units), unit)
        wires = dict(self.wires)
        for technique in techniques:
            wires |= technique.wires
        caches = (*self.caches, *(kind for technique in techniques for kind in technique.caches))
        return replace(self, units=tuple(units), wires=wires, caches=caches)
