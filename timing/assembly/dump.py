"""The state of a chip in words: which unit waits for what. Shown when a replay is stuck."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilegpu.timing.declare.records import NEVER
from tilegpu.timing.declare.statistics import read

from ..engine.account import BLOCKED, IDLE, WAITING
from ..engine.calendar import next_call_of
from ..engine.chip import Chip
from ..engine.unit import Unit

CAUSES = {
    WAITING: "waits for memory or other results",
    BLOCKED: "cannot hand on what it has",
    IDLE: "has nothing to do",
}


def progress_marks(chip: Chip) -> tuple[int, ...]:
    """Counters, at least one of which moves whenever work is done; refreshes do not count as work."""
    return tuple(read(owner, mark) for unit, _, owner in chip.owners for mark in unit.marks)


def waiting_units(chip: Chip) -> Iterator[str]:
    """One line per unit that has something left to do."""
    idle = 0
    for unit, place, owner in chip.owners:
        if unit.accounted and len(owner.spent) == len(CAUSES) + 1 and owner.cause == IDLE:
            idle += 1
        stands = unit.stands(owner) if unit.stands is not None else ""
        if stands:
            yield f"{_title(chip, unit, place, owner)}: {_cause(unit, owner)}{stands}{_due(chip.gpu, owner)}"
    yield f"{idle} units have nothing to do"


def _title(chip: Chip, unit: Unit, place: tuple[int, ...], owner: Any) -> str:
    name = chip.machine.caches[int(owner.type)].name if unit.name == "cache" else unit.name
    numbers = ".".join(str(number) for number in place)
    return f"{name.replace('_', ' ')} {numbers}".rstrip()


def _cause(unit: Unit, owner: Any) -> str:
    if not unit.accounted or len(owner.spent) != len(CAUSES) + 1:
        return ""
    return CAUSES.get(int(owner.cause), "at work") + "; "


def _due(gpu: Any, owner: Any) -> str:
    wake = next_call_of(gpu, int(owner.id))
    return ", to be woken by another" if wake >= NEVER else f", next at cycle {wake}"
