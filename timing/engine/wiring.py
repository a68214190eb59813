"""Wires: how a unit reaches what is not its own, without naming it.

A unit's file declares a wire as a function without a body, the machine says where it leads. A wire gives a queue, or
the record of another unit, or does something for the unit. Linking puts what the machine names in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, TypeVar, cast

ACCESS, OUTPUT, INPUT = "access", "output", "input"

Function = TypeVar("Function", bound=Callable[..., Any])


class Wire:
    """A wire that is not connected yet.

    Parameters
    ----------
    role
        `OUTPUT`: the unit fills the queue; `INPUT`: it empties one that is in another's record; `ACCESS`: it looks at,
        or changes, the record.
    declaration
        Function of the machine's record, and of what a call passes after it, e.g. the number of a Raster Unit.
    """

    def __init__(self, role: str, declaration: Callable[..., Any]) -> None:
        self.role, self.declaration = role, declaration
        self.parameters = tuple(signature(declaration).parameters)[1:]

    @property
    def gives(self) -> str:
        """Source text of the type that it leads to."""
        return str(self.declaration.__annotations__.get("return", ""))

    def __call__(self, *arguments: Any) -> Any:
        raise RuntimeError("a wire is not connected: load the unit with assembly.variants.load_part")


def output(declaration: Function) -> Function:
    """Declare a queue that the unit fills."""
    return cast(Function, Wire(OUTPUT, declaration))


def input(declaration: Function) -> Function:
    """Declare a queue in another unit's record that the unit empties."""
    return cast(Function, Wire(INPUT, declaration))


def access(declaration: Function) -> Function:
    """Declare a record, or a function of the machine, that the unit uses."""
    return cast(Function, Wire(ACCESS, declaration))


Target = str | Callable[..., Any]
"""Target of a wire: `unit.field`, `raster_unit.field`, a unit; or a function of the machine's file."""
