"""Instruments: observers of a machine while it runs, each in an engine of its own, that change no cycle.

An instrument fills hooks as a technique does. Without it, an engine holds nothing of it.
"""

from __future__ import annotations

from types import MappingProxyType

from tilegpu.functional.errors import UserError

INSTRUMENTS = MappingProxyType({"by_draw": "draw_costs", "by_resource": "resource_costs", "by_line": "line_costs"})
"""Instruments by the options that ask for them."""


def instrument_of(**options: bool) -> str:
    """Name of the instrument that options ask for, "" if none does.

    Raises
    ------
    UserError
        If several do.
    """
    asked = [option for option, value in options.items() if value]
    if len(asked) > 1:
        raise UserError(f"{' and '.join(asked)} count on engines of their own: choose one")
    return INSTRUMENTS[asked[0]] if asked else ""
