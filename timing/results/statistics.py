"""All statistics of a configuration: those of its machine, units, caches, queues and techniques."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilegpu.timing.declare.statistics import Stat, ratio, read
from tilegpu.timing.declare.structures import Structure

from ..engine.account import SAMPLE_CYCLES
from ..engine.chip import Chip
from ..engine.machine import Machine
from ..engine.technique import Technique
from ..memory.dram.policies import find_policy
from ..registry import components
from . import own_pictures, reuse


def statistics(configuration: Any) -> tuple[Stat, ...]:
    """Statistics of a configuration; derived ones after those they are derived from."""
    machine, techniques = components(configuration)
    return tuple(stat for _, stats in _sources(configuration, machine, techniques) for stat in stats)


def structures(configuration: Any) -> tuple[Structure, ...]:
    """Structures that energy and area are computed for. Not among them: wires between units, clock trees, control."""
    machine, techniques = components(configuration)
    candidates = [structure for unit in reversed(machine.units) for structure in unit.structures]
    candidates += [kind.structure for kind in machine.caches]
    candidates += [structure for technique in techniques for structure in technique.structures]
    return tuple(structure for structure in candidates if structure.exists(configuration))


def snapshot(chip: Chip) -> dict[str, int]:
    """Counted statistics of a chip so far."""
    values = {}
    for owners, stats in _sources(chip.configuration, chip.machine, chip.techniques):
        counted = [stat for stat in stats if stat.path]
        if not counted:
            continue
        scope, scopes, records = _records(chip, owners)
        for stat in counted:
            shared = bool(scope) and stat.path.startswith(scope)
            path = stat.path.removeprefix(scope) if shared else stat.path
            values[stat.name] = sum(read(record, path) for record in (scopes if shared else records))
    return values


Owners = tuple[str, Any]


def _sources(
    configuration: Any, machine: Machine, techniques: tuple[Technique, ...]
) -> Iterator[tuple[Owners, tuple[Stat, ...]]]:
    """Owners whose records hold the statistics, and the statistics."""
    counted: list[tuple[Owners, tuple[Stat, ...]]] = [(("machine", None), machine.statistics[:1])]
    counted += [(("unit", unit), unit.statistics) for unit in reversed(machine.units)]
    counted += [(("cache", kind.name), kind.statistics) for kind in machine.caches]
    counted.append((("machine", None), tuple(_queue_statistics(machine))))
    memory = configuration.dram.specification
    if memory is not None:
        # Paths of a policy's statistics are in the record of main memory.
        counted.append((("unit", machine.by_name["dram"]), find_policy(memory.system.scheduling).statistics))
    counted += [(("technique", technique.name), technique.statistics) for technique in techniques]
    counted.append((("machine", None), (*reuse.STATS, *own_pictures.STATS)))
    for owners, stats in counted:
        yield owners, tuple(stat for stat in stats if stat.derive is None)
    for owners, stats in [*counted, (("machine", None), machine.statistics[1:])]:
        yield owners, tuple(stat for stat in stats if stat.derive is not None)


def _records(chip: Chip, owners: Owners) -> tuple[str, list[Any], list[Any]]:
    """Records that a statistic is summed over; and, with the beginning of their paths, what units share."""
    kind, which = owners
    if kind == "machine":
        return "", [], [chip.gpu]
    if kind == "technique":
        return "", [], [getattr(chip.gpu.technique, which)]
    if kind == "cache":
        return "", [], chip.caches(which)
    records = [owner for _, owner in chip.instances(which)]
    if not which.scope:
        return "", [], records
    scopes = getattr(chip.gpu, which.scope)
    return f"{which.scope}.", [scopes[r] for r in range(chip.gpu.raster_units)], records


def _queue_statistics(machine: Machine) -> Iterator[Stat]:
    for i, queue in enumerate(machine.queues):
        name, title = f"queues.{queue}", queue.replace("_", " ")
        at_all_looks = f"{title}: entries at all looks, every {SAMPLE_CYCLES} cycles"
        yield Stat(f"{name}.entries", "entries", at_all_looks, f"occupancy[{i}].entries")
        yield Stat(f"{name}.full", "looks", f"{title}: looks that found it full", f"occupancy[{i}].full")
        yield Stat(
            f"{name}.looks", "looks", f"{title}: looks, one at each queue of the kind", f"occupancy[{i}].looks"
        )  # fmt: skip
        mean, share = f"{title}: mean number of entries", f"{title}: share of the time it is full"
        yield ratio(f"{name}.occupancy", "entries", mean, f"{name}.entries", f"{name}.looks")
        yield ratio(f"{name}.full_share", "ratio", share, f"{name}.full", f"{name}.looks")
