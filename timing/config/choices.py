"""Values that a field of a configuration takes, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le

from tilegpu.timing.declare.parameters import choices

from ..memory.dram.files import preset_names as memory_names
from ..memory.dram.policies import policy_names
from ..registry import machine_names, technique_names

_NAMED: dict[str, Callable[[], list[str]]] = {
    "machine": machine_names,
    "techniques": technique_names,
    "dram.scheduling": lambda: ["specification", *policy_names()],
    "dram.model": lambda: ["simple", *memory_names()],
}
"""Fields whose values are names of files."""


def allowed(full: str, field: Any) -> str:
    """Choices, or the range, of a field; "" where it takes any text.

    Parameters
    ----------
    full
        Dotted name.
    field
        Pydantic's description of it.
    """
    if full in _NAMED:
        return ", ".join(_NAMED[full]())
    if names := choices(field):
        return ", ".join(names)
    if get_origin(field.annotation) is Literal:
        return ", ".join(map(str, get_args(field.annotation)))
    least = next((bound.ge for bound in field.metadata if isinstance(bound, Ge)), None)
    most = next((bound.le for bound in field.metadata if isinstance(bound, Le)), None)
    return f"{least:,} to {most:,}" if least is not None and most is not None else ""


def meaning(field: Any) -> str:
    """Description of a field and what each of its names means."""
    names = "; ".join(f"`{name}`: {words}" for name, words in choices(field).items() if words)
    return f"{field.description}. {names}" if names else str(field.description or "")
