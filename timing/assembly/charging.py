"""Code of the instruments for a machine: charging counters to accounts, and samples of the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tilegpu.timing.declare.reasons import ASKED, MAX_REASONS, NUMBERS, REASON_BITS
from tilegpu.timing.declare.statistics import Stat

from ..engine.machine import SCOPES, Machine
from ..engine.unit import Unit
from ..engine.work import IDLE, MAX_UNIT_KINDS
from ..instruments import draw_costs, resource_costs
from ..instruments.charged import MAX_COUNTERS, MAX_OWN_COUNTERS

RESTS = ("idle", "empty")
"""Causes of a unit that has nothing to do."""
HELD_UP = (*RESTS, "blocked", "output")
"""Causes of a unit that is not what others wait for."""
WHOLE = "gpu."
"""Statistics of the machine as a whole, which are on no account."""


@dataclass(frozen=True)
class Counter:
    """Counter that is charged: a column of the table of accounts.

    Parameters
    ----------
    column
        Its number.
    name
        Of its statistic.
    path
        Where it is in the record of a unit.
    kind
        Number of the kind of units.
    cache_type
        Type of the caches, if it is of a kind of caches.
    place
        Its number among those of a unit.
    rests
        Whether it counts cycles without anything to do, which are on an account of their own.
    """

    column: int
    name: str
    path: str
    kind: int
    cache_type: int
    place: int
    rests: bool


def counters(machine: Machine, instrument: str = draw_costs.NAME) -> tuple[Counter, ...]:
    """Counters of a machine that an instrument charges to accounts, all but those that several units share."""
    chosen = waits_or_memory if instrument == resource_costs.NAME else any_counter
    charged: list[Counter] = []
    for kind, unit in enumerate(machine.units):
        charged += _of(filter(partial(chosen, unit), unit.statistics), kind, -1, len(charged), unit)
    caches = machine.kind("cache")
    for number, each in enumerate(machine.caches):
        charged += _of(each.statistics, caches, number, len(charged), machine.units[caches])
    if len(charged) > MAX_COUNTERS or any(each.place >= MAX_OWN_COUNTERS for each in charged):
        raise ValueError(f"machine {machine.name}: raise instruments.charged.MAX_COUNTERS or MAX_OWN_COUNTERS")
    if len(machine.units) > MAX_UNIT_KINDS:
        raise ValueError(f"machine {machine.name}: raise engine.work.MAX_UNIT_KINDS")
    return tuple(charged)


def _of(stats: Iterable[Stat], kind: int, cache_type: int, first: int, unit: Unit) -> list[Counter]:
    own = [stat for stat in stats if _is_charged(stat, unit)]
    rests = {f"spent[{i}]" for i, cause in enumerate(unit.causes) if cause in RESTS} if unit.accounted else set()
    return [
        Counter(first + place, stat.name, stat.path, kind, cache_type, place, stat.path in rests)
        for place, stat in enumerate(own)
    ]


def _is_charged(stat: Stat, unit: Unit) -> bool:
    shared = bool(unit.scope) and stat.path.startswith(f"{unit.scope}.")
    return bool(stat.path) and not shared and "[]" not in stat.path and not stat.name.startswith(WHOLE)


def any_counter(unit: Unit, stat: Stat) -> bool:
    """Any counter: `draw_costs` charges them all."""
    return True


def waits_or_memory(unit: Unit, stat: Stat) -> bool:
    """Counters that `resource_costs` charges: of main memory all, of other units the cycles in which they waited."""
    return unit.name == "dram" or stat.path in waiting_paths(unit)


def waiting_paths(unit: Unit) -> set[str]:
    """Paths of the cycles in which a unit waits for memory or for another unit's work on its behalf."""
    if not unit.accounted:
        return set()
    return {f"spent[{i}]" for i, cause in enumerate(unit.causes) if i > 0 and cause not in HELD_UP}


def charging(machine: Machine, instrument: str) -> Iterator[str]:
    """Lines of an instrument's functions: `charge(gpu, u, account, now)`, which charges what unit u has counted since,
    and `charged(gpu)`, its registers; of `draw_costs` also `sample(gpu, times)`, of `resource_costs` `waits(kind)`, of
    `line_costs` `executes(kind)`."""
    yield from _charge(machine, counters(machine, instrument), instrument)
    yield "@inline"
    yield "def charged(gpu):"
    yield f"    return gpu.technique.{instrument}"
    yield ""
    if instrument == draw_costs.NAME:
        yield from _sample(machine)
    elif instrument == resource_costs.NAME:
        kinds = [kind for kind, unit in enumerate(machine.units) if waiting_paths(unit)]
        yield from _is_of("waits", kinds, "Whether cycles of waiting of a kind of units are charged.")
    else:
        kinds = [kind for kind, unit in enumerate(machine.units) if unit.programmable]
        yield from _is_of("executes", kinds, "Whether units of a kind execute shaders.")


