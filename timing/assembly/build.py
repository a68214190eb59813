"""From a configuration to a chip: a machine with its sizes, ports, and which unit is which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.records import MAX_OUTSTANDING, MAX_TILE_QUADS, MAX_WAITERS, NEVER, fields_of
from tilegpu.timing.declare.stages import FragmentStage, VertexStage
from tilegpu.timing.declare.tiles import Tiles

from ..config.schema import Configuration
from ..declare.quad_mappings import quad_processors
from ..engine.calendar import WORD_UNITS, enter, number_of, poke
from ..engine.machine import SCOPES, Machine
from ..engine.plain import plain
from ..engine.technique import Technique
from ..engine.unit import Unit
from ..engine.wiring import INPUT, OUTPUT
from ..instruments.draw_costs import INSTRUMENT
from ..memory.lines import REPLACEMENTS
from ..memory.network import NETWORKS
from ..memory.request import REQUEST_DEPTH
from ..registry import components
from ..units import command_processor, tile_scheduler
from .link import find_wire, instances
from .registers import record_of

PACKAGE = (__package__ or "").rpartition(".")[0]


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

    configuration: Configuration
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
        return tuple(found for found in self.owners if found.unit.accounted)

    def caches(self, kind: str) -> list[Any]:
        """Caches of a kind."""
        type_ = [k.name for k in self.machine.caches].index(kind)
        return [cache for cache in (self.gpu.cache[k] for k in range(self.gpu.caches)) if cache.type == type_]

    def settle(self) -> None:
        """Charge the time up to now to what the units were doing, so that their cycles add up."""
        for _, _, owner in self.accounted:
            owner.spent[owner.cause] += self.gpu.cycle - owner.since
            owner.since = self.gpu.cycle

    def begin_frame(self, switches: bool = False) -> None:
        """Prepare the machine for a new frame, of another application if it `switches`; caches, DRAM rows and what
        techniques remember stay as they are.

        Units whose part of its first pass is done already, in parallel with the frame before, go on.
        """
        self.began = int(self.gpu.cycle)
        ahead = self.gpu.command_processor.phase == command_processor.READY
        for unit, _, owner in self.owners:
            if unit.begin_frame is not None and not (ahead and unit.before_parameter_buffer):
                unit.begin_frame(owner)
                # A clear of a part that comes before all draws has no vertex that would wake it.
                poke(self.gpu, owner.id)
        if switches:
            command_processor.switch_application(self.gpu.command_processor)
        poke(self.gpu, self.gpu.command_processor.id)

    @property
    def wants_next_frame(self) -> bool:
        """Whether the run has ended because the geometry stage is through and may go on with another frame."""
        return bool(self.gpu.command_processor.phase == command_processor.HANDED)

    def look_ahead(self, further: bool) -> None:
        """Let the geometry stage go on with the tables of the next frame, or not, if there is no further one."""
        for unit, _, owner in self.owners:
            if unit.begin_frame is not None and unit.before_parameter_buffer:
                unit.begin_frame(owner)
                poke(self.gpu, owner.id)
        command_processor.look_ahead(self.gpu.command_processor, further)
        poke(self.gpu, self.gpu.command_processor.id)


@dataclass
class Builder:
    """Numbers handed out while a chip is put together."""

    chip: Chip
    lines: int = 0
    made: dict[tuple[str, int, int], Any] = field(default_factory=dict)
    clients: dict[tuple[str, int, int], list[tuple[Any, Any]]] = field(default_factory=dict)

    @property
    def gpu(self) -> Any:
        """The machine's record."""
        return self.chip.gpu

    @property
    def configuration(self) -> Configuration:
        """Hardware."""
        return self.chip.configuration

    def places(self, unit: str) -> Iterator[tuple[int, ...]]:
        """Places of a unit's instances."""
        return instances(self.chip.machine, self.chip.machine.by_name[unit], self.gpu)

    def cache(self, name: str, a: int = 0, b: int = 0) -> None:
        """Make a cache from the section of the configuration that has this name, unless there is one of these numbers.

        The first is the last level; all others are joined to it.
        """
        if (name, a, b) in self.made:
            return
        kinds = {kind.name: kind for kind in self.chip.machine.caches}
        spec = kinds[name].spec(self.configuration)
        line_bytes = self.configuration.memory.line_bytes
        cache = self.gpu.cache[len(self.made)]
        cache.type = list(kinds).index(name)
        sets = spec.sets(line_bytes, name)
        cache.first_line, cache.set_mask, cache.ways = self.lines, sets - 1, spec.ways
        cache.line_shift = line_bytes.bit_length() - 1
        cache.bank_mask, cache.latency, cache.mshrs = spec.banks - 1, spec.latency, spec.mshrs
        cache.replacement, cache.write_through = REPLACEMENTS.index(spec.replacement), spec.write == "through"
        cache.fetch_on_write, cache.write_around = spec.write_miss == "fetch", spec.write_miss == "around"
        cache.blocks = spec.blocking == "all"
        cache.served = -1
        cache.waiter["next"] = np.where(np.arange(MAX_WAITERS) < spec.waiters - 1, np.arange(1, MAX_WAITERS + 1), -1)
        self.lines += sets * spec.ways
        last_level = next(iter(self.made), None)
        self.made[name, a, b] = cache
        self.gpu.caches = self.gpu.instances.cache = len(self.made)
        self.attach(cache, last_level or "dram", field="below")

    def attach(self, owner: Any, server: str | tuple[str, int, int], client: Any = None, field: str = "port") -> None:
        """Join a record with a port to a cache or to main memory; `client` is the unit that answers wake up."""
        key = (server, 0, 0) if isinstance(server, str) else server
        self.clients.setdefault(key, []).append(((owner, field), owner if client is None else client))

    def number_ports(self) -> None:
        """Ports of a server are stored side by side, in the order in which clients were attached."""
        number = 0
        for key, clients in self.clients.items():
            server = self.gpu.dram if key[0] == "dram" else self.made[key]
            server.first_port, server.ports = number, len(clients)
            for (owner, name), client in clients:
                port = self.gpu.port[number]
                port.request.depth = REQUEST_DEPTH
                port.reply.depth = port.refill.depth = MAX_OUTSTANDING
                port.client, port.server = client.id, server.id
                port.number, port.arrival = number, NEVER
                if name == "below" and key[0] != "dram":
                    port.answer_cycles = self.configuration.memory.answer_cycles
                setattr(owner, name, number)
                number += 1


