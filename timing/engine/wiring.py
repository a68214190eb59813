"""Wires: how a unit reaches what is not its own, without naming it.

A unit's file declares a wire, the machine says where it leads. A wire is a function of the machine's record that gives
a queue, or the record of another unit. Linking puts it in the place of the declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ACCESS, OUTPUT, INPUT = "access", "output", "input"


class Wire:
    """A wire that is not connected yet.

    Parameters
    ----------
    role
        `OUTPUT`: the unit fills the queue; `INPUT`: it empties one that stands in another's record; `ACCESS`: it looks
        at, or changes, what is there.
    parameters
        What a call passes after the machine's record, e.g. the number of a Raster Unit.
    """

    def __init__(self, role: str, parameters: tuple[str, ...]) -> None:
        self.role, self.parameters = role, parameters

    def __call__(self, *arguments: Any) -> Any:
        raise RuntimeError("a wire is not connected: load the unit with assembly.variants.load_part")


def output(*parameters: str) -> Any:
    """Declare a queue that the unit fills."""
    return Wire(OUTPUT, parameters)


def input(*parameters: str) -> Any:
    """Declare a queue in another unit's record that the unit empties."""
    return Wire(INPUT, parameters)


def access(*parameters: str) -> Any:
    """Declare a record, or a function of the machine, that the unit uses."""
    return Wire(ACCESS, parameters)


Target = str | Callable[..., Any]
"""Where a wire leads: `unit.field`, `raster_unit.field`, a unit; or a function of the machine's file."""
