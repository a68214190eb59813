"""What no paper gives: fields that this project had to choose, with the values that they may plausibly have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from .load import field_value
from .schema import Configuration

SIMPLE_DRAM = {"dram.banks", "dram.row_bytes", "dram.queue", "dram.in_flight"}
"""Fields of the model `simple` alone."""


@dataclass(frozen=True)
class OpenChoice:
    """A field that no paper gives.

    Attributes
    ----------
    name
        Dotted name.
    value
        What it is in a configuration.
    others
        What else it may plausibly be: the lowest and the highest value, or other names; without its own.
    """

    name: str
    value: int | str
    others: tuple[int | str, ...]


def open_choices(configuration: Configuration) -> list[OpenChoice]:
    """Fields of a configuration that no paper gives and that its machine has, in their order."""
    from ..registry import components

    machine, _ = components(configuration)
    caches = {kind.name for kind in machine.caches}
    found = []
    for name, plausible in _declared(Configuration):
        group = name.partition(".")[0]
        absent = group.endswith("_cache") and group not in caches
        if absent or (name in SIMPLE_DRAM and configuration.dram.model != "simple"):
            continue
        value = field_value(configuration, name)
        found.append(OpenChoice(name, value, tuple(other for other in plausible if other != value)))
    return found


def _declared(kind: type[BaseModel], prefix: str = "") -> list[tuple[str, list[Any]]]:
    found = []
    for name, field in kind.model_fields.items():
        inner = field.annotation
        extra = field.json_schema_extra
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            found += _declared(inner, f"{prefix}{name}.")
        elif isinstance(extra, dict) and isinstance(plausible := extra.get("plausible"), list):
            found.append((prefix + name, plausible))
    return found