def build(configuration: Configuration, by_draw: bool = False) -> Chip:
    """Chip of a configuration, with nothing in it; with the instrument `draw_costs` if it is `by_draw`.

    Returns
    -------
    Chip
        Its record's size does not depend on the configuration, apart from the machine and the techniques.
    """
    machine, techniques = components(configuration)
    if by_draw:
        techniques += (INSTRUMENT,)
    gpu = np.zeros(1, record_of(machine, techniques)).view(np.recarray)[0]
    chip = Chip(configuration, machine, techniques, gpu)
    builder = Builder(chip)
    gpu.line.tag[:] = -1
    _sizes(chip)
    machine.connect(builder)
    for technique in techniques:
        for kind in technique.caches:
            builder.cache(kind.name)
    _number_units(chip)
    for technique in techniques:
        for unit in technique.units:
            _attach(builder, unit)
    builder.number_ports()
    for unit, place, owner in chip.owners:
        unit.setup(chip, owner, place)
    _listeners(chip)
    _queues(chip)
    for technique in techniques:
        technique.setup(chip, gpu.technique[technique.name])
    return chip


def _sizes(chip: Chip) -> None:
    gpu, c = chip.gpu, chip.configuration
    gpu.line_bytes = c.memory.line_bytes
    gpu.line_shift = c.memory.line_bytes.bit_length() - 1
    gpu.network.kind, gpu.network.cycles = NETWORKS.index(c.memory.network), c.memory.answer_cycles
    tiles, stage = c.of(Tiles), c.of(FragmentStage)
    gpu.tile_width, gpu.tile_height = tiles.width, tiles.height
    gpu.raster_units = tiles.raster_units
    gpu.tile_assignment = ("static", "dynamic", "mixed").index(tiles.assignment) + tile_scheduler.STATIC
    own_processors = chip.machine.has_field("fragment_stage.processors")
    gpu.fragment_processors = stage.processors if own_processors else 1
    gpu.vertex_processors = c.of(VertexStage).processors
    gpu.shared_input = own_processors and stage.input_queue == "shared"
    tables = (
        quad_processors(stage.quad_mapping, tiles.width // 2, tiles.height // 2, stage.processors)
        if own_processors
        else [np.zeros(tiles.width * tiles.height // 4, np.int64)]
    )
    for k, table in enumerate(tables):
        gpu.quad_processor[k * MAX_TILE_QUADS : k * MAX_TILE_QUADS + len(table)] = table
    for unit in chip.machine.units:
        gpu.instances[unit.name] = unit.count(c)


def _number_units(chip: Chip) -> None:
    """Number the units in the order in which they are ticked."""
    gpu = chip.gpu
    units = [
        (kind, place, owner)
        for kind, unit in enumerate(chip.machine.units)
        for place, owner in chip.instances(unit)
    ]  # fmt: skip
    calendar = gpu.calendar
    calendar.words = -(-len(units) // WORD_UNITS)
    calendar.later[:] = calendar.next_later = NEVER
    for order, (kind, place, owner) in enumerate(units):
        owner.id = number = number_of(order)
        gpu.unit[number] = (kind, *(*place, 0, 0)[:2])
        enter(calendar.everybody, number)


def _attach(builder: Builder, unit: Unit) -> None:
    for path, server in unit.ports.items():
        part, _, name = path.rpartition(".")
        for _, owner in builder.chip.instances(unit):
            builder.attach(getattr(owner, part) if part else owner, server, owner, name)


def _listeners(chip: Chip) -> None:
    """Register the units that signals wake up, and those that techniques wake up after stalling them."""
    groups = [(chip.gpu.signal[signal], names) for signal, names in chip.machine.listens.items()]
    groups += [(chip.gpu.caller[hook], (name,)) for hook, name in chip.machine.callers.items()]
    groups += [(chip.gpu.signal[signal], (unit.name,)) for unit in chip.machine.units for signal in unit.listens]
    groups += [(chip.gpu.caller[hook], (unit.name,)) for unit in chip.machine.units for hook in unit.calls]
    for mask, names in groups:
        for name in names:
            for _, owner in chip.instances(chip.machine.by_name[name]):
                enter(mask, int(owner.id))


def _queues(chip: Chip) -> None:
    """Find the producers and consumers of each queue from the wires."""
    sides: dict[str, tuple[list[Unit], list[Unit]]] = {}
    by_file = {unit.module.rpartition(".")[2]: unit for unit in chip.machine.units}
    for full, target in chip.machine.wires.items():
        module, name = find_wire(PACKAGE, full)
        role = getattr(getattr(module, name), "role", "")
        if role in (OUTPUT, INPUT) and isinstance(target, str):
            sides.setdefault(target, ([], []))[role == INPUT].append(by_file[full.partition(".")[0]])
    for target, (filling, emptying) in sides.items():
        owner = _owner(chip.machine, target)
        # The unit whose record holds the queue is at the other end of every wire to it.
        (filling if emptying else emptying).append(owner)
        for place, queue in _rings(chip, target):
            for side, mask in ((filling, queue.producers), (emptying, queue.consumers)):
                numbers = [number for unit in side for number in _joined(chip, unit, owner, place)]
                for number in numbers:
                    enter(mask, number)
            queue.consumer = numbers[0]


def _joined(chip: Chip, unit: Unit, owner: Unit, place: tuple[int, ...]) -> Iterator[int]:
    """Numbers of a unit's instances that reach the queue at a place of its owner: those of the same Raster Unit; of
    the owner itself, those at the place."""
    for at, record in chip.instances(unit):
        if unit.scope and owner.scope and at[0] != place[0]:
            continue
        if unit is not owner or at[: len(place)] == place:
            yield int(record.id)


def _owner(machine: Machine, target: str) -> Unit:
    head, _, name = target.partition(".")
    if head in SCOPES:
        shared = ((unit, unit.shared) for unit in machine.units if unit.scope == head)
        return next(unit for unit, record in shared if record and name in fields_of(record))
    return machine.by_name[head]


def _rings(chip: Chip, target: str) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Instances of a queue, with their places."""
    head, _, name = target.partition(".")
    if head in SCOPES:
        for r in range(int(chip.gpu.raster_units)):
            yield (r,), getattr(getattr(chip.gpu, head)[r], name)
        return
    for place, owner in chip.instances(chip.machine.by_name[head]):
        yield place, getattr(owner, name)
