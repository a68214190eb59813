"""From a configuration to a chip: a machine with its sizes, ports, and which unit is which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tilegpu.timing.declare.records import MAX_TILE_QUADS, NEVER, fields_of
from tilegpu.timing.declare.stages import FragmentStage, VertexStage
from tilegpu.timing.declare.tiles import Tiles

from ..config.fields import field_value
from ..config.policies import FOLDERS
from ..config.schema import Configuration
from ..declare.quad_mappings import quad_processors
from ..engine.calendar import WORD_UNITS, enter, number_of
from ..engine.chip import Chip
from ..engine.machine import SCOPES, Machine
from ..engine.unit import Unit
from ..engine.wiring import INPUT, OUTPUT
from ..machines.builder import Builder
from ..memory.network import NETWORKS
from ..registry import components, find_instrument
from ..units import tile_scheduler, warp_schedulers
from .link import find_wire
from .registers import record_of

PACKAGE = (__package__ or "").rpartition(".")[0]


def build(configuration: Configuration, instrument: str = "") -> Chip:
    """Chip of a configuration, with nothing in it, and with an instrument if one is named.

    Returns
    -------
    Chip
        Its record's size does not depend on the configuration, apart from the machine and the techniques.
    """
    machine, techniques = components(configuration)
    if instrument:
        techniques += (find_instrument(instrument),)
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
    for field, folder in FOLDERS.items():
        if folder is warp_schedulers.FOLDER and machine.has_field(field):
            scheduler = folder.find(field_value(configuration, field))
            scheduler.set_up(gpu.warp_scheduler[scheduler.name], configuration)
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
