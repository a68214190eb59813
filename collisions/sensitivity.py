"""Sensitivity of time and energy to what is uncertain: each constant at both ends of its plausible range."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .cpu import Cpu
from .detect import OnFrame, detect
from .detection import Detection

TOTALS = ("broad_seconds", "narrow_seconds", "broad_joules", "narrow_joules")


@dataclass(frozen=True)
class Outcome:
    """Totals over all frames with one field changed."""

    field: str
    value: int | str
    broad_seconds: float
    narrow_seconds: float
    broad_joules: float
    narrow_joules: float


def sensitivity(folder: Path, detection: Detection, on_value: OnFrame | None = None) -> list[Outcome]:
    """Time and energy with each uncertain field at each other value that it may plausibly have.

    Constants of time and energy are applied to the work that was counted; what changes the work itself (another
    algorithm, another placement) is detected anew.

    Parameters
    ----------
    folder
        The activity.
    detection
        Detected in it.
    on_value
        Called after each value with how many are done, and how many there are.
    """
    outcomes: list[Outcome] = []
    values = plausible(detection.options.cpu)
    for name, value in values:
        options = replace(detection.options, cpu=changed(detection.options.cpu, name, value))
        numbers = [frame.frame for frame in detection.frames]
        redone = detect(folder, options, chosen=numbers) if name in _OF_THE_WORK else detection.on(options.cpu)
        outcomes.append(Outcome(name, value, *(redone.total(total) for total in TOTALS)))
        if on_value:
            on_value(len(outcomes), len(values))
    return outcomes


_OF_THE_WORK = ("broad_phase", "bounding_box", "gjk_points", "memory.placement")


def plausible(cpu: Cpu) -> list[tuple[str, int | str]]:
    """Fields with a range, by dotted name, each with the values to try in addition to its own."""
    choices: list[tuple[str, int | str]] = []
    for group, prefix in ((cpu, ""), (cpu.core, "core."), (cpu.memory, "memory."), (cpu.power, "power.")):
        for name, field in type(group).model_fields.items():
            for value in _values(field):
                if value != getattr(group, name):
                    choices.append((prefix + name, value))
    for name, field in type(cpu.operations).model_fields.items():
        choices += [(f"operations.{name}.scale_percent", value) for value in _values(field)]
    return choices


def _values(field: Any) -> list[int | str]:
    extra = field.json_schema_extra
    return list(extra.get("plausible", [])) if isinstance(extra, dict) else []


def changed(cpu: Cpu, name: str, value: int | str) -> Cpu:
    """The CPU with one field changed, by its dotted name."""
    values = cpu.model_dump()
    *groups, leaf = name.split(".")
    place: Any = values
    for group in groups:
        place = place[group]
    place[leaf] = value
    return Cpu.model_validate(values)