def _is_of(name: str, kinds: Iterable[int], text: str) -> Iterator[str]:
    """A function that says whether a kind of units is one of some kinds."""
    yield "@inline"
    yield f"def {name}(kind):"
    yield f'    """{text}"""'
    yield f"    return {sum(1 << kind for kind in kinds)} >> kind & 1 != 0"
    yield ""


def _charge(machine: Machine, charged: tuple[Counter, ...], instrument: str) -> Iterator[str]:
    yield "@unit"
    yield "def charge(gpu, u, account, now):"
    yield '    """Charge what a unit has counted since it was charged last to an account."""'
    yield f"    costs, which = gpu.technique.{instrument}, gpu.unit[u]"
    yield f"    row, last = account * {MAX_COUNTERS}, u * {MAX_OWN_COUNTERS}"
    for kind, unit in enumerate(machine.units):
        own = [each for each in charged if each.kind == kind]
        if not own:
            continue
        yield f"    if which.kind == {kind}:"
        # A variable has one kind of record: it is named after the unit.
        yield f"        {unit.name} = {unit.path('which.a', 'which.b')}"
        if unit.accounted:
            yield f"        {unit.name}.spent[{unit.name}.cause] += now - {unit.name}.since"
            yield f"        {unit.name}.since = now"
        for each in sorted({each.cache_type for each in own}):
            indent = "        "
            if each >= 0:
                yield f"        if {unit.name}.type == {each}:"
                indent += "    "
            for counter in own:
                if counter.cache_type == each:
                    yield from (indent + line for line in _gain(counter, unit))
        yield "        return"
    yield "    return"
    yield ""


def _gain(counter: Counter, unit: Unit) -> Iterator[str]:
    row = str(IDLE * MAX_COUNTERS) if counter.rests else "row"
    gained = f"{unit.name}.{counter.path} - costs.last[last + {counter.place}]"
    yield f"costs.total[{row} + {counter.column}] += {gained}"
    yield f"costs.last[last + {counter.place}] = {unit.name}.{counter.path}"


def _sample(machine: Machine) -> Iterator[str]:
    """Time belongs to programmable cores at work in equal parts, where there are none to other units at work."""
    yield "@unit"
    yield "def sample(gpu, times):"
    yield '    """Charge samples of the time to the accounts of the units at work."""'
    yield "    costs = gpu.technique.draw_costs"
    units = accounted_units(machine)
    for programmable in (True, False):
        tier = [unit for unit in units if unit.programmable == programmable]
        yield "    working = 0"
        for unit in tier:
            yield from _each(unit, "working += 1")
        yield "    if working > 0:"
        yield "        part = times / working"
        for unit in tier:
            row = f"costs.at[{unit.name}.id] * {MAX_REASONS}"
            yield from ("    " + line for line in _each(unit, f"costs.time[{row} + {reason(unit)}] += part"))
        yield "        return"
    yield f"    costs.time[{IDLE * MAX_REASONS + NUMBERS['idle']}] += times"
    yield ""


def reason(unit: Unit) -> str:
    """Source text for the number of the reason for which a unit, in a variable of its name, is at work."""
    names = [unit.reasons.get(cause, unit.reason) for cause in unit.causes]
    asked = sum(1 << i for i, name in enumerate(names) if name == ASKED)
    packed = sum(NUMBERS[name] << REASON_BITS * i for i, name in enumerate(names) if name != ASKED)
    stated = f"{packed} >> {REASON_BITS} * {unit.name}.cause & {MAX_REASONS - 1}"
    if not asked:
        return f"({stated})"
    places = ", ".join(["gpu", *(["r"] if unit.scope else []), *(["i"] if unit.most > 1 else [])])
    return f"(reason_{unit.name}({places}) if {asked} >> {unit.name}.cause & 1 != 0 else {stated})"


def accounted_units(machine: Machine) -> list[Unit]:
    """Units of the GPU whose cycles are accounted for."""
    return [unit for unit in machine.units if unit.accounted and ".agents." not in unit.module]


def _each(unit: Unit, statement: str) -> Iterator[str]:
    """Lines that do something for each instance of a unit at work, in a variable of the unit's name."""
    working = sum(1 << i for i, cause in enumerate(unit.causes) if cause not in HELD_UP)
    indent, places = "    ", []
    if unit.scope in SCOPES:
        yield f"{indent}for r in range(gpu.raster_units):"
        indent += "    "
        places.append("r")
    lines = [f"if {working} >> {unit.name}.cause & 1 != 0:", f"    {statement}"]
    yield from (indent + line for line in for_instances(unit, places, lines))


def for_instances(unit: Unit, places: Sequence[str], lines: Sequence[str]) -> Iterator[str]:
    """Lines that do something for each instance of a unit in a scope, in a variable of the unit's name; `places` are
    the indices of the scope."""
    if unit.most > 1:
        yield f"for i in range(gpu.instances.{unit.name}):"
    else:
        yield f"for i in range(min(1, gpu.instances.{unit.name})):"
    yield f"    {unit.name} = {unit.path(*places, *(['i'] if unit.most > 1 else []))}"
    yield from ("    " + line for line in lines)
